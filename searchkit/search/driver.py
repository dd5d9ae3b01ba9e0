"""Driving an engine: counting, limits, observers, pause and resume."""

from collections.abc import Iterable, Iterator
from functools import partial
from inspect import signature
from time import perf_counter, sleep
from typing import Any, Generic, NoReturn

from attrs import evolve

from searchkit.certificates.make import attest
from searchkit.compiled.cache import NotCompiledError, Request, no_compiling
from searchkit.errors import InexactError, MissingCapabilityError, SearchkitError, UnknownNameError
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import EngineFunction, EngineSpec, Parameter
from searchkit.problem import Action, Cost, SearchProblem, State, SupportsSearch, check_members
from searchkit.result import Result, Statistics
from searchkit.search.auto import (
    COMPILE_AFTER,
    can_move,
    check_backend,
    choose_engine,
    missing_capabilities,
    moving_pays,
)
from searchkit.search.background import compile_here
from searchkit.search.diagnosis import explain
from searchkit.search.discarding import discard
from searchkit.search.limits import Limits, checked_limits, resident_memory
from searchkit.search.observers import Observer, PerSlice, checked_observers
from searchkit.search.outcome import outcome
from searchkit.search.preparation import BUSY, ELSEWHERE, FAILED, READY, Missing, Preparation, warning_of
from searchkit.tree import SearchTree

SLICE_SECONDS = 0.005
"""How long the engine runs before time, memory and interruptions are looked at."""
WAIT_SECONDS = 0.02
"""How long it waits for another process before it looks at limits again."""
LARGEST_SLICE = 1 << 40
"""Expansions: far more than fit into SLICE_SECONDS. Machine code comes back sooner by itself."""
FIRST_SLICE = 1024
"""Expansions in the first slice of machine code, which takes less time for them than Python does for one slice."""


