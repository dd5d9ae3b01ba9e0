"""A problem as machine code: profile, layout, translation, comparison with Python."""

from collections.abc import Iterable
from time import perf_counter, thread_time
from typing import Any, Self

import numpy as np
from attrs import define, field

from searchkit.compiled.view import CompiledProblem, Functions, MachineCode
from searchkit.problem import has_cost, has_heuristic
from searchkit.translate.emitter import (
    BRANCHING,
    CAPACITY,
    FUEL,
    LAYOUT,
    ORDER,
    OVERFLOW,
    Hints,
    LengthError,
)
from searchkit.translate.layout import Layout, LayoutError, infer
from searchkit.translate.machine import AssemblyError, Machine
from searchkit.translate.profile import Sample, edges_of, profile
from searchkit.translate.program import Program
from searchkit.translate.values import TranslationError

MAX_UNROLLED_LINES = 4_000
"""LLVM takes about half a second for more lines than these."""
MAX_GROWTH = 6
"""How often the layout is made wider for the states of the sample."""
CALL_SECONDS = 2e-6
"""What a call of machine code from Python takes, which a kernel does not pay."""
STOPS = {
    OVERFLOW: "a number takes more than 64 bits",
    FUEL: "a loop runs for too long",
    ORDER: "two members of a set are sorted by equal keys, so their order depends on the hash seed",
}


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
    machine: Machine
    program: Program | None = None
    """How the assembly was made; None if this was unpickled."""
    states: int = 0
    """How many states were compared with Python."""
    seconds: dict[str, float] = field(factory=dict)
    """What each step took."""

    @classmethod
    def of(cls, problem: Any, layout: Layout, branching: int, text: str, whole: bool) -> Self:
        """Return the machine code of assembly. Raises `AssemblyError`."""
        return cls(problem, layout, branching, text, whole, Machine(text))

    def __reduce__(self) -> Any:
        return Translation.of, (self.problem, self.layout, self.branching, self.text, self.whole)

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


def _program(problem: Any, layout: Layout, branching: int, hints: Hints) -> Program:
    """Return the program; if only actions are joined texts, these are left out."""
    try:
        return _unrolled(problem, layout, branching, hints)
    except TranslationError:
        if hints.makes_texts or not hints.left_out:
            raise
    hints = hints.anew(hints.unrolled)
    hints.makes_texts = True
    return _unrolled(problem, layout, branching, hints)


def _unrolled(problem: Any, layout: Layout, branching: int, hints: Hints) -> Program:
    """Return the program, with loops unrolled where that is short."""
    hints.most_lines = MAX_UNROLLED_LINES
    try:
        return Program(problem, layout, branching, hints)
    except LengthError:
        pass
    try:
        return Program(problem, layout, branching, hints.anew(unrolled=2))
    except TranslationError:
        return Program(problem, layout, branching, hints.anew(unrolled=hints.unrolled))


@define
class GrowthError(Exception):
    """Machine code stopped: it may have too little room for something."""

    why: int
    line: int
    states: list[Any]
    """The states for which it stopped."""


class DifferenceError(TranslationError):
    """Machine code and Python do not agree: a fault of the translator."""


@define(eq=False)
class Draft:
    """What is known about a problem before it is translated, and what was learnt since."""

    problem: Any
    states: list[Any]
    """A sample of its states, in the order in which they were met."""
    branching: int
    """The most successors of a state."""
    seconds: float = 1.0
    """The seconds of CPU time that are left for translation."""
    growth: int = 1
    """By what factor lists have more room than usual."""
    attempts: int = 0
    hints: Hints | None = None
    early: int | None = None
    """How many states of the sample were met early: what is greater in later ones is given more room."""

    @classmethod
    def of(cls, problem: Any, sample: Sample, seconds: float) -> Self:
        """Return what a sample shows."""
        if not sample.states:
            raise TranslationError("the problem has no start state")
        return cls(problem, list(sample.states), sample.branching + max(4, sample.branching // 2), seconds)

    def translation(self) -> Translation:
        """Translate and compile. Raises `TranslationError`."""
        begin, started = thread_time(), perf_counter()
        if self.seconds <= 0:
            raise TranslationError("translating it takes too long")
        layout = Layout(infer(self.states, self.early))
        self.hints = hints = Hints(self.seconds, self.hints)
        hints.growth = self.growth
        program = _program(self.problem, layout, self.branching, hints)
        self.hints = program.hints
        translated = perf_counter()
        found = Translation.of(self.problem, layout, self.branching, program.text, program.whole)
        found.program = program
        found.seconds = {"translate": translated - started, "llvm": perf_counter() - translated}
        self.seconds -= thread_time() - begin
        return found

    def learn(self, stop: GrowthError) -> None:
        """Take into account why machine code stopped. Raises `TranslationError` if more room is of no use."""
        self.attempts += 1
        if self.attempts == MAX_GROWTH:
            raise TranslationError(f"its states outgrow every layout (line {stop.line})")
        if stop.why == CAPACITY:
            self.growth *= 4
        elif stop.why == BRANCHING:
            self.branching *= 2
        elif stop.why == LAYOUT:
            around = (each for state in stop.states for each in self._around(state))
            self.states = list(dict.fromkeys([*self.states, *around]))
            self.early = max(1, len(self.states) // (1 + self.attempts))
        else:
            why = STOPS.get(stop.why, "it raises an exception there, and Python does not")
            raise TranslationError(f"its machine code stops at line {stop.line}: {why}")

    def _around(self, state: Any) -> list[Any]:
        """Return a state and its successors, which have to find room."""
        try:
            return [state, *(pair[1] for pair in edges_of(self.problem, state))]
        except Exception:
            raise TranslationError(f"its members raise an exception for {state!r}"[:200]) from None


def translate(problem: Any, sample: Sample | None = None, *, seconds: float = 1.0) -> Translation:
    """Return the machine code of a problem, compared with Python on a sample of its states.

    Args:
        problem: the problem.
        sample: states of it; None to make a sample.
        seconds: how long translation may take.

    Raises:
        TranslationError: with one reason, its file and line.

    """
    started = perf_counter()
    if sample is None:
        sample = profile(problem)
    profiled = perf_counter() - started
    draft = Draft.of(problem, sample, seconds)
    while True:
        found = draft.translation()
        started = perf_counter()
        comparison = Comparison(found)
        try:
            comparison.compare(draft.states)
        except GrowthError as stop:
            draft.learn(stop)
            continue
        found.states = comparison.states
        found.seconds |= {"profile": profiled, "verify": perf_counter() - started}
        return found


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
        for word in range(len(self.words)):
            self.words[word] = number >> 64 * word & (1 << 64) - 1
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
        count = machine.check(*self._pointers, int(not is_goal))
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


__all__ = ["AssemblyError", "Comparison", "Draft", "GrowthError", "Translation", "translate"]
