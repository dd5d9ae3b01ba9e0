"""Answering the questions of a student's process about a problem, and counting them, in the grader's process.

The code of the problem is not run for a submission: the answers to all possible questions are computed before.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from attrs import Factory, define, frozen

from searchkit.problem import Cost
from searchkit_coursework.maps import Instance
from searchkit_coursework.sandbox.endings import OF_A_CASE, Ending, Failure
from searchkit_coursework.sandbox.wording import clean
from searchkit_coursework.student.remote import OVER
from searchkit_coursework.student.values import HiddenError, encode, frame

LARGEST_ATTRIBUTE = 4 << 20
"""The largest attribute of a problem that is sent, in bytes."""


STATES_PER_STATE, MOST_STATES = 10, 200_000
"""A student's problem is explored up to so many states for each state of the map, plus 1,000, and not beyond the other
number."""
LONGEST_ACTION = 200


class GarbledError(ValueError):
    """A student's process wrote an invalid message."""


@define(slots=False)
class Book:
    """The answers about a map, by the numbers of its states. They are the same for every submission."""

    instance: Instance

    @cached_property
    def states(self) -> list[Any]:
        """Every state, at its number."""
        return list(self.instance.space.edges)

    @cached_property
    def numbers(self) -> Mapping[Any, int]:
        """State → number."""
        return {state: number for number, state in enumerate(self.states)}

    @cached_property
    def successors(self) -> dict[int, bytes]:
        """Number → the answer to `expand`, for the states that were asked for."""
        return {}

    @cached_property
    def told(self) -> dict[Any, tuple[Any, ...]]:
        """State → what is sent about it, for the states that were asked for."""
        return {}

    @cached_property
    def arrivals(self) -> Mapping[Any, list[tuple[Any, Any, Cost]]]:
        """State → (action, predecessor, cost) of each action that leads to it."""
        found: dict[Any, list[tuple[Any, Any, Cost]]] = {state: [] for state in self.states}
        for tail, edges in self.instance.space.edges.items():
            for action, head, cost in edges:
                found[head].append((action, tail, cost))
        return found

    def info(self, state: Any) -> tuple[Any, ...]:
        """Return what is sent about a state: its number, whether it is a goal, its heuristic value, and the state."""
        told = self.told.get(state)
        if told is None:
            estimate = encode(self.instance.estimates[state])
            is_goal = state in self.instance.space.goals
            told = self.told[state] = (self.numbers[state], is_goal, estimate, self.encoded(state))
        return told

    def encoded(self, value: Any) -> Any:
        """Return a state or an action as data; the `repr` of what is not data."""
        try:
            return encode(value)
        except HiddenError:
            return "record", repr(value), []

    def edges(self, edges: Any) -> bytes:
        """Return the answer that lists actions, costs and states."""
        return frame(
            [(self.encoded(action), encode(cost), self.info(state)) for action, state, cost in edges]
        )

    def expand(self, number: int) -> bytes:
        """Return the answer that lists the successors of a state."""
        if number not in self.successors:
            edges = self.instance.space.edges[self.states[number]]
            self.successors[number] = self.edges(edges)
        return self.successors[number]

    @cached_property
    def all_states(self) -> list[tuple[Any, ...]]:
        """What is sent about every state, for a heuristic."""
        return [self.info(state) for state in self.states]


