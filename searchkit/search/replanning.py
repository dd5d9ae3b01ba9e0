"""Searching again after the problem has changed, with what is known from before."""

from collections.abc import Iterable, Iterator
from typing import Any, Generic

from attrs import evolve

from searchkit.engines.kit import distinct_starts
from searchkit.engines.replanning.dstar_lite import from_goals
from searchkit.engines.replanning.repair import Direction, amend
from searchkit.errors import InvalidOptionError, MissingCapabilityError, SearchkitError
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import Action, Aimable, Reversible, SearchProblem, State, SupportsSearch, check_members
from searchkit.result import Result
from searchkit.search.auto import check_capabilities, engine_spec
from searchkit.search.driver import Search
from searchkit.search.limits import Limits
from searchkit.tree import SearchTree


class ReplanningSearch(Search[State, Action]):
    """One search of a `Replanner`, over what it already knows. It can be resumed until the problem changes."""

    def __init__(
        self,
        problem: SupportsSearch[State, Action],
        spec: EngineSpec,
        tree: SearchTree[State, Action],
    ):
        super().__init__(problem, spec, backend="python", tree=tree)
        self.outdated = False
        """Whether the problem was changed since, so that the tree belongs to a later search."""

    def __next__(self) -> State:
        self._check()
        return super().__next__()

    def run(self, limits: Limits | None = None, *, certificate: bool = False) -> Result[State, Action]:
        """As `Search.run`. Raises `SearchkitError` if the problem was changed since."""
        self._check()
        return super().run(limits, certificate=certificate)

    resume = run

    def _check(self) -> None:
        if self.outdated:
            raise SearchkitError(
                "the problem was changed since this search, and what it knew was repaired: "
                "search with Replanner.solve()"
            )


