"""Checking that a search that was saved and loaded goes on as if it had never been stopped."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import frozen

from searchkit.errors import (
    InvalidOptionError,
    InvalidProblemError,
    MissingCapabilityError,
    MissingExtraError,
    SearchkitError,
)
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import SearchProblem
from searchkit.result import Result
from searchkit.scale.identity import Identity, identity
from searchkit.search.driver import Search
from searchkit.search.limits import Limits
from searchkit.testing.contenders import EXPECTED, contender_for, with_options
from searchkit.testing.engine_problems import given_sources, sources_for
from searchkit.testing.engines import facts_of
from searchkit.testing.reports import Check, Counterexample, Report, picture, reproduce, smallest
from searchkit.testing.trials import last_line

EXAMPLES = 50
"""The default number of problems: six files are written and read for each."""
PAUSES = 5
"""A search is saved before its first expansion, and after each fifth of them."""
MOST = 2_000
"""The largest number of expansions of one search; a larger one is compared as far as that."""
PROMISES: Mapping[str, str] = {
    "saves": "a search can be saved at any pause",
    "loads": "what was saved is read again as a search of the same problem by the same engine",
    "goes on": "a search that was saved and loaded has the same result as one that was never stopped",
}


CHANGES = (
    "the problem has another name in files after a search than before it: one of its attributes changes during a "
    "search, such as a cache; give it a method file_identity() (searchkit.Identifiable)"
)


@frozen
class Fault:
    """The promise that is broken, how, and after how many expansions the search was saved."""

    promise: str
    detail: str
    pauses: tuple[int, ...]
    numbers: tuple[tuple[str, str], ...] = ()


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

    It checks an engine: what it keeps in the tree and, in machine code, what its run returns to be saved. And it checks
    problems: that their states and actions can be written, with `encode_state` if they need it, and that a problem does
    not change while it is searched. Each search is saved and loaded several times, the loaded one again. The result is
    compared in the status, the path, the counters, the lower bound and the warnings.

    Args:
        engine: the name of an engine, an `EngineSpec`, or a generator function `(problem, tree, **options)`.
        problems: a problem, a Hypothesis strategy of problems, or several strategies. None: as for `check_engine`.
        backend: `python` or `compiled`.
        examples: the number of problems, over all strategies.
        seed: the same seed gives the same problems.
        options: options of the engine.

    If no problem has what the engine or the backend requires, the check is skipped with the reason.

    Raises:
        CheckFailure: a search can't be saved or loaded, or does not go on as it should. The report shows the smallest
            problem found.
        UnknownNameError: there is no such engine or option.
        InvalidOptionError: `engine` has none of the forms above, or there is no such backend.

    Example:
        >>> from searchkit.testing import check_saving
        >>> from searchkit_dungeon import grid
        >>> print(check_saving("astar", grid(["S.#G", "...."])))
        saved searches by engine astar: holds (1 example)
          ✓ saves: a search can be saved at any pause
          ✓ loads: what was saved is read again as a search of the same problem by the same engine
          ✓ goes on: a search that was saved and loaded has the same result as one that was never stopped

    """
    contender = contender_for(engine)
    if contender.spec is None:
        raise InvalidOptionError(
            f"{contender.name} is a function of a problem, which can't be paused and saved; {EXPECTED}"
        )
    if backend not in ("python", "compiled"):
        raise InvalidOptionError(f"backend {backend!r}: expected python or compiled")
    spec, given = contender.spec, with_options(contender, options)
    subject = f"saved searches by {contender.subject}"
    sources = sources_for(spec) if problems is None else given_sources(problems)
    told, reasons = 0, list[str]()

    def broken(problem: SearchProblem[Any, Any]) -> bool:
        nonlocal told
        try:
            fault = _fault(problem, spec, backend, given)
        except (MissingCapabilityError, MissingExtraError) as error:
            reasons.append(str(error))
            return False
        told += 1
        return fault is not None

    for source in sources:
        problem = smallest(source, broken, examples=max(1, examples // len(sources)), seed=seed)
        if problem is not None:
            fault = _fault(problem, spec, backend, given)
            how = {"backend": backend} if backend != "python" else {}
            named = "".join(f", {name}={value!r}" for name, value in {**how, **given}.items())
            call = f"check_saving({contender.reference}, problem{named})"
            return Report(subject, _checks(fault, problem, call), told).or_raise()
    if not told:
        why = reasons[0] if reasons else "there are no problems with what the engine requires"
        return Report(subject, [Check(name, PROMISES[name], "skipped", why) for name in PROMISES])
    return Report(subject, [Check(name, PROMISES[name], "holds") for name in PROMISES], told)


def _fault(
    problem: SearchProblem[Any, Any], spec: EngineSpec, backend: str, options: Mapping[str, Any]
) -> Fault | None:
    """Return what is wrong with searches of one problem. Raises `MissingCapabilityError` and `MissingExtraError`."""
    name = _name(problem)
    plain: Search[Any, Any] = Search(problem, spec, backend=backend, **options)
    expected = plain.run(Limits(expansions=MOST))
    end = plain.tree.expanded
    if _name(problem) != name:
        return Fault("loads", CHANGES, (0, end))
    search: Search[Any, Any] = Search(problem, spec, backend=backend, **options)
    pauses: list[int] = []
    with TemporaryDirectory() as folder:
        file = Path(folder) / "search"
        for pause in sorted({end * part // PAUSES for part in range(PAUSES + 1)}):
            try:
                _go_on(search, pause)
            except Exception as error:
                return _broken_off(error, pauses)
            pauses.append(search.tree.expanded)
            try:
                search.save(file)
            except (SearchkitError, OSError) as error:
                return Fault("saves", f"{type(error).__name__}: {error}", tuple(pauses))
            try:
                search = Search.load(file, problem, spec)
            except SearchkitError as error:
                return Fault("loads", f"{type(error).__name__}: {error}", tuple(pauses))
    try:
        found = _go_on(search, MOST)
    except Exception as error:
        return _broken_off(error, pauses)
    return _difference(expected, found, tuple(pauses))


def _name(problem: SearchProblem[Any, Any]) -> Identity | None:
    """Return the name of a problem in files; None if it has none, which saving reports."""
    with suppress(InvalidProblemError):
        return identity(problem)
    return None


def _broken_off(error: Exception, pauses: list[int]) -> Fault:
    return Fault("goes on", f"after it was loaded, it raised {last_line(error)}", tuple(pauses))


def _go_on(search: Search[Any, Any], expansions: int) -> Result[Any, Any]:
    """Run a search until it has expanded so many states in all; return its result."""
    return search.run(Limits(expansions=max(0, expansions - search.tree.expanded)))


def _difference(expected: Result[Any, Any], found: Result[Any, Any], pauses: tuple[int, ...]) -> Fault | None:
    one, two = facts_of(expected), facts_of(found)
    for name, value in one.items():
        if value != two[name]:
            detail = f"after it was loaded, {name} is {two[name]} instead of {value}"
            numbers = ((name, str(value)), (f"{name} of the loaded search", str(two[name])))
            return Fault("goes on", detail, pauses, numbers)
    return None


def _checks(fault: Fault | None, problem: SearchProblem[Any, Any], call: str) -> list[Check]:
    """Return the outcome of each promise, the broken one with its problem; those after it were not tried."""
    if fault is None:
        return [Check("goes on", PROMISES["goes on"], "fails", "the difference is not there in every run")]
    checks = []
    broken = list(PROMISES).index(fault.promise)
    for place, (name, promise) in enumerate(PROMISES.items()):
        if place == broken:
            when = ", ".join(map(str, fault.pauses))
            case = Counterexample(
                drawing=picture(problem),
                numbers=(("saved after this many expansions", when), *fault.numbers),
                reproduce=reproduce(problem, call),
                problem=problem,
            )
            checks.append(Check(name, promise, "fails", fault.detail, case))
        elif place < broken:
            checks.append(Check(name, promise, "holds"))
        else:
            checks.append(Check(name, promise, "skipped", "an earlier check failed"))
    return checks
