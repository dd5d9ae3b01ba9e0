"""What is checked: every engine on every kind of problem, on each backend; every compiled view; every property.

All of it is read from the registry, so that a registered engine or strategy is checked.
"""

import contextlib
import io
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from searchkit import available_engines, available_problems
from searchkit.plugin.specs import EngineSpec
from searchkit.testing import CheckFailure, accepts, check_compiled, check_engine
from searchkit.testing import strategies as drawn
from searchkit.testing.reports import reproduce, smallest
from searchkit.testing.trials import contender_for
from tests.fuzz.failure import Failure

ROOT = Path(__file__).parent.parent.parent
FEW = 20
"""Problems that are drawn to find out whether an engine takes any of a kind."""


def digraphs() -> Iterator[str]:
    """Yield an expression for each kind of digraph."""
    yield "strategies.weighted_digraphs()"
    for heuristic in ("consistent", "admissible", "inconsistent", "inadmissible"):
        yield f"strategies.weighted_digraphs(heuristic={heuristic!r})"
    for costs in ("unit", "zero-one"):
        yield f"strategies.weighted_digraphs({costs!r})"
        yield f"strategies.weighted_digraphs({costs!r}, heuristic='admissible')"


def kinds() -> list[str]:
    """Return an expression for each strategy of problems."""
    brought = sorted({name for spec in available_problems().values() for name in spec.strategies})
    return [*digraphs(), *(f"strategies.{name}()" for name in brought)]


def strategy_of(expression: str) -> Any:
    """Return the strategy that an expression means."""
    return eval(expression, {"strategies": drawn})


def engine_of(name: str) -> EngineSpec:
    """Return a registered engine, or another one: `module:function`. Raises `UnknownNameError`."""
    if ":" not in name:
        return contender_for(name).spec  # type: ignore[return-value]  # an engine by name has a spec
    module, _, function = name.partition(":")
    return contender_for(getattr(import_module(module), function)).spec  # type: ignore[return-value]


@frozen(slots=False)
class OnProblems:
    """An engine on one kind of problem: its promises, or its kernel compared with the engine in Python."""

    engine: str
    kind: str
    backend: str

    @property
    def name(self) -> str:
        """Its name in reports."""
        return f"{self.engine} ({self.backend}) on {self.kind.removeprefix('strategies.')}"

    @cached_property
    def problems(self) -> Any:
        """The problems of that kind that the engine takes."""
        spec = engine_of(self.engine)
        return strategy_of(self.kind).filter(lambda problem: accepts(spec, problem))

    def run(self, seed: int, examples: int) -> list[Failure]:
        """Look; return what fails."""
        spec = engine_of(self.engine)
        known = ":" not in self.engine
        taken = smallest(strategy_of(self.kind), lambda one: accepts(spec, one), examples=FEW, seed=seed)
        if taken is None:
            return []
        promises = ["compiled"] if self.backend == "compiled" else None
        reference = repr(self.engine) if known else spec.name
        return failures_of(
            self.name,
            lambda: check_engine(
                self.engine if known else spec.run,
                promises,
                problems=self.problems,
                examples=examples,
                seed=seed,
            ),
            f"check_engine({reference}, {promises}, problems=problem)",
            seed,
            spec.run,
        )


@frozen
class OnViews:
    """The compiled views of one kind of problem, compared with the problems state by state."""

    kind: str

    @property
    def name(self) -> str:
        """Its name in reports."""
        return f"compiled views of {self.kind.removeprefix('strategies.')}"

    def run(self, seed: int, examples: int) -> list[Failure]:
        """Look; return what fails."""
        strategy = strategy_of(self.kind)
        return failures_of(
            self.name,
            lambda: check_compiled(strategy, examples=examples, seed=seed),
            "check_compiled(problem)",
            seed,
        )


@frozen
class OnProperties:
    """The properties of one file of the suite, with examples other than the suite's."""

    file: str
    effort: float

    @property
    def name(self) -> str:
        """Its name in reports."""
        return f"properties of {self.file}"

    def run(self, seed: int, examples: int) -> list[Failure]:
        """Look; return what fails."""
        seen = Seen()
        how = [f"--effort={self.effort}", f"--hypothesis-seed={seed}", *PROPERTIES]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            code = pytest.main([str(ROOT / self.file), f"--rootdir={ROOT}", *how], plugins=[seen])
        if code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            return []
        if not seen.failed:
            return [Failure(self.name, f"pytest ended with {code!r}", seed=seed)]
        return [
            Failure(node.partition("::")[2], text, (AGAIN, f"run_again({node!r}, {how!r})"), seed)
            for node, text in seen.failed.items()
        ]


AGAIN = "from tests.fuzz.failure import run_again"
# this process has imported Hypothesis before pytest could look at it
UNREWRITTEN = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
PROPERTIES = (
    *UNREWRITTEN,
    "-m",
    "thorough",
    "-p",
    "no:xdist",
    "-p",
    "no:cacheprovider",
    "--hypothesis-profile=fuzz",
)
"""The arguments of pytest for a test that does more with more effort."""
Look = OnProblems | OnViews | OnProperties


class Seen:
    """A plugin of pytest that keeps what failed."""

    def __init__(self) -> None:
        self.failed: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep a failure."""
        if report.failed:
            self.failed[report.nodeid] = report.longreprtext


def failures_of(name: str, check: Callable[[], Any], call: str, seed: int, *named: Any) -> list[Failure]:
    """Run a check; return its failures, each with the lines of Python that call `call` on its problem."""
    found = []
    try:
        check()
    except CheckFailure as failure:
        for broken in failure.report.failures:
            case = broken.counterexample
            lines = () if case is None or case.problem is None else reproduce(case.problem, call, (), named)
            found.append(Failure(f"{name}: {broken.name}", str(broken), lines, seed))
    return found


def looks(engines: tuple[str, ...] = (), effort: float = 1) -> list[Look]:
    """Return all looks; only those for engines with these names, if names are given."""
    compiled = find_spec("numba") is not None
    in_memory = sorted(name for name, spec in available_engines().items() if not spec.layered)
    specs: Mapping[str, EngineSpec] = {name: engine_of(name) for name in engines or in_memory}
    found: list[Look] = []
    for name, spec in specs.items():
        for kind in kinds():
            found.append(OnProblems(name, kind, "python"))
            if spec.kernel and compiled:
                found.append(OnProblems(name, kind, "compiled"))
    if engines:
        return found
    if compiled:
        found += [OnViews(kind) for kind in kinds() if "digraphs" not in kind]
    return found + [OnProperties(file, effort) for file in files_of_properties()]


def files_of_properties() -> list[str]:
    """Return the files of tests that have properties."""
    paths = (
        path for folder in ("tests", "plugins", "benchmarks") for path in (ROOT / folder).rglob("test_*.py")
    )
    return sorted(
        str(path.relative_to(ROOT))
        for path in paths
        if re.search(
            r"^ *@given\(|^@pytest.mark.seeds\(|\bshare: Callable", path.read_text("utf-8"), re.MULTILINE
        )
    )
