"""What authors of engines share: entering starts, costs, ties, warnings, bucket queues."""

from collections.abc import Callable
from heapq import heappush
from math import inf
from typing import Any

from sortedcontainers import SortedDict

from searchkit.basics.rounding import exceeds
from searchkit.errors import InvalidProblemError
from searchkit.plugin.specs import Parameter
from searchkit.problem import Action, Cost, SearchProblem, State, has_cost, start_states, step_costs
from searchkit.tree import SearchTree

TIES = Parameter(
    "ties",
    "the order of states that look equally good: high-g (larger cost so far first, then last in), "
    "low-h (smaller heuristic first, then last in), lifo (last in first) or fifo (first in first)",
    default="high-g",
    choices=("high-g", "lifo", "fifo", "low-h"),
)


def enter_starts(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> list[State]:
    """Enter the distinct start states into the tree and return them in their order."""
    starts = list(dict.fromkeys(start_states(problem)))
    for state in starts:
        tree.start(state)
    return starts


def enter_estimated_starts(
    problem: SearchProblem[State, Action],
    tree: SearchTree[State, Action],
    heuristic: Callable[[State], Cost] | None,
) -> list[tuple[State, Cost]]:
    """Enter the start states; return each with its heuristic value (0 without one), dead ends left out."""
    starts = [(state, 0 if heuristic is None else heuristic(state)) for state in enter_starts(problem, tree)]
    return [(state, h) for state, h in starts if 0 <= h < inf or not is_dead_end(state, h)]


def cost_function(problem: SearchProblem[State, Action]) -> Callable[[State, Action, State], Cost] | None:
    """Return the problem's cost function, or None where every action costs 1: then nothing needs to be called."""
    return problem.cost if has_cost(problem) else None


def put_back(frontier: list[Any], entry: Any) -> None:
    """Put the entry of an expansion that was broken off back into the heap, before all others.

    Successors that were entered already may look better, but the expansion is done again first, as if it had not been
    broken off. The second number of an entry only breaks ties. An entry that is still the first stays as it is.
    """
    first, _, *others = entry
    if not frontier:
        heappush(frontier, entry)
    elif frontier[0] is not entry:
        heappush(frontier, (min(first, frontier[0][0]), -inf, *others))


def is_dead_end(state: object, heuristic: Cost) -> bool:
    """Whether the heuristic says that no goal can be reached; an error if it is not a number ≥ 0 at all."""
    if heuristic == inf:
        return True
    raise InvalidProblemError(
        f"heuristic({state!r}) is {heuristic!r}; expected a number ≥ 0 (infinity where no goal can be reached)"
    )


def warn_of_inconsistency(
    problem: SearchProblem[State, Action],
    tree: SearchTree[State, Action],
    state: State,
    action: Action,
    successor: State,
) -> None:
    """Name the inconsistent step on the path by `state` to `successor`, a closed state that it reaches more cheaply.

    It asks the problem, which may raise: so it is called before anything is changed.
    """
    states, actions = tree.path_to(state)
    tree.warnings.append(inconsistency(problem, (*states, successor), (*actions, action)))


def inconsistency(
    problem: SearchProblem[State, Action], states: tuple[State, ...], actions: tuple[Action, ...]
) -> str:
    """Name the inconsistent step on a path on which a closed state was reached more cheaply.

    There is one: had the heuristic been consistent along that path, the path would have been expanded
    before the state was closed (Hart, Nilsson and Raphael 1968, lemma 2).
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


DENSE = 1 << 16
"""Integer priorities below this index a list of buckets; with any other, the buckets are sorted by priority."""


def bucket_for(priority: Any, tree: SearchTree[State, Action], new_bucket: Callable[[], Any]) -> Any:
    """Return the bucket of that priority, made if need be; sort all buckets once a list can't index them."""
    frontier = tree.frontier
    if isinstance(frontier, list):
        if isinstance(priority, int) and priority < DENSE:
            frontier.extend(new_bucket() for _ in range(priority + 1 - len(frontier)))
        else:
            frontier = tree.frontier = SortedDict((f, bucket) for f, bucket in enumerate(frontier) if bucket)
    if not isinstance(frontier, list) and priority not in frontier:
        frontier[priority] = new_bucket()
    return frontier[priority]


def least(frontier: Any, f: Any) -> tuple[Any, Any]:
    """Return the least priority from `f` up that has an entry, and its bucket; an empty bucket if none has."""
    if isinstance(frontier, list):
        while f < len(frontier) and not frontier[f]:
            f += 1
        return f, frontier[f] if f < len(frontier) else ()
    while frontier and not frontier.peekitem(0)[1]:
        frontier.popitem(0)
    return frontier.peekitem(0) if frontier else (f, ())
