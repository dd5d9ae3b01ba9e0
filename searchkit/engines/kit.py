"""What authors of engines share, in searchkit and in plugins: starts, the two phases of an expansion, ties, warnings.

An engine is a generator function `run(problem, tree, **options)`: see `searchkit.engines`. An expansion has two phases:
`expand` asks the problem, and `write` enters its answers into the tree. `bfs`, `dijkstra`, `astar` and others that are
to be read or to be fast have the first phase written out.
"""

from collections.abc import Callable, Collection, Iterable
from math import inf
from typing import Any, TypeVar

from searchkit.basics.checks import (
    NUMBERS,
    changed_state_error,
    checked_cost,
    checked_heuristic,
    cost_overflow_error,
    invalid_cost,
    start_states,
    step_costs,
)
from searchkit.basics.rounding import exceeds
from searchkit.plugin.specs import EngineFunction, EngineSpec, Parameter
from searchkit.problem import Action, Cost, SearchProblem, State, has_cost, has_heuristic
from searchkit.tree import Arrival, SearchTree

__all__ = [
    "NUMBERS",
    "POLL_EVERY",
    "SPECS",
    "TIES",
    "UNIT_COST",
    "changed_state_error",
    "checked_cost",
    "checked_heuristic",
    "cost_function",
    "cost_overflow_error",
    "distinct_starts",
    "engine",
    "enter_halves",
    "enter_starts",
    "enter_starts_with_heuristic",
    "expand",
    "heuristic_function",
    "inconsistency",
    "invalid_cost",
    "join",
    "record_meeting",
    "record_meetings",
    "values_of",
    "warn_of_inconsistency",
    "warns_of_overestimate",
    "write",
]

TIES = Parameter(
    "ties",
    "the order of states that look equally good: high-g (larger cost so far first, then last in), "
    "low-h (smaller heuristic first, then last in), lifo (last in first) or fifo (first in first)",
    default="high-g",
    choices=("high-g", "lifo", "fifo", "low-h"),
)
"""The option `ties` of best-first engines, for `EngineSpec.options`."""


UNIT_COST: Cost = 1
"""The cost of each action of a problem without costs."""
POLL_EVERY = 16
"""The number of successors between two calls of `tree.poll`: few, because costs and heuristics may take long."""


Run = TypeVar("Run", bound=EngineFunction)
SPECS: dict[EngineFunction, EngineSpec] = {}
"""The engines that were declared by `engine`."""


def engine(name: str, summary: str, **promises: Any) -> Callable[[Run], Run]:
    """Declare an engine above its function, with its promises as data: they are the fields of `EngineSpec`."""

    def declare(run: Run) -> Run:
        SPECS[run] = EngineSpec(name, run, summary, **promises)
        return run

    return declare


def distinct_starts(problem: SearchProblem[State, Action]) -> list[State]:
    """Return the start states, each once, in the order in which the problem gives them.

    Raises:
        InvalidProblemError: there are none, or `initial_states` returned what can't be states.

    """
    return list(dict.fromkeys(start_states(problem)))


