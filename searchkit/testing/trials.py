"""One engine on one problem: its runs, each made when it is needed, and the facts of the oracle."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from inspect import isfunction, isgeneratorfunction
from itertools import pairwise
from math import inf
from traceback import clear_frames
from typing import Any, Literal

from attrs import evolve, field, frozen

from searchkit.engines.kit import SPECS
from searchkit.errors import InvalidOptionError, SearchkitError
from searchkit.plugin.options import takes
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import Cost, SearchProblem, has_cost, has_heuristic
from searchkit.result import Result
from searchkit.search.auto import engine_spec
from searchkit.search.driver import Search
from searchkit.testing.reports import last_line
from searchkit.testing.spaces.digraphs import WeightedDigraph
from searchkit.testing.spaces.space import StateSpace, exceeds, explore, is_consistent
from searchkit.tree import SearchTree

EXPECTED = (
    "expected the name of an engine, an EngineSpec, a generator function (problem, tree, **options), or a function of "
    "one problem that returns a list of states, or None if there is no path"
)


@frozen
class Contender:
    """What is tried: an engine, or a function in the place of one, whose promises and needs are unknown."""

    spec: EngineSpec
    form: Literal["engine", "generator", "function"]
    """`engine`: the promises in the spec are the author's own. `function`: it takes a problem, and there is no tree."""
    reference: str
    """The Python expression for it: `"astar"`, or the name of a function."""

    @property
    def subject(self) -> str:
        """Its name in reports."""
        return f"{'function' if self.form == 'function' else 'engine'} {self.spec.name}"


def contender_for(engine: Any) -> Contender:
    """Return the contender for an engine in any form.

    Raises:
        UnknownNameError: there is no engine of that name.
        InvalidOptionError: it has none of the forms.

    """
    if isinstance(engine, str | EngineSpec) or (isfunction(engine) and engine in SPECS):
        spec = engine_spec(engine)
        if not takes(spec.run, 2):
            raise InvalidOptionError(
                f"engine {spec.name!r} is declared by @engine, and can't be called with (problem, tree); "
                "a plain function of a problem is checked without @engine"
            )
        known = registry().engines.get(spec.name) == spec
        return Contender(
            spec, "engine", f'"{spec.name}"' if known else getattr(spec.run, "__name__", spec.name)
        )
    name, generates = getattr(engine, "__name__", type(engine).__name__), isgeneratorfunction(engine)
    if (generates and takes(engine, 2)) or (callable(engine) and not generates and takes(engine, 1)):
        options = engine_spec(engine).options if generates else ()
        # It is unknown which states it stores, so no check depends on that.
        spec = EngineSpec(name, engine, heuristic="optional", memory="own", arrivals=False, options=options)
        return Contender(spec, "generator" if generates else "function", name)
    hint = "; it takes two arguments, and has no yield" if callable(engine) and takes(engine, 2) else ""
    if generates:
        hint = "; it has a yield, so a call of it returns a generator: collect the states, and return a list"
    raise InvalidOptionError(
        f"{name if callable(engine) else repr(engine)} is not an engine; {EXPECTED}{hint}"
    )


STATES = 2_000
"""The largest number of states of a problem: its exact distances have to be known."""
PATHS = 150
"""The largest number of paths of a problem for engines that may follow all of them repeatedly."""
PAUSES = 60
"""The largest number of pauses of one search."""
ALL_CALLS, SOME_CALLS = 32, 10
"""In how many calls of the problem each of them raises once, in a search of its own; of more calls, some of them."""


class BudgetExceededError(BaseException):
    """More calls than any search of this space requires. Not an `Exception`, so that the code does not catch it."""


class InjectedError(Exception):
    """The error that a member raises at one call, to see whether the search can be resumed."""


