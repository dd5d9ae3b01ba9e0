"""A problem as machine code, and its comparison with Python."""

from collections.abc import Iterable, Sequence
from time import thread_time
from typing import Any

import numpy as np
from attrs import define, field

from searchkit.compiled.view import CompiledProblem, Functions, MachineCode
from searchkit.problem import has_cost, has_heuristic
from searchkit.translate.emitter import LAYOUT
from searchkit.translate.layout import Layout, LayoutError
from searchkit.translate.machine import Machine
from searchkit.translate.profile import edges_of
from searchkit.translate.values import TranslationError

MANY_BYTES = 1 << 14
"""Machine code is measured on so many packed states that a call of it does not count."""
CALL_SECONDS = 2e-6
"""What a call of machine code from Python takes, which a kernel does not pay."""


@define(eq=False)
class Translation:
    """The machine code of a problem. It can be pickled, and is then compiled again from the same assembly."""

    problem: Any
    layout: Layout
    branching: int
    text: str
    """The assembly."""
    whole: bool
    """Whether all costs and heuristic values are integers."""
    states: int = 0
    """How many states were compared with Python."""
    machine: Machine = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.machine = Machine(self.text)

    def __reduce__(self) -> Any:
        return Translation, (self.problem, self.layout, self.branching, self.text, self.whole)

    def view(self) -> CompiledProblem:
        """Return the compiled view of the problem."""
        is_wide, machine = self.layout.words > 1, self.machine
        expand = MachineCode("expand", machine.address("expand"), is_wide, machine)
        is_goal = MachineCode("is_goal", machine.address("goal"), is_wide, machine)
        guess = None
        if has_heuristic(self.problem):
            guess = MachineCode("heuristic", machine.address("guess"), is_wide, machine)
        return CompiledProblem(
            Functions(expand, is_goal, self.branching, machine.failure),
            pack=self.layout.pack,
            unpack=self.layout.unpack,
            heuristic=guess,
            whole=self.whole,
            words=self.layout.words,
        )


@define
class GrowthError(Exception):
    """Machine code stopped: it may have too little room for something."""

    why: int
    line: int
    states: list[Any]
    """The states for which it stopped."""


class DifferenceError(TranslationError):
    """Machine code and Python do not agree: a fault of the translator."""


