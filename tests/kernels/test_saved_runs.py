"""A run of machine code is saved and restored: it goes on as if it had not been, and made-up values do no harm."""

import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import EngineSpec, Limits, Search, Status, load, per_slice, solve
from searchkit.compiled.kit import KernelRun
from searchkit.errors import InputFormatError, SavingError, SearchkitError
from searchkit.plugin import SearchTree
from searchkit.testing import Edge, digraph
from searchkit.testing.strategies import weighted_digraphs
from tests.kernels.test_same_answers import COSTS, ENGINES
from tests.kernels.together import HEURISTICS, answer, options_of
from tests.kernels.views import compilable

MOST_EXPANSIONS = 2_000


def written(search: Search[Any, Any]) -> list[dict[str, Any]]:
    """Return what the kernel holds, as it would come from a file."""
    return pickle.loads(pickle.dumps(list(map(dict, search.kernel.saved()))))  # type: ignore[no-any-return]


def restored(search: Search[Any, Any], saved: list[dict[str, Any]]) -> Search[Any, Any]:
    """Return another search of the same problem that goes on from what was saved."""
    other: Search[Any, Any] = Search(search.problem, search.spec, backend="compiled", **search.options)
    other._engine.restore(iter(saved), SearchTree())
    return other


def begun(problem: Any, engine: Any, **options: Any) -> Search[Any, Any]:
    """Return a search in machine code that stands before its first expansion."""
    search: Search[Any, Any] = Search(problem, engine, backend="compiled", **options)
    search.run(Limits(expansions=0))
    return search


def goes_on(search: Search[Any, Any], step: int, most: int = 60) -> tuple[object, ...]:
    """Restore a search after each slice of `step` expansions, up to `most` times; return its answer."""
    while not search.ended and most:
        search._advance(search._engine, step)
        search, most = restored(search, written(search)), most - 1
    result = search.run()
    return answer(result), result.details


def messy(seed: int, engine: str, nodes: int = 120) -> Any:
    """Return a digraph with an inconsistent heuristic, and costs that the engine takes."""
    random = Random(seed)
    costs = {"bfs": [1], "zero_one": [0, 1]}.get(engine, [0, 1, 2, 5, 9])
    edges = [
        Edge(tail, random.randrange(nodes), random.choice(costs)) for tail in range(nodes) for _ in range(3)
    ]
    return digraph(edges, [0, 7], [nodes - 1], {node: random.randint(0, 5) for node in range(nodes)})


@pytest.mark.parametrize("form", ["functions", "rows"])
@pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)
@given(data=st.data())
@settings(max_examples=60)
@pytest.mark.fewest(3)
def test_at_any_pause(spec: EngineSpec, form: str, data: st.DataObject) -> None:
    """On graphs full of traps, restored again and again."""
    heuristic: Any = data.draw(st.sampled_from(HEURISTICS[spec.heuristic]))
    costs = {"unit": "unit", "zero-one": "zero-one"}.get(spec.costs)
    kind: Any = costs or data.draw(st.sampled_from([*COSTS, "float"] if form == "rows" else COSTS))
    graph = compilable(data.draw(weighted_digraphs(kind, heuristic=heuristic)), form)
    options = options_of(data.draw, spec)
    result = solve(graph, spec, backend="compiled", limits=Limits(expansions=MOST_EXPANSIONS), **options)
    if result.status is not Status.CUTOFF:
        step = data.draw(st.sampled_from([1, 3, 20]))
        assert goes_on(begun(graph, spec, **options), step) == (answer(result), result.details)


def long_line(form: str, length: int) -> Any:
    """Return a line with a leaf at each node, which needs more room than there is at first."""
    edges = ", ".join(f"{node} -1→ {node + 1}, {node} -1→ {length + 1 + node}" for node in range(length))
    estimates: Any = {node: max(length - node, 0) for node in range(2 * length + 1)}
    return compilable(digraph(edges, [0], [length], estimates), form)


@pytest.mark.parametrize("engine", ["bfs", "astar", "idastar"])
def test_when_there_is_no_memory(engine: str) -> None:
    """A run that could not grow is saved, and goes on where there is more."""
    graph = long_line("functions", 5_000)
    search = begun(graph, engine)
    search.kernel.spare = lambda: 0.0

    def go_on() -> None:
        while not search.ended:
            search.kernel.advance(1_000)

    with pytest.raises(MemoryError):
        go_on()
    expected = answer(solve(graph, engine, backend="compiled"))
    assert answer(restored(search, written(search)).run()) == expected


