"""One engine on one problem: its runs, each made when it is needed, and the facts of the oracle."""

import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from math import inf
from pathlib import Path
from threading import current_thread, main_thread
from traceback import extract_tb
from types import FrameType
from typing import Any

from attrs import evolve, frozen

from searchkit.errors import SearchkitError
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import BackwardHeuristic, Cost, Reversible, SearchProblem, has_cost, has_heuristic
from searchkit.result import Result
from searchkit.search.driver import Search
from searchkit.testing.contenders import Contender
from searchkit.testing.spaces.space import checked_space
from searchkit.tree import SearchTree

STATES = 2_000
"""The largest number of states of a problem: its exact distances have to be known."""
PATHS = 150
"""The largest number of paths of a problem for engines that may follow all of them repeatedly."""
PAUSES = 60
"""The largest number of pauses of one search."""
ALL_CALLS, SOME_CALLS = 30, 10
"""In how many calls of the problem each of them raises once, in a search of its own; of more calls, some of them."""
CIRCLE = "the parents in the search tree form a circle, so no path can be read from it"

QUIET = 2.0
"""CPU seconds of this process without a call of the problem after which a search counts as endless."""
QUIET_AGAIN = 0.05
"""The same while a case is reduced, after one case was stopped."""


class QuietError(BaseException):
    """The code did not call the problem for too long. Not an `Exception`, so that the code does not catch it."""


class BudgetExceededError(BaseException):
    """More calls than any search of this space requires. Not an `Exception`, so that the code does not catch it."""


class InjectedError(Exception):
    """The error that a member raises at one call, to see whether the search can be resumed."""


@contextmanager
def stopped_when_quiet(questions: Callable[[], object], seconds: float) -> Iterator[None]:
    """Raise `QuietError` in the block if `questions()` does not change for this time, or at most for twice this time.

    The time is the CPU time of the process, so the load of the machine does not matter. Nothing is raised on systems
    without these signals, such as Windows, outside the main thread, and during a call of a built-in function.
    """
    if not hasattr(signal, "SIGVTALRM") or current_thread() is not main_thread():
        yield
        return
    before = questions()

    def look(number: int, frame: FrameType | None) -> None:
        nonlocal before
        now = questions()
        if now == before:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            raise QuietError
        before = now

    handler = signal.signal(signal.SIGVTALRM, look)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, handler)


class Counted:
    """A problem that counts the calls of another problem: the same members, with the same answers.

    `expanded` lists the states whose successors (or predecessors) were asked for, in order; `generated` counts the
    pairs that were consumed, or all pairs of a list. With a budget, more such calls, or `GOAL_TESTS` times as many
    goal tests, raise `BudgetExceededError`. The call with the number `raising` (from 0; each consumed start and pair of
    an iterator counts as a call, too) raises `InjectedError`, once.

    Its class has the name of the problem's class, for error messages. If `lists` is false, every answer is an iterator,
    as the protocol allows, and pairs are counted when they are consumed.
    """

    GOAL_TESTS = 20
    """The number of goal tests per expansion that is not a sign of an endless loop: more than one per successor."""
    MEMBERS: Mapping[str, int] = {
        **dict.fromkeys(("initial_states", "goal_states", "cost", "heuristic", "backward_heuristic"), 0),
        "is_goal": 1,
        "successors": GOAL_TESTS,
        "predecessors": GOAL_TESTS,
    }
    """Name → what a call takes from the budget."""
    cost, heuristic = (
        SearchProblem.cost,
        SearchProblem.heuristic,
    )  # what a problem has that defines none of its own

    def __new__(cls, problem: SearchProblem[Any, Any], *_: object, **__: object) -> "Counted":
        """Make an instance of a class with the name of the problem's class."""
        return object.__new__(type(type(problem).__name__, (Counted,), {}))

    def __init__(
        self,
        problem: SearchProblem[Any, Any],
        budget: int | None = None,
        *,
        lists: bool = True,
        raising: int | None = None,
    ):
        self._problem, self._lists, self._raising = problem, lists, raising
        self._left = inf if budget is None else budget * self.GOAL_TESTS
        self.calls = self.generated = 0
        self.expanded: list[Any] = []
        undefined = [
            name for name, has in (("cost", has_cost), ("heuristic", has_heuristic)) if not has(problem)
        ]
        for name in dir(problem):
            if name.startswith("_") or name in undefined:
                continue
            try:
                member = getattr(problem, name)
            except Exception:  # a property that raises for this instance
                continue
            self.__dict__[name] = self._counting(name, member) if name in self.MEMBERS else member

    def _counting(self, name: str, member: Any) -> Any:
        price, expands = self.MEMBERS[name], name.endswith("cessors")
        listed = expands or name == "initial_states"

        def call(*arguments: Any) -> Any:
            self._spend(price)
            if expands:
                self.expanded.extend(arguments)
            answer = member(*arguments)
            if not listed or (self._lists and self._raising is None and isinstance(answer, list | tuple)):
                self.generated += len(answer) if expands else 0
                return answer
            return self._taken(answer, int(expands))

        return call

    def _taken(self, items: Iterable[Any], each: int) -> Iterator[Any]:
        for item in items:
            self.generated += each
            self._spend(0)
            yield item

    def _spend(self, price: int) -> None:
        self._left -= price
        if self._left < 0:
            raise BudgetExceededError
        self.calls += 1
        if self.calls - 1 == self._raising:
            raise InjectedError("a test: this call raises once")

    def __repr__(self) -> str:
        return repr(self._problem)