class Counted:
    """A problem that counts the calls of another problem: the same members, with the same answers.

    `expanded` lists the states whose successors (or predecessors) were asked for, in order; `generated` counts the
    pairs that were consumed, or all pairs of a list. With a budget, more such calls, or `GOAL_TESTS` times as many
    goal tests, raise `BudgetExceededError`. The call with the number `raising` (from 0; each consumed start and pair of
    an iterator counts as a call, too) raises `InjectedError`, once.

    If `lists` is false, every answer is an iterator, as the protocol allows, and pairs are counted when they are
    consumed.
    """

    GOAL_TESTS = 20
    """The number of goal tests per expansion that is not a sign of an endless loop: more than one per successor."""
    MEMBERS = (
        *("initial_states", "goal_states", "successors", "predecessors", "is_goal"),
        *("cost", "heuristic", "backward_heuristic", "region", "neighbours", "goal_regions"),
    )
    cost, heuristic = SearchProblem.cost, SearchProblem.heuristic  # of a problem that defines none of its own

    def __init__(
        self, problem: SearchProblem[Any, Any], budget: int, *, lists: bool = False, raising: int = -1
    ):
        self._problem, self._lists, self._raising = problem, lists, raising
        self._left = budget * self.GOAL_TESTS
        self.calls = self.generated = 0
        self.expanded: list[Any] = []
        undefined = {"cost": not has_cost(problem), "heuristic": not has_heuristic(problem)}
        for name in dir(problem):
            with suppress(Exception):  # a property that raises for this instance
                if not name.startswith("_") and not undefined.get(name):
                    member = getattr(problem, name)
                    counts = name in self.MEMBERS and member is not None  # None: this instance has none
                    self.__dict__[name] = self._counting(name, member) if counts else member

    def _counting(self, name: str, member: Any) -> Any:
        expands = name.endswith("cessors")
        price = self.GOAL_TESTS if expands else int(name == "is_goal")

        def call(*arguments: Any) -> Any:
            self._spend(price)
            if expands:
                self.expanded.extend(arguments)
            answer = member(*arguments)
            if not (expands or name == "initial_states"):
                return answer
            if self._lists and isinstance(answer, list | tuple):
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


@frozen(order=True)
class Salted:
    """A state with another hash, and the same order."""

    salt: int = field(eq=False, hash=True, repr=False)
    state: Any


@frozen
class Run:
    """The outcome of one search."""

    order: tuple[Any, ...] = ()
    """The expanded states."""
    result: Result[Any, Any] | None = None
    answer: Any = None
    """The return value of a function."""
    error: BaseException | None = None
    endless: bool = False
    """Whether it exceeded the budget."""

    @property
    def fault(self) -> str:
        """Why a search has no result; "" if it has one."""
        if self.error is not None:
            return f"it raised {last_line(self.error)}"
        return "it did not end" if self.endless else ""

    @property
    def states(self) -> tuple[Any, ...] | None:
        """The path that the search found."""
        if self.result is None:
            return tuple(self.answer) if isinstance(self.answer, list) else None
        return None if self.result.solution is None else self.result.solution.states