def enter_starts(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> list[State]:
    """Enter the distinct start states into `tree.reached`, each at cost 0, and return them in their order.

    Raises:
        InvalidProblemError: as `distinct_starts`.

    """
    starts = distinct_starts(problem)
    tree.start(*starts)
    return starts


def values_of(
    states: Iterable[State], heuristic: Callable[[State], Cost] | None, member: str = "heuristic"
) -> list[tuple[State, Cost]]:
    """Return (state, checked heuristic value) of each state; the value is 0 if `heuristic` is None.

    Raises:
        InvalidProblemError: a heuristic value is not a number ≥ 0.

    """
    if heuristic is None:
        return [(state, 0) for state in states]
    return [(state, checked_heuristic(state, heuristic(state), member)) for state in states]


def enter_starts_with_heuristic(
    problem: SearchProblem[State, Action],
    tree: SearchTree[State, Action],
    heuristic: Callable[[State], Cost] | None,
) -> list[tuple[State, Cost]]:
    """Enter the distinct start states; return (state, heuristic value) for each that is not a dead end.

    Args:
        problem: whose start states are entered.
        tree: where they are entered, dead ends too, after the problem was asked for all values.
        heuristic: what to call for the value; None for 0 at each state.

    Raises:
        InvalidProblemError: as `distinct_starts`, and if a heuristic value is not a number ≥ 0.

    """
    starts = values_of(distinct_starts(problem), heuristic)
    tree.start(*(state for state, _ in starts))
    return [(state, h) for state, h in starts if h < inf]


def cost_function(problem: SearchProblem[State, Action]) -> Callable[[State, Action, State], Cost] | None:
    """Return the problem's cost function; None if every action costs 1, so that nothing needs to be called."""
    return problem.cost if has_cost(problem) else None


def heuristic_function(problem: SearchProblem[State, Action]) -> Callable[[State], Cost] | None:
    """Return the problem's heuristic; None if it has none of its own."""
    return problem.heuristic if has_heuristic(problem) else None


def expand(
    tree: SearchTree[State, Action],
    state: State,
    g: Cost,
    successors: Callable[[State], Iterable[tuple[Action, State]]],
    cost: Callable[[State, Action, State], Cost] | None,
    heuristic: Callable[[State], Cost] | None = None,
    *,
    new_only: bool = False,
    equals: bool = False,
    half: SearchTree[State, Action] | None = None,
) -> tuple[int, list[tuple[int, Action, State, Cost, Cost]]]:
    """Ask the problem about the actions in a state. Nothing is written: if the problem raises, the tree is unchanged.

    Args:
        tree: has the counter of generated successors, and `poll`.
        state: the state to expand.
        g: the cost of the path to it.
        successors: returns its (action, successor) pairs.
        cost: returns the cost of an action; None if every action costs 1.
        heuristic: returns the estimate of a successor; None for 0 at each.
        new_only: whether to leave out all successors that are in `reached`, instead of those reached as cheaply.
        equals: whether to leave out only those reached more cheaply.
        half: whose `reached` counts; None for that of the tree. If it is the tree's backward half, actions lead from
            the successors to the state.

    Returns:
        The counter after this expansion, and (counter at this successor, action, successor, g, h) of each successor
        that is not left out, and no dead end.

    Raises:
        InvalidProblemError: a cost is not a finite number ≥ 0, a heuristic value is not a number ≥ 0, or f is too large
            for a float.

    """
    reached = (half or tree).reached
    step: Cost = 1
    h: Cost = 0
    backward, generated, found = half is not None and half is tree.backward, tree.generated, []
    for action, child in successors(state):
        generated += 1
        if not generated % POLL_EVERY:
            tree.poll()
        known = reached.get(child)
        if known is not None and new_only:
            continue
        if cost is not None:
            edge = (child, action, state) if backward else (state, action, child)
            step = cost(*edge)
            if type(step) not in NUMBERS or not 0 <= step < inf:
                step = checked_cost(*edge, step)
        new_g = g + step
        if known is None or new_g < known[0] or (equals and new_g == known[0]):
            if heuristic is not None:
                h = heuristic(child)
                if type(h) not in NUMBERS or not h >= 0:
                    h = checked_heuristic(child, h, "backward_heuristic" if backward else "heuristic")
            if not new_g + h < inf:
                if h == inf:
                    continue  # a dead end
                raise cost_overflow_error(child)
            found.append((generated, action, child, new_g, h))
    return generated, found


def write(
    tree: SearchTree[State, Action],
    state: State,
    generated: int,
    children: Iterable[tuple[State, Arrival[State, Action], Any]],
    push: Callable[[Any], object],
    half: SearchTree[State, Action] | None = None,
) -> None:
    """Write an expansion of a best-first engine: close `state`, and enter the arrivals that are cheaper than before.

    A closed state that is reached more cheaply is opened again. No member of the problem is called.

    Args:
        tree: has the counters.
        state: the expanded state, which was removed from the frontier.
        generated: the counter of generated successors after this expansion.
        children: (successor, arrival, entry for the frontier) in the order in which they were generated.
        push: adds an entry to the frontier.
        half: where the arrivals are entered; None for the tree itself. If its `closed` is a list, no state is opened
            again.

    Raises:
        InvalidProblemError: a state was changed after it was returned.

    """
    half = half or tree
    reached, closed = half.reached, half.closed
    if isinstance(closed, set):
        closed.add(state)
    else:
        closed.append(state)
        closed = ()
    tree.generated = generated
    for child, arrival, entry in children:
        known = reached.get(child)
        if known is None or arrival[0] < known[0]:
            if known is not None and child in closed:
                closed.remove(child)
                tree.reopened += 1
            reached[child] = arrival
            push(entry)
        elif known[1] is not state:  # neither a new state nor reached twice in this expansion
            raise changed_state_error(child)


def warn_of_inconsistency(
    problem: SearchProblem[State, Action],
    tree: SearchTree[State, Action],
    state: State,
    action: Action,
    successor: State,
) -> None:
    """Add a warning that names the inconsistent step on the path through `state` to `successor`.

    Call it when `successor` is closed and is reached more cheaply from `state`, before the tree is changed: it calls
    members of the problem, which may raise.
    """
    states, actions = tree.path_to(state)
    tree.warnings.append(inconsistency(problem, (*states, successor), (*actions, action)))


def inconsistency(
    problem: SearchProblem[State, Action], states: tuple[State, ...], actions: tuple[Action, ...]
) -> str:
    """Return the warning that names the inconsistent step on a path that reached a closed state more cheaply.

    Such a step exists: if the heuristic were consistent along that path, the path would have been expanded before
    the state was closed (Hart, Nilsson and Raphael 1968, lemma 2).

    Raises:
        InvalidProblemError: a cost on the path is not a finite number ≥ 0.

    """
    h = [value for _, value in values_of(states, problem.heuristic)]
    costs = step_costs(problem, states, actions)
    excesses = [h[i] - cost - h[i + 1] for i, cost in enumerate(costs)]
    excess = max(excesses)
    step = excesses.index(excess)
    before, after = states[step : step + 2]
    where = f"heuristic is inconsistent between {before!r} and {after!r}"
    if not exceeds(h[step], costs[step] + h[step + 1], len(costs), sum(costs)):
        return f"{where} by a rounding error of floats; exact costs, such as integers, avoid it"
    return f"{where}: it drops by {excess} more than the step costs"


def enter_halves(
    tree: SearchTree[State, Action], starts: Collection[State], goals: Collection[State]
) -> SearchTree[State, Action]:
    """Enter the start states, and the goals into a new backward half, and return it. Record starts that are goals."""
    backward: SearchTree[State, Action] = SearchTree()
    tree.start(*starts)
    backward.start(*goals)
    tree.backward = backward
    for state in goals:
        if state in tree.reached:
            record_meeting(tree, state, 0)
    return backward


def record_meeting(tree: SearchTree[State, Action], state: State, cost: Cost) -> None:
    """Keep a path through `state`, which both halves have reached, if it is the cheapest so far."""
    if tree.incumbent is None or cost < tree.incumbent:
        tree.incumbent, tree.goal = cost, state
        tree.note("meeting", state=state, cost=cost)


def record_meetings(
    tree: SearchTree[State, Action], other: SearchTree[State, Action], arrivals: Iterable[Any]
) -> None:
    """Record the meetings among the arrivals that `expand` returned; `other` is the half that was not expanded."""
    for _, _, child, g, _ in arrivals:
        if child in other.reached:
            record_meeting(tree, child, g + other.reached[child][0])


def join(
    problem: SearchProblem[State, Action],
    tree: SearchTree[State, Action],
    backward: SearchTree[State, Action],
) -> State:
    """Extend the forward tree along the backward arrivals, from the meeting to a goal; return that goal.

    An arrival of the forward tree at the same or a lower cost is kept, so that steps of cost 0 make no cycle.
    """
    states, actions = backward.path_to(tree.goal)  # type: ignore[arg-type]  # the meeting
    states, actions = states[::-1], actions[::-1]
    costs = step_costs(problem, states, actions)
    for before, action, after, step in zip(states, actions, states[1:], costs, strict=False):
        g = tree.reached[before][0] + step
        if after not in tree.reached or g < tree.reached[after][0]:
            tree.reached[after] = (g, before, action)
    return states[-1]


def warns_of_overestimate(
    tree: SearchTree[State, Action], goal: State, heuristic: Callable[[State], Cost] | None
) -> bool:
    """Whether a backward heuristic exceeds the cost so far on the path to `goal`; a warning then says where."""
    states = tree.path_to(goal)[0]
    for length, (state, h) in enumerate(values_of(states, heuristic, "backward_heuristic")):
        g = tree.reached[state][0]
        if exceeds(h, g, length, tree.reached[goal][0]):
            tree.warnings.append(
                f"backward_heuristic is not admissible: backward_heuristic({state!r}) is {h}, but a path of cost {g} "
                "leads there from a start; a cheaper path than this one may exist"
            )
            return True
    return False
