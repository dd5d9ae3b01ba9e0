"""Recording a search while it runs."""

from array import array
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from attrs import evolve

from searchkit.basics.notebooks import Shown
from searchkit.errors import InvalidOptionError
from searchkit.plugin.specs import EngineFunction, EngineSpec
from searchkit.problem import Action, State, SupportsSearch, has_heuristic
from searchkit.result import Result
from searchkit.search.auto import engine_spec
from searchkit.search.driver import Search
from searchkit.search.limits import Limits
from searchkit.search.replanning import Replanner
from searchkit.trace.appearance import FORWARD, appearance_of
from searchkit.trace.log import Log
from searchkit.trace.recording import Events, Recording

CAP = 1_000_000
"""How many expansions are recorded by default: about 500 MB of memory, with what the search itself holds."""


class RecordedSearch(Search[State, Action]):
    """A search that is recorded while it runs: a `Search` in Python with one more method, `recording`.

    It can be stepped, limited, interrupted and resumed as any other.

    Args:
        problem: what to solve.
        engine: as for `Search`.
        cap: how many expansions are recorded at most; the search itself is not cut off.
        options: the engine's own options.

    Raises:
        InvalidOptionError: the cap is not a whole number ≥ 0. Also what `Search` raises.

    """

    def __init__(
        self,
        problem: SupportsSearch[State, Action],
        engine: str | EngineSpec | EngineFunction = "auto",
        *,
        cap: int = CAP,
        **options: object,
    ):
        if not isinstance(cap, int) or isinstance(cap, bool) or cap < 0:
            raise InvalidOptionError(f"cap={cap!r}: expected a whole number of expansions ≥ 0")
        self._log = Log(cap)
        self._given = {name: str(value) for name, value in options.items()}
        super().__init__(problem, engine, backend="python", observers=(), **options)  # it chooses the engine
        choice, spec = self.engine_choice, evolve(self.spec, run=self._log.recorded(self.spec.run))
        super().__init__(problem, spec, backend="python", observers=(), **options)
        self.engine_choice = choice

    def recording(
        self, result: Result[State, Action] | None = None, title: str = ""
    ) -> Recording[State, Action]:
        """Return what was recorded so far. The search can be resumed, and asked again.

        Args:
            result: what `run` returned; None to ask for the result so far, which expands nothing.
            title: what a reader sees; "" for the engine with its options.

        """
        return _recording(self, self._log, self._given, result, title)


def _recording(
    search: Search[Any, Any],
    log: Log,
    given: dict[str, str],
    result: Result[Any, Any] | None = None,
    title: str = "",
) -> Recording[Any, Any]:
    """Return a recording of what a log has of a search."""
    result = search.run(Limits(expansions=0)) if result is None else result
    tree, spec = search.tree, search.spec
    log.find_reopened(tree)
    guided = spec.heuristic != "unused" and has_heuristic(search.problem)
    options: Mapping[str, Any] = {option.name: option.default for option in spec.options} | search.options
    weight = options.get("weight", 1) if guided else None  # an engine without this option has f = g + h
    states, halves, notes = log.states.copy(), log.halves.copy(), log.notes.copy()
    appearance = appearance_of(search.problem, states, halves, guided=guided)
    places = appearance.places
    if places is not None and places.regions is not None and places.ground is not None:
        width = places.ground.width
        for note in notes:
            regions = note.facts.get("regions", ())
            note.cells = [y * width + x for region in regions for x, y in places.regions(region)]
    return Recording(
        events=Events(*(column[:] for column in log.events.columns())),
        halves=halves,
        states=states,
        notes=notes,
        generated=log.generated[:] if log.full else array("q", [*log.generated, tree.generated]),
        engine=spec.name,
        options=given,
        title=title or " ".join([spec.name, *(f"{name}={value}" for name, value in given.items())]),
        status=result.status.value,
        cost=result.cost,
        summary=str(result).partition("\n")[0],
        warnings=result.warnings,
        goal=log.numbers[FORWARD].get(tree.goal) if tree.found else None,
        appearance=appearance,
        unrecorded=log.skipped,
        reached=result.statistics.reached,
        weight=weight,
        result=result,
        problem=search.problem,
    )


class RecordedReplanner(Replanner[State, Action]):
    """A `Replanner` that is recorded: one recording of all its searches, with a note `phase` at each change.

    What a change makes outdated is seen as what it does to the tree: arrivals become dearer or are dropped. The map on
    which it is drawn is the last one. Arguments and errors are those of `Replanner`; `cap` is as for `RecordedSearch`.
    """

    def __init__(
        self, problem: SupportsSearch[State, Action], engine: str | EngineSpec = "lpastar", *, cap: int = CAP
    ):
        self._log = Log(cap)
        spec = engine_spec(engine)
        super().__init__(problem, evolve(spec, run=self._log.recorded(spec.run)))
        self._log.attach(self.search.tree)  # now, since the first change may come before the first search

    def recording(self, title: str = "") -> Recording[State, Action]:
        """Return what was recorded so far. The replanner can be used further, and asked again."""
        return _recording(self.search, self._log, {}, None, title)


def record(
    problem: SupportsSearch[State, Action],
    engine: str | EngineSpec | EngineFunction = "auto",
    *,
    limits: Limits | None = None,
    cap: int = CAP,
    **options: object,
) -> Recording[State, Action]:
    """Solve a problem in Python and return a recording of the search, event by event; its `result` is the result.

    Takes at most about twice the time of the search in Python. The arguments and errors are those of
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
    search = RecordedSearch(problem, engine, cap=cap, **options)
    return search.recording(search.run(limits))


class Recordings(Shown, tuple[Recording[Any, Any], ...]):
    """Recordings that are shown side by side, on one clock: what `watch` returns."""

    __slots__ = ()

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
        found.append(record(problem, one, limits=limits, cap=cap, **options))
    return Recordings(found)
