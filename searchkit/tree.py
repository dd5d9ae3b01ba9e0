"""The search tree: everything that a search has learned, open to read at every pause."""

from typing import Any, Generic, NamedTuple, TypeAlias

from searchkit.errors import InvalidProblemError
from searchkit.problem import Action, Cost, State

Arrival: TypeAlias = tuple[Cost, State | None, Action | None]
"""How a state was reached: the cost so far, the state before it, and the action between (None at a start)."""


class Trail(NamedTuple):
    """A path that a compiled engine has found, with what it knows of it besides: see `SearchTree.trail`."""

    nodes: Any
    """An array of the engine's own numbers of the states."""
    states: tuple[Any, ...]
    actions: tuple[Any, ...]
    costs: list[Cost] | None
    """The cost of each action, where costs are data; None where the problem has to be asked."""


class SearchTree(Generic[State, Action]):
    """What an engine knows, whole at each yield, so that a new generator over the tree goes on from there.

    Engines write it, drivers count in it, anybody reads it. Plain slots, not properties: it stands in
    the hot loop of every engine.
    """

    __slots__ = (
        "backward",
        "closed",
        "details",
        "expanded",
        "found",
        "frontier",
        "generated",
        "goal",
        "incumbent",
        "lower_bound",
        "next_threshold",
        "peak_frontier",
        "reached",
        "reopened",
        "threshold",
        "warnings",
    )

    def __init__(self) -> None:
        self.reached: dict[State, Arrival[State, Action]] = {}
        """The best arrival at each state so far (depth-first engines: at each state of the current path)."""
        self.frontier: Any = None
        """The engine's own container of what it may expand next; None before the engine has begun."""
        self.closed: Any = None
        """The states expanded and not reopened, for engines that keep them: a set, or a list where none is reopened."""
        self.found = False
        """Whether a goal was found; it is `goal`."""
        self.goal: State | None = None
        self.incumbent: Cost | None = None
        """The cost of the best path known but not yet proved best; it runs through `goal`. None where there is none."""
        self.lower_bound: Cost = 0
        """No path to a goal costs less (given an admissible heuristic). 0 is always right."""
        self.expanded = 0
        self.generated = 0
        self.reopened = 0
        self.peak_frontier = 0
        self.threshold: Cost = 0
        """Iterative deepening: the bound of this iteration …"""
        self.next_threshold: Cost | None = None
        """… and the least value that was cut in it; None where nothing was."""
        self.backward: SearchTree[State, Action] | None = None
        """Bidirectional search: the half that grows from the goals."""
        self.warnings: list[str] = []
        self.details: dict[str, object] = {}
        """What the engine reports beyond the common statistics, by name; see the engine."""

    def start(self, state: State) -> None:
        """Enter a start state."""
        self.reached[state] = (0, None, None)

    def finish(self, goal: State) -> None:
        """Say that the search is over: the path that `reached` holds to `goal` is the answer."""
        self.found, self.goal = True, goal

    def path_to(self, state: State) -> tuple[tuple[State, ...], tuple[Action, ...]]:
        """Return the states and the actions of the path on which `state` was reached.

        Raises `KeyError` if it was not. Takes time linear in the length of the path.
        """
        trail = self.trail(state)
        if trail is not None:
            return trail.states, trail.actions
        if hasattr(self.reached, "path_to"):  # arrivals at the ends of runs, which know the states between
            whole: tuple[tuple[State, ...], tuple[Action, ...]] = self.reached.path_to(state)
            return whole
        states: list[State] = [state]
        actions: list[Any] = []
        cost, parent, action = self.reached[state]
        while parent is not None:
            states.append(parent)
            actions.append(action)
            cost, parent, action = self.reached[parent]
        if cost or action is not None:
            raise InvalidProblemError(f"{states[-1]!r} was reached from None; None can't be a state")
        return tuple(reversed(states)), tuple(reversed(actions))

    def trail(self, state: State) -> Trail | None:
        """Return the same path as the arrays of a compiled engine have it; None for engines in Python.

        Raises `KeyError` as `path_to` does.
        """
        read = getattr(self.reached, "trail", None)
        return None if read is None else read(state)

    def expanded_states(self) -> set[State]:
        """Return the states that are expanded and not waiting to be expanded again.

        For depth-first engines, which keep no record of them, the states on the current path.
        """
        if self.closed is None:
            return self.reached.keys() - set(self.frontier or ()) - ({self.goal} if self.found else set())
        return set(self.closed) | (self.backward.expanded_states() if self.backward else set())
