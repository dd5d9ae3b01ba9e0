"""Local search for searchkit: hill climbing, simulated annealing, local beam search and a genetic algorithm.

Local search keeps one state or a few, moves to neighbours, and remembers no paths. It needs a problem whose states have
values, and proves nothing about what it finds. The command `searchkit local` runs it.
"""

from typing import Any

from searchkit import SearchProblem
from searchkit.plugin import CommandSpec, Places, ProblemSpec, Written, hookimpl
from searchkit_local.methods import METHODS
from searchkit_local.problem import Breeding, RandomStates, Valued
from searchkit_local.problems.looks import LOOKS
from searchkit_local.problems.queens import CompleteQueens
from searchkit_local.problems.specs import SPECS, written
from searchkit_local.problems.tour import Tour
from searchkit_local.search import LocalResult, LocalSearch, local_search

__all__ = [
    "METHODS",
    "Breeding",
    "CompleteQueens",
    "LocalResult",
    "LocalSearch",
    "RandomStates",
    "Tour",
    "Valued",
    "local_search",
]


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the problems."""
    return list(SPECS)


@hookimpl
def searchkit_write(problem: SearchProblem[Any, Any]) -> Written | None:
    """Return a problem of this plugin as options; None for any other problem."""
    return written(problem)


@hookimpl
def searchkit_places(problem: SearchProblem[Any, Any]) -> Places[Any] | None:
    """Return the places of a problem of this plugin; None for any other."""
    look = next((LOOKS[kind] for kind in type(problem).__mro__ if kind in LOOKS), None)
    return None if look is None else look(problem)


@hookimpl
def searchkit_commands() -> list[CommandSpec]:
    """Return the command `local`."""
    return [
        CommandSpec(
            "local", "Improve a state step by step: hill climbing and others.", "searchkit_local.command:app"
        )
    ]
