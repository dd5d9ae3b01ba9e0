"""A problem with a compiled view that was made from its Python."""

import pickle
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import thread_time
from typing import Any

from searchkit.errors import InvalidProblemError
from searchkit.saving.identity import Identity, identity
from searchkit.translate.emitter import (
    BRANCHING,
    CAPACITY,
    FUEL,
    LAYOUT,
    ORDER,
    OVERFLOW,
    UNROLLED,
    Hints,
    LengthError,
)
from searchkit.translate.layout import Layout, infer
from searchkit.translate.profile import profile
from searchkit.translate.program import Program
from searchkit.translate.translation import Comparison, DifferenceError, GrowthError, Translation
from searchkit.translate.trial import by_fork, by_process, can_fork, judged
from searchkit.translate.values import TranslationError

MEMBERS = (
    "initial_states", "successors", "is_goal", "cost", "heuristic", "goal_states", "predecessors",
    "backward_heuristic", "aimed",
)  # fmt: skip
"""What kernels may ask a problem for."""
SAMPLE_SECONDS = 0.15
PATIENT_SECONDS, SECONDS = 0.4, 0.05
"""How long machine code is compared with Python, while a search continues in Python, and while it waits."""
PATIENT_MAKING, MAKING = 1.0, 10.0
"""How long translation may take, while a search continues in Python, and while it waits."""
MAX_GROWTH = 6
"""How often the layout is made wider for the states of the sample."""
MOST_WIDER = 2
"""How often a search begins again with machine code that has more room."""
STOPS = {
    OVERFLOW: "a number takes more than 64 bits",
    FUEL: "a loop or recursion takes too long there (machine code keeps no results, as lru_cache does)",
    ORDER: "two members of a set are sorted by equal keys, so their order depends on the hash seed",
}


class Translated:
    """A problem and the view that was made of it; all else is the problem's."""

    problem: Any

    def __new__(cls, translation: Translation) -> "Translated":
        """Return an object of a class with the name of the problem's class, for messages."""
        return object.__new__(type(type(translation.problem).__name__, (Translated,), {}))

    def __init__(self, translation: Translation):
        self.problem, self.translation = translation.problem, translation
        self._view = translation.view()
        vars(self).update(
            {name: getattr(self.problem, name) for name in MEMBERS if hasattr(self.problem, name)}
        )

    def compiled(self) -> Any:
        """Return the view."""
        return self._view

    def file_identity(self) -> Identity:
        """Return what names the problem in files (`searchkit.Identifiable`): these hold packed states, too."""
        whole = identity(self.problem)
        digest = sha256(f"{whole.digest} {self.translation.layout}".encode()).hexdigest()
        return Identity(whole.kind, digest, whole.code)

    def __getattr__(self, name: str) -> Any:
        if name == "problem":  # while it is made
            raise AttributeError(name)
        return getattr(self.problem, name)

    def __reduce__(self) -> Any:
        return Translated, (self.translation,)


