"""Hypothesis strategies of small, difficult search problems that shrink to readable pictures.

`weighted_digraphs`, `heuristics_for` and `problems` are defined here. Plugins bring the others, through
`ProblemSpec.strategies`; they are attributes of this module as well: `mazes`, `grids`, `dungeons`, `vaults`,
`agents`, `masked_grids`, and those of other installed plugins.
"""

from collections.abc import Callable
from typing import Any

from searchkit.testing.strategies.digraphs import weighted_digraphs
from searchkit.testing.strategies.heuristics import heuristics_for
from searchkit.testing.strategies.registered import contributed, names, noted, problems

__all__ = ["heuristics_for", "noted", "problems", "weighted_digraphs"]


def __getattr__(name: str) -> Callable[..., Any]:
    if name.startswith("__"):
        raise AttributeError(name)
    return contributed(name)


def __dir__() -> list[str]:
    return sorted({*__all__, *names()})
