"""A search that was saved and loaded continues as one that was never stopped: same order, answer and counters."""

import pickle
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from searchkit import (
    EngineSpec,
    Limits,
    Search,
    SearchProblem,
    available_engines,
    available_problems,
)
from searchkit.errors import InvalidProblemError, MissingCapabilityError
from searchkit.search.auto import missing_capabilities
from searchkit.testing.strategies import problems
from searchkit.testing.strategies.shares import drawn
from searchkit_dungeon import Terrain, make_grid

ENGINES = sorted(
    (spec for spec in available_engines().values() if not spec.layered), key=lambda spec: spec.name
)
KINDS = sorted(name for name, spec in available_problems().items() if spec.strategy is not None)
MOST = 60
"""Expansions before a pause, and after it."""


@cache
def some_of(kind: str, many: int = 3) -> list[SearchProblem[Any, Any]]:
    """Return a few problems of a kind."""
    return list(drawn(problems(kind), many, 0))


@cache
def fitting(spec: EngineSpec, many: int = 3) -> list[SearchProblem[Any, Any]]:
    """Return problems that an engine can search; if few fit, some of the first kind that does, its plugin's first."""
    found = [problem for kind in KINDS for problem in some_of(kind, many) if fits(problem, spec)]
    package = spec.run.__module__.partition(".")[0]
    for kind in sorted(
        KINDS, key=lambda kind: package not in str(available_problems()[kind].factory.__module__)
    ):
        found = found or [problem for problem in some_of(kind, 20) if fits(problem, spec)]
    return found


def fits(problem: SearchProblem[Any, Any], spec: EngineSpec) -> bool:
    """Whether an engine can search a problem: it has what the engine needs, and costs that the engine handles."""
    if missing_capabilities(problem, spec):
        return False
    if spec.costs in ("any", "unit"):
        return True
    try:
        Search(problem, spec, backend="python").run(Limits(expansions=4 * MOST))
    except InvalidProblemError:
        return False
    return True


def options_for(spec: EngineSpec) -> st.SearchStrategy[dict[str, Any]]:
    """Draw some of the options that have choices, and whether to search trees."""
    choices = {option.name: st.sampled_from(option.choices) for option in spec.options if option.choices}
    return st.fixed_dictionaries({}, optional=choices)


def again(problem: SearchProblem[Any, Any]) -> SearchProblem[Any, Any]:
    """Return the problem as another process makes it."""
    return pickle.loads(pickle.dumps(problem))  # type: ignore[no-any-return]


def told(search: Search[Any, Any]) -> dict[str, Any]:
    """Return what a search says of itself."""
    return {
        "state": str(search.next_state),
        "ended": search.ended,
        "backend": search.backend,
        "statistics": search.statistics,
        "choice": search.engine_choice,
        "options": search.options,
        "notices": search.notices,
        "details": str(search.tree.details),
        "bound": search.tree.lower_bound,
    }


def way_on(search: Search[Any, Any]) -> list[Any]:
    """Return what a search does next: the states in order, and then the result."""
    order: list[Any] = [str(state) for state in islice(search, MOST)]
    result = search.run(Limits(expansions=MOST)).to_dict()
    del result["statistics"]["seconds"]
    return [*order, result]


def check(search: Search[Any, Any], file: Path) -> None:
    """Save a search, load it, and compare the two from there."""
    search.save(file)
    loaded: Search[Any, Any] = Search.load(file, again(search.problem), search.spec)
    assert told(loaded) == told(search)
    assert way_on(loaded) == way_on(search)


@pytest.fixture
def file(spec: EngineSpec, tmp_path: Path) -> Path:
    """Return the path of a file that each example writes anew. The problems are drawn before the examples."""
    assert fitting(spec)
    return tmp_path / "a.search"


def paused(data: st.DataObject, spec: EngineSpec) -> Search[Any, Any]:
    """Draw a search by an engine that stands somewhere: not begun, between two expansions, or ended."""
    problem = data.draw(st.sampled_from(fitting(spec)), label="problem")
    options = data.draw(options_for(spec), label="options")
    search = Search(problem, spec, backend="python", **options)
    pause = data.draw(st.none() | st.integers(0, MOST), label="pause")
    if pause is not None:
        search.run(Limits(expansions=pause))
    return search


@pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)
@given(data=st.data())
@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_engine_at_any_pause(spec: EngineSpec, file: Path, data: st.DataObject) -> None:
    """Every registered engine, on the problems that fit it."""
    check(paused(data, spec), file)


@pytest.mark.long
@pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)
@given(data=st.data())
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_engine_at_any_pause_often(spec: EngineSpec, file: Path, data: st.DataObject) -> None:
    """The same with many more problems, pauses and options."""
    check(paused(data, spec), file)


GRID = make_grid(Terrain([b"\1" * 30] * 30), [(0, 0)], [(29, 29)])


@pytest.mark.parametrize("expansions", [None, 7, 100_000])
def test_machine_code_continues(tmp_path: Path, expansions: int | None) -> None:
    """Before it is ready, at a pause, and when it has ended."""
    search = Search(GRID, "bfs", backend="compiled")
    if expansions is not None:
        search.run(Limits(expansions=expansions))
    check(search, tmp_path / "a.search")


IN_MEMORY = [spec for spec in ENGINES if spec.kernel and not spec.layered]
"""Engines with a compiled form; one that searches on disk continues from its directory instead."""


@pytest.mark.long
@pytest.mark.parametrize("spec", IN_MEMORY, ids=lambda spec: spec.name)
def test_every_kernel_at_any_pause(spec: EngineSpec, tmp_path: Path) -> None:
    """On a problem of each kind that has a compiled form of the engine."""
    tried = 0
    for problem in fitting(spec, 2):
        for expansions in (None, 1, 5, 40):
            try:
                search = Search(problem, spec, backend="compiled")
                if expansions is not None:
                    search.run(Limits(expansions=expansions))
            except MissingCapabilityError:  # the view, or the engine with it
                break
            check(search, tmp_path / "a.search")
            tried += 1
    assert tried
