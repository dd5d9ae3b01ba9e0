"""Driving an engine: counting, limits, observers, pause and resume."""

from collections.abc import Callable, Iterable, Iterator
from math import inf
from time import perf_counter, sleep
from typing import Any, Generic, NoReturn, TypeAlias

from attrs import evolve

from searchkit.basics.discarding import discard
from searchkit.basics.notebooks import Shown
from searchkit.certificates.make import make_certificate
from searchkit.errors import InexactError, SearchkitError
from searchkit.plugin.specs import EngineFunction, EngineSpec
from searchkit.problem import Action, Cost, State, SupportsSearch, check_members
from searchkit.result import Result, Statistics
from searchkit.scale.saved.search import Saveable
from searchkit.search.auto import (
    COMPILE_AFTER,
    LONG_SLICE,
    can_compile,
    can_move,
    check_backend,
    check_capabilities,
    choose_engine,
    engine_spec,
    moving_pays,
    up_to_move,
)
from searchkit.search.diagnosis import explain
from searchkit.search.limits import Limits, checked_limits, next_size, thread_time
from searchkit.search.observers import PerSlice, checked_observers
from searchkit.search.outcome import outcome
from searchkit.search.preparation import ELSEWHERE, FAILED, READY, Groundwork, Preparation, warning_of
from searchkit.search.runs import WAIT_SECONDS, CompiledRun, GeneratorRun, NoMemoryError, PendingRun, Run
from searchkit.search.runs.small import run_small
from searchkit.search.spill import run_or_spill
from searchkit.tree import SearchTree

Observer: TypeAlias = Callable[["Search[Any, Any]", Any], object]
"""Called as `observer(search, state)` just before each state is expanded."""
DIFFERS = "does not expand the same states; searchkit.testing.check_compiled finds the first one"


