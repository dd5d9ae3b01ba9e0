"""`dijkstra`, `astar` and `bucket` go on on disk: no state that was expanded in memory is expanded again."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search, Status, certify, solve
from searchkit.compiled.kit.state import as_number
from searchkit.errors import SearchkitError
from searchkit.scale.arrays.keyed import KeyedExpander
from searchkit.scale.buckets import store
from searchkit.scale.handover import buckets
from searchkit.scale.spill import search_on_disk
from searchkit.testing.spaces.digraphs import Edge, WeightedDigraph, digraph
from searchkit.testing.strategies import weighted_digraphs
from searchkit_dungeon import grid
from searchkit_tiles import SlidingTiles
from tests.helpers import walk
from tests.kernels.views import FORMS, compilable, view_of
from tests.scale.external.boards import Directed, facts
from tests.scale.external.test_buckets import QUICK, compiled, dearer, small_buckets

ON_DISK = {"dijkstra": "external_dijkstra", "astar": "external_astar", "bucket": "external_astar"}


def board(kind: type[SlidingTiles] = SlidingTiles) -> SlidingTiles:
    """Return a board of 3×2, for which A* expands 69 of the 360 states, and Dijkstra's algorithm 272."""
    return kind(3, 2, (5, 4, 3, 2, 1, 0), "blank-first", "manhattan")


