"""Searching again after the problem has changed, with what is known from before."""

from collections.abc import Iterable, Iterator
from typing import Generic

from searchkit.engines.kit import distinct_starts, reverse
from searchkit.engines.replanning.repair import amend
from searchkit.errors import InvalidOptionError, MissingCapabilityError
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import Action, Aimable, Reversible, SearchProblem, State, SupportsSearch, check_members
from searchkit.result import Result
from searchkit.search.auto import check_capabilities, engine_spec
from searchkit.search.driver import Search
from searchkit.search.limits import Limits


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
        self.search: Search[State, Action] = Search(problem, spec, backend="python")
        """The search, which continues with the present problem: the same object after each change."""
        self.changes = 0
        """How many changes and moves there were."""

    @property
    def problem(self) -> SearchProblem[State, Action]:
        """The problem as it is now."""
        return self.search.problem

    def solve(self, limits: Limits | None = None, *, certificate: bool = False) -> Result[State, Action]:
        """Search until the problem, as it is now, is solved, or a limit is reached: then call it again to continue.

        The counters expanded, generated and reopened are of the searches since the last change; `reached` is the number
        of states known. After a cutoff that follows a change, there is no partial path.

        Raises what `Search.run` raises. A member of the problem that raises loses nothing: call it again.
        """
        return self.search.run(limits, certificate=certificate)

    def __iter__(self) -> Iterator[State]:
        return self.search

    def change(self, problem: SupportsSearch[State, Action], changed: Iterable[State]) -> None:
        """Replace the problem by one that differs in some actions. Nothing is expanded before the next `solve`.

        Takes time linear in the number of changed states, their neighbours, and the states that wait in the queue.

        Args:
            problem: the problem as it is now. Starts, goals and the heuristic may differ too.
            changed: for each action that was added or removed or has another cost, one of the states between which it
                leads. Unchanged states are harmless. The successors and predecessors of these states are computed
                in the old and in the new problem; a state that does not exist has to have none.

        Raises:
            InvalidProblemError, MissingCapabilityError: as `Search`. Then, and if a member of the problem raises,
                the old problem stays.

        """
        old, new, search, changed = self.problem, check_members(problem), self.search, list(changed)
        check_capabilities(new, search.spec)
        tree, forward = search.tree, search.spec.name == "lpastar"
        starts = distinct_starts(new)
        if tree.frontier is not None:
            half = tree if forward else tree.backward
            assert half is not None
            before, now = (old, new) if forward else (reverse(old), reverse(new))
            amend(tree, half, before, now, changed)
            if not forward:  # the path of D* Lite begins at the starts again
                tree.reached.clear()
                tree.start(*starts)
        self.changes += 1
        tree.note("phase", f"change {self.changes}", states=changed)
        search.continue_with(new)

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
        self.change(old.aimed([state], list(old.goal_states())), [])
