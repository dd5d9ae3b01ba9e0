"""One engine on one problem: the facts of the oracle and the runs of the engine, each computed when it is needed."""

from collections.abc import Mapping
from contextlib import nullcontext
from functools import cached_property
from math import inf
from pathlib import Path
from traceback import extract_tb
from typing import Any

from attrs import evolve, frozen

from searchkit.plugin.specs import EngineSpec
from searchkit.problem import Cost, Reversible, SearchProblem, has_heuristic
from searchkit.result import Result
from searchkit.search.driver import Search
from searchkit.testing.engines.contender import Contender
from searchkit.testing.engines.quiet import QUIET, QuietError, stopped_when_quiet
from searchkit.testing.engines.wrappers import BudgetExceededError, Counted, Salted, SaltedProblem
from searchkit.testing.spaces.space import checked_space
from searchkit.tree import SearchTree

STATES = 2_000
"""The largest number of states of a problem: its exact distances have to be known."""
PATHS = 150
"""The largest number of paths of a problem for engines that may follow all of them repeatedly."""
PAUSES = 60
"""The largest number of pauses of one search."""
CIRCLE = "the parents in the search tree form a circle, so no path can be read from it"


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
        backend: str = "python",
        quiet: float = QUIET,
    ):
        self.contender, self.problem, self.options = contender, problem, dict(options or {})
        self.backend = backend
        self.quiet = quiet
        """CPU seconds without a call of the problem after which it is stopped."""

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
        spec = self.contender.spec
        return self.first.quiet or (spec is not None and spec.memory == "states") or self.paths <= PATHS

    @cached_property
    def fits(self) -> bool:
        """Whether the space is small enough for the engine."""
        spec = self.contender.spec
        return self.space.whole and (
            spec is None or spec.memory not in ("depth", "option") or self.paths <= PATHS
        )

    @cached_property
    def budget(self) -> int:
        """The number of expansions after which a search counts as endless: far more than the space requires."""
        size = len(self.space.edges) + sum(map(len, self.space.edges.values()))
        spec = self.contender.spec
        if spec is not None and spec.memory == "states":
            return 1_000 + 50 * size
        return 1_000 + 2 * min(self.paths, PATHS) ** 2 + 50 * size

    @cached_property
    def counted(self) -> Counted:
        """The counting problem that `first` was run on."""
        return Counted(self.problem, self.budget, lists=self.contender.spec is None)

    @cached_property
    def first(self) -> Run:
        """A search within the budget, on the counting problem. The other searches follow it."""
        counted, spec = self.counted, self.contender.spec
        in_python = self.backend == "python"  # machine code asks nothing, and compiling it takes seconds
        try:
            with stopped_when_quiet(lambda: counted.questions, self.quiet) if in_python else nullcontext():
                return self._call(counted) if spec is None else self._search(counted, spec)
        except QuietError:
            return Run(tuple(counted.expanded), endless=True, quiet=True)

    @cached_property
    def plain(self) -> Run:
        """A search of the problem itself."""
        assert self.contender.spec is not None
        return self._search(self.problem, self.contender.spec)

    @cached_property
    def again(self) -> list[Run]:
        """Further searches that should be the same, if possible on equal problems whose states hash differently."""
        spec = self.contender.spec
        assert spec is not None
        if all(capability is Reversible for capability in spec.requires):
            runs = [self._search(SaltedProblem(self.problem, salt), spec) for salt in (1, 2)]
            if not any(
                run.error for run in runs
            ):  # the engine may compute with the states: then they can't be replaced
                return [_unsalted(run) for run in runs]
        return [self._search(self.problem, spec)]

    @cached_property
    def paused(self) -> tuple[Run, Cost]:
        """A search that is paused and resumed in new generators, and its largest lower bound on the way."""
        spec, tree = self.contender.spec, SearchTree[Any, Any]()
        assert spec is not None
        step = 1 + len(self.plain.order) // PAUSES
        order: list[Any] = []
        bound: Cost = 0
        try:
            while len(order) <= self.budget:
                search = Search(self.problem, spec, backend=self.backend, **self.options)
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

    def _search(self, problem: Any, spec: EngineSpec) -> Run:
        order: list[Any] = []
        try:
            search: Search[Any, Any] = Search(problem, spec, backend=self.backend, **self.options)
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
    """Return the run of a search whose engine has returned."""
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
