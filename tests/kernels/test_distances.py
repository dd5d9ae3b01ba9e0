"""The kernels of distance maps do what `bfs` and `dijkstra` do."""

from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search, distance_map
from searchkit.kernels.field import Field, ground_of
from searchkit.kernels.field import run_of as field_of
from searchkit.kernels.rows import Rows
from searchkit.kernels.rows import run_of as rows_of
from searchkit.search.distances import Goalless
from searchkit.testing.spaces.digraphs import WeightedDigraph
from searchkit.testing.strategies import weighted_digraphs
from searchkit.tree import SearchTree
from searchkit_dungeon import Grid, Terrain, grid, make_grid
from searchkit_dungeon.strategies import grids
from searchkit_graph import explicit_graph
from tests.kernels.views import compilable

OPEN = ["....."] * 2 + ["..S.."] + ["....."] * 2
SNAKE = ["S....", "####.", ".....", ".####", "....."]
HALL = ["S" + "." * 14] + ["." * 15] * 14


def everywhere(problem: Any, form: type) -> tuple[Any, SearchTree[Any, Any]]:
    """Return a run of a form for distances, and its tree."""
    tree: SearchTree[Any, Any] = SearchTree()
    run = (field_of if form is Field else rows_of)(Goalless(problem), tree)
    assert isinstance(run, form)
    return run, tree


def compared(problem: Any, engine: str, form: type, piece: int) -> None:
    """Let a run and the engine in Python expand pieces of the same size, and compare all that both say."""
    expected = Search(Goalless(problem), engine, backend="python")
    run, tree = everywhere(problem, form)
    done = 0
    while not run.ended:
        done += piece
        while tree.expanded < done and not run.ended:
            tree.expanded += run.advance(done - tree.expanded)
        expected.run(Limits(expansions=done - expected.tree.expanded))
        other = expected.tree
        for name in ("expanded", "generated", "lower_bound"):
            assert getattr(tree, name) == getattr(other, name), name
        assert dict(tree.reached) == dict(other.reached)
        if not run.ended:
            assert run.state == expected.next_state
    assert expected.ended


@given(grids(), st.integers(1, 9))
@settings(max_examples=60)
def test_a_field_does_what_bfs_does(problem: Grid, piece: int) -> None:
    """After any number of expansions: the same counters, arrivals with parents and actions, and next state."""
    terrain = problem.terrain
    rows = [terrain.weights[y * terrain.stride :][: terrain.width] for y in range(terrain.height)]
    plain = make_grid(Terrain([bytes(min(1, weight) for weight in row) for row in rows]), problem.starts)
    compared(plain, "bfs", Field, piece)


@given(weighted_digraphs("int"), st.integers(1, 9))
@settings(max_examples=60)
def test_stacks_do_what_dijkstra_does(graph: WeightedDigraph, piece: int) -> None:
    """The same, with costs of zero, parallel edges and self-loops."""
    compared(compilable(graph, "rows"), "dijkstra", Rows, piece)


def test_stacks_grow() -> None:
    """A tree whose leaves wait all at once, in more chunks than there are at first."""
    rng = Random(1)
    problem = explicit_graph([((head - 1) // 2, head, rng.randrange(8)) for head in range(1, 4000)], 0)
    run, tree = everywhere(problem, Rows)
    room = len(run.stacks.links)
    while not run.ended:
        tree.expanded += run.advance(700)
    assert len(run.stacks.links) > room
    expected = distance_map(problem, backend="python")
    assert np.array_equal(run.records.memory(), expected.array())
    assert list(tree.reached) == list(expected)


@pytest.mark.parametrize("rows", [SNAKE, HALL], ids=["ragged", "open"])
def test_both_loops_of_a_field_are_tried(rows: list[str]) -> None:
    """Where many cells are beside walls, another loop runs."""
    problem: Any = grid(rows, goal=())
    ground = ground_of(problem.compiled().graph)
    assert ground is not None
    assert ground.ragged == (rows is SNAKE)
    compared(problem, "bfs", Field, 50)


def test_a_grid_with_a_door_of_one_direction_is_no_field() -> None:
    """A field takes for granted that all open cells are connected to their open neighbours."""
    problem = grid(OPEN, goal=())
    view: Any = problem.compiled()
    masks = np.frombuffer(view.graph.masks, np.uint8).copy()
    masks[0] &= ~np.uint8(2)
    assert ground_of(view.graph) is not None
    assert ground_of(evolve(view.graph, masks=masks)) is None
    for offsets in ([-1, 1, 7, -7], [1, 1, 6, -6], [-6, 1, 6]):
        assert ground_of(evolve(view.graph, offsets=offsets, lengths=[1] * len(offsets))) is None


def test_a_slice_is_bounded() -> None:
    """However many expansions are asked for, a kernel returns after its steps; an empty stack is a step."""
    line = explicit_graph([(node, node + 1, 1000) for node in range(300)], 0)
    run, _ = everywhere(line, Rows)
    run.steps = 5000
    assert run.slice(10**9)[1] == 5
    run, _ = everywhere(grid(["." * 9] * 9, start=(0, 0), goal=()), Field)
    run.steps = 40
    assert run.slice(10**9)[1] == 10
