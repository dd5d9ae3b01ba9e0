"""Calls that skip the search for machine code: the kinds of the arguments tell their types apart."""

from typing import Any

import numpy as np
from attrs import evolve
from numba import typeof

from searchkit.compiled.view import CSR
from searchkit.kernels.astar import AStar, Dijkstra
from searchkit.kernels.bfs import BreadthFirst
from searchkit.testing.spaces.digraphs import digraph
from searchkit.tree import SearchTree
from searchkit_dungeon import grid
from tests.kernels.views import FORMS, as_rows, compilable, view_of

EDGES = "0 -5→ 2, 0 -1→ 1, 2 -9→ 3, 1 -1→ 2, 3 -1→ 4"
type_of: Any = typeof


def problems() -> list[Any]:
    """Return problems whose kernels take arrays of different types."""
    nodes = dict.fromkeys(range(5), 0)
    whole, real = digraph(EDGES, [0], [4], nodes), digraph(EDGES.replace("9", "2.5"), [0], [4], nodes)
    floats = as_rows(real).graph
    assert isinstance(floats, CSR)
    narrow = CSR(floats.indptr, floats.indices, np.asarray(floats.costs, np.float32))
    read_only = CSR(
        np.array(floats.indptr, np.int64), np.array(floats.indices, np.uint32), np.array(floats.costs)
    )
    for array in (read_only.indptr, read_only.indices, read_only.costs):
        array.flags.writeable = False
    rows = ["S..#", "..2.", "#..G"]
    return [
        *(compilable(graph, form) for graph in (whole, real) for form in FORMS),
        *(view_of(real, evolve(as_rows(real), graph=graph)) for graph in (narrow, read_only)),
        *(grid(rows, moves=moves, lengths=lengths) for moves, lengths in ((4, "real"), (8, "whole"))),
        grid([row.replace("2", ".") for row in rows]),
    ]


def test_the_kinds_of_a_call_tell_the_types_of_its_arguments() -> None:
    """Whenever the kinds of two runs are equal, so are the types that Numba sees."""
    types: dict[Any, Any] = {}
    for problem in problems() + problems():
        for engine in (AStar, Dijkstra, BreadthFirst):
            run: Any = engine(problem, SearchTree())
            seen = tuple(map(type_of, run.space))
            assert types.setdefault(run.kinds, seen) == seen
    assert len(types) > len(FORMS)
    assert len(set(types.values())) > len(FORMS)