def mutated(random: Random, saved: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what was saved with a few values that may be anything."""
    parts = pickle.loads(pickle.dumps(saved))
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        made = random.choice(parts)
        name = random.choice(sorted(made))
        value = made[name]
        if not isinstance(value, np.ndarray):
            made[name] = random.choice([None, True, False, 0, 1, -1, 1 << 70, 1.5, "x", [], ["a"], [1 << 40]])
        elif random.random() < 0.1:
            halved, longer = value[: len(value) // 2], np.concatenate([value, value[:1]])
            made[name] = random.choice([halved, longer, value.view("u1")])
        elif value.size:
            place, other = random.randrange(value.size), value[random.randrange(value.size)]
            if value.dtype.kind == "f":
                value[place] = random.choice([np.nan, np.inf, -1.0, 1e300, 0.0, other, value[place] + 0.5])
            else:
                kind, old = np.iinfo(value.dtype), int(value[place])
                flipped = old ^ 1 << random.randrange(kind.bits - (kind.min < 0))
                chosen = [0, 1, kind.max, kind.min, len(value), old + 1, old - 1, flipped, int(other)]
                value[place] = min(kind.max, max(kind.min, random.choice(chosen)))
    return parts  # type: ignore[no-any-return]


def survives(
    make: Callable[[], Search[Any, Any]], random: Random, pauses: int, times: int
) -> tuple[int, int]:
    """Restore a search from mutated values; return how often they were refused, and how often it went on."""
    refused = went_on = 0
    search = make()
    for _ in range(pauses):
        search._advance(search._engine, random.randrange(40))
        saved = written(search)
        for _ in range(times):
            try:
                other = restored(search, mutated(random, saved))
            except Exception:  # which makes the file a damaged one
                refused += 1
                continue
            went_on += 1
            with suppress(SearchkitError):  # for a number that no kernel takes, for instance
                other.run(Limits(expansions=MOST_EXPANSIONS))
        if search.ended:
            search = make()
    return refused, went_on


@pytest.mark.seeds(20)
@pytest.mark.parametrize("form", ["functions", "two words"])
@pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)
def test_made_up_values_on_digraphs(spec: EngineSpec, form: str, seed: int) -> None:
    """They are one clear error, or the search ends: machine code never reads or writes outside an array."""
    graph = compilable(messy(seed, spec.name), form)
    refused, went_on = survives(lambda: begun(graph, spec), Random(seed), 3, 15)
    assert refused
    assert went_on


def test_it_may_be_saved_at_each_slice(tmp_path: Path) -> None:
    """Also while its table of states grows."""
    problem = load("8puzzle")
    saved = per_slice(lambda search, state: search.save(tmp_path / "saved"))
    found = solve(problem, "bfs", backend="compiled", observers=[saved], limits=Limits(expansions=40_000))
    assert answer(found) == answer(
        solve(problem, "bfs", backend="compiled", limits=Limits(expansions=40_000))
    )
    assert Search.load(tmp_path / "saved", problem).statistics.expanded > 30_000


def test_of_made_up_values_the_file_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One error that says so."""
    search: Search[Any, Any] = Search(load("8puzzle"), "astar", backend="compiled")
    search.run(Limits(expansions=20))
    saved = written(search)
    saved[1]["parents"][-1] = 1 << 20
    monkeypatch.setattr(search.kernel, "saved", lambda: iter(saved))
    search.save(tmp_path / "saved")
    with pytest.raises(InputFormatError, match="is not a successor of a node before it"):
        Search.load(tmp_path / "saved", search.problem)


@pytest.mark.parametrize("name", ["path", "depths", "moves"])
def test_a_negative_number_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index below 0 would count from the end."""
    search: Search[Any, Any] = Search(load("8puzzle"), "idastar", backend="compiled")
    search.run(Limits(expansions=5))
    (saved,) = written(search)
    saved[name][-1] = -1
    monkeypatch.setattr(search.kernel, "saved", lambda: iter([saved]))
    search.save(tmp_path / "saved")
    with pytest.raises(InputFormatError, match="a depth or a move is negative"):
        Search.load(tmp_path / "saved", search.problem)


def test_an_engine_that_does_not_say_how() -> None:
    """It is an error that names the engine."""

    class Own(KernelRun):
        tree = SearchTree()
        state = 0

        def slice(self, expansions: int) -> tuple[int, int]:
            return 0, 0

        def show(self) -> None: ...

        def handle(self, why: int) -> None: ...

    with pytest.raises(SavingError, match=r"a search by Own can't be saved; use an engine of searchkit"):
        Own().saved()
