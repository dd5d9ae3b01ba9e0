"""A small map on which searches improve, reopen and leave states."""

from typing import Any

from searchkit import Recording
from searchkit.trace import KINDS

ROADS = {
    "A": {"B": 2, "C": 5, "D": 9},
    "B": {"C": 1, "D": 8},
    "C": {"E": 3, "D": 1},
    "D": {"F": 4, "E": 1},
    "E": {"G": 7, "F": 1},
    "F": {"G": 2},
    "G": {},
}
FAR = {"A": 7, "B": 7, "C": 1, "D": 4, "E": 3, "F": 2, "G": 0}
"""Admissible, and not consistent: C is expanded too soon by some searches."""


class Roads:
    """A small map on which states are improved, reopened and left."""

    def initial_states(self) -> list[str]:
        return ["A"]

    def goal_states(self) -> list[str]:
        return ["G"]

    def is_goal(self, state: str) -> bool:
        return state == "G"

    def successors(self, state: str) -> list[tuple[str, str]]:
        return [(f"{state}{to}", to) for to in ROADS[state]]

    def predecessors(self, state: str) -> list[tuple[str, str]]:
        return [(f"{one}{state}", one) for one in ROADS if state in ROADS[one]]

    def cost(self, state: str, action: str, to: str) -> int:
        return ROADS[state][to]

    def heuristic(self, state: str) -> int:
        return FAR[state]


def kinds(recording: Recording[Any, Any]) -> list[str]:
    """Return the kinds of the events."""
    return [KINDS[kind] for kind in recording.events.kind]