class Search(Generic[State, Action]):
    """A search held open: iterate it, run it, stop it at a limit, resume it, read its tree at any time.

    Iterating yields each state just before it is expanded. However a search is cut up into runs and steps, it
    ends with the same solution and the same counters.

    Args:
        problem: what to solve.
        engine: the name of an engine, an `EngineSpec`, or a generator function of the engine form;
            `auto` chooses by what the problem offers.
        backend: `python`, `compiled`, or `auto`.
        observers: functions called as `observer(search, state)` before each expansion, or once a slice (`per_slice`).
        options: the engine's own options, such as `ties` or `weight`.

    Raises:
        InvalidProblemError: where the problem lacks a member or breaks the protocol (also while running).
        UnknownNameError, InvalidOptionError: for an engine, a backend or an option that does not exist or fit.
        MissingCapabilityError: where the engine needs what the problem does not offer.

    """

    def __init__(
        self,
        problem: SupportsSearch[State, Action],
        engine: str | EngineSpec | EngineFunction = "auto",
        *,
        backend: str = "auto",
        observers: Iterable[Observer] = (),
        **options: object,
    ):
        self.problem = problem = check_members(problem)
        self.engine_choice = ""
        if engine == "auto":
            engine, why = choose_engine(problem)
            self.engine_choice = f"auto chose {engine}: {why}"
        self.spec = _spec(engine)
        check_backend(backend, problem, self.spec)
        self.backend = "compiled" if backend == "compiled" else "python"
        self.observers = checked_observers(observers)
        self._per_slice = [observer for observer in self.observers if isinstance(observer, PerSlice)]
        self._at_each_state = [observer for observer in self.observers if not isinstance(observer, PerSlice)]
        self.may_move = backend == "auto" and not self._at_each_state and can_move(problem, self.spec)
        """Whether the search may still go on as machine code where that pays."""
        self.options = self.spec.parse(options)
        _check_capabilities(problem, self.spec)
        self.tree: SearchTree[State, Action] = SearchTree()
        self.ended = False
        """Whether the engine has returned: a goal was found, or the whole space was seen."""
        self._run: Iterator[State] | None = None
        self.kernel: Any = None
        """The run of the compiled engine (`searchkit.kernels.slicing.Sliced`), once the search is one."""
        self.next_state: State | None = None
        """The state to be expanded next, while the search is open."""
        self.notices: list[str] = []
        """What the result warns of beside the warnings of the engine."""
        self._preparation: Preparation | None = None
        """The machine code of this search, while it is made ready."""
        self._missing: Missing | None = None
        """What the machine code calls that is not compiled yet."""
        self._compiled: Request | None = None
        """The last such thing."""
        self._broken_off: tuple[State, bool, int, Any] | None = None
        """What was being expanded when the problem raised, whether anything waited, and two counters as they were."""
        self._leftovers: Iterator[None] | None = None
        """Takes apart what the search in Python held, a little at a time."""
        self._before = 0
        """How many expansions machine code had made before the search began again in Python."""
        self._most_memory: float | None = None
        """The limit of memory of the last run, in MB."""
        self._seconds = 0.0
        self._interrupted = False

    def __reduce__(self) -> NoReturn:
        raise SearchkitError(
            "a search can't be pickled or copied: it holds a running engine; its result can, without the search"
        )

    def __iter__(self) -> "Search[State, Action]":
        return self

    def __next__(self) -> State:
        if self._run is None and self.kernel is None:
            self._position()
        elif not self.ended:
            if self._at_each_state:
                self._expand_all(0)
                self._expand(1)
            else:
                self._expand_all(1)
            self._tell()
        if self.ended:
            raise StopIteration
        return self.next_state  # type: ignore[return-value]  # the engine yielded it

    def run(self, limits: Limits | None = None, *, certificate: bool = False) -> Result[State, Action]:
        """Search until a goal is found, the space is exhausted or a limit of this run is reached.

        With `certificate`, the result carries one: a pass over the states that its lower bound rests on. Depth-first
        engines, which hold none of these states, search for them again, in memory that grows with their number. It
        may take as many seconds again as the limits allow; these, their limit of memory and an interruption end it too,
        and what is then unproved, `certify` lists.
        """
        limits = checked_limits(limits)
        result = self._outcome(self._drive(limits), limits.cost)
        if not certificate:
            return result
        begin = perf_counter()

        def give_up() -> bool:
            return bool(self._reached(limits, perf_counter() - begin))

        return evolve(result, certificate=attest(self.problem, result, again=True, give_up=give_up))

    resume = run

    def interrupt(self) -> None:
        """Make the present run end soon, as a cutoff. Safe to call from a signal handler or another thread."""
        self._interrupted = True

    @property
    def statistics(self) -> Statistics:
        """What the search has done so far."""
        tree = self.tree
        reached = len(tree.reached) + (len(tree.backward.reached) if tree.backward else 0)
        return Statistics(
            tree.expanded, tree.generated, tree.reopened, reached, tree.peak_frontier, self._seconds
        )

    def _outcome(self, cutoff: str, cost_limit: Cost | None) -> Result[State, Action]:
        """Return the result so far; say whose fault it is if the problem raises where the path is looked at again."""
        try:
            return outcome(self, cutoff, cost_limit)
        except (SearchkitError, MemoryError):
            raise
        except Exception as error:
            during = "while the result was being put together"
            raise explain(self.problem, self.spec, self.tree, self.next_state, error, during) from error

    def _drive(self, limits: Limits) -> str:
        """Run the engine in slices; return the limit that ended the run, or "" if the engine did."""
        begin, first = perf_counter(), max(self.tree.expanded, self._before)
        if self._run is None and self.backend == "python":
            self._position()
        size = 1 if self.kernel is None else FIRST_SLICE
        self._most_memory = limits.memory
        while not self.ended:
            elapsed = perf_counter() - begin
            done = self.tree.expanded - first
            begun = self._run is not None or self.kernel is not None
            spent = limits.expansions is not None and done >= limits.expansions and begun and self._settled
            if spent and not self._interrupted:
                return f"the limit of {limits.expansions} expansions"
            reached = self._reached(limits, elapsed)
            if reached:
                return reached
            if limits.cost is not None and self.tree.lower_bound > limits.cost:
                return f"the cost limit of {limits.cost}"
            if self._waits() or self.ended:
                continue
            elapsed = perf_counter() - begin
            size = 1 if limits.cost is not None else size
            try:
                self._expand(size if limits.expansions is None else min(size, limits.expansions - done))
            except MemoryError as error:
                if self.kernel is None:
                    raise
                self._tell()
                forbidden = limits.memory is not None and str(error)
                return (
                    f"the limit of {limits.memory} MB of memory"
                    if forbidden
                    else "the memory of this machine"
                )
            if self.may_move and moving_pays(self.tree.expanded, self._seconds):
                self.may_move = False
                self._preparation = Preparation(self.problem, self.spec, self.options)
            took = perf_counter() - begin - elapsed
            self._tell()
            if took >= SLICE_SECONDS:
                size = max(1, size // 2)
            else:  # where slices of machine code are much too short, beginning one takes long in comparison
                size *= 8 if self.kernel is not None and took < SLICE_SECONDS / 16 else 2
                size = min(size, LARGEST_SLICE)
        return ""

    def _reached(self, limits: Limits, elapsed: float) -> str:
        """Return which limit of time or memory is reached, or that there was an interruption; "" if none of them."""
        if self._interrupted:
            self._interrupted = False
            return "an interruption"
        if limits.seconds is not None and elapsed >= limits.seconds:
            return f"the limit of {limits.seconds} seconds"
        if limits.memory is not None and resident_memory() >= limits.memory:
            return f"the limit of {limits.memory} MB of memory"
        return ""

    def _position(self) -> None:
        """Start the engine, or a new one over the same tree, and stop at the state to be expanded next."""
        if self.backend == "compiled":
            while self.kernel is None and self.backend == "compiled":
                self._waits()
        else:
            self._run = self.spec.run(self.problem, self.tree, **self.options)
            self._guarded(1)
            if self._broken_off is not None:
                self._redo(*self._broken_off)
                self._broken_off = None

    def _redo(self, state: State, waits: bool, peak_frontier: int, lower_bound: Any) -> None:
        """Count as if the expansion of `state` had not been broken off: it is done again, or was complete already."""
        if not self.ended and waits and self.next_state == state:
            self.tree.peak_frontier, self.tree.lower_bound = peak_frontier, lower_bound
        else:
            self.tree.expanded += 1

    def move(self) -> None:
        """Go on as machine code from here, if this problem and these options allow it."""
        self.may_move = False
        if not self.ended and self.kernel is None:
            self._preparation = Preparation(self.problem, self.spec, self.options, at_once=True)
            while self._preparation is not None:
                self._waits()

    def _waits(self) -> bool:
        """Do a little of what has to be done before the search can go on as machine code; return whether it waits."""
        if self._leftovers is not None and next(self._leftovers, self) is self:
            self._leftovers = None
        if self._missing is not None:
            return self._waits_for_missing(self._missing)
        preparation = self._preparation
        if preparation is None:
            if self.backend == "python" or self.kernel is not None:
                return False
            preparation = self._preparation = Preparation(self.problem, self.spec, self.options, alone=True)
        in_python = self.backend == "python"
        if in_python and preparation.missing is not None and self._seconds < COMPILE_AFTER:
            return False
        how = preparation.advance(self.tree.expanded)
        if how == READY:
            self._take_over(preparation)
        elif how == FAILED:
            self._stay(preparation)
        elif how == ELSEWHERE and in_python:
            return False
        elif how == ELSEWHERE:
            sleep(WAIT_SECONDS)
        return how != FAILED

    def _waits_for_missing(self, missing: Missing) -> bool:
        how = missing.look()
        if how == ELSEWHERE:
            sleep(WAIT_SECONDS)
        elif how != BUSY:
            self._missing = None
        if how == FAILED and missing.error is not None:
            raise missing.error
        return self._missing is not None

    def _stay(self, preparation: Preparation) -> None:
        """Stay in Python, and say why; or raise it, if machine code was asked for."""
        self._preparation = None
        if isinstance(preparation.error, InexactError):
            self._begin_in_python(preparation.error)
            return
        if self.backend == "compiled" and preparation.error is not None:
            raise preparation.error
        warning = warning_of(preparation.error)
        if warning:
            self.notices.append(warning)

    def _take_over(self, preparation: Preparation) -> None:
        """Go on as machine code, from the state at which both stand."""
        self._preparation = None
        if self._run is not None and not self._agrees(preparation):
            self.notices.append(
                f"the search stayed in Python: the compiled view of {type(self.problem).__name__} does not expand the "
                "same states; searchkit.testing.check_compiled finds the first one"
            )
            return
        run, self._run = self._run, None
        if run is not None:
            run.close()  # type: ignore[attr-defined]  # engines are generators
            self._leftovers = discard([self.tree.reached, self.tree.closed, self.tree.frontier])
        del run
        self._show(preparation.tree)
        self.kernel, self.backend = preparation.run, "compiled"
        self.kernel.tree = self.tree
        self.ended = self.kernel.ended
        if not self.ended:
            self.next_state = self.kernel.state

    def _agrees(self, preparation: Preparation) -> bool:
        """Whether the search as machine code has done the same as the one in Python."""
        ours, theirs = self.tree, preparation.tree
        counters = ("expanded", "generated", "reopened", "peak_frontier", "lower_bound")
        return (
            not preparation.run.ended
            and all(getattr(ours, name) == getattr(theirs, name) for name in counters)
            and len(ours.reached) == len(theirs.reached)
            and bool(preparation.run.state == self.next_state)
        )

    def _work(self, most: int) -> int:
        """Let the compiled engine expand up to `most` states; return how many it did."""
        begin = perf_counter()
        self.kernel.allows = None if self._most_memory is None else partial(_allowed, self._most_memory)
        try:
            with no_compiling():
                return int(self.kernel.advance(most))
        except InexactError as error:
            self._begin_in_python(error)
            return 0
        except NotCompiledError as error:
            if self._compiled == error.request:  # by another process, but it can't be loaded
                compile_here(error.request)
            self._missing, self._compiled = Missing(error.request, here=True), error.request
            return 0
        except (SearchkitError, MemoryError):
            raise
        except Exception as error:  # the problem was asked for what an error or a warning says
            state = self.kernel.state if self.kernel.asked is None else self.kernel.asked
            raise explain(self.problem, self.spec, self.tree, state, error) from error
        finally:
            self._seconds += perf_counter() - begin
            if self.kernel is not None:
                self.ended = self.kernel.ended
            if self.kernel is not None and not self.ended:
                self.next_state = self.kernel.state

    def _begin_in_python(self, reason: InexactError) -> None:
        """Begin again in Python, or stay there: machine code can't calculate exactly with the numbers of this problem.

        What machine code has done is forgotten, and done again under the limits of the present run and those after it:
        so the answer and the counters are those of a search that was in Python from the beginning.
        """
        in_python = self.backend == "python"
        how = "stayed" if in_python or not self.tree.expanded else "began again"
        self.notices.append(f"the search {how} in Python: {reason}")
        if in_python:
            return
        self._before = max(self._before, self.tree.expanded)
        self.kernel, self.backend, self.may_move = None, "python", False
        self._show(SearchTree())
        self._position()

    def _show(self, tree: SearchTree[State, Action]) -> None:
        """Let the tree, which others may hold, show what another one does."""
        for name in SearchTree.__slots__:
            setattr(self.tree, name, getattr(tree, name))

    @property
    def _settled(self) -> bool:
        """Whether the search has ended, or stands at the state to be expanded next, after all that was expanded."""
        if self.kernel is not None:
            return bool(getattr(self.kernel, "settled", True))
        return self.ended or self.tree.expanded >= self._before

    def _expand(self, most: int) -> None:
        """Let the engine expand up to `most` states."""
        if self._run is None and self.kernel is None:
            self._position()
        if not self._at_each_state or not self._settled:
            self._advance(most)
            return
        for _ in range(most):
            if self.ended:
                return
            for observer in self._at_each_state:
                observer(self, self.next_state)
            self._expand_all(1)

    def _expand_all(self, most: int) -> None:
        """Let the engine expand that many states, fewer only if it ends; wait for what it needs to be compiled."""
        wanted = max(self.tree.expanded, self._before) + most
        while not self.ended and not (self._settled and self.tree.expanded >= wanted):
            if self._run is None and self.kernel is None:
                self._position()
            self._advance(wanted - self.tree.expanded)
            while self._missing is not None:
                self._waits_for_missing(self._missing)

    def _tell(self) -> None:
        """Call the observers that are called once a slice."""
        for observer in self._per_slice:
            observer(self, None if self.ended else self.next_state)

    def _advance(self, most: int) -> None:
        """Let the engine advance up to so many times, and count its expansions."""
        advanced = self._guarded(most)  # which may show another tree, with other counters
        self.tree.expanded += advanced

    def _guarded(self, most: int) -> int:
        """Advance the engine up to `most` times; return how many it did, its end included."""
        if self.kernel is not None:
            return self._work(most)
        run, begin = self._run, perf_counter()
        assert run is not None
        advanced, state = 0, self.next_state
        try:
            for advanced, state in zip(range(1, most + 1), run, strict=False):  # noqa: B007  # the last pair stays
                pass
        except BaseException as error:
            self._run = None  # a generator that raised is dead, but a new one goes on from the tree
            self.tree.expanded += advanced
            if self._broken_off is None and state is not None:
                self._broken_off = (
                    state,
                    bool(self.tree.frontier),
                    self.tree.peak_frontier,
                    self.tree.lower_bound,
                )
            if isinstance(error, SearchkitError) or not isinstance(error, Exception):
                raise
            raise explain(self.problem, self.spec, self.tree, state, error) from error
        finally:
            self._seconds += perf_counter() - begin
            self.next_state = state
        if advanced < most:
            self.ended = True
            advanced += 1
        return advanced


def _allowed(most: float, size: int) -> bool:
    """Whether the process may take so many bytes more where `most` is the limit, in MB."""
    return resident_memory() + size / 1e6 < most


def solve(
    problem: SupportsSearch[State, Action],
    engine: str | EngineSpec | EngineFunction = "auto",
    *,
    backend: str = "auto",
    limits: Limits | None = None,
    observers: Iterable[Observer] = (),
    certificate: bool = False,
    **options: object,
) -> Result[State, Action]:
    """Solve a problem: a `Search` in one call. The arguments and errors are those of `Search` and `Search.run`.

    Example:
        >>> from searchkit import problem_from, solve
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 3)
        >>> print(solve(line))
        solved: cost 3 (optimal), 3 actions; bfs expanded 5 states

    """
    return Search(problem, engine, backend=backend, observers=observers, **options).run(
        limits, certificate=certificate
    )


def _spec(engine: str | EngineSpec | EngineFunction) -> EngineSpec:
    if isinstance(engine, str):
        return registry().engine(engine)
    if isinstance(engine, EngineSpec):
        return engine
    if not callable(engine):
        raise UnknownNameError(
            f"{engine!r} is not an engine; expected a name, an EngineSpec or an engine function"
        )
    options = tuple(
        Parameter(name, f"an option of {engine.__name__}", convert=lambda value: value)
        for name in list(signature(engine).parameters)[2:]
    )
    return EngineSpec(
        getattr(engine, "__name__", repr(engine)), engine, heuristic="optional", options=options
    )


def _check_capabilities(problem: SearchProblem[State, Action], spec: EngineSpec) -> None:
    """Raise `MissingCapabilityError` if the engine needs what the problem lacks; name the engines that would work."""
    missing = missing_capabilities(problem, spec)
    if missing:
        fitting = [
            other.name for other in registry().engines.values() if not missing_capabilities(problem, other)
        ]
        raise MissingCapabilityError(
            f"engine {spec.name!r} needs {' and '.join(missing)}, which {type(problem).__name__} does not have; "
            f"define it, or use one of {', '.join(fitting)}"
        )
