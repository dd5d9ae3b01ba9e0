"""The search tree: everything that a search has learned, open to read at every pause."""

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeAlias

from searchkit.basics.checks import changed_state_error
from searchkit.problem import Action, Action_co, Cost, State

if TYPE_CHECKING:
    from searchkit.result import Solution

Arrival: TypeAlias = tuple[Cost, State | None, Action | None]
"""How a state was reached: the cost so far, the parent state, and the action between them (None at a start)."""


class Trail(NamedTuple):
    """The path on which a state was reached, with what the arrivals know about it."""

    states: tuple[Any, ...]
    actions: tuple[Any, ...]
    costs: Any = None
    """The list of the costs of the actions, if they are data; None if the problem has to compute them."""


class Arrivals(Protocol[State, Action_co]):
    """The best arrival at each state that was reached, and the path to it.

    An engine that writes a dictionary of arrivals, `SearchTree.reached`, needs nothing of this: the path follows from
    the parents. An engine that stores arrivals in another way gives the tree such an object instead of it. It also has
    the other members of a mapping: `in`, `len` and iteration over the states.
    """

    def __getitem__(self, state: State) -> Arrival[State, Action_co]:
        """Return the best arrival at a state. Raises `KeyError` if it was not reached."""
        ...

    def path_to(self, state: State) -> Trail:
        """Return the path on which a state was reached. Raises `KeyError` if it was not."""
        ...


class SearchTree(Generic[State, Action]):
    """What an engine knows, complete at each yield, so that a new generator over the tree can continue from there.

    Engines write it, drivers count in it, and all others read it. It has plain attributes, not properties, because it
    is used in the hot loop of every engine.
    """

    def __init__(self) -> None:
        self.reached: dict[State, Arrival[State, Action]] = {}
        """The best arrival at each state so far (depth-first engines: at each state of the current path); `Arrivals` of
        an engine that stores them in its own way, such as in the arrays of a kernel."""
        self.frontier: Any = None
        """The engine's own container of what it may expand next; None before the engine has begun."""
        self.closed: Any = None
        """The states expanded and not reopened, of engines that keep them: a set, or a list where none is reopened."""
        self.cut_by = ""
        """What made the engine leave states out, such as `the depth limit of 3`; "" if nothing did. If it ends without
        a path, that is a cutoff by this limit, and does not prove that no path exists."""
        self.found = False
        """Whether a goal was found; it is `goal`."""
        self.goal: State | None = None
        self.incumbent: Cost | None = None
        """The cost of the best path known but not yet proved best; it runs through `goal`. None if there is none."""
        self.paths: list[Solution[State, Action]] = []
        """The paths to goals found so far, cheapest first, by an engine that finds several."""
        self.lower_bound: Cost = 0
        """No path to a goal costs less (given an admissible heuristic). 0 is always right."""
        self.expanded = 0
        self.generated = 0
        self.reopened = 0
        self.peak_frontier = 0
        self.repairing = False
        """Whether arrivals may be outdated, because the problem was changed: until the search has ended, the parents of
        a state need not lead to a start."""
        self.threshold: Cost = 0
        """Iterative deepening: the threshold of this iteration …"""
        self.next_threshold: Cost | None = None
        """… and the least value that it has cut; None if it has cut nothing."""
        self.backward: SearchTree[State, Action] | None = None
        """Bidirectional search: the half that grows from the goals."""
        self.growing: SearchTree[State, Action] | None = None
        """Bidirectional search: the half whose state is yielded; None for this tree. Set it before each yield."""
        self.listener: Callable[[str, str, Mapping[str, Any]], object] | None = None
        """Called with what the engine notes; None if the search is not recorded. See `note`."""
        self.poll: Callable[[], object] = bool  # which does nothing
        """Engines call it within an expansion, once per 16 successors, before they write anything: it raises if a limit
        is reached. A run sets it; it is not saved."""
        self.warnings: list[str] = []
        self.details: dict[str, object] = {}
        """What the engine reports beyond the common statistics, by name; see the engine."""

    def start(self, *states: State) -> None:
        """Enter start states."""
        for state in states:
            self.reached[state] = (0, None, None)

    def finish(self, goal: State) -> None:
        """Record that the search is over: the path to `goal` is the answer."""
        self.found, self.goal = True, goal

    def note(self, kind: str, text: str = "", **facts: Any) -> None:
        """Tell a recording of this search what the arrivals do not show. Without a recording, do nothing.

        Call it once per phase or node of the engine's own, never for each successor.

        Args:
            kind: what it is. The bundled engines say `iteration`, `phase`, `mask widened`, `meeting`, `path`, `node`
                and `group`; others may say what they like. A `node` is something that the engine expands and that is
                not in `reached`: its facts `node`, `parent` and `cost` make it a node of the recording. A `group` drops
                the nodes so far.
            text: what a person reads.
            facts: states, costs and other values, by name.

        """
        if self.listener is not None:
            self.listener(kind, text, facts)

    def costs(self) -> Mapping[State, Cost]:
        """Return state → cost so far, of all states that were reached."""
        reached: Any = self.reached
        if hasattr(reached, "costs_so_far"):  # which knows them much sooner than the parents
            return reached.costs_so_far()  # type: ignore[no-any-return]  # such a mapping
        return {state: arrival[0] for state, arrival in self.reached.items()}

    def copy_from(self, other: "SearchTree[State, Action]") -> None:
        """Share everything that another tree holds but `poll`, so that all references to this tree see it."""
        vars(self).update({**vars(other), "poll": self.poll})

    def path_to(self, state: State) -> tuple[tuple[State, ...], tuple[Action, ...]]:
        """Return the states and the actions of the path on which `state` was reached.

        Raises `KeyError` if it was not. Takes time linear in the length of the path.
        """
        return self.trail(state)[:2]

    def trail(self, state: State) -> Trail:
        """Return the same path, with more of what the arrivals know about it. Raises `KeyError` as `path_to` does."""
        if hasattr(self.reached, "path_to"):
            return self.reached.path_to(state)  # type: ignore[no-any-return]  # `Arrivals`
        states: list[State] = [state]
        actions: list[Any] = []
        _, parent, action = self.reached[state]
        while parent is not None:
            states.append(parent)
            actions.append(action)
            if len(states) > len(self.reached):
                raise changed_state_error(state, ", or floats were added to fractions or large integers")
            _, parent, action = self.reached[parent]
        return Trail(tuple(reversed(states)), tuple(reversed(actions)))

    def expanded_states(self) -> set[State]:
        """Return the states that are expanded and not waiting to be expanded again.

        For depth-first engines, which keep no record of them, the states on the current path.
        """
        backward = self.backward.expanded_states() if self.backward else set()
        if self.closed is None:
            waiting = {state for state in self.frontier or () if isinstance(state, Hashable)}
            return backward | (self.reached.keys() - waiting - ({self.goal} if self.found else set()))
        return backward | set(self.closed)
