"""0-1 breadth-first search."""

from collections import deque
from collections.abc import Iterator

from searchkit.engines.kit import cost_function, enter_starts
from searchkit.errors import InvalidProblemError
from searchkit.problem import Action, SearchProblem, State
from searchkit.tree import SearchTree


def zero_one(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> Iterator[State]:
    """Run Dijkstra's algorithm for costs 0 and 1 with a double-ended queue (Dial 1969, with two buckets).

    A successor at cost 0 goes to the front and one at cost 1 to the back, so that the queue stays in order of cost.

    Complete; optimal. Time and memory O(states + actions), without the logarithm of a heap. Any other
    cost is an error.

    Example:
        >>> from searchkit import problem_from, solve
        >>> blasting = problem_from([0], lambda x: [("walk", x + 1)], lambda x: x == 6,
        ...                         cost=lambda x, action, to: 1 if to % 3 == 0 else 0)
        >>> solve(blasting, "zero_one").cost
        2

    """
    successors, is_goal, cost, reached = (
        problem.successors,
        problem.is_goal,
        cost_function(problem),
        tree.reached,
    )
    if tree.frontier is None:
        tree.frontier, tree.closed = deque(enter_starts(problem, tree)), set()
    frontier, closed, generated = tree.frontier, tree.closed, tree.generated
    assert closed is not None
    while frontier:
        state = frontier[0]
        if state in closed:
            frontier.popleft()
            continue
        g = tree.lower_bound = reached[state][0]
        if is_goal(state):
            return tree.finish(state)
        if len(frontier) > tree.peak_frontier:
            tree.peak_frontier = len(frontier)
        yield state
        try:
            for action, successor in successors(state):
                generated += 1
                step = 1 if cost is None else cost(state, action, successor)
                if step not in (0, 1):
                    raise refused_cost(state, action, successor, step)
                arrival = reached.get(successor)
                if arrival is None or g + step < arrival[0]:
                    reached[successor] = (g + step, state, action)
                    if step:
                        frontier.append(successor)
                    else:
                        frontier.appendleft(successor)
        except BaseException:
            frontier.appendleft(state)  # the first again, though successors at cost 0 may be before it
            raise
        closed.add(state)
        tree.generated = generated
    return None


def refused_cost(state: object, action: object, successor: object, cost: object) -> InvalidProblemError:
    """Return the error for a cost that is neither 0 nor 1."""
    return InvalidProblemError(
        f"cost({state!r}, {action!r}, {successor!r}) is {cost!r}; engine 'zero_one' takes costs 0 and 1 "
        "only; use dijkstra or bucket"
    )