@define
class Service:
    """One run of a student's function on a map: answers questions and counts expansions."""

    book: Book
    kind: str
    """`search`, `estimate` or `problem`."""
    expanded: list[Any] = Factory(list)
    """The states whose successors were asked for, in this order."""
    refused: bool = False
    """Whether it asked for more expansions than allowed."""

    @property
    def instance(self) -> Instance:
        """The map."""
        return self.book.instance

    def opening(self) -> bytes:
        """Return the first message to a student's process."""
        if self.kind == "problem":  # it gets the text of the map alone, and no answers
            return frame({"kind": self.kind, "text": self.instance.text, "most": self.most_states})
        space, book = self.instance.space, self.book
        reversible = all(hasattr(self.instance.problem, name) for name in ("goal_states", "predecessors"))
        return frame(
            {
                "kind": self.kind,
                "most": self.instance.most_expansions,
                "withheld": self.kind == "estimate" and self.instance.entry.heuristic == "auto",
                "starts": [book.info(state) for state in space.starts],
                "reversible": reversible,
                "goals": [book.info(s) for s in book.states if s in space.goals] if reversible else [],
                "states": book.all_states if self.kind == "estimate" else [],
            }
        )

    @property
    def most_states(self) -> int:
        """The largest number of states of a student's problem that are expanded."""
        return min(MOST_STATES, 1000 + STATES_PER_STATE * len(self.instance.space.edges))

    def answer(self, question: Any) -> bytes:
        """Return the answer to a question. Raises `GarbledError` for an invalid question."""
        match question:
            case _ if self.kind == "problem":
                raise GarbledError("a question about the problem that is asked for")
            case ["expand" | "before" as what, int(number)] if 0 <= number < len(self.book.states):
                state = self.book.states[number]
                if self.kind == "search":
                    if len(self.expanded) >= self.instance.most_expansions:
                        self.refused = True
                        return frame(OVER)
                    self.expanded.append(state)
                return (
                    self.book.expand(number)
                    if what == "expand"
                    else self.book.edges(self.book.arrivals[state])
                )
            case ["find", str(name)]:
                state = self.instance.states.get(name, self)
                return frame(None if state is self else self.book.info(state))
            case ["get", str(name)]:
                return frame(self._attribute(name))
        raise GarbledError("no question")

    def seen(self, answer: Any) -> Mapping[str, Any] | Failure:
        """Return the observation to judge: the answer of a student's process, and the expansions counted here.

        Raises `GarbledError` if the answer is invalid.
        """
        if self.refused:
            place = answer["failure"].get("place", "") if _is_failure(answer) else ""
            most = f"{self.instance.most_expansions:,}"
            return Failure(Ending.EXPANSION_LIMIT, most, clean(place, 200))
        match answer:
            case {"failure": failure}:
                try:
                    found = Failure.of(failure, OF_A_CASE - {Ending.EXPANSION_LIMIT})
                except ValueError as error:
                    raise GarbledError("no failure") from error
                state = clean(repr(self._state(answer["state"])), 200) if "state" in answer else ""
                return Failure(found.ending, found.detail, found.place, state)
            case {"odd": str(text), "state": number} if self.kind == "estimate":
                return {"odd": clean(text, 120), "state": self._state(number)}
            case {"values": list(values)} if self.kind == "estimate" and len(values) == len(self.book.states):
                return {"values": dict(zip(self.book.states, map(_number, values), strict=True))}
            case {"odd": str(text)} if self.kind == "search":
                return {"odd": clean(text, 120), "expanded": tuple(self.expanded)}
            case {"path": None | list() as path} if self.kind == "search":
                found_path = None if path is None else [self._step(each) for each in path]
                return {"path": found_path, "expanded": tuple(self.expanded)}
            case {"odd": str(text)} if self.kind == "problem":
                return {"odd": clean(text, 300)}
            case {"starts": list(), "goals": list(), "edges": list(), "states": int()} if (
                self.kind == "problem"
            ):
                return {"graph": self._graph(answer)}
        raise GarbledError("no answer")

    def _graph(self, answer: Mapping[str, Any]) -> "Graph":
        """Return the graph of a student's problem. Raises `GarbledError` if it is not a graph."""
        states, edges = answer["states"], []
        if type(states) is not int or not len(answer["edges"]) <= min(states, self.most_states):
            raise GarbledError("no graph")
        for out in answer["edges"]:
            if not isinstance(out, list):
                raise GarbledError("no actions")
            edges.append([self._edge(edge, states) for edge in out])
        starts, goals = ([_place(each, states) for each in answer[name]] for name in ("starts", "goals"))
        return Graph(starts, frozenset(goals), edges, states, self.most_states)

    def _edge(self, edge: Any, states: int) -> tuple[str, Cost, int]:
        match edge:
            case [str(action), cost, number]:
                return clean(action, LONGEST_ACTION), _number(cost), _place(number, states)
        raise GarbledError("no action")

    def _attribute(self, name: str) -> Any:
        """Return an attribute of the problem as data; None if it is not data."""
        if name.startswith("_") or not name.isidentifier():
            return None
        try:
            data = encode(getattr(self.instance.problem, name), self.instance.hidden)
            return data if len(frame(data)) <= LARGEST_ATTRIBUTE else None
        except Exception:  # a property may raise anything: then the attribute does not exist
            return None

    def _state(self, number: Any) -> Any:
        if type(number) is not int or not 0 <= number < len(self.book.states):
            raise GarbledError("no state")
        return self.book.states[number]

    def _step(self, step: Any) -> Any:
        return Unknown(clean(step, 200)) if isinstance(step, str) else self._state(step)


@frozen
class Graph:
    """A student's problem as its process reports it. Nothing about it is checked but its form."""

    starts: Sequence[int]
    goals: frozenset[int]
    edges: Sequence[Sequence[tuple[str, Cost, int]]]
    """For each expanded state the actions, their costs and the numbers of the successors."""
    states: int
    """The number of states, including those that were not expanded."""
    most: int
    """The largest number of states that are expanded."""

    @property
    def cut(self) -> bool:
        """Whether there are more states than were expanded."""
        return self.states > len(self.edges)


class Unknown(str):
    """An item of a path that is not a state of the map."""

    __slots__ = ()


def _place(number: Any, states: int) -> int:
    if type(number) is not int or not 0 <= number < states:
        raise GarbledError("no state")
    return number


def _is_failure(answer: Any) -> bool:
    return (
        isinstance(answer, dict)
        and isinstance(answer.get("failure"), dict)
        and isinstance(answer["failure"].get("place", ""), str)
    )


def _number(value: Any) -> Cost:
    """Return a number. Raises `GarbledError` if it is not a number."""
    if type(value) in (int, float):
        number: Cost = value
        return number
    match value:
        case [int(numerator), int(denominator)] if denominator > 0:
            return Fraction(numerator, denominator)
    raise GarbledError("no number")
