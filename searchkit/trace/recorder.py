"""Recording a search while it runs."""

from array import array
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any, NoReturn, overload

from attrs import evolve

from searchkit.basics.notebooks import Shown
from searchkit.errors import InvalidOptionError, SavingError, UnknownNameError
from searchkit.plugin.specs import EngineFunction, EngineSpec
from searchkit.problem import Action, Cost, State, SupportsSearch, has_heuristic
from searchkit.result import Result
from searchkit.search.driver import Search
from searchkit.search.limits import Limits
from searchkit.search.replanning import Replanner, ReplanningSearch
from searchkit.search.runs import GeneratorRun
from searchkit.trace.log import FORWARD, Log
from searchkit.trace.looks import LiveLooks
from searchkit.trace.noting import RecordedTree, logged
from searchkit.trace.numbering import Numbering
from searchkit.trace.recording import Counters, Recording
from searchkit.trace.steps import Steps
from searchkit.tree import SearchTree

CAP = 1_000_000
"""How many expansions are recorded by default: about 500 MB of memory, with what the search itself holds."""
BACKENDS = ("python", "compiled")


class RecordedSearch(Search[State, Action]):
    """A search that is recorded while it runs: a `Search` with one more method, `recording`.

    It can be stepped, limited, interrupted and resumed as any other.

    Args:
        problem: what to solve.
        engine: as for `Search`.
        backend: `python`, or `compiled`: then the search is stepped, and the arrivals are compared after each
            expansion, which takes so long that it suits small problems.
        cap: how many expansions are recorded at most. Iterative deepening keeps its last iterations, other engines
            their first expansions; the search itself goes on.
        options: the engine's own options.

    Raises:
        InvalidOptionError: the cap is not a whole number ≥ 0. Also what `Search` raises.

    """

    def __init__(
        self,
        problem: SupportsSearch[State, Action],
        engine: str | EngineSpec | EngineFunction = "auto",
        *,
        backend: str = "python",
        cap: int = CAP,
        **options: object,
    ):
        if not isinstance(cap, int) or isinstance(cap, bool) or cap < 0:
            raise InvalidOptionError(f"cap={cap!r}: expected a whole number of expansions ≥ 0")
        if backend not in BACKENDS:
            raise UnknownNameError(f"backend={backend!r}: a recording is made in {' or '.join(BACKENDS)}")
        self._log = Log(cap)
        self._given = {name: str(value) for name, value in options.items()}
        observers = [Steps(self._log)] if backend == "compiled" else []
        super().__init__(problem, engine, backend=backend, observers=observers, **options)
        if backend == "python":
            self._tree = RecordedTree(self._log)
            spec = evolve(self.spec, run=logged(self.spec.run, self._log))
            self._run = GeneratorRun(self.problem, spec, self.options, self._tree)

    @classmethod
    def load(cls, *arguments: Any, **options: Any) -> NoReturn:
        """Raise `SavingError`: a recording begins where the search begins."""
        raise SavingError(
            "a saved search can't be recorded, since a recording begins with it: use Search.load"
        )

    def recording(
        self, result: Result[State, Action] | None = None, title: str = ""
    ) -> Recording[State, Action]:
        """Return what was recorded so far. The search can go on, and be asked again.

        Args:
            result: what `run` returned; None to ask for the result so far, which expands nothing.
            title: what a reader sees; "" for the engine with its options.

        """
        recording = self._pending(result, title)
        recording.number()  # now: the search can go on, and its log with it
        return recording

    def _pending(
        self, result: Result[State, Action] | None, title: str = ""
    ) -> "PendingRecording[State, Action]":
        """Return a recording whose events are numbered when they are first asked for."""
        return _recording(self, self._log, self._given, result, title)