class Comparison:
    """Compares machine code with Python, state by state."""

    def __init__(self, translation: Translation):
        self.translation = translation
        problem, words, room = translation.problem, translation.layout.words, translation.branching
        self.has_cost, self.has_heuristic = has_cost(problem), has_heuristic(problem)
        self.words, self.out = np.zeros(words, np.uint64), np.zeros((room + 1, words), np.uint64)
        self.costs, self.goal, self.value = np.zeros(room + 1), np.zeros(1, np.int64), np.zeros(1)
        arrays = self.words, self.out, self.costs, self.goal, self.value
        self._pointers = [array.ctypes.data for array in arrays]
        self.numbers: dict[Any, int] = {}
        """The packed form of each state that was met: equal states have one."""
        self.states = 0
        """How many states were compared."""
        self.python = self.code = 0.0
        """The seconds that Python and machine code took."""

    @property
    def pays(self) -> bool:
        """Whether machine code took less time than Python."""
        return self.code - CALL_SECONDS * self.states <= self.python

    def compare(self, states: Iterable[Any], seconds: float = float("inf"), least: int = 0) -> None:
        """Compare states, for about so many seconds of CPU time, or longer until `least` states are compared.

        Raises:
            DifferenceError: for the first state that shows one.
            GrowthError: machine code stopped. If the layout has too little room, for all states that show it.

        """
        end, stopped = thread_time() + seconds, GrowthError(LAYOUT, 0, [])
        for state in states:
            try:
                self.compare_one(state)
            except GrowthError as stop:
                if stop.why != LAYOUT:
                    raise
                stopped.line = stop.line or stopped.line
                stopped.states.append(state)
            if thread_time() > end and self.states >= least:
                break
        if stopped.states:
            raise stopped

    def compare_one(self, state: Any) -> None:
        """Compare a state; where Python raises, machine code has to stop. Raises as `compare`."""
        problem, layout, machine = (
            self.translation.problem,
            self.translation.layout,
            self.translation.machine,
        )
        try:
            number = layout.pack(state)
        except LayoutError:
            raise GrowthError(LAYOUT, 0, [state]) from None
        back = layout.unpack(number)
        if back != state or hash(back) != hash(state):
            raise DifferenceError(f"{state!r} is not what it is after packing: {back!r}")
        self.words[:] = np.frombuffer(number.to_bytes(self.words.nbytes, "little"), np.uint64)
        h: Any = 0
        is_goal = False
        wanted: list[Any] = []
        costs: list[Any] = []
        raised: Exception | None = None
        begin = thread_time()
        try:
            is_goal = bool(problem.is_goal(state))
            wanted = [] if is_goal else edges_of(problem, state)
            costs = [problem.cost(state, *pair) for pair in wanted] if self.has_cost else [1] * len(wanted)
            if self.has_heuristic:
                h = problem.heuristic(state)
        except Exception as error:
            raised = error
        between = thread_time()
        machine.failure[0] = 0
        count = machine.check(self._pointers[0], 1, *self._pointers[1:], int(not is_goal))
        self.code += thread_time() - between
        self.python += between - begin
        if machine.failure[0]:
            code, machine.failure[0] = int(machine.failure[0]), 0
            if raised is not None:
                return
            raise GrowthError(code % 8, code // 8, [state])
        if raised is not None:
            raise DifferenceError(f"{state!r}: machine code continues where Python raises {raised!r}")
        if bool(self.goal[0]) != is_goal:
            raise DifferenceError(f"is_goal of {state!r} is not {is_goal}")
        if self.has_heuristic and self.value[0] != h and h == h:  # a kernel says that nan is wrong
            raise DifferenceError(f"heuristic of {state!r}: {self.value[0]} instead of {h}")
        if count != len(wanted):
            raise DifferenceError(f"{count} successors instead of {len(wanted)} of {state!r}")
        try:
            packed = [layout.pack(successor) for _, successor in wanted]
        except LayoutError:
            raise GrowthError(LAYOUT, 0, [state]) from None
        for met, its_number in zip([state, *(pair[1] for pair in wanted)], [number, *packed], strict=True):
            if self.numbers.setdefault(met, its_number) != its_number:
                raise TranslationError(
                    f"states that differ are equal, such as {met!r}; let __eq__ compare every part"
                )
        found = [sum(word << 64 * at for at, word in enumerate(row)) for row in self.out[:count].tolist()]
        if found != packed:
            if sorted(found) == sorted(packed):
                raise TranslationError(
                    "the order of its successors depends on the order of a set, which depends on the hash seed or on "
                    "how the set was made; iterate over sorted(…) instead"
                )
            place = next(place for place in range(len(found)) if found[place] != packed[place])
            other, successor = layout.unpack(found[place]), wanted[place][1]
            raise DifferenceError(f"successor {place} of {state!r}: {other!r} instead of {successor!r}")
        for place, (action, _) in enumerate(wanted):
            if self.costs[place] != costs[place]:
                raise DifferenceError(f"the cost of {action!r} in {state!r}: {self.costs[place]}")
        self.states += 1

    def speed(self, states: Sequence[Any], seconds: float = 0.05) -> tuple[float, float]:
        """Return how many seconds of CPU time Python and machine code take for one of these states; zeros for none.

        Both ask whether it is a goal, take its heuristic value, and make its successors with their costs; machine code
        does that for all states in each of some calls, of which the fastest counts.
        """
        machine, layout = self.translation.machine, self.translation.layout
        self.compare(states, seconds)
        if not self.states:
            return 0.0, 0.0
        packed = b"".join(layout.pack(state).to_bytes(self.words.nbytes, "little") for state in states)
        many = np.frombuffer(packed * (1 + MANY_BYTES // len(packed)), np.uint64)
        count, least, end = len(many) // len(self.words), float("inf"), thread_time() + seconds
        while thread_time() < end:
            begin = thread_time()
            machine.check(many.ctypes.data, count, *self._pointers[1:], 1)
            least = min(least, thread_time() - begin)
        machine.failure[0] = 0
        return self.python / self.states, least / count