class Replanner(Generic[State, Action]):
    """Solves a problem again and again while it changes: the answers cost what those of new searches cost.

    Tell it of changes by `change`, and by `move` where the start is now; then `solve`. Several changes may come before
    a search, and a search may be stopped by a limit before a change. It searches in Python.

    Args:
        problem: what to solve first; it has to be `Reversible`.
        engine: `lpastar`, which needs a heuristic, or `dstar_lite`, which is for a start that moves, and uses
            `backward_heuristic` if the problem has it.

    Raises:
        InvalidOptionError: the engine is another one.
        InvalidProblemError, MissingCapabilityError: as `Search`.

    Example:
        >>> from searchkit import Replanner, SearchProblem
        >>> class Line(SearchProblem[int, int]):
        ...     def __init__(self, *walls): self.walls = walls
        ...     def initial_states(self): return [0]
        ...     def goal_states(self): return [9]
        ...     def is_goal(self, x): return x == 9
        ...     def steps(self, x): return [step for step in (-3, -1, 1, 3) if -9 <= x + step <= 9]
        ...     def successors(self, x): return [(s, x + s) for s in self.steps(x) if x + s not in self.walls]
        ...     def predecessors(self, x): return [(-s, x + s) for s in self.steps(x) if x not in self.walls]
        ...     def heuristic(self, x): return abs(9 - x) / 3
        >>> planner = Replanner(Line())
        >>> planner.solve().states
        (0, 3, 6, 9)
        >>> planner.change(Line(6), [6])
        >>> result = planner.solve()
        >>> result.cost
        5

    """

    def __init__(self, problem: SupportsSearch[State, Action], engine: str | EngineSpec = "lpastar"):
        spec = engine_spec(engine)
        if spec.name not in ("lpastar", "dstar_lite"):
            raise InvalidOptionError(
                f"engine {spec.name!r} can't take up changes; expected lpastar or dstar_lite"
            )
        self.search: ReplanningSearch[State, Action] = ReplanningSearch(problem, spec, SearchTree())
        """The search at the present problem."""
        self.changes = 0
        """How many changes and moves there were."""
        self._before = 0, 0, 0

    @property
    def problem(self) -> SearchProblem[State, Action]:
        """The problem as it is now."""
        return self.search.problem

    def solve(self, limits: Limits | None = None, *, certificate: bool = False) -> Result[State, Action]:
        """Search until the problem, as it is now, is solved, or a limit is reached: then call it again to go on.

        The counters expanded, generated and reopened are of the searches since the last change; `reached` is the number
        of states known. After a cutoff that follows a change, there is no partial path.

        Raises what `Search.run` raises. A member of the problem that raises loses nothing: call it again.
        """
        result = self.search.run(limits, certificate=certificate)
        counters = result.statistics
        expanded, generated, reopened = self._before
        return evolve(
            result,
            statistics=evolve(
                counters,
                expanded=counters.expanded - expanded,
                generated=counters.generated - generated,
                reopened=counters.reopened - reopened,
            ),
        )

    def __iter__(self) -> Iterator[State]:
        return self.search

    def change(self, problem: SupportsSearch[State, Action], changed: Iterable[State]) -> None:
        """Replace the problem by one that differs in some actions. Nothing is expanded before the next `solve`.

        Takes time linear in the number of changed states, their neighbours, and the states that wait in the queue.

        Args:
            problem: the problem as it is now. Starts, goals and the heuristic may differ too.
            changed: for each action that was added or removed or has another cost, one of the states between which it
                leads. States may be given that have not changed. The old and the new problem are asked for the
                successors and predecessors of these states: of a state that does not exist, there are none.

        Raises:
            InvalidProblemError, MissingCapabilityError: as `Search`. Then, and if a member of the problem raises,
                the old problem stays.

        """
        changed = list(changed)
        self._take_up(problem, changed, "change", states=changed)

    def _take_up(
        self, problem: SupportsSearch[State, Action], changed: list[State], kind: str, **facts: Any
    ) -> None:
        old, spec = self.problem, self.search.spec
        new = check_members(problem)
        check_capabilities(new, spec)
        tree, forward = self.search.tree, spec.name == "lpastar"
        starts = distinct_starts(new)
        if tree.frontier is not None:
            half = tree if forward else tree.backward
            assert half is not None
            amend(tree, half, _seen(old, forward=forward), _seen(new, forward=forward), changed)
            self._enter(starts, forward=forward)
        self._go_on(new, f"{kind} {self.changes + 1}", **facts)

    def move(self, state: State) -> None:
        """Continue from another start, on the same map. With `dstar_lite`, what is known stays true.

        With `lpastar`, this is a change that makes nearly everything outdated.

        Raises:
            MissingCapabilityError: the problem is not `Aimable`: use `change` with the problem from that start.
            InvalidProblemError: the problem can't start there. Then the start stays where it is.

        """
        old = self.problem
        if not isinstance(old, Aimable) or not isinstance(old, Reversible):
            raise MissingCapabilityError(
                f"{type(old).__name__} is not Aimable: it has no method aimed(starts, goals); "
                "use change(problem, []) with the problem from the new start"
            )
        new: SearchProblem[State, Action] = old.aimed([state], list(old.goal_states()))
        self._take_up(new, [], "move", state=state)

    def _enter(self, starts: list[State], *, forward: bool) -> None:
        """Let the path of D* Lite begin at the starts again."""
        if not forward:
            self.search.tree.reached.clear()
            for start in starts:
                self.search.tree.start(start)

    def _go_on(self, problem: SearchProblem[State, Action], text: str, **facts: Any) -> None:
        tree = self.search.tree
        self.changes += 1
        self._before = tree.expanded, tree.generated, tree.reopened
        tree.note("phase", text, **facts)
        self.search.outdated = True
        self.search = ReplanningSearch(problem, self.search.spec, tree)


def _seen(problem: Any, *, forward: bool) -> Direction:
    """Return a problem as the engine sees it."""
    if not forward:
        return from_goals(problem)
    return Direction(problem, True, problem.heuristic, distinct_starts(problem))
