"""Checking that a search that was saved and loaded continues as if it had never been stopped."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from searchkit.errors import (
    InvalidOptionError,
    InvalidProblemError,
    MissingCapabilityError,
    MissingExtraError,
    SearchkitError,
)
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import SearchProblem
from searchkit.saving.identity import identity
from searchkit.search.driver import Search
from searchkit.search.limits import Limits
from searchkit.testing.engine_problems import given_sources, sources_for
from searchkit.testing.engines import facts_of
from searchkit.testing.reports import Report
from searchkit.testing.runner import HOLDS, Finding, Trials
from searchkit.testing.trials import EXPECTED, contender_for, last_line

EXAMPLES = 50
"""The default number of problems: six files are written and read for each."""
PAUSES = 5
"""A search is saved before its first expansion, and after each fifth of them."""
MAX_EXPANSIONS = 2_000
"""The largest number of expansions of one search; a larger one is compared as far as that."""
NAME = "saving"
PROMISE = "a search that is saved and loaded at any pause has the result of one that was never stopped"


def check_saving(
    engine: Any,
    problems: Any = None,
    *,
    backend: str = "python",
    examples: int = EXAMPLES,
    seed: int = 0,
    **options: object,
) -> Report:
    """Check that searches by an engine can be saved to a file, loaded, and continued to the same result.

    It checks an engine, which has to keep all that it knows in the tree, and problems: that their states and actions
    can be written, and that a problem does not change while it is searched. Each search is saved and loaded several
    times, the loaded one again. The result is compared in the status, the path, the counters, the lower bound and the
    warnings.

    Args:
        engine: the name of an engine, an `EngineSpec`, or a generator function `(problem, tree, **options)`.
        problems: a problem, a Hypothesis strategy of problems, or several strategies. None: as for `check_engine`.
        backend: `python` or `compiled`.
        examples: the number of problems, over all strategies.
        seed: the same seed gives the same problems.
        options: options of the engine.

    If no problem has what the engine or the backend requires, the check is skipped with the reason.

    Raises:
        CheckFailure: a search can't be saved or loaded, or does not continue as it should. The report shows the
            smallest problem found.
        UnknownNameError: there is no such engine or option.
        InvalidOptionError: `engine` has none of the forms above, or there is no such backend.

    Example:
        >>> from searchkit.testing import check_saving
        >>> from searchkit_dungeon import grid
        >>> print(check_saving("astar", grid(["S.#G", "...."])))
        saved searches by engine astar: holds (1 example)
          ✓ saving: a search that is saved and loaded at any pause has the result of one that was never stopped

    """
    contender = contender_for(engine)
    spec = contender.spec
    if spec is None:
        raise InvalidOptionError(
            f"{contender.name} is a function of a problem, which can't be paused and saved; {EXPECTED}"
        )
    if backend not in ("python", "compiled"):
        raise InvalidOptionError(f"backend {backend!r}: expected python or compiled")
    given = contender.options(options)
    how = given if backend == "python" else {"backend": backend, **given}
    named = "".join(f", {name}={value!r}" for name, value in how.items())

    def try_on(problem: SearchProblem[Any, Any], promises: Collection[str]) -> dict[str, Finding]:
        try:
            fault = _fault(problem, spec, backend, given)
        except (MissingCapabilityError, MissingExtraError) as error:
            return {NAME: Finding("skipped", str(error))}
        return {NAME: Finding("fails", fault, problem=problem) if fault else HOLDS}

    check = f"check_saving({contender.reference}, problem{named})"
    trials = Trials({NAME: PROMISE}, try_on, check, named=(spec.run,))
    sources = sources_for(spec) if problems is None else given_sources(problems)
    for source in sources:
        trials.draw(source, max(1, examples // len(sources)), seed)
    return Report(f"saved searches by {contender.subject}", trials.checks(), trials.examples).or_raise()


def _fault(
    problem: SearchProblem[Any, Any], spec: EngineSpec, backend: str, options: Mapping[str, Any]
) -> str:
    """Return what is wrong with searches of one problem; "" for nothing.

    Raises `MissingCapabilityError` and `MissingExtraError`.
    """
    with suppress(InvalidProblemError):  # which saving reports
        before = identity(problem)
    plain: Search[Any, Any] = Search(problem, spec, backend=backend, **options)
    expected = facts_of(plain.run(Limits(expansions=MAX_EXPANSIONS)))
    end = plain.statistics.expanded
    with suppress(InvalidProblemError):
        if identity(problem) != before:
            return (
                "the problem has another name in files after a search: one of its attributes changes during a search, "
                "such as a cache; give it a method file_identity() (searchkit.Identifiable)"
            )
    search: Search[Any, Any] = Search(problem, spec, backend=backend, **options)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "search"
        for pause in (*sorted({end * part // PAUSES for part in range(PAUSES + 1)}), MAX_EXPANSIONS):
            try:
                result = search.run(Limits(expansions=max(0, pause - search.statistics.expanded)))
                search.save(file)
                search = Search.load(file, problem, spec)
            except SearchkitError as error:
                return f"after {search.statistics.expanded} expansions: {last_line(error)}"
    found = facts_of(result)
    name = next((name for name, value in expected.items() if value != found[name]), None)
    return f"after it was loaded, {name} is {found[name]} instead of {expected[name]}" if name else ""
