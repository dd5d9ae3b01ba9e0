"""Answering the questions of a student's process about a problem, and counting them, in the grader's process.

The code of the problem is not run for a submission: the answers to all possible questions are computed before. The
grader answers only for states that it has told in an answer before.
"""

import pickle
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import inf
from typing import Any

from attrs import Factory, define, frozen

from searchkit.problem import Cost
from searchkit_coursework.maps import Instance
from searchkit_coursework.sandbox.endings import OF_A_CASE, Ending, Failure
from searchkit_coursework.sandbox.values import GarbledError, Graph, as_plain, as_plain_or_record, read_number
from searchkit_coursework.sandbox.wording import clean
from searchkit_coursework.student.problem import OVER, Told

STATES_PER_STATE, MOST_STATES = 10, 200_000
"""A student's problem is explored up to so many states for each state of the map, plus 1,000, and not beyond the other
number."""


class Unknown(str):
    """An item of a path that is not a state which the submission was told."""

    __slots__ = ()


@frozen
class Seen:
    """What is judged: the answer of a student's process, and what was counted here."""

    odd: str = ""
    """What the function returned, if that has another form."""
    state: Any = None
    """The state at which a heuristic returned `odd`."""
    path: Sequence[Any] | None = None
    expanded: Sequence[Any] = ()
    """The states whose successors were asked for, in this order."""
    exhausted: bool = False
    """Whether every state that was told was expanded, except for those that the heuristic takes for dead ends."""
    values: Mapping[Any, Cost] = Factory(dict)
    graph: Graph | None = None


@define(slots=False)
class Book:
    """The answers about a map, by the numbers of its states. They are the same for every submission."""

    instance: Instance
    _told: dict[Any, Told] = Factory(dict)
    _answers: dict[int, tuple[bytes, Sequence[int]]] = Factory(dict)

    @cached_property
    def states(self) -> list[Any]:
        """Every state, at its number."""
        return list(self.instance.space.edges)

    @cached_property
    def _numbers(self) -> Mapping[Any, int]:
        return {state: number for number, state in enumerate(self.states)}

    def told(self, state: Any) -> Told:
        """Return what is sent about a state."""
        if state not in self._told:
            is_goal, estimate = state in self.instance.space.goals, self.instance.estimates[state]
            self._told[state] = (self._numbers[state], is_goal, as_plain(estimate), as_plain_or_record(state))
        return self._told[state]

    def successors(self, number: int) -> tuple[bytes, Sequence[int]]:
        """Return the answer that lists the successors of a state, and their numbers."""
        if number not in self._answers:
            told = [
                (as_plain_or_record(action), as_plain(cost), self.told(state))
                for action, state, cost in self.instance.space.edges[self.states[number]]
            ]
            self._answers[number] = pickle.dumps(told), [each[2][0] for each in told]
        return self._answers[number]


@define
class Service:
    """One run of a student's function on a map: answers questions and counts expansions."""

    book: Book
    kind: str
    """`search`, `estimate` or `problem`."""
    most: int = Factory(lambda self: self.book.instance.most_expansions, takes_self=True)
    """The largest number of expansions."""
    expanded: list[Any] = Factory(list)
    """The states whose successors were asked for, in this order."""
    refused: bool = False
    """Whether it asked for more expansions than allowed."""
    _told: set[int] = Factory(set)

    @property
    def instance(self) -> Instance:
        """The map."""
        return self.book.instance

    @property
    def most_states(self) -> int:
        """The largest number of states of a student's problem that are expanded."""
        return min(MOST_STATES, 1000 + STATES_PER_STATE * len(self.instance.space.edges))

    def opening(self) -> dict[str, Any]:
        """Return the first message to a student's process."""
        if self.kind == "problem":  # it gets the text of the map alone, and no answers
            return {"kind": self.kind, "text": self.instance.text, "most": self.most_states}
        is_estimate, told = self.kind == "estimate", self.book.told
        message: dict[str, Any] = {
            "kind": self.kind,
            "most": self.most,
            "withheld": is_estimate and self.instance.entry.heuristic == "auto",
            "starts": [told(state) for state in self.instance.space.starts],
            "states": [told(state) for state in self.book.states] if is_estimate else [],
        }
        self._told.update(each[0] for each in (*message["starts"], *message["states"]))
        return message

    def answer(self, question: Any) -> bytes:
        """Return the answer to a question. Raises `GarbledError` for an invalid one, or about a state not yet told."""
        match question:
            case _ if self.kind == "problem":
                raise GarbledError("a question about the problem that is asked for")
            case ["expand", int(number)] if number in self._told:
                if self.kind == "search" and len(self.expanded) >= self.most:
                    self.refused = True
                    return pickle.dumps(OVER)
                answer, told = self.book.successors(number)
                self.expanded.append(self.book.states[number])
                self._told.update(told)
                return answer
            case ["get", str(name)]:
                return pickle.dumps(self._attribute(name))
        raise GarbledError("no question")

    def seen(self, answer: Any) -> Seen | Failure:
        """Return what is judged. Raises `GarbledError` if the answer is invalid."""
        if self.refused:
            match answer:
                case {"failure": {"place": str(place)}}:
                    return Failure(Ending.EXPANSION_LIMIT, f"{self.most:,}", clean(place, 200))
            return Failure(Ending.EXPANSION_LIMIT, f"{self.most:,}")
        counts = (tuple(self.expanded), self._exhausted)
        match answer:
            case {"failure": failure}:
                try:
                    found = Failure.of(failure, OF_A_CASE)
                except ValueError as error:
                    raise GarbledError("no failure") from error
                state = clean(repr(self._state(answer["state"])), 200) if "state" in answer else ""
                return Failure(found.ending, found.detail, found.place, state)
            case {"odd": str(text), "state": number} if self.kind == "estimate":
                return Seen(clean(text, 120), self._state(number))
            case {"values": list(values)} if self.kind == "estimate" and len(values) == len(self.book.states):
                return Seen(values=dict(zip(self.book.states, map(read_number, values), strict=True)))
            case {"odd": str(text)}:
                return Seen(clean(text, 300), None, None, *counts)
            case {"path": None | list() as path} if self.kind == "search":
                found_path = None if path is None else [self._step(each) for each in path]
                return Seen("", None, found_path, *counts)
            case {"edges": list()} if self.kind == "problem":
                return Seen(graph=Graph.of(answer, self.most_states))
        raise GarbledError("no answer")

    @property
    def _exhausted(self) -> bool:
        reached = {self.book.states[number] for number in self._told}
        return all(self.instance.estimates[state] == inf for state in reached - set(self.expanded))

    def _state(self, number: Any) -> Any:
        if type(number) is not int or number not in self._told:
            raise GarbledError("no state")
        return self.book.states[number]

    def _step(self, step: Any) -> Any:
        return Unknown(clean(step, 200)) if isinstance(step, str) else self._state(step)

    def _attribute(self, name: str) -> tuple[Any] | None:
        """Return an attribute of the problem as data; None if it is not data."""
        if name.startswith("_") or not name.isidentifier():
            return None
        try:
            return (as_plain(getattr(self.instance.problem, name)),)
        except Exception:  # a property may raise anything: then the attribute does not exist
            return None
