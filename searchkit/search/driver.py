"""Driving an engine: one loop that counts, limits, observes, pauses and resumes.

The driver relies on what engines promise: they ask the problem first, and then write the tree. So whatever exception
comes out of an engine, the tree is as it was before that expansion, and a new generator over it repeats the expansion.
There is one way to end an expansion early, for limits, for Ctrl-C and for errors of the problem: raise.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from inspect import isgeneratorfunction, unwrap
from math import inf
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import Any, Generic, Never, NoReturn, Self, TypeAlias

from attrs import evolve

from searchkit.basics.notebooks import Shown
from searchkit.errors import (
    InexactError,
    InvalidProblemError,
    MissingCapabilityError,
    PluginError,
    SavingError,
    SearchkitError,
    UnknownNameError,
    quoted,
)
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import EngineFunction, EngineSpec
from searchkit.problem import (
    Action,
    Cost,
    Reversible,
    SearchProblem,
    State,
    SupportsSearch,
    check_members,
    has_heuristic,
)
from searchkit.result import Result, Statistics
from searchkit.search import auto
from searchkit.search.diagnosis import UNEXPLAINED, explain, raised_while_writing
from searchkit.search.limits import NO_LIMITS, SLICE_SECONDS, LimitReached, Limits, Watch, checked_limits
from searchkit.search.outcome import outcome
from searchkit.tree import SearchTree

Observer: TypeAlias = Callable[["Search[Any, Any]", Any], object]
"""Called as `observer(search, state)` just before each state is expanded."""
# In WebAssembly, threads have no clock.
_cpu_time: Callable[[], float] = getattr(time, "thread_time", perf_counter)
INTERRUPTION = "an interruption"
"""The reason of a cutoff by `interrupt`."""
MAX_SLICE = 1 << 40
"""Expansions: far more than fit into a slice."""
SAVED = ("engine_choice", "notices", "problem_changed", "_bound", "_seconds")
"""What `save` writes of a search besides its tree and the state of its engine."""
FEW = 8
"""Before so many expansions, Ctrl-C is not deferred: a search that it interrupts there begins again when resumed.
Replacing the signal handler takes as long as a small search. Other engines are not tried before that, either."""


class per_slice(partial[object]):  # noqa: N801  # a decorator
    """An observer that is called once per slice of a search instead of at each expansion. Also a decorator.

    A slice is what an engine does in about five milliseconds. The first ones are shorter; when stepping by hand, a
    slice is one expansion. The observer is called after each slice, with the state to be expanded next, or None if the
    search has ended.

    Such an observer costs almost nothing, in Python and in machine code, and does not keep a search with
    `backend="auto"` in Python, unless it reads `search.tree`. An error that an observer raises ends the run; nothing is
    lost, and the search can be resumed.

    Example:
        >>> from searchkit import per_slice, problem_from, solve
        >>> @per_slice
        ... def show(search, state):
        ...     if state is None:
        ...         print("expanded", search.statistics.expanded)
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 3)
        >>> solve(line, observers=[show]).cost
        expanded 5
        3

    """


class PythonEngine(Generic[State, Action]):
    """An engine function at work on a tree: a generator, replaced by a new one after an exception.

    `backend.KernelEngine` has the same interface.
    """

    backend, kernel, maker = "python", None, None

    def __init__(
        self,
        problem: SearchProblem[State, Action],
        spec: EngineSpec,
        options: Mapping[str, Any],
        tree: SearchTree[State, Action],
    ):
        self.problem, self.spec, self.options, self.tree = problem, spec, options, tree
        self.ended = False
        """Whether a goal was found or every state was seen."""
        self.ready = False
        """Whether it stands at the state to be expanded next. If not, `advance(0)` goes there, by a new generator."""
        self.state: State | None = None
        """The state to be expanded next; after the end, the last one before; None before the beginning."""
        self._generator: Iterator[State] = iter(())
        self._slice = 1

    def advance(self, most: int, memory: float | None = None) -> None:
        """Expand up to `most` states, for some milliseconds at most, and count them in the tree.

        An expansion that raised is not counted, and repeated by the next call. The driver checks the limit of memory.
        """
        if self.ended:
            return
        most, expanded, first, state, begin = min(most, self._slice), 0, 1, self.state, perf_counter()
        was_ready, self.ready = self.ready, False  # which it stays if something is raised
        try:
            if not was_ready:
                self._generator = self.spec.run(self.problem, self.tree, **self.options)
                if not isinstance(self._generator, Iterator):  # a list would be taken for expansions
                    raise PluginError(
                        f"engine {self.spec.name!r} returned {quoted(self._generator)}; expected a generator, which "
                        "yields each state before it expands it"
                    )
                expanded, first = -1, 0  # its first state is only the one to be expanded next
            for expanded, state in zip(range(first, most + 1), self._generator, strict=False):  # noqa: B007
                pass
            self.ended = expanded < most
            expanded += self.ended
            self.ready = True
        finally:
            self.tree.expanded += max(expanded, 0)
            self.state = state
        took = perf_counter() - begin
        if took >= SLICE_SECONDS:
            self._slice = max(1, self._slice // 2)
        elif most == self._slice:
            self._slice = min(MAX_SLICE, self._slice * (8 if took < SLICE_SECONDS / 16 else 2))

    def begin_again(self) -> None:
        """Forget what was found."""
        self.tree.copy_from(SearchTree())
        self.state, self.ready, self.ended = None, False, False

    def kept(self) -> dict[str, Any]:
        """Return what a file holds of it besides its tree."""
        return {"state": self.state, "ended": self.ended}

    def restore(self, parts: object, tree: SearchTree[State, Action], *, state: State, ended: bool) -> None:
        """Continue where the engine was saved that has kept this; its tree was `tree`."""
        self.state, self.ended = state, bool(ended)
        self.tree.copy_from(tree)
        self.tree.growing = self.tree if tree.growing is tree else tree.growing


class Search(Shown, Generic[State, Action]):
    """A search held open: iterate it, run it, stop it at a limit, resume it, read its tree at any time.

    Iterating yields each state just before it is expanded. However a search is divided into runs and steps, it
    ends with the same solution and the same counters. With `backend="auto"`, a long search begins again as machine code
    during its first run, unless it was iterated or its tree was read before.

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
        if hasattr(problem.successors, "cache_info") and isgeneratorfunction(unwrap(problem.successors)):
            raise InvalidProblemError(f"{type(problem).__name__}.successors caches generators: return a list")
        self.engine_choice = ""
        if engine == "auto":
            spec, why = auto.choose_engine(problem)
            self.engine_choice = f"auto chose {spec.name}: {why}"
        else:
            spec = registry().engine(engine) if isinstance(engine, str) else auto.engine_spec(engine)
            if spec.requires or (spec.heuristic == "required" and not has_heuristic(problem)):
                auto.check_capabilities(problem, spec, translates=backend != "python")
        self.spec = spec
        self.options = spec.parse(options) if options else {}
        if backend not in ("auto", "python") or spec.machine_code_only:
            auto.check_backend(backend, problem, spec)
        observers = tuple(observers)
        self._per_slice = [one for one in observers if isinstance(one, per_slice)]
        self._at_each_state = [one for one in observers if not isinstance(one, per_slice)]
        self.problem_changed = False
        """Whether the search was saved, and the code of the problem has changed since: then it proves nothing."""
        self.notices: list[str] = []
        """Warnings of the result in addition to those of the engine."""
        self._tree: SearchTree[State, Action] = SearchTree()
        self._watch = Watch(str(getattr(spec.run, "__module__", "")).partition(".")[0])
        self._tree.poll = self._watch.poll
        is_free = backend == "auto" and not (spec.machine_code_only or self._at_each_state)
        self._may_restart = is_free and bool(spec.kernel)
        """Whether the search may still begin again as machine code."""
        self._rival: PythonEngine[State, Action] | None = None
        """A bidirectional search, which a long search may still become."""
        if engine == "auto" and is_free and auto.offers(problem, Reversible) and not auto.has_view(problem):
            self._rival = PythonEngine(problem, registry().engine("bidirectional"), {}, SearchTree())
            self._rival.tree.poll = self._watch.poll
        self._bound: Cost = 0
        """The lower bound that was proved before the search began again."""
        self._seconds = 0.0
        is_compiled = backend == "compiled" or spec.machine_code_only
        self._engine: Any = self._new_engine("compiled" if is_compiled else "python")

    def __reduce__(self) -> NoReturn:
        raise SearchkitError(
            "a search can't be pickled or copied: it holds a running engine; save(path) writes it to a file, and its "
            "result can be copied without the search"
        )

    def save(self, path: str | Path, *, label: Mapping[str, object] = MappingProxyType({})) -> None:
        """Write the search to a file, from which `load` makes it again, also in another process.

        It can be saved whenever it does not run, and be resumed afterwards. The file is replaced as a whole or not at
        all. A search on disk is saved in its directory, and not in a file.

        Args:
            path: the file.
            label: JSON values by name, such as where the problem comes from; `saved_header` returns them.

        Raises:
            SavingError: the engine can't be saved as machine code; or a state, an action or what the engine keeps is of
                a class that can't be written, which the message names.
            InvalidProblemError: the problem can't be named in a file (`searchkit.Identifiable`).
            OSError: the file can't be written; an old one then stays as it was.

        """
        from searchkit.saving.file import write_search

        more = {name: getattr(self, name) for name in SAVED}
        more |= {"options": dict(self.options), "tree": self._tree, "engine": self._engine.kept()}
        write_search(path, self, more, label)

    @classmethod
    def load(
        cls,
        path: str | Path,
        problem: SupportsSearch[State, Action],
        engine: str | EngineSpec | EngineFunction | None = None,
        *,
        observers: Iterable[Observer] = (),
        changed_problem: bool = False,
    ) -> Self:
        """Return the search that was saved in a file: it continues as if it had never been stopped.

        No code from the file is run. Classes of states and actions are those of the problem's modules.

        Args:
            path: the file.
            problem: the problem that was searched, made again.
            engine: the engine, if it is not registered: an `EngineSpec`, or the function.
            observers: see `Search`; those of the saved search are not in the file.
            changed_problem: load the search although the code of the problem has changed since. What was found is
                kept, but proves nothing: there is no lower bound, "unsolvable" is a cutoff, and the path is looked up
                and added up again. A search by machine code can't be loaded then.

        Raises:
            InputFormatError: the file can't be read, is not a saved search, or is damaged.
            SavingError: it is a search of another problem, by another engine, or of another version; or the code of the
                problem has changed.
            MissingExtraError: the search is one of machine code, and Numba is not installed.

        """
        from searchkit.saving.file import is_changed, opened_search, parts_of

        problem = check_members(problem)
        with opened_search(path) as (header, file):
            spec = auto.engine_spec(header.engine if engine is None else engine)
            changed = is_changed(path, header, problem, spec, changed_problem)
            more = next(parts := parts_of(file, problem, spec))
            search = cls(problem, spec, backend=header.backend, observers=observers, **more["options"])
            search._engine.restore(parts, tree := more["tree"], **more["engine"])
            for name in SAVED:
                setattr(search, name, more[name])
        if changed and not search.problem_changed:
            if tree.paths or tree.incumbent is not None:
                raise SavingError(f"{path} holds paths of the problem as it was: begin a new search")
            search.problem_changed = True
            said = "the code of the problem has changed since the search was saved: a cheaper path may exist"
            search.notices.append(said)
        return search

    @property
    def tree(self) -> SearchTree[State, Action]:
        """What the search has learned: the same object each time. `tree.copy_from(other)` replaces what it holds."""
        self._stay_in_python()
        return self._tree

    @property
    def ended(self) -> bool:
        """Whether the engine has returned: a goal was found, or the whole space was seen."""
        return bool(self._engine.ended)

    @property
    def next_state(self) -> State | None:
        """The state to be expanded next, while the search is open; None before it has begun."""
        return self._engine.state  # type: ignore[no-any-return]  # of the problem

    @property
    def backend(self) -> str:
        """`python` or `compiled`: what the search is now."""
        return str(self._engine.backend)

    @property
    def kernel(self) -> Any:
        """The compiled engine at work, once the search is machine code; None in Python."""
        return self._engine.kernel

    @property
    def lower_bound(self) -> Cost:
        """No path to a goal costs less, as far as is known yet (given an admissible heuristic)."""
        return 0 if self.problem_changed else max(self._bound, self._tree.lower_bound)

    @property
    def statistics(self) -> Statistics:
        """What the search has done so far."""
        tree = self._tree
        reached = len(tree.reached) + (len(tree.backward.reached) if tree.backward else 0)
        counters = tree.expanded, tree.generated, tree.reopened, reached, tree.peak_frontier
        return Statistics(*counters, self._seconds)

    def __iter__(self) -> "Search[State, Action]":
        return self

    def __next__(self) -> State:
        """Expand the state to be expanded next, and return the one after it.

        If Ctrl-C comes while the engine writes its tree, it begins again; `run` defers it until the tree is complete.
        """
        self._stay_in_python()
        target = self._tree.expanded + (self._engine.state is not None)
        while not (self.ended or (self._engine.ready and self._tree.expanded >= target)):
            self._advance(self._engine, target - self._tree.expanded)
        if self.ended:
            raise StopIteration
        return self.next_state  # type: ignore[return-value]  # the engine yielded it

    def run(
        self, limits: Limits | None = None, *, certificate: bool = False, **others: Never
    ) -> Result[State, Action]:
        """Search until a goal is found, the space is exhausted or a limit of this run is reached.

        With `certificate`, the result carries one, made by a pass over the states that its lower bound rests on.
        Depth-first engines do not hold these states and search for them again, in memory that grows with their number.
        The pass may take as many seconds again as the limits allow; a limit of seconds or of memory and an interruption
        end it too, also one of the search. `certify` then lists what is unproved.

        Ctrl-C raises `KeyboardInterrupt`, and the search can be resumed: at once in the code of the problem, and
        elsewhere some milliseconds later, when the tree is complete.
        """
        for name in others:
            raise UnknownNameError(
                f"run() takes no {name!r}; a limit is run(Limits(expansions=…, seconds=…))"
            )
        limits, watch = NO_LIMITS if limits is None else checked_limits(limits), self._watch
        if watch.running:
            raise SearchkitError("this search is running already; another thread needs a search of its own")
        watch.running = True  # no call is before `try`: Ctrl-C is raised after calls
        try:
            if self._engine.maker is not None:
                self._engine.maker.check_attributes()
            watch.start(limits)
            try:
                cutoff = self._drive(limits)
            finally:
                pressed, self._may_restart = watch.stop(), False
            if pressed:
                raise KeyboardInterrupt
            try:
                result = outcome(self, self._tree, self._engine, cutoff)
            except UNEXPLAINED:
                raise
            except Exception as error:
                during = "while the result was being put together"
                raise explain(self.problem, self.spec, self._tree, self.next_state, error, during) from error
            return self._with_certificate(result, limits) if certificate else result
        finally:
            watch.running = False

    resume = run

    def interrupt(self) -> None:
        """Make the present run end soon, as a cutoff. Safe to call from a signal handler or another thread."""
        self._watch.interrupted = self._watch.interrupted or INTERRUPTION

    def continue_with(self, problem: SearchProblem[State, Action]) -> None:
        """Search another problem from now on, in Python, with the same tree: what it holds has to be true of it."""
        self._stay_in_python()
        self.problem, self._seconds = problem, 0.0
        self._engine = self._new_engine()

    def _with_certificate(self, result: Result[State, Action], limits: Limits) -> Result[State, Action]:
        """Return a result with its certificate, which these limits and an interruption of the search end, too."""
        from searchkit.certificates.make import make_certificate

        watch, ends_soon = self._watch, result.cutoff == INTERRUPTION
        watch.start(limits)
        try:
            proof = make_certificate(
                self.problem, result, again=True, give_up=lambda: ends_soon or watch.reached()
            )
        finally:
            watch.stop()
        proved = not proof.heuristic and proof.lower_bound >= result.lower_bound
        return evolve(result, certificate=proof, assumes="" if proved else result.assumes)

    def _stay_in_python(self) -> None:
        self._may_restart, self._rival = False, None

    def _new_engine(self, backend: str = "python", **more: Any) -> Any:
        """Return an engine that continues with the tree."""
        kind: Any = PythonEngine
        if backend == "compiled":
            from searchkit.search.backend import KernelEngine

            kind = KernelEngine
        return kind(self.problem, self.spec, self.options, self._tree, **more)

    def _drive(self, limits: Limits) -> str:
        """Run the engine until it ends; return the limit that ended the run before, or ""."""
        watch, others, begin = self._watch, None, _cpu_time() if self._may_restart else 0.0
        target = inf if limits.expansions is None else self._tree.expanded + limits.expansions
        while not (engine := self._engine).ended:
            expanded, ready = self._tree.expanded, engine.ready
            watch.in_python = engine.backend == "python"
            if ready and expanded >= target and not watch.interrupted:
                return f"the limit of {limits.expansions} expansions"
            if (ready or not watch.in_python) and (reason := watch.reached()):
                return reason
            until = target
            try:
                if expanded > FEW:
                    watch.handle_ctrl_c()
                    others = others or self._try_others(target, begin)
                    until = next(others, target)
                if engine is self._engine:
                    self._advance(engine, int(min(until - expanded, MAX_SLICE)), limits.memory)
            except LimitReached as limit:
                return limit.args[0]  # type: ignore[no-any-return]  # a text
        return ""

    def _advance(self, engine: Any, most: int, memory: float | None = None) -> None:
        """Let an engine advance, the one at work or another; count the seconds, and explain what the problem raised.

        If the engine was perhaps writing its tree then, it begins again. If a kernel can't calculate with a number,
        Python begins. Observers of states are called before, and those of slices afterwards.
        """
        before, begin, is_main = self._tree.expanded, perf_counter(), engine is self._engine
        if not engine.ready and (self._at_each_state or engine.backend == "python"):
            most = 0
        if most and self._at_each_state:
            most = 1
            for observer in self._at_each_state:
                observer(self, engine.state)
        try:
            try:
                engine.advance(most, memory)
            except UNEXPLAINED:
                raise
            except Exception as error:
                asked = getattr(engine.kernel, "asked", None)
                state = engine.state if asked is None else asked
                raise explain(self.problem, engine.spec, engine.tree, state, error) from error
        except BaseException as error:
            if raised_while_writing(engine, error):
                engine.begin_again()
            if not (isinstance(error, InexactError) and is_main):
                raise
            self._give_reason(error, "began again" if self._tree.expanded else "stayed")
            self._engine = self._new_engine()
            self._engine.begin_again()
        finally:
            self._seconds += perf_counter() - begin
        if self._per_slice and is_main and self._tree.expanded != before:
            for observer in self._per_slice:
                observer(self, None if self.ended else self.next_state)

    def _give_reason(self, error: BaseException, how: str = "stayed") -> None:
        """Let the result say why the search is Python, if that is not by nature."""
        if isinstance(error, InexactError) or not isinstance(error, MissingCapabilityError):
            said = str(error) if isinstance(error, SearchkitError) else f"{type(error).__name__}: {error}"
            self.notices.append(f"the search {how} in Python: {said}")

    def _try_others(self, target: float, begin: float) -> Iterator[float]:
        """Look for a better engine, which then continues; yield how many expansions the present one may have made.

        The run may make expansions up to the number `target`, and has begun at the CPU time `begin`.
        """
        while self._rival is not None:
            has_expanded = self._engine.ready and self._tree.expanded >= auto.COMPARED_AFTER
            if has_expanded and self._has_compared(self._rival):
                self._rival = None
            yield min(target, auto.COMPARED_AFTER) if self._rival else target
        machine_code: Any = None
        while self._may_restart and target > auto.TRIAL:
            if machine_code is None and self._is_long(target, _cpu_time() - begin):
                if auto.compiled_fault(self.problem, self.spec):
                    return
                machine_code = self._new_engine("compiled", required=False)
            if machine_code is not None:
                bound = self._tree.lower_bound
                try:
                    self._advance(machine_code, 0)
                except (Exception, SystemExit) as error:
                    self._give_reason(error)
                    if machine_code.refusal:
                        said = f"Python, as machine code can't be made from it: {machine_code.refusal}"
                        self.engine_choice = "; ".join(filter(None, (self.engine_choice, said)))
                    return
                if machine_code.kernel is not None:
                    self._bound, self._engine = bound, machine_code
                    return
            yield target

    def _has_compared(self, rival: PythonEngine[State, Action]) -> bool:
        """Let a bidirectional search make as many expansions, a few at a time; take it over if it proves more."""
        mine, other = self._tree, rival.tree
        try:
            self._advance(rival, auto.COMPARED_AFTER - other.expanded)
        except SearchkitError:  # of predecessors, which this search does not need
            return True
        if not rival.ended and (other.expanded < auto.COMPARED_AFTER or not rival.ready):
            return False
        if rival.ended or other.lower_bound > mine.lower_bound:
            proved = "the answer" if rival.ended else f"a lower bound of {other.lower_bound}"
            self.engine_choice = (
                f"auto chose bidirectional: after {auto.COMPARED_AFTER:,} expansions it had proved {proved}, and "
                f"{self.spec.name} a lower bound of {mine.lower_bound}"
            )
            self._bound, self._tree, self._engine, self._may_restart = mine.lower_bound, other, rival, False
            self.spec, self.options = rival.spec, {}
        return True

    def _is_long(self, target: float, seconds: float) -> bool:
        """Whether beginning again as machine code takes less time than the rest of a search that has taken so long."""
        is_warm = "searchkit.compiled.kit" in sys.modules
        is_warm = is_warm and not auto.needs_translation(self.problem, self.spec)
        least, expanded = auto.WARM_SECONDS if is_warm else auto.COLD_SECONDS, self._tree.expanded
        return seconds >= least and (target - expanded) * seconds >= least * expanded


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
    """Solve a problem: `Search` and `Search.run` in one call.

    Args:
        problem: the problem: any object with `initial_states`, `successors` and `is_goal`; see `SearchProblem`.
        engine: the name of an engine (`available_engines()`), its `EngineSpec`, or a function of your own; `auto`
            chooses one by what the problem has: costs, a heuristic, predecessors.
        backend: `python`, `compiled` for machine code, or `auto`: Python first, then machine code.
        limits: when to stop without an answer: `Limits(expansions=…, seconds=…, memory=…)`. The result then has
            the status CUTOFF, and `result.search.resume()` continues.
        observers: functions that are called as `observer(search, state)` for each state that is expanded.
        certificate: whether the result has a proof of its answer: see `certify`.
        options: options of the engine, such as `weight=2` for `wastar`.

    Returns:
        The result: status, path, cost, lower bound, statistics and warnings.

    Raises:
        UnknownNameError: there is no such engine or option.
        InvalidOptionError: an option has an invalid value.
        InvalidProblemError: a member of the problem is missing, raised an error, or returned what it must not.
        MissingCapabilityError: the engine needs what the problem does not have.

    Example:
        >>> from searchkit import problem_from, solve
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 3)
        >>> print(solve(line))
        solved: cost 3 (optimal), 3 actions; bfs expanded 5 states

    """
    search = Search(problem, engine, backend=backend, observers=observers, **options)
    return search.run(limits, certificate=certificate)