class Salted:
    """A state with another hash. It is equal to wrappers of equal states, and ordered in the same way."""

    __slots__ = ("_hash", "state")

    def __init__(self, state: Any, salt: int):
        self.state, self._hash = state, hash((salt, state))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Salted) and bool(self.state == other.state)

    def __hash__(self) -> int:
        return self._hash

    def __lt__(self, other: "Salted") -> bool:
        return bool(self.state < other.state)

    def __repr__(self) -> str:
        return repr(self.state)


class SaltedProblem(SearchProblem[Salted, Any]):
    """The same problem over salted states. It has costs, a heuristic and predecessors if the problem has them."""

    def __init__(self, problem: SearchProblem[Any, Any], salt: int):
        self.problem, self.salt = problem, salt
        if has_cost(problem):
            self.__dict__["cost"] = lambda state, action, to: problem.cost(state.state, action, to.state)
        if has_heuristic(problem):
            self.__dict__["heuristic"] = lambda state: problem.heuristic(state.state)
        if isinstance(problem, Reversible):
            self.__dict__["goal_states"] = lambda: self._states(problem.goal_states())
            self.__dict__["predecessors"] = lambda state: self._pairs(problem.predecessors(state.state))
        if isinstance(problem, BackwardHeuristic):
            self.__dict__["backward_heuristic"] = lambda state: problem.backward_heuristic(state.state)

    def initial_states(self) -> list[Salted]:
        """Return the starts, in the same order."""
        return self._states(self.problem.initial_states())

    def successors(self, state: Salted) -> list[tuple[Any, Salted]]:
        """Return the same pairs, in the same order."""
        return self._pairs(self.problem.successors(state.state))

    def is_goal(self, state: Salted) -> bool:
        """Whether the state is a goal."""
        return self.problem.is_goal(state.state)

    def _states(self, states: Iterable[Any]) -> list[Salted]:
        return [Salted(state, self.salt) for state in states]

    def _pairs(self, pairs: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Salted]]:
        return [(action, Salted(state, self.salt)) for action, state in pairs]


@frozen
class Run:
    """The outcome of one search."""

    order: tuple[Any, ...] = ()
    """The expanded states."""
    states: tuple[Any, ...] | None = None
    """The path that was found."""
    result: Result[Any, Any] | None = None
    answer: Any = None
    """The return value of a plain function."""
    error: BaseException | None = None
    endless: bool = False
    """Whether it exceeded the budget, or was quiet."""
    quiet: bool = False
    """Whether it was stopped because it did not call the problem."""
    circle: bool = False