class Trial:
    """An engine tried on a problem. Everything is computed once, at the first use."""

    def __init__(
        self, contender: Contender, problem: SearchProblem[Any, Any], options: Mapping[str, Any] | None = None
    ):
        self.contender, self.problem, self.options = contender, problem, dict(options or {})
        self.spec = contender.spec

    @cached_property
    def space(self) -> StateSpace:
        """The state space."""
        return explore(self.problem, STATES)

    @cached_property
    def heuristic_values(self) -> dict[Any, Cost]:
        """The heuristic value of each reachable state, if the engine uses a heuristic."""
        guided = self.spec.heuristic != "unused" and has_heuristic(self.problem)
        return {state: self.problem.heuristic(state) for state in self.space.edges} if guided else {}

    @cached_property
    def admissible(self) -> bool:
        """Whether the heuristic, if the engine uses one, never overestimates by more than rounding."""
        exact = self.space.to_goals if self.heuristic_values else {}
        return not any(exceeds(h, exact.get(state, inf)) for state, h in self.heuristic_values.items())

    @cached_property
    def consistent(self) -> bool:
        """Whether the heuristic, if the engine uses one, is exactly consistent: rounding makes A* reopen states."""
        return is_consistent(self.heuristic_values, self.space)

    @cached_property
    def paths(self) -> int:
        """The number of paths from a start without repeated states; at most `PATHS` + 1 are counted."""
        pending = [(start, frozenset([start])) for start in self.space.starts]
        number = 0
        while pending and number <= PATHS:
            state, on_path = pending.pop()
            number += 1
            pending += [(to, on_path | {to}) for _, to, _ in self.space.edges[state] if to not in on_path]
        return number

    @cached_property
    def budget(self) -> int:
        """The number of expansions after which a search counts as endless: far more than the space requires."""
        size = len(self.space.edges) + sum(map(len, self.space.edges.values()))
        of_paths = 0 if self.spec.memory == "states" else 2 * min(self.paths, PATHS) ** 2
        return 1_000 + of_paths + 50 * size

    @cached_property
    def counted(self) -> Counted:
        """The counting problem that `first` was run on."""
        return Counted(self.problem, self.budget, lists=self.contender.form == "function")

    @cached_property
    def first(self) -> Run:
        """A search within the budget, on the counting problem. The other searches follow it."""
        if self.contender.form != "function":
            return self._search(self.counted)
        function: Any = self.spec.run
        run = _run(lambda order: Run(answer=function(self.counted)))
        asked = len(self.counted.expanded)
        return Run(endless=True) if isinstance(run.error, MemoryError) and asked > self.budget // 50 else run

    @cached_property
    def compiled(self) -> Run:
        """A search of the problem in machine code."""
        return _run(lambda order: Run(result=self._new(self.problem, "compiled").run()))

    @cached_property
    def plain(self) -> Run:
        """A search of the problem itself: an engine may know the class of a problem, which the counting one has not."""
        return self._search(self.problem)

    @cached_property
    def again(self) -> list[tuple[Run, Run]]:
        """Pairs of searches that should be the same: of a digraph, also with states that hash differently."""
        pairs, problem = [(self.plain, self._search(self.problem))], self.problem
        if isinstance(problem, WeightedDigraph):
            salted = []
            for salt in range(3):
                labels = {node: Salted(salt, problem.state(node)) for node in problem.nodes}
                salted.append(self._search(evolve(problem, states=labels.__getitem__)))
            # After an error there is nothing to compare: a search may calculate with the states.
            pairs += [pair for pair in pairwise(salted) if not pair[0].error]
        return pairs

    @cached_property
    def paused(self) -> tuple[Run, Cost]:
        """A search that is paused and resumed in new generators, and its largest lower bound on the way."""
        step = 1 + len(self.first.order) // PAUSES
        bound: Cost = 0

        def run(order: list[Any]) -> Run:
            nonlocal bound
            tree = SearchTree[Any, Any]()
            while len(order) <= self.budget:
                search = self._new(self.problem)
                search.tree.copy_from(tree)
                tree = search.tree
                order += [state for _, state in zip(range(step), search, strict=False)]
                next(search, None)  # so that the last of these is expanded
                bound = max(bound, tree.lower_bound)
                if search.ended:
                    return Run(tuple(order), search.run())
            raise BudgetExceededError

        return _run(run), bound

    def resumed(self) -> Iterator[tuple[int, Run]]:
        """Yield the number of a call that raised, and the run of the search that was resumed after it."""
        calls = self.counted.calls
        step = 1 if calls <= ALL_CALLS else calls // SOME_CALLS
        for raising in range(calls % step, calls, step):
            search = self._new(Counted(self.problem, 2 * self.budget, raising=raising))

            def run(order: list[Any]) -> Run:
                with suppress(InjectedError, SearchkitError):  # the latter says what raised
                    search.run()  # noqa: B023  # it is called in this round
                return Run(result=search.run())  # noqa: B023

            yield raising, _run(run)

    def _new(self, problem: Any, backend: str = "python") -> Search[Any, Any]:
        return Search(problem, self.spec, backend=backend, **self.options)

    def _search(self, problem: Any) -> Run:
        def run(order: list[Any]) -> Run:
            search = self._new(problem)
            for state in search:
                if len(order) >= self.budget:
                    raise BudgetExceededError
                order.append(state)
            return Run(tuple(order), search.run())

        return _run(run)


def _run(search: Callable[[list[Any]], Run]) -> Run:
    """Return the run of a search, which enters the expanded states into its argument, whether it raises or not."""
    order: list[Any] = []
    try:
        return search(order)
    except BudgetExceededError:
        return Run(tuple(order), endless=True)
    except (Exception, SystemExit) as error:
        clear_frames(error.__traceback__)  # their lists may be all the memory that there is
        return Run(tuple(order), error=error)
