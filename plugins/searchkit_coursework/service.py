"""Answering the questions of a student's process about a problem, and reading its answers, in the grader's process.

The code of the problem is not run for a submission: the answers to all possible questions are computed before
(`Instance.answer`). The grader answers only for states that it has told in an answer before, and counts expansions.
What a process sends is data: its form is checked here, and texts are made safe for terminals, pages and files.
"""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from attrs import Factory, define, frozen

from searchkit.basics.text import visible
from searchkit.problem import Cost
from searchkit.testing.spaces.space import StateSpace
from searchkit_coursework.maps import Failure, Instance
from searchkit_coursework.student.observing import OVER, as_number

STATES_PER_STATE, MAX_STATES = 10, 200_000
"""A student's problem is explored up to so many states for each state of the map, plus 1,000, and not beyond the other
number."""


class GarbledError(ValueError):
    """A student's process wrote an invalid message."""


NOTHING = StateSpace((), {}, frozenset(), whole=True)


@frozen
class Observation:
    """What is judged: the answer of a student's process, and what was counted here."""

    path: Sequence[Any] | None = None
    expanded: Sequence[Any] = ()
    """The states whose successors were asked for, in this order."""
    exhausted: bool = False
    """Whether every state that was told was expanded, except for those that the heuristic takes for dead ends."""
    values: Mapping[Any, Cost] = Factory(dict)
    graph: StateSpace = NOTHING
    """A student's problem as its process reports it: its states are numbers, its actions texts."""


@define
class Service:
    """One run of a student's function on a map: answers questions and counts expansions."""

    instance: Instance
    kind: str
    """`search`, `heuristic` or `problem`."""
    function: str = ""
    expanded: list[Any] = Factory(list)
    """The states whose successors were asked for, in this order."""
    refused: bool = False
    """Whether it asked for more expansions than allowed."""
    _told: set[int] = Factory(set)

    @property
    def _most_states(self) -> int:
        return min(MAX_STATES, 1000 + STATES_PER_STATE * len(self.instance.states))

    def opening(self) -> dict[str, Any]:
        """Return the first message to a student's process."""
        message: dict[str, Any] = {"kind": self.kind, "function": self.function}
        if self.kind == "problem":  # it gets the text of the map alone, and no answers
            return message | {"text": self.instance.text, "most": self._most_states}
        of_heuristic, known = self.kind == "heuristic", self.instance.known_states
        message |= {
            "most": self.instance.most_expansions,
            "withheld": of_heuristic and self.instance.heuristic == "auto",
            "starts": [known[state] for state in self.instance.space.starts],
            "states": [known[state] for state in self.instance.states] if of_heuristic else [],
        }
        self._told.update(each.number for each in (*message["starts"], *message["states"]))
        return message

    def answer(self, question: Any) -> Any:
        """Return the answer to a question. Raises `GarbledError` for an invalid one, or about a state not yet told."""
        match question:
            case _ if self.kind == "problem":
                raise GarbledError("a question about the problem that is asked for")
            case ["expand", int(number)] if number in self._told:
                if self.kind == "search" and len(self.expanded) >= self.instance.most_expansions:
                    self.refused = True
                    return OVER
                self.expanded.append(self.instance.states[number])
                answer = self.instance.answer(number)
                self._told.update(successor.number for _, _, successor in answer)
                return answer
            case ["get", str(name)]:
                return self.instance.attribute(name)
        raise GarbledError("no question")

    def observation(self, message: Any) -> Observation | Failure:
        """Return what is judged. Raises `GarbledError` if the answer is invalid."""
        match message:
            case {"failure": str(reason)}:
                return no_answer(reason)
            case _ if self.refused:
                most = self.instance.most_expansions
                return Failure(
                    f"it asked for successors {most:,} times: it expands the same states again and again"
                )
            case {"path": None | list() as path} if self.kind == "search":
                if not all(type(number) is int and number in self._told for number in path or ()):
                    raise GarbledError("no state")
                states = None if path is None else [self.instance.states[number] for number in path]
                left = {self.instance.states[number] for number in self._told} - set(self.expanded)
                exhausted = all(self.instance.heuristic_values[state] == inf for state in left)
                return Observation(states, self.expanded, exhausted)
            case {"values": list(values)} if self.kind == "heuristic" and len(values) == len(
                self.instance.states
            ):
                if all(_cost(value) >= 0 for value in values):
                    return Observation(values=dict(zip(self.instance.states, values, strict=True)))
            case {"goals": list(), "edges": list(), "states": int()} if self.kind == "problem":
                return Observation(graph=_graph(message, self._most_states))
        raise GarbledError("no answer")


def _graph(message: Mapping[str, Any], most: int) -> StateSpace:
    states = range(message["states"])
    if len(message["edges"]) > min(len(states), most):
        raise GarbledError("more states than there are")
    try:
        edges = {
            number: tuple((clean(action, 200), states[to], _cost(cost)) for action, cost, to in out)
            for number, out in enumerate(message["edges"])
        }
        goals = frozenset(states[number] for number in message["goals"])
    except (TypeError, ValueError, LookupError, OverflowError) as error:
        raise GarbledError("no graph") from error
    return StateSpace((0,), edges, goals, whole=len(edges) == len(states))


def _cost(value: Any) -> Cost:
    if type(value) not in (int, float) or as_number(value) is None:
        raise GarbledError("no number, or one that is larger than any float")
    cost: Cost = value
    return cost


def clean(text: Any, most: int = 300, *, lines: bool = False) -> str:
    """Return text that can be shown anywhere (see `visible`), cut to `most` characters; in one line without `lines`."""
    shown = visible(str(text)[:most])
    return (shown if lines else shown.replace("\n", " ")) + "…" * (len(str(text)) > most)


def no_answer(reason: str) -> Failure:
    """Return the failure of a function that gives no answer."""
    return Failure(clean(reason, 600))