class Trial:
    """An engine tried on a problem. Everything is computed once, at the first use."""

    def __init__(
        self,
        contender: Contender,
        problem: SearchProblem[Any, Any],
        options: Mapping[str, Any] | None = None,
        quiet: float = QUIET,
    ):
        self.contender, self.problem, self.options = contender, problem, dict(options or {})
        self.quiet = quiet
        """CPU seconds without a call of the problem after which it is stopped."""

    @property
    def _spec(self) -> EngineSpec:
        assert self.contender.spec is not None
        return self.contender.spec

    @cached_property
    def space(self) -> Any:
        """The state space."""
        return checked_space(self.problem, STATES)

    @cached_property
    def best(self) -> Cost:
        """The least cost from a start to a goal; infinite if there is no path."""
        return self.space.least_cost()  # type: ignore[no-any-return]

    @cached_property
    def guided(self) -> bool:
        """Whether the engine uses a heuristic."""
        uses = self.contender.spec is None or self.contender.spec.heuristic != "unused"
        return uses and has_heuristic(self.problem)

    @cached_property
    def heuristic_values(self) -> dict[Any, Cost]:
        """The heuristic value of each reachable state."""
        return {state: self.problem.heuristic(state) for state in self.space.edges}

    @cached_property
    def admissible(self) -> bool:
        """Whether the heuristic, if the engine uses one, never overestimates by more than rounding."""
        if not self.guided:
            return True
        exact = self.space.to_goals()
        return all(h <= _rounded_up(exact.get(state, inf)) for state, h in self.heuristic_values.items())

    @cached_property
    def consistent(self) -> bool:
        """Whether the heuristic, if the engine uses one, is exactly consistent: rounding makes A* reopen states."""
        return not self.guided or all(
            self.heuristic_values[state] <= cost + self.heuristic_values[successor]
            for state, edges in self.space.edges.items()
            for _, successor, cost in edges
        )

    @cached_property
    def paths(self) -> int:
        """The number of paths from a start without repeated states; at most `PATHS` + 1 are counted."""
        waiting = [(start, frozenset([start])) for start in self.space.starts]
        number = 0
        while waiting and number <= PATHS:
            state, on_path = waiting.pop()
            number += 1
            waiting += [(to, on_path | {to}) for _, to, _ in self.space.edges[state] if to not in on_path]
        return number

    @cached_property
    def surely_endless(self) -> bool:
        """Whether a search that exceeds the budget is endless. One that stores no states may follow many paths."""
        return self.first.quiet or self.contender.memory == "states" or self.paths <= PATHS

    @cached_property
    def fits(self) -> bool:
        """Whether the space is small enough for the engine."""
        follows_paths = self.contender.memory in ("depth", "option")
        return self.space.whole and (not follows_paths or self.paths <= PATHS)

    @cached_property
    def budget(self) -> int:
        """The number of expansions after which a search counts as endless: far more than the space requires."""
        size = len(self.space.edges) + sum(map(len, self.space.edges.values()))
        of_paths = 0 if self.contender.memory == "states" else 2 * min(self.paths, PATHS) ** 2
        return 1_000 + of_paths + 50 * size

    @cached_property
    def counted(self) -> Counted:
        """The counting problem that `first` was run on."""
        return Counted(self.problem, self.budget, lists=self.contender.spec is None)

    @cached_property
    def first(self) -> Run:
        """A search within the budget, on the counting problem. The other searches follow it."""
        counted, spec = self.counted, self.contender.spec
        try:
            with stopped_when_quiet(lambda: counted.calls, self.quiet):
                return self._call(counted) if spec is None else self._search(counted)
        except QuietError:
            return Run(tuple(counted.expanded), endless=True, quiet=True)

    @cached_property
    def plain(self) -> Run:
        """A search of the problem itself."""
        return self._search(self.problem)

    @cached_property
    def compiled(self) -> Run:
        """A search of the problem in machine code."""
        try:
            search: Search[Any, Any] = Search(self.problem, self._spec, backend="compiled", **self.options)
            search.run()
            return _ended(search, [])
        except Exception as error:
            return Run(error=error)

    @cached_property
    def again(self) -> list[Run]:
        """Further searches that should be the same, if possible on equal problems whose states hash differently."""
        if all(capability is Reversible for capability in self._spec.requires):
            runs = [self._search(SaltedProblem(self.problem, salt)) for salt in (1, 2)]
            if not any(run.error for run in runs):  # if it computes with the states, they can't be replaced
                return [_unsalted(run) for run in runs]
        return [self._search(self.problem)]

    @cached_property
    def paused(self) -> tuple[Run, Cost]:
        """A search that is paused and resumed in new generators, and its largest lower bound on the way."""
        tree = SearchTree[Any, Any]()
        step = 1 + len(self.plain.order) // PAUSES
        order: list[Any] = []
        bound: Cost = 0
        try:
            while len(order) <= self.budget:
                search = self._new(self.problem)
                search.tree.copy_from(tree)
                tree = search.tree
                order += [state for _, state in zip(range(step), search, strict=False)]
                next(search, None)  # so that the last of these is expanded
                bound = max(bound, tree.lower_bound)
                if search.ended:
                    return _ended(search, order), bound
        except Exception as error:
            return Run(tuple(order), error=error), bound
        return Run(tuple(order), endless=True), bound

    def resumed(self) -> Iterator[tuple[int, Run]]:
        """Yield the number of a call that raised, and the run of the search that was resumed after it."""
        counting = Counted(self.problem, self.budget, raising=-1)
        self._search(counting)
        step = 1 if counting.calls <= ALL_CALLS else counting.calls // SOME_CALLS
        for raising in range(counting.calls % step, counting.calls, step):
            problem = Counted(self.problem, 2 * self.budget, raising=raising)
            search = self._new(problem)
            try:
                with suppress(InjectedError, SearchkitError):  # the latter says what raised
                    search.run()
                yield raising, _ended(search, [])
            except BudgetExceededError:
                yield raising, Run(endless=True)
            except Exception as error:
                yield raising, Run(error=error)

    def _new(self, problem: Any) -> Search[Any, Any]:
        return Search(problem, self._spec, backend="python", **self.options)

    def _search(self, problem: Any) -> Run:
        order: list[Any] = []
        try:
            search = self._new(problem)
            for state in search:
                if len(order) >= self.budget:
                    return Run(tuple(order), endless=True)
                order.append(state)
            return _ended(search, order)
        except BudgetExceededError:
            return Run(tuple(order), endless=True)
        except Exception as error:
            return Run(tuple(order), error=error)

    def _call(self, problem: Counted) -> Run:
        assert self.contender.function is not None
        try:
            answer = self.contender.function(problem)
        except BudgetExceededError:
            return Run(tuple(problem.expanded), endless=True)
        except (Exception, SystemExit) as error:
            return Run(tuple(problem.expanded), error=error)
        return Run(tuple(problem.expanded), answer=answer)