@contextmanager
def small_pieces(most: int) -> Iterator[None]:
    """Look at so many states at a time, and at a third of them in a piece."""
    with (
        patch.object(buckets, "PIECE", max(1, most // 3)),
        patch.object(buckets, "MOST_AT_ONCE", most),
        patch.object(buckets, "MOST_KEYS", 3),
    ):
        yield


@contextmanager
def expanded_states() -> Iterator[list[int]]:
    """Yield a list of the packed states that are expanded over buckets."""
    found: list[int] = []
    pieces = KeyedExpander.pieces

    def noted(self: KeyedExpander, states: Any, key: Any) -> Any:
        found.extend(map(as_number, states))
        return pieces(self, states, key)

    with patch.object(KeyedExpander, "pieces", noted):
        yield found


def in_memory(problem: Any, engine: str, expansions: int, **options: Any) -> Search[Any, Any]:
    """Return a search in machine code that was cut off."""
    search: Search[Any, Any] = Search(problem, engine, backend="compiled", **options)
    search.run(Limits(expansions=expansions))
    return search


def check(problem: Any, engine: str, expansions: int, folder: Path, **options: Any) -> None:
    """Let a search go on on disk after so many expansions, and compare it with one that was on disk from the start.

    In the bucket of the goal, some states may have been expanded in memory: their order is another one there.
    """
    alone = compiled(problem, ON_DISK[engine])
    search = in_memory(problem, engine, expansions, **options)
    if search.ended:
        return
    reached = search.tree.reached
    closed, pack = set(search.tree.closed or ()), problem.compiled().pack
    other, _ = search_on_disk(search, Limits(memory=300), folder)
    assert other.notices == []
    with expanded_states() as expanded:
        result = other.run()
    assert len(expanded) == len(set(expanded))
    assert not set(expanded) & set(map(pack, closed)), "it is not expanded again"
    last = [state for state in closed if alone.cost is not None and reached[state][0] == alone.cost]
    more = len(last), sum(len(list(problem.successors(state))) for state in last)
    statistics = result.statistics
    assert statistics.expanded == len(closed) + len(expanded)
    fewer = evolve(
        statistics, expanded=statistics.expanded - more[0], generated=statistics.generated - more[1]
    )
    assert facts(evolve(result, statistics=fewer)) == facts(alone)
    if result.solution is not None:
        assert walk(problem, result.solution, problem.initial_states()) == result.cost
    assert all(result.search.tree.reached[state][0] == reached[state][0] for state in closed)


@pytest.mark.parametrize("engine", sorted(ON_DISK))
@pytest.mark.parametrize(
    "form", [form if form in QUICK else pytest.param(form, marks=pytest.mark.long) for form in sorted(FORMS)]
)
@given(
    graph=weighted_digraphs("int", heuristic="consistent"),
    expansions=st.integers(0, 7),
    small=st.sampled_from([0, 10**9]),
    piece=st.sampled_from([1, 3, 1000]),
)
@settings(max_examples=40)
@pytest.mark.fewest(3)
def test_on_digraphs(
    tmp_path_factory: pytest.TempPathFactory,
    form: str,
    engine: str,
    graph: WeightedDigraph,
    expansions: int,
    small: int,
    piece: int,
) -> None:
    """After any number of expansions, with states in memory or in files: cost, counters and path are the same."""
    with small_buckets(small), small_pieces(piece):
        check(compilable(dearer(graph), form), engine, expansions, tmp_path_factory.mktemp("work"))


def both_ways(graph: WeightedDigraph, form: str) -> WeightedDigraph:
    """Return the graph with an edge back for each edge, at another cost, and a view that is declared undirected."""
    edges = [evolve(edge, cost=1 + (edge.cost or 0)) for edge in graph.edges]
    back = [Edge(edge.head, edge.tail, 1 + 7 * place % 11) for place, edge in enumerate(edges)]
    made = digraph([*edges, *back], graph.starts, graph.goals)
    return view_of(made, evolve(FORMS[form](made), undirected=True))


@pytest.mark.long
@pytest.mark.parametrize("form", ["rows", "functions"])
@given(graph=weighted_digraphs("int"), expansions=st.integers(1, 7), small=st.sampled_from([0, 10**9]))
@settings(max_examples=20)
def test_undirected_digraphs(
    tmp_path_factory: pytest.TempPathFactory, form: str, graph: WeightedDigraph, expansions: int, small: int
) -> None:
    """States that are reached again come back within two of the longest steps, which may have been made in memory."""
    with small_buckets(small):
        check(both_ways(graph, form), "dijkstra", expansions, tmp_path_factory.mktemp("work"))


@pytest.mark.parametrize("form", ["rows", pytest.param("functions", marks=pytest.mark.long)])
def test_a_long_step_that_leads_to_a_state_that_waits(form: str, tmp_path: Path) -> None:
    """The longest step is that from 0 to 5, over which no state was reached at last; 5 leads back to 0."""
    chain = [edge for node in range(6) for edge in (Edge(node, node + 1, 1), Edge(node + 1, node, 1))]
    graph = digraph([*chain, Edge(0, 5, 20), Edge(5, 0, 1)], [0], [])
    problem = view_of(graph, evolve(FORMS[form](graph), undirected=True))
    with small_buckets(0):
        check(problem, "dijkstra", 5, tmp_path / "work")
        with patch.object(buckets._Buckets, "_largest_step", lambda self: 1), pytest.raises(AssertionError):
            check(problem, "dijkstra", 5, tmp_path / "planted")


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("engine", "ties"), [("astar", "low-h"), ("astar", "fifo"), ("dijkstra", "lifo")])
@pytest.mark.parametrize("kind", [SlidingTiles, Directed])
def test_boards(tmp_path: Path, kind: Any, engine: str, ties: str) -> None:
    """Whether all earlier buckets are compared with or those within two steps."""
    with small_buckets(20), small_pieces(7):
        for expansions in (1, 60) if engine == "astar" else (150, 240):
            check(board(kind), engine, expansions, tmp_path / str(expansions), ties=ties)


@pytest.mark.long
@pytest.mark.parametrize("engine", ["astar", "dijkstra"])
def test_grids(engine: str, tmp_path: Path) -> None:
    """Records that have no parents, and steps that cost something else on the way back."""
    problem = grid(["S.9..#.5", "13#4.5..", ".2.7G.3."])
    with small_buckets(2), small_pieces(7):
        for expansions in (1, 5, 12):
            check(problem, engine, expansions, tmp_path / str(expansions))


def test_the_answer_of_solve(tmp_path: Path) -> None:
    """There is no warning, the result says what happened, and it has a certificate."""
    problem = board()
    with (
        patch("searchkit.scale.spill.reached_memory", lambda cutoff, limits: bool(cutoff)),
        patch("searchkit.search.driver.Search.run", autospec=True, side_effect=cut_off(Search.run)),
    ):
        result = solve(
            problem,
            "astar",
            backend="compiled",
            limits=Limits(memory=10**6),
            spill=str(tmp_path),
            certificate=True,
        )
    assert (result.status, result.cost, result.engine, result.warnings) == (
        Status.SOLVED,
        solve(problem, "astar").cost,
        "external_astar",
        (),
    )
    assert "after 40 expansions, and went on on disk, in " in result.engine_choice
    assert result.certificate is not None
    assert certify(problem, result.certificate).proved[1] == f"no path costs less than {result.cost}"


def cut_off(run: Any) -> Any:
    """Return `Search.run`, of which the first call ends after 40 expansions."""
    calls: list[Any] = []

    def cut(self: Any, limits: Any, **options: Any) -> Any:
        calls.append(self)
        return run(self, Limits(expansions=40) if len(calls) == 1 else limits, **options)

    return cut


REFUSED = {
    "costs less than 1": digraph("0 -0→ 1, 1 -1→ 2, 2 -1→ 3", [0], [3], {}),
    "a cost is not a whole number": digraph("0 -1.5→ 1, 1 -1→ 2, 2 -1→ 3", [0], [3], {}),
    "a heuristic value is not a whole number": digraph("0 -1→ 1, 1 -1→ 2, 2 -1→ 3", [0], [3], {1: 0.5}),
    "the heuristic is inconsistent": digraph("0 -1→ 1, 1 -1→ 2, 2 -5→ 3", [0], [3], {0: 5, 2: 1}),
    "the heuristic is inconsistent, as a state was reopened": digraph(
        "0 -1→ 1, 0 -3→ 2, 1 -1→ 2, 2 -6→ 3", [0], [3], {1: 6}
    ),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_can_not_go_on(why: str, tmp_path: Path) -> None:
    """The search begins again, and says why."""
    search = in_memory(compilable(REFUSED[why], "rows"), "astar", 3)
    other, limits = search_on_disk(search, Limits(memory=300, expansions=9), tmp_path)
    assert why.split(",")[0] in other.notices[-1].partition("began again on disk")[2]
    assert limits.expansions == 9
    assert not list(tmp_path.glob("*.run"))


def test_a_start_from_which_no_goal_can_be_reached(tmp_path: Path) -> None:
    """It has an infinite heuristic value, and stays out."""
    graph = digraph("0 -1→ 1, 1 -1→ 2, 2 -1→ 3, 4 -1→ 4", [0, 4], [3], {4: float("inf")})
    check(compilable(graph, "rows"), "astar", 2, tmp_path)


def test_no_time_is_left(tmp_path: Path) -> None:
    """Nothing stays in the directory."""
    other, limits = search_on_disk(in_memory(board(), "astar", 50), Limits(memory=300, seconds=0), tmp_path)
    assert other.notices[-1].endswith("no time was left to hand over what it had found")
    assert limits.seconds == 0
    assert not list(tmp_path.glob("*.run"))


@pytest.mark.long
@pytest.mark.parametrize("kind", [SlidingTiles, Directed])
@pytest.mark.parametrize("engine", ["astar", "dijkstra"])
def test_a_file_that_is_damaged_afterwards(engine: str, kind: Any, tmp_path: Path) -> None:
    """Of whichever file: the buckets before it are expanded again, and the answer and the counters are the same."""
    alone = compiled(board(kind), ON_DISK[engine])
    with small_buckets(9), patch.object(store, "MOST_HELD", 3), small_pieces(20):
        number, files = 0, ["first"]
        while number < len(files):
            folder = tmp_path / str(number)
            other, _ = search_on_disk(in_memory(board(kind), engine, 60), Limits(memory=300), folder)
            del other
            files = sorted(path.name for path in folder.glob("*.run"))
            path = folder / files[number]
            path.write_bytes(path.read_bytes()[:-1] + b"x")
            result = compiled(board(kind), ON_DISK[engine], folder, repair=True)
            counted = result.statistics.expanded - alone.statistics.expanded
            assert result.cost == alone.cost
            assert (
                0
                <= counted
                == sum(
                    layer.states
                    for layer, (_, g) in zip(
                        result.search.kernel.layers[:-1], result.search.kernel.buckets.keys, strict=False
                    )
                    if g == result.cost
                )
            )
            number += 1
    assert number > 5


def drop_a_state(self: Any, first: int, last: int) -> Any:
    """Leave a state out that waits."""
    found = STATES(self, first, last)
    for number in found:
        if self.kinds[number].is_open:
            found[number] = found[number][1:]
    return found


def as_if_cheaper(is_open: Any, f: Any, g: Any) -> Any:
    """Make open states one cheaper than they are."""
    return KINDS(is_open, f - is_open, g - is_open)


def as_if_all_were_open(is_open: Any, f: Any, g: Any) -> Any:
    """Let closed states at the last f wait as if they were open."""
    return KINDS(is_open | (f == f[~is_open].max(initial=0)), f, g)


STATES, KINDS = buckets._Buckets._states, buckets._kinds
DEFECTS: dict[str, tuple[Any, str, Any]] = {
    "a state is dropped": (buckets._Buckets, "_states", drop_a_state),
    "a wrong cost": (buckets, "_kinds", as_if_cheaper),
    "expanded twice": (buckets, "_kinds", as_if_all_were_open),
    "the parts of a bucket are compared with nothing": (
        store.Buckets,
        "earlier",
        lambda self, key: [],
    ),
    "too few waiting states": (
        store.Buckets,
        "merged",
        property(lambda self: self.keys[-1] if self.keys else (-1, -1)),
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("defect", DEFECTS)
def test_planted_defects(defect: str, tmp_path: Path) -> None:
    """Each of them makes another search of it, which the comparison notices."""
    found, number = 0, 0
    for kind, engine in ((Directed, "dijkstra"), (SlidingTiles, "astar")):
        for expansions in (20, 60):
            number += 1
            with small_buckets(9), patch.object(*DEFECTS[defect]):
                try:
                    check(board(kind), engine, expansions, tmp_path / str(number))
                except (AssertionError, SearchkitError):
                    found += 1
    assert found