def _recording(
    search: Search[Any, Any],
    log: Log,
    given: dict[str, str],
    result: Result[Any, Any] | None,
    title: str,
) -> "PendingRecording[Any, Any]":
    """Return a recording of what a log has of a search."""
    result = search.run(Limits(expansions=0)) if result is None else result
    tree = search.tree
    if search.backend == "compiled":
        for observer in search.observers:
            observer.look(search)  # type: ignore[attr-defined]  # it is `Steps`
    elif log.recording:
        log.look(tree, tree.goal)
    guided = search.spec.heuristic != "unused" and has_heuristic(search.problem)
    expansions = len(log.expanded) - (log.interrupted is not None and bool(log.expanded))
    return PendingRecording(
        partial(_numbered, log, search.problem, tree.goal if tree.found else NOWHERE, guided=guided),
        generated=array("q", [*log.generated, tree.generated][: expansions + 1]),
        engine=search.spec.name,
        options=given,
        title=title or " ".join([search.spec.name, *(f"{name}={value}" for name, value in given.items())]),
        status=result.status.value,
        cost=result.cost,
        summary=_summary(result),
        warnings=result.warnings,
        before=Counters(*log.before),
        unrecorded=log.skipped,
        reached=result.statistics.reached,
        weight=_weight(search.spec, search.options) if guided else None,
        result=result,
        problem=search.problem,
    )


NOWHERE: Any = object()
"""Stands for the goal if none was found."""


def _numbered(log: Log, problem: Any, goal: Any, *, guided: bool) -> dict[str, Any]:
    """Return the members of a recording that take time: those of `PENDING`."""
    numbered = Numbering(log)
    looks = LiveLooks(problem, numbered.states, numbered.halves, guided=guided)
    return {
        "events": numbered.events,
        "halves": numbered.halves,
        "states": numbered.states,
        "notes": [
            evolve(
                note,
                cells=[cell for region in note.facts.get("regions", ()) for cell in looks.region(region)],
            )
            for note in numbered.notes
        ],
        "goal": None if goal is NOWHERE else numbered.node(FORWARD, goal),
        "looks": looks,
    }


PENDING = ("events", "halves", "states", "notes", "goal", "looks")


class PendingRecording(Recording[State, Action]):
    """A recording that numbers its nodes and events when one of them is first asked for; any thread may ask.

    Until then the members `PENDING` are missing, so that Python asks `__getattr__` for them; then it becomes a
    `Recording` as any other. Numbering asks states whether they are equal, and raises what they raise.
    """

    def __init__(self, numbering: Callable[[], dict[str, Any]] = dict, **members: Any):
        self.__dict__.update(members, _numbering=numbering, _lock=Lock())

    def number(self) -> None:
        """Make the events and number the nodes, unless it is done."""
        members = self.__dict__
        lock = members.get("_lock")
        if lock is None:
            return
        with lock:
            if "_numbering" in members:
                members.update(members["_numbering"]())
                del members["_numbering"], members["_lock"]  # and with them all that the search has written
                self.__class__ = Recording  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        if name not in PENDING or "_lock" not in self.__dict__:
            raise AttributeError(f"a recording has no attribute {name!r}", name=name, obj=self)
        self.number()
        return self.__dict__[name]

    def __reduce_ex__(self, protocol: Any) -> Any:  # of a copy, too
        self.number()
        return object.__reduce_ex__(self, protocol)  # it is not of this class any more


class RecordedReplanner(Replanner[State, Action]):
    """A `Replanner` that is recorded: one recording of all its searches, with a note `phase` at each change.

    What a change makes outdated is seen as what it does to the tree: arrivals become dearer or are dropped. The map on
    which it is drawn is the last one.

    Args:
        problem: as for `Replanner`.
        engine: as for `Replanner`.
        cap: as for `RecordedSearch`.

    Raises what both raise.

    """

    def __init__(
        self, problem: SupportsSearch[State, Action], engine: str | EngineSpec = "lpastar", *, cap: int = CAP
    ):
        self._log = Log(cap)
        super().__init__(problem, engine)

    def _new_tree(self) -> SearchTree[State, Action]:
        return RecordedTree(self._log)

    def _ready(self, search: ReplanningSearch[State, Action]) -> ReplanningSearch[State, Action]:
        spec = evolve(search.spec, run=logged(search.spec.run, self._log))
        search._run = GeneratorRun(search.problem, spec, search.options, search.tree)
        return search

    def recording(self, title: str = "") -> Recording[State, Action]:
        """Return what was recorded so far. The replanner can go on, and be asked again."""
        recording = _recording(self.search, self._log, {}, None, title)
        recording.number()
        return recording


