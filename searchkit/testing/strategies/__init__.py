"""Hypothesis strategies of search problems: small ones, full of traps, that shrink to pictures a person can check.

`weighted_digraphs`, `heuristics_for` and `problems` are here. All others are brought by plugins, through
`ProblemSpec.strategies`, and are attributes of this module all the same: `mazes`, `grids`, `dungeons`, `vaults`,
`agents`, `masked_grids`, and those of any other plugin that is installed.
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
