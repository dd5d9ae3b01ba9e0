"""rustworkx, written in Rust: searches in graphs. Edge costs and heuristics are functions in Python."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from benchmarks.peers.arrays import estimates, grid_edges, length_of, tails_of

LIBRARIES = ("rustworkx",)
CANNOT = "graphs that are given whole"
EASIER = {"field": "layers of cells, no distances"}


def field(arrays: dict[str, Any]) -> tuple[Callable[[], Any], Callable[[Any], float]]:
    """`bfs_layers`."""
    library, ground = import_module("rustworkx"), arrays["ground"]
    column, row = arrays["source"].tolist()
    tails, heads, _ = grid_edges(ground, 4)
    made = library.PyDiGraph()
    made.add_nodes_from(range(ground.size))
    made.add_edges_from_no_data(list(zip(tails.tolist(), heads.tolist(), strict=True)))
    start = row * ground.shape[1] + column

    def total(layers: Any) -> float:
        return float(sum(distance * len(layer) for distance, layer in enumerate(layers)))

    return lambda: library.bfs_layers(made, [start]), total


def queries(arrays: dict[str, Any], moves: int) -> Callable[[], float]:
    """`astar_shortest_path`, which asks for the heuristic value of each node."""
    library, grounds, pairs = import_module("rustworkx"), arrays["grounds"], arrays["pairs"].tolist()
    graphs = [_graph(library, ground.size, *grid_edges(ground, moves)) for ground in grounds]
    _, height, width = grounds.shape

    def run() -> float:
        total = 0.0
        for number, sx, sy, gx, gy in pairs:
            goal, guess = gy * width + gx, estimates((height, width), gx, gy, moves).tolist()
            path = library.astar_shortest_path(
                graphs[number], sy * width + sx, goal.__eq__, float, guess.__getitem__
            )
            total += length_of(list(path), width)
        return total

    return run


queries8, queries4 = partial(queries, moves=8), partial(queries, moves=4)


def graph(arrays: dict[str, Any]) -> tuple[Callable[[], Any], Callable[[Any], float]]:
    """`dijkstra_shortest_path_lengths`."""
    library, begins = import_module("rustworkx"), arrays["begins"]
    made = _graph(library, len(begins) - 1, tails_of(begins), arrays["heads"], arrays["weights"])
    return lambda: library.dijkstra_shortest_path_lengths(made, 0, float), lambda found: float(
        sum(found.values())
    )


def _graph(library: Any, nodes: int, tails: Any, heads: Any, lengths: Any) -> Any:
    made = library.PyDiGraph()
    made.add_nodes_from(range(nodes))
    made.add_edges_from(list(zip(tails.tolist(), heads.tolist(), lengths.tolist(), strict=True)))
    return made
