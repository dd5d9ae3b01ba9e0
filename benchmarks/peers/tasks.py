"""The kinds of work on which libraries are compared.

| kind | arrays | the number on which all have to agree |
|---|---|---|
| `field` | `ground`, `source` | the sum of the distances of all cells from one, 4 moves |
| `queries4`, `queries8` | `grounds`, `pairs` | the sum of the lengths of cheapest paths; with 8 moves, no corners cut |
| `tiles` | `boards` | the sum of the slides that solve them |
| `eight` | – | the number of boards that can be reached from the goal of the 8-puzzle |
| `graph` | `begins`, `heads`, `weights` | the sum of the distances of all nodes from node 0 |
| `vault` | `text`: the map's characters, row by row | the least number of steps that collect all keys |

Arrays are those of `benchmarks.kit.data`.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import frozen

from benchmarks.kit import data


@frozen(eq=False)
class Task:
    """One comparison."""

    name: str
    title: str
    kind: str
    arrays: dict[str, Any]
    budget: float = 1.0
    """How much longer than the usual time it may take: so many times as long."""


def tasks(tiny: bool = False) -> Iterator[Task]:
    """Yield all tasks, full-sized or, for tests, tiny."""
    side, nodes = (32, 100) if tiny else (data.SIDE, data.NODES)
    for name in data.GROUNDS:
        field = data.field(name, side)
        arrays = {"ground": field.ground, "source": np.array(field.source)}
        yield Task(f"field {name}", f"distance field, {side}², 4 moves, {name}", "field", arrays)
    queries = data.few_queries() if tiny else data.queries()
    for moves, rule in ((8, ", octile, no corner cutting"), (4, "")):
        yield Task(
            f"queries {moves}",
            f"{len(queries.pairs)} queries, {queries.grounds.shape[1]}², {moves} moves{rule}",
            f"queries{moves}",
            {"grounds": queries.grounds, "pairs": queries.pairs},
        )
    hardest = data.HARD[:1]
    for name, seeds, budget in (("medium", data.MEDIUM, 1.0), ("hard", hardest, 4.0)):
        boards = [(1, 2, 3, 0, *range(4, 16))] if tiny else data.boards(seeds)
        title = f"15-puzzle, A*, Manhattan, {name} ({len(boards)})"
        yield Task(f"tiles {name}", title, "tiles", {"boards": np.array(boards)}, budget)
    yield Task("eight", "whole 8-puzzle, breadth-first", "eight", {})
    for robots in (1, 4):
        vault = data.vault(robots, tiny)
        text = np.array([list(row.encode()) for row in vault.rows], np.uint8)
        title = f"vault {len(text)}², {len(vault.keys)} keys, {robots} robot{'s' * (robots > 1)}"
        yield Task(f"vault {robots}", title, "vault", {"text": text})
    sparse = data.sparse(nodes)
    yield Task(
        "graph",
        f"Dijkstra, sparse digraph, {nodes:,} nodes",
        "graph",
        {"begins": sparse.begins, "heads": sparse.heads, "weights": sparse.weights},
    )