class Search(Saveable, Shown, Generic[State, Action]):
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
        InvalidProblemError: the problem lacks a member or breaks the protocol (also while running).
        UnknownNameError, InvalidOptionError: an engine, a backend or an option does not exist or has a wrong value.
        MissingCapabilityError: the engine needs something that the problem does not offer.

    """

    _spec_of, _restored = staticmethod(engine_spec), CompiledRun.restored

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
        engine, why = choose_engine(problem) if engine == "auto" else (engine, "")
        self.engine_choice = f"auto chose {engine}: {why}" if why else ""
        self.spec = engine_spec(engine)
        self.options = self.spec.parse(options)
        check_backend(backend, problem, self.spec, self.options)
        if self.spec.layered:  # and so machine code only
            backend = "compiled"
        self.observers: tuple[Observer, ...] = checked_observers(observers)
        self._per_slice = [observer for observer in self.observers if isinstance(observer, PerSlice)]
        self._at_each_state = [observer for observer in self.observers if not isinstance(observer, PerSlice)]
        may = backend == "auto" and not self._at_each_state
        self.may_move = may and can_compile(problem, self.spec, self.options)
        """Whether the search may still move to machine code if that pays, or begins as machine code if that works."""
        check_capabilities(problem, self.spec)
        self._tree: SearchTree[State, Action] = SearchTree()
        self.notices: list[str] = []
        """Warnings of the result in addition to those of the engine."""
        self._run: Run = PendingRun() if backend == "compiled" else self._in_python()
        self._preparation: Preparation | None = None
        """The machine code of this search, while it is being prepared."""
        self._groundwork = Groundwork(self.spec, problem)
        self._leftovers: Iterator[None] | None = None
        """Takes apart what the search in Python held, a little at a time."""
        self._before = 0
        """How many expansions machine code had made before the search began again in Python."""
        self._seconds = self._cpu_seconds = 0.0
        """CPU seconds count for moving: on a busy machine, a search is not moved because others hold it up."""
        self._interrupted = False

    def __reduce__(self) -> NoReturn:
        raise SearchkitError(
            "a search can't be pickled or copied: it holds a running engine; save(path) writes it to a file, and its "
            "result can be copied without the search"
        )

    @property
    def tree(self) -> SearchTree[State, Action]:
        """What the search has learned: always the same object. `tree.copy_from(other)` replaces what it holds."""
        self._run.shown = True
        return self._tree

    @property
    def ended(self) -> bool:
        """Whether the engine has returned: a goal was found, or the whole space was seen."""
        return self._run.ended

    @property
    def next_state(self) -> State | None:
        """The state to be expanded next, while the search is open; None before it has begun."""
        return self._run.state  # type: ignore[no-any-return]  # of the problem

    @property
    def backend(self) -> str:
        """`python` or `compiled`: what the search is now."""
        return self._run.backend

    @property
    def kernel(self) -> Any:
        """The compiled engine at work, once the search has moved to machine code; None in Python."""
        return self._run.kernel

    @property
    def statistics(self) -> Statistics:
        """What the search has done so far."""
        tree = self._tree
        counters = tree.expanded, tree.generated, tree.reopened, tree.count(), tree.peak_frontier
        return Statistics(*counters, self._seconds)

    @property
    def _settled(self) -> bool:
        """Whether the search stands at the state to be expanded next, after all that was expanded, or has ended."""
        return self._run.settled and (self.ended or self._tree.expanded >= self._before)

    def __iter__(self) -> "Search[State, Action]":
        return self

    def __next__(self) -> State:
        run = self._run
        if not run.begun:
            self._begin()
        elif not run.ended:
            if self._at_each_state:
                self._expand_all(0)
                self._expand(1)
            else:
                self._expand_all(1)
            self._call_per_slice()
        run = self._run  # which may be another one now
        if run.ended:
            raise StopIteration
        return run.state  # type: ignore[no-any-return]  # the engine yielded it

    def run(self, limits: Limits | None = None, *, certificate: bool = False) -> Result[State, Action]:
        """Search until a goal is found, the space is exhausted or a limit of this run is reached.

        With `certificate`, the result carries one, made by a pass over the states that its lower bound rests on.
        Depth-first engines do not hold these states and search for them again, in memory that grows with their number.
        The pass may take as many seconds again as the limits allow; a limit of seconds or of memory and an interruption
        end it too. `certify` then lists what is unproved.
        """
        limits = checked_limits(limits)
        result = self._outcome(self._drive(limits), limits.cost)
        if not certificate:
            return result
        begin = perf_counter()
        proof = make_certificate(
            self.problem,
            result,
            again=True,
            give_up=lambda: self._outer_limit(limits, perf_counter() - begin),
        )
        proved = not proof.heuristic and proof.lower_bound >= result.lower_bound
        return evolve(result, certificate=proof, assumes="" if proved else result.assumes)

    resume = run

    def interrupt(self) -> None:
        """Make the present run end soon, as a cutoff. Safe to call from a signal handler or another thread."""
        self._interrupted = True

    def _outcome(self, cutoff: str, cost_limit: Cost | None) -> Result[State, Action]:
        """Return the result so far; if a member of the problem raises while it is made, name that member."""
        try:
            return outcome(self, self._tree, self._run, cutoff, cost_limit)
        except (SearchkitError, MemoryError):
            raise
        except Exception as error:
            during = "while the result was being put together"
            raise explain(self.problem, self.spec, self._tree, self.next_state, error, during) from error

    def _drive(self, limits: Limits) -> str:
        """Run the engine in slices; return the limit that ended the run, or "" if the engine did."""
        if isinstance(self._run, PendingRun) and not limits.any and run_small(self):
            return ""
        begin, first = perf_counter(), max(self._tree.expanded, self._before)
        if self.backend == "python" and not self._run.begun and self._groundwork.done:
            self._begin()
        self._run.memory, size = limits.memory, self._run.first_slice
        while not self.ended:
            done = self._tree.expanded - first
            if reached := self._limit(limits, perf_counter() - begin, done):
                return reached
            if self._prepares() or self.ended:
                size = self._run.first_slice
                continue
            size, started = 1 if limits.cost is not None else size, perf_counter()
            try:
                self._expand(size if limits.expansions is None else min(size, limits.expansions - done))
            except NoMemoryError as error:
                self._call_per_slice()
                return str(error)
            expanded = self._tree.expanded
            left = inf if limits.expansions is None else first + limits.expansions - expanded
            if self.may_move and moving_pays(self.spec, expanded, self._cpu_seconds, left):
                self.may_move = False
                self._preparation = Preparation(self.problem, self.spec, self.options)
            size = next_size(size, 0.0 if self._run.own_pace else perf_counter() - started, self._run.growth)
            size = up_to_move(size, expanded) if self.may_move else size
            self._call_per_slice()
        return ""

    def _limit(self, limits: Limits, elapsed: float, done: int) -> str:
        """Return which limit of this run is reached, after so many seconds and expansions; "" if none is."""
        spent = limits.expansions is not None and done >= limits.expansions
        if spent and self._run.begun and self._settled and not self._interrupted:
            return f"the limit of {limits.expansions} expansions"
        reached = self._outer_limit(limits, elapsed)
        if not reached and limits.cost is not None and self._tree.lower_bound > limits.cost:
            return f"the cost limit of {limits.cost}"
        return reached

    def _outer_limit(self, limits: Limits, elapsed: float) -> str:
        """Return which limit of time or memory is reached, or that there was an interruption; "" if none of them."""
        if self._interrupted:
            self._interrupted = False
            return "an interruption"
        return limits.reached(elapsed)

    def _call_per_slice(self) -> None:
        """Call the observers that are called once a slice."""
        for observer in self._per_slice:
            observer(self, None if self.ended else self.next_state)

    def _begin(self) -> None:
        """Go to the state to be expanded first, or next after an error."""
        while not self._run.begun:
            if self.backend == "python" and self._groundwork.done:
                self._advance(0)
            else:
                self._prepares()

    def _expand(self, most: int) -> None:
        """Let the engine expand up to `most` states; call the observers of each before it is expanded."""
        if not self._at_each_state or not self._settled:
            self._advance(most)
            return
        for _ in range(most):
            if self._run.ended:
                return
            for observer in self._at_each_state:
                observer(self, self._run.state)
            self._expand_all(1)

    def _expand_all(self, most: int) -> None:
        """Let the engine expand that many states, fewer only if it ends; wait for what it needs to be compiled."""
        wanted = max(self._tree.expanded, self._before) + most
        while not (run := self._run).ended and not (run.settled and self._tree.expanded >= wanted):
            self._advance(wanted - self._tree.expanded)
            while not self._run.settled and self._run.waits():
                pass

    def _advance(self, most: int) -> None:
        """Let the engine advance up to so many times, and count its expansions and seconds."""
        clock = thread_time if most >= LONG_SLICE and self.backend == "python" else perf_counter
        tree, begin, cpu_begin = self._tree, perf_counter(), clock()
        try:
            expanded = self._run.advance(most)  # which may count in the tree itself
            tree.expanded += expanded
        except InexactError as error:
            if self.backend == "python":
                raise
            self._begin_in_python(error)
        finally:
            self._seconds += perf_counter() - begin
            self._cpu_seconds += clock() - cpu_begin

    def move(self) -> None:
        """Continue as machine code from here, if this problem and these options allow it."""
        self.may_move &= self.backend == "compiled"
        if not self.ended and self.backend == "python" and can_move(self.problem, self.spec, self.options):
            self._preparation = Preparation(self.problem, self.spec, self.options, at_once=True)
            while self._preparation is not None:
                self._prepares()

    def _prepares(self) -> bool:
        """Do a small part of what the engine or machine code needs; return whether the search has to wait for more."""
        if self._leftovers is not None and next(self._leftovers, self) is self:
            self._leftovers = None
        waits = not self._groundwork.done and self._groundwork.waits()
        if waits or (not self._run.settled and self._run.waits()):
            return True
        in_python, preparation = self.backend == "python", self._preparation
        if preparation is None:
            if in_python or self._run.begun:
                return False
            preparation = self._preparation = Preparation(self.problem, self.spec, self.options, alone=True)
        if in_python and preparation.missing is not None and self._cpu_seconds < COMPILE_AFTER:
            return False
        progress = preparation.advance(self._tree.expanded)
        if progress == READY:
            self._take_over(preparation)
        elif progress == FAILED:
            self._stay(preparation)
        elif progress == ELSEWHERE and in_python:
            return False
        elif progress == ELSEWHERE:
            sleep(WAIT_SECONDS)
        return progress != FAILED

    def _take_over(self, preparation: Preparation) -> None:
        """Continue as machine code, from the state at which both stand."""
        self._preparation, self.may_move = None, False
        moves = self._run.begun
        if moves and not preparation.agrees(self._tree, self.next_state):
            view = f"the compiled view of {type(self.problem).__name__}"
            self.notices.append(f"the search stayed in Python: {view} {DIFFERS}")
            return
        self._run.close()
        if moves:
            self._leftovers = discard([self._tree.reached, self._tree.closed, self._tree.frontier])
        self._tree.copy_from(preparation.tree)
        self._run = CompiledRun(self.problem, self.spec, preparation.run, self._tree, self._run.memory)

    def _stay(self, preparation: Preparation) -> None:
        """Stay in Python, and say why; or raise the error, if machine code was requested."""
        self._preparation, error = None, preparation.error
        if isinstance(error, InexactError):
            self._begin_in_python(error)
            return
        if error and (preparation.fatal or (self.backend == "compiled" and not self.may_move)):
            raise error
        if warning := warning_of(error):
            self.notices.append(warning)
        if self.backend == "compiled":
            self.may_move, self._run = False, self._in_python()

    def _in_python(self) -> Run:
        return GeneratorRun(self.problem, self.spec, self.options, self._tree)

    def _begin_in_python(self, reason: InexactError) -> None:
        """Forget what machine code has done, which is not exact, and begin again in Python under the same limits."""
        how = "began again" if self.backend == "compiled" and self._tree.expanded else "stayed"
        self.notices.append(f"the search {how} in Python: {reason}")
        if self.backend == "python":
            return
        self.may_move, self._before = False, max(self._before, self._tree.expanded)
        self._tree.copy_from(SearchTree())
        self._run = self._in_python()
        self._begin()


def solve(
    problem: SupportsSearch[State, Action],
    engine: str | EngineSpec | EngineFunction = "auto",
    *,
    backend: str = "auto",
    limits: Limits | None = None,
    observers: Iterable[Observer] = (),
    certificate: bool = False,
    spill: str | None = None,
    **options: object,
) -> Result[State, Action]:
    """Solve a problem: `Search` and `Search.run` in one call, which at its limit of memory goes on in a folder `spill`.

    Example:
        >>> from searchkit import problem_from, solve
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 3)
        >>> print(solve(line))
        solved: cost 3 (optimal), 3 actions; bfs expanded 5 states

    """
    search = [Search(problem, engine, backend=backend, observers=observers, **options)]
    if spill is not None:
        return run_or_spill(search, limits, spill, certificate)  # type: ignore[no-any-return]  # what `run` returns
    return search[0].run(limits, certificate=certificate)