def _ended(search: Search[Any, Any], order: list[Any]) -> Run:
    """Return the run of a search whose engine has returned; one that has not yet is resumed."""
    if search.tree.found and _goes_round(search.tree):
        return Run(tuple(order), circle=True)
    result = search.run()
    states = None if result.solution is None else result.solution.states
    return Run(tuple(order), states, evolve(result, statistics=evolve(result.statistics, seconds=0.0)))


def _goes_round(tree: SearchTree[Any, Any]) -> bool:
    """Whether the parents of the goal never lead to a start."""
    state, steps = tree.goal, 0
    while state in tree.reached and steps <= len(tree.reached):
        state = tree.reached[state][1]
        if state is None:
            return False
        steps += 1
    return steps > len(tree.reached)


def _unsalted(run: Run) -> Run:
    """Return a run over salted states as a run over the original states."""
    states = None if run.states is None else tuple(map(_plain, run.states))
    result = run.result
    if result is not None and result.solution is not None and states is not None:
        result = evolve(result, solution=evolve(result.solution, states=states))
    return evolve(run, order=tuple(map(_plain, run.order)), states=states, result=result)


def _plain(state: Any) -> Any:
    return state.state if isinstance(state, Salted) else state


def _rounded_up(cost: Cost) -> Cost:
    return cost * (1 + 1e-9) if isinstance(cost, float) else cost


def last_line(error: BaseException) -> str:
    """Return an exception as one line: its message, and where the code under test raised it."""
    shown = error
    while isinstance(shown.__cause__, BaseException):
        shown = shown.__cause__
    trace = extract_tb(shown.__traceback__)
    where = (
        f", raised in {trace[-1].name}, {Path(trace[-1].filename).name}:{trace[-1].lineno}" if trace else ""
    )
    said = f": {shown}" if str(shown) else ""
    return f"{type(shown).__name__}{said}{where}"