def record(
    problem: SupportsSearch[State, Action],
    engine: str | EngineSpec | EngineFunction = "auto",
    *,
    backend: str = "python",
    limits: Limits | None = None,
    cap: int = CAP,
    **options: object,
) -> Recording[State, Action]:
    """Solve a problem and return a recording of the search, event by event; `recording.result` is the result.

    Takes at most about 1.4 times the time of the search in Python; the events are numbered when they are first asked
    for. The arguments and errors are those of
    `RecordedSearch` and `solve`. To record a search that is stepped by hand, or to keep what was recorded if a member
    of the problem raises, hold a `RecordedSearch` open instead.

    Example:
        >>> from searchkit import problem_from, record
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 2)
        >>> recording = record(line, "bfs")
        >>> recording
        <Recording of bfs: 3 expansions, 8 events>
        >>> [(recording.label(event.node), event.g) for event in recording.events[:4]]
        [('0', 0), ('0', 0), ('-1', 1), ('1', 1)]

    """
    search = RecordedSearch(problem, engine, backend=backend, cap=cap, **options)
    return search._pending(search.run(limits))  # nobody else has this search


class Recordings(Shown, Sequence[Recording[Any, Any]]):
    """Recordings that are shown side by side, on one clock: what `watch` returns."""

    def __init__(self, recordings: Sequence[Recording[Any, Any]]):
        self._recordings = tuple(recordings)

    @overload
    def __getitem__(self, index: int) -> Recording[Any, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> "Recordings": ...
    def __getitem__(self, index: int | slice) -> "Recording[Any, Any] | Recordings":
        if isinstance(index, slice):
            return Recordings(self._recordings[index])
        return self._recordings[index]

    def __len__(self) -> int:
        return len(self._recordings)

    def __repr__(self) -> str:
        return f"<Recordings of {', '.join(one.title for one in self)}>"

    def save_html(self, path: str | Path, title: str = "") -> None:
        """Write one HTML file that plays them side by side in a browser, without network: see `Recording.save_html`."""
        import_module("searchkit.render.player").save_html(self, path, title)  # late: it is of an outer layer


def watch(
    problem: SupportsSearch[Any, Any],
    *engines: str | EngineSpec | EngineFunction | tuple[Any, Mapping[str, Any]],
    limits: Limits | None = None,
    cap: int = CAP,
) -> Recordings:
    """Record several searches of one problem, to be watched side by side.

    Args:
        problem: what to solve.
        engines: engines as for `record`, `auto` if there are none; an engine with options is a pair
            `("astar", {"ties": "fifo"})`.
        limits: of each search.
        cap: how many expansions of each search are recorded.

    Raises what `record` raises.

    Example:
        >>> from searchkit import problem_from, watch
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 2)
        >>> [recording.expansions for recording in watch(line, "bfs", ("dijkstra", {"ties": "fifo"}))]
        [3, 4]

    """
    found = []
    for engine in engines or ("auto",):
        one, options = engine if isinstance(engine, tuple) else (engine, {})
        search = RecordedSearch(problem, one, cap=cap, **options)
        found.append(search._pending(search.run(limits)))  # as in `record`
    return Recordings(found)


def _summary(result: Result[Any, Any]) -> str:
    try:
        return str(result).partition("\n")[0]
    except ValueError:  # Python does not print whole numbers of more than 4,300 digits
        return f"{result.status.value}; {result.engine} expanded {result.statistics.expanded} states"


def _weight(spec: EngineSpec, options: Mapping[str, Any]) -> Cost:
    """Return the factor on the heuristic: the option `weight` of an engine, or 1."""
    given = {option.name: option.default for option in spec.options} | dict(options)
    weight = given.get("weight", 1)
    return weight if isinstance(weight, int | float | Fraction) else 1
