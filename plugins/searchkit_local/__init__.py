"""Local search for searchkit: hill climbing, simulated annealing, local beam search and a genetic algorithm.

Local search keeps one state or a few, moves to neighbours, and remembers no paths. It needs a problem whose states have
values, and proves nothing about what it finds. The command `searchkit local` runs it.
"""

from searchkit.plugin import CommandSpec, ProblemSpec, hookimpl
from searchkit_local import queens, tour
from searchkit_local.methods import METHODS
from searchkit_local.problem import Valued
from searchkit_local.queens import CompleteQueens
from searchkit_local.search import LocalResult, LocalSearch, local_search
from searchkit_local.tour import Tour

__all__ = [
    "METHODS",
    "CompleteQueens",
    "LocalResult",
    "LocalSearch",
    "Tour",
    "Valued",
    "local_search",
]


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the problems."""
    return [queens.SPEC, tour.SPEC]


@hookimpl
def searchkit_commands() -> list[CommandSpec]:
    """Return the command `local`."""
    return [
        CommandSpec(
            "local", "Improve a state step by step: hill climbing and others.", "searchkit_local.command:app"
        )
    ]