class Maker:
    """Makes the machine code of a problem, and makes it again if it has too little room.

    Args:
        problem: the problem.
        given: states that a search has met, in that order; none if there is no search yet.
        patient: whether a search continues in Python meanwhile. If not, the code is used even if it is not faster.
        seconds: the seconds of CPU time that translation may take; by default, more if somebody waits for it.

    """

    def __init__(self, problem: Any, given: Sequence[Any] = (), *, patient: bool = False, seconds: float = 0):
        self.problem, self.given, self.patient = problem, given, patient
        self.seconds = seconds or (PATIENT_MAKING if patient else MAKING)
        self.states: list[Any] = []
        """A sample of the states, in the order in which they were met."""
        self.branching = 0
        """The most successors of a state that there is room for."""
        self.growth = 1
        """By what factor lists have more room than usual."""
        self.early: int | None = None
        """How many states of the sample were met early: what is greater in later ones is given more room."""
        self.attempts = 0
        self.hints: Hints | None = None
        self.translation: Translation | None = None
        self.wider = 0
        """How often it was made again since it was used first."""
        self._comparison: Comparison | None = None
        self._attributes: dict[str, bytes] = {}

    @property
    def sample(self) -> dict[str, Any] | None:
        """What `take` needs to make the same machine code again, also in another process."""
        names = ("states", "branching", "growth", "early")
        return {name: getattr(self, name) for name in names} if self.states else None

    def take(self, sample: Mapping[str, Any]) -> None:
        """Begin with what another maker has learnt about the same problem."""
        vars(self).update(sample)

    def translate(self) -> None:
        """Translate the problem. Takes up to some seconds. Raises `TranslationError`."""
        if not self.states:
            sample = profile(self.problem, seconds=SAMPLE_SECONDS, given=self.given)
            self.states, self.given = sample.states, ()
            self.branching = sample.branching + max(4, sample.branching // 2)
        if not self.states:
            raise TranslationError("the problem has no start state")
        if any(state is None for state in self.states):
            raise TranslationError("None can't be a state; return another value")
        self._attributes = self._attributes or attributes_of(self.problem)
        begin = thread_time()
        if self.seconds <= 0:
            raise TranslationError("translating it takes too long")
        layout = Layout(infer(self.states, self.early))
        if layout.needs_room(self.states):
            layout = Layout(layout.root, unused=1)
        self.hints = Hints(self.seconds, self.hints)
        self.hints.growth = self.growth
        program = self._program(layout)
        self.translation = Translation(self.problem, layout, self.branching, program.text, program.whole)
        self.seconds -= thread_time() - begin

    def _program(self, layout: Layout) -> Program:
        """Return the program: without joined texts if only actions are such, with short loops unrolled."""
        assert self.hints is not None
        while True:
            try:
                return Program(self.problem, layout, self.branching, self.hints)
            except LengthError:
                if self.hints.unrolled != UNROLLED:
                    raise
                self.hints = self.hints.anew(unrolled=2)
            except TranslationError:
                if self.hints.makes_texts or not self.hints.left_out:
                    raise
                self.hints = self.hints.anew(self.hints.unrolled)
                self.hints.makes_texts = True

    def _tried(self, in_thread: Any) -> Generator[None, None, bool]:
        """Compare the code with Python, in another process; yield meanwhile. Return whether it can be used.

        If not, it has to be made again. Raises `TranslationError`. Without `in_thread`, it is compared in this process.
        """
        assert self.translation is not None
        seconds = PATIENT_SECONDS if self.patient else SECONDS
        if in_thread is None:
            verdict = judged(self.translation, self.states, seconds)
        elif can_fork():
            verdict = yield from by_fork(partial(judged, self.translation, self.states, seconds))
        else:
            verdict = yield from in_thread(partial(by_process, self.translation, self.states, seconds))
        if isinstance(verdict, GrowthError):
            self._learn(GrowthError(verdict.why, verdict.line, [self.states[at] for at in verdict.states]))
            return False
        if isinstance(verdict, Exception):
            raise verdict
        self.translation.states, pays = verdict
        if self.patient and not pays:
            raise TranslationError("its machine code is not faster than Python for the first states")
        self._comparison = Comparison(self.translation)
        return True

    def steps(self, in_thread: Any, *, here: bool = False) -> Generator[None, None, None]:
        """Translate, and compare with Python, until the code can be used; yield meanwhile. Raises `TranslationError`.

        Args:
            in_thread: calls a function in a thread, and yields meanwhile.
            here: compare in this process, which ends if the code crashes.

        """
        usable = False
        while not usable:
            yield from in_thread(self.translate)
            usable = yield from self._tried(None if here else in_thread)

    def make(self, *, here: bool = False) -> tuple[Translation, list[Any]]:
        """Do these steps at once; return the translation, and a sample of states that it has room for."""
        for _ in self.steps(_at_once, here=here):
            pass
        assert self.translation is not None
        return self.translation, self.states

    def _learn(self, stop: GrowthError) -> None:
        """Take into account why machine code stopped. Raises `TranslationError` if more room is of no use."""
        self.attempts += 1
        if self.attempts == MAX_GROWTH:
            raise TranslationError("its states outgrow every layout")
        if stop.why == CAPACITY:
            self.growth *= 4
        elif stop.why == BRANCHING:
            self.branching *= 2
        elif stop.why == LAYOUT:
            around = profile(self.problem, 0, SAMPLE_SECONDS, stop.states).states
            self.states = list(dict.fromkeys([*self.states, *around]))
            self.early = max(1, len(self.states) // (1 + self.attempts))
        else:
            why = STOPS.get(stop.why, "it raises an exception there, and Python does not")
            where = f" at line {stop.line}" if stop.line else ""
            raise TranslationError(f"its machine code stops{where}: {why}")

    def problem_with_view(self) -> Translated:
        """Return the problem with the view that was made last."""
        assert self.translation is not None
        return Translated(self.translation)

    @property
    def stopped(self) -> bool:
        """Whether the machine code stopped."""
        return self.translation is not None and bool(self.translation.machine.failure[0])

    def widen(self) -> None:
        """Take into account why the code stopped in a search. Raises `TranslationError` if that is of no use."""
        assert self.translation is not None
        machine, layout = self.translation.machine, self.translation.layout
        code, machine.failure[0] = int(machine.failure[0]), 0
        if self.wider == MOST_WIDER:
            raise TranslationError("its states outgrow every layout")
        self.wider += 1
        self._learn(GrowthError(code % 8, code // 8, [layout.unpack(machine.stopped_at(layout.words))]))

    def difference(self, states: Iterable[Any], seconds: float) -> DifferenceError | None:
        """Compare some states of the search with Python, for about so many seconds; return what differs."""
        assert self._comparison is not None
        try:
            with suppress(GrowthError):  # the kernel will stop there, too, if it comes there
                self._comparison.compare(states, seconds)
        except DifferenceError as error:
            return error
        return None

    def check_attributes(self) -> None:
        """Raise `InvalidProblemError` if an attribute of the problem was changed since the code was made."""
        caches = {} if self.hints is None else self.hints.caches
        for name, digest in attributes_of(self.problem).items():
            if self._attributes.get(name, digest) != digest and id(getattr(self.problem, name)) not in caches:
                raise InvalidProblemError(
                    f"the attribute {name} of {type(self.problem).__name__} was changed since this search began, and "
                    "its machine code has the old one; begin a new search"
                )

    @property
    def made_from(self) -> str:
        """What a result says about the machine code."""
        function = getattr(self.problem, "successors", None)
        code = getattr(getattr(function, "__func__", function), "__code__", None)
        name = Path(code.co_filename).name if code else ""
        source = name if name.endswith(".py") and not name.isdecimal() else type(self.problem).__name__
        count = 0 if self.translation is None else self.translation.states
        return f"machine code made from {source}, compared with Python on {count:,} states"


def attributes_of(problem: Any) -> dict[str, bytes]:
    """Return a digest of each attribute of a problem; those that can't be pickled are left out."""
    found: dict[str, bytes] = {}
    for name, value in getattr(problem, "__dict__", {}).items():
        with suppress(Exception):  # a class may raise anything
            found[name] = sha256(pickle.dumps(value)).digest()
    return found


def _at_once(call: Callable[[], Any]) -> Generator[None, None, Any]:
    """Call a function in this thread: there is no search meanwhile."""
    yield
    return call()
