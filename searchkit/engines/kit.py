"""What authors of engines share, in searchkit and in plugins: starts, costs, heuristic values, ties, bucket queues.

An engine is a generator function `run(problem, tree, **options)`: see `searchkit.engines`. A typical one begins

    successors, cost = problem.successors, cost_function(problem)
    if tree.frontier is None:
        tree.frontier = deque(enter_starts(problem, tree))

so that a new generator over the same tree continues where the last one stopped.
"""

from collections.abc import Callable
from heapq import heappush
from math import inf
from typing import Any

from sortedcontainers import SortedDict

from searchkit.basics.checks import cost_overflow_error, invalid_cost, start_states, step_costs
from searchkit.basics.rounding import exceeds
from searchkit.errors import InvalidProblemError
from searchkit.plugin.specs import Parameter
from searchkit.problem import Action, Cost, SearchProblem, State, has_cost
from searchkit.tree import SearchTree

__all__ = [
    "DENSE",
    "TIES",
    "bucket_for",
    "check_heuristic_value",
    "cost_function",
    "cost_overflow_error",
    "distinct_starts",
    "enter_starts",
    "enter_starts_with_heuristic",
    "inconsistency",
    "invalid_cost",
    "join",
    "least_bucket",
    "meet",
    "put_back",
    "warn_of_inconsistency",
]

TIES = Parameter(
    "ties",
    "the order of states that look equally good: high-g (larger cost so far first, then last in), "
    "low-h (smaller heuristic first, then last in), lifo (last in first) or fifo (first in first)",
    default="high-g",
    choices=("high-g", "lifo", "fifo", "low-h"),
)
"""The option `ties` of best-first engines, for `EngineSpec.options`."""


DENSE = 1 << 16
"""Integer priorities below this index a list of buckets; with any other, the buckets are sorted by priority."""


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
    for state in starts:
        tree.start(state)
    return starts


def enter_starts_with_heuristic(
    problem: SearchProblem[State, Action],
    tree: SearchTree[State, Action],
    heuristic: Callable[[State], Cost] | None,
) -> list[tuple[State, Cost]]:
    """Enter the distinct start states; return (state, heuristic value) for each that is not a dead end.

    Args:
        problem: whose start states are entered.
        tree: where they are entered, dead ends too.
        heuristic: what to call for the value; None for 0 at each state.

    Raises:
        InvalidProblemError: as `distinct_starts`, and if a heuristic value is not a number ≥ 0.

    """
    starts = [(state, 0 if heuristic is None else heuristic(state)) for state in enter_starts(problem, tree)]
    for state, h in starts:
        if not 0 <= h < inf:
            check_heuristic_value(state, h)
    return [(state, h) for state, h in starts if h < inf]


def cost_function(problem: SearchProblem[State, Action]) -> Callable[[State, Action, State], Cost] | None:
    """Return the problem's cost function; None if every action costs 1, so that nothing needs to be called."""
    return problem.cost if has_cost(problem) else None


def check_heuristic_value(state: object, h: Cost) -> None:
    """Accept a heuristic value that is a number ≥ 0 or infinity, which says that no goal can be reached.

    Engines test `0 <= h < inf` in their loop, and call this only if that is false: if it returns, the state is a
    dead end.

    Raises:
        InvalidProblemError: `h` is negative, NaN, or not a number.

    """
    if not h >= 0:
        raise InvalidProblemError(
            f"heuristic({state!r}) is {h!r}; expected a number ≥ 0 (infinity where no goal can be reached)"
        )


def put_back(frontier: list[Any], entry: Any) -> None:
    """Put the entry of an interrupted expansion back into a heap, before all other entries.

    Successors that were already entered may have a better priority; the interrupted expansion is still done again
    first, as if it had not been interrupted.

    Args:
        frontier: a heap of tuples (priority, number that breaks ties, …).
        entry: the tuple that was taken from it. If it is still the first, it stays as it is.

    """
    first, _, *others = entry
    if not frontier:
        heappush(frontier, entry)
    elif frontier[0] is not entry:
        heappush(frontier, (min(first, frontier[0][0]), -inf, *others))


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
    h = [problem.heuristic(s) for s in states]
    costs = step_costs(problem, states, actions)
    excesses = [h[i] - cost - h[i + 1] for i, cost in enumerate(costs)]
    excess = max(excesses)
    step = excesses.index(excess)
    before, after = states[step : step + 2]
    where = f"heuristic is inconsistent between {before!r} and {after!r}"
    if not exceeds(h[step], costs[step] + h[step + 1], len(costs), sum(costs)):
        return f"{where} by a rounding error of floats; exact costs, such as integers, avoid it"
    return f"{where}: it drops by {excess} more than the step costs"


def bucket_for(priority: Any, tree: SearchTree[State, Action], new_bucket: Callable[[], Any]) -> Any:
    """Return the bucket of a priority in `tree.frontier`; create it if it does not exist.

    `tree.frontier` is a list of buckets while all priorities are integers below `DENSE`. The first other priority
    replaces it by a `SortedDict` of buckets.

    Args:
        priority: a number, or a tuple of numbers.
        tree: its frontier is a list or a `SortedDict`, and may be replaced.
        new_bucket: makes an empty bucket.

    """
    frontier = tree.frontier
    if isinstance(frontier, list):
        if isinstance(priority, int) and priority < DENSE:
            frontier.extend(new_bucket() for _ in range(priority + 1 - len(frontier)))
        else:
            frontier = tree.frontier = SortedDict((f, bucket) for f, bucket in enumerate(frontier) if bucket)
    if not isinstance(frontier, list) and priority not in frontier:
        frontier[priority] = new_bucket()
    return frontier[priority]


def least_bucket(frontier: Any, f: Any) -> tuple[Any, Any]:
    """Return (priority, bucket) of the first bucket at `f` or above that is not empty.

    If there is none, the bucket returned is empty. A `SortedDict` is searched from its beginning, and its empty
    buckets there are removed.
    """
    if isinstance(frontier, list):
        while f < len(frontier) and not frontier[f]:
            f += 1
        return f, frontier[f] if f < len(frontier) else ()
    while frontier and not frontier.peekitem(0)[1]:
        frontier.popitem(0)
    return frontier.peekitem(0) if frontier else (f, ())


def meet(tree: SearchTree[State, Action], state: State, cost: Cost) -> None:
    """Keep a path through `state`, which both halves have reached, if it is the cheapest so far."""
    if tree.incumbent is None or cost < tree.incumbent:
        tree.incumbent, tree.goal = cost, state
        tree.note("meeting", state=state, cost=cost)


def join(
    problem: SearchProblem[State, Action],
    tree: SearchTree[State, Action],
    backward: SearchTree[State, Action],
) -> State:
    """Extend the forward tree along the backward arrivals, from the meeting to a goal; return that goal.

    An arrival of the forward tree at the same or a lower cost is kept, so that steps of cost 0 make no cycle.
    """
    cost = cost_function(problem)
    states, actions = backward.path_to(tree.goal)  # type: ignore[arg-type]  # the meeting
    for before, action, after in zip(states[::-1], actions[::-1], states[-2::-1], strict=False):
        g = tree.reached[before][0] + (1 if cost is None else cost(before, action, after))
        if after not in tree.reached or g < tree.reached[after][0]:
            tree.reached[after] = (g, before, action)
    return states[0]
