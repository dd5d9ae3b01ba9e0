"""A problem with a compiled view that was made from its Python."""

import pickle
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from searchkit.saving.identity import Identity, identity
from searchkit.translate.profile import profile
from searchkit.translate.translation import Comparison, Draft, GrowthError, Translation
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
MOST_WIDER = 2
"""How often a search begins again with machine code that has more room."""


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

    """

    def __init__(self, problem: Any, given: Sequence[Any] = (), *, patient: bool = False):
        self.problem, self.given, self.patient = problem, given, patient
        self.draft: Draft | None = None
        self.translation: Translation | None = None
        self.wider = 0
        """How often it was made again since it was used first."""
        self.compared = 0
        """How many states were compared with Python."""
        self._comparison: Comparison | None = None
        self._attributes: dict[str, bytes] = {}

    @property
    def sample(self) -> dict[str, Any] | None:
        """What `take` needs to make the same machine code again, also in another process."""
        draft = self.draft
        if draft is None:
            return None
        return {name: getattr(draft, name) for name in ("states", "branching", "growth", "early")}

    def take(self, sample: Mapping[str, Any]) -> None:
        """Begin with what another maker has learnt about the same problem."""
        self.draft = Draft(self.problem, **sample)

    def translate(self) -> None:
        """Translate the problem. Takes up to some seconds. Raises `TranslationError`."""
        if self.draft is None:
            sample = profile(self.problem, seconds=SAMPLE_SECONDS, given=self.given)
            self.draft, self.given = Draft.of(self.problem, sample, 1.0), ()
        self._attributes = self._attributes or attributes_of(self.problem)
        self.translation = self.draft.translation()

    def tried(self, in_thread: Any) -> Generator[None, None, bool]:
        """Compare the code with Python, in another process; yield meanwhile. Return whether it can be used.

        If not, it has to be made again. Raises `TranslationError`.

        Args:
            in_thread: calls a function in a thread, and yields meanwhile.

        """
        assert self.draft is not None
        assert self.translation is not None
        sample, seconds = self.draft.states, PATIENT_SECONDS if self.patient else SECONDS
        if can_fork():
            verdict = yield from by_fork(partial(judged, self.translation, sample, seconds))
        else:
            verdict = yield from in_thread(partial(by_process, self.translation, sample, seconds))
        try:
            verdict.check(sample)
        except GrowthError as stop:
            self.draft.learn(stop)
            return False
        if self.patient and not verdict.pays:
            raise TranslationError("its machine code is not faster than Python for the first states")
        self.compared, self._comparison = verdict.states, Comparison(self.translation)
        return True

    def make(self) -> tuple[Translation, list[Any]]:
        """Translate, and compare with Python, until the code can be used. Raises `TranslationError`.

        Returns the translation and a sample of states that it has room for.
        """
        usable = False
        while not usable:
            self.translate()
            usable = _end_of(self.tried(_at_once))
        assert self.translation is not None
        assert self.draft is not None
        self.translation.states = self.compared
        return self.translation, self.draft.states

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
        assert self.draft is not None
        machine, layout = self.translation.machine, self.translation.layout
        code, machine.failure[0] = int(machine.failure[0]), 0
        if self.wider == MOST_WIDER:
            raise TranslationError(f"its states outgrow every layout (line {code // 8})")
        self.wider += 1
        self.draft.learn(GrowthError(code % 8, code // 8, [layout.unpack(machine.stopped_at(layout.words))]))

    def compare(self, states: Iterable[Any], seconds: float = 1.0) -> None:
        """Compare some states of the search with Python. Raises `DifferenceError` and `GrowthError`."""
        assert self._comparison is not None
        self._comparison.compare(states, seconds)

    @property
    def changed(self) -> str:
        """The name of an attribute of the problem that is another one than when the code was made; "" if none is."""
        hints = None if self.draft is None else self.draft.hints
        caches = {} if hints is None else hints.caches
        now = attributes_of(self.problem)
        names = [name for name, value in self._attributes.items() if now.get(name, value) != value]
        return next((name for name in names if id(getattr(self.problem, name)) not in caches), "")

    @property
    def made_from(self) -> str:
        """What a result says about the machine code."""
        function = getattr(self.problem, "successors", None)
        code = getattr(getattr(function, "__func__", function), "__code__", None)
        name = Path(code.co_filename).name if code else ""
        source = name if name.endswith(".py") and not name.isdecimal() else type(self.problem).__name__
        return f"machine code made from {source}, compared with Python on {self.compared:,} states"


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


def _end_of(steps: Generator[None, None, bool]) -> bool:
    """Return what a generator returns."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return bool(end.value)
