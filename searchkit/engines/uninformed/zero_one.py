"""0-1 breadth-first search."""

from collections import deque
from typing import Any

from searchkit.basics.checks import python_number
from searchkit.engines import kit
from searchkit.errors import InvalidProblemError, quoted
from searchkit.problem import Cost


@kit.engine(
    "zero_one",
    "0-1 breadth-first: least cost where costs are 0 and 1 (Dial 1969)",
    aliases=("0-1 bfs", "01 bfs", "0-1"),
    optimal=True,
    costs="zero-one",
    kernel="zero_one",
)
def zero_one(problem: kit.Problem, tree: kit.Tree) -> kit.States:
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
    is_goal, reached, cost = problem.is_goal, tree.reached, kit.cost_function(problem)

    def zero_or_one(state: Any, action: Any, successor: Any) -> Cost:
        step = 1 if cost is None else cost(state, action, successor)
        if python_number(step) not in (0, 1):
            raise refused_cost(state, action, successor, step)
        return step

    def push(frontier: deque[Any], state: Any) -> None:
        frontier.append(state) if reached[state][0] > g else frontier.appendleft(state)

    if tree.frontier is None:
        starts, tree.closed = kit.enter_starts(problem, tree), set()
        tree.frontier = deque(starts)
    frontier, closed = tree.frontier, tree.closed
    while frontier:
        state = frontier[0]
        if state in closed:
            frontier.popleft()
            continue
        g = tree.lower_bound = reached[state][0]
        if is_goal(state):
            return tree.finish(state)
        yield state
        generated, children = kit.expand(
            tree, state, g, problem.successors, zero_or_one, entry=lambda *child: child[-1]
        )
        frontier.popleft()
        closed.add(state)
        kit.write(tree, state, generated, children, push)
    return None


def refused_cost(state: object, action: object, successor: object, cost: object) -> InvalidProblemError:
    """Return the error for a cost that is neither 0 nor 1."""
    return InvalidProblemError(
        f"cost({quoted(state)}, {quoted(action)}, {quoted(successor)}) is {quoted(cost)}; engine 'zero_one' takes "
        "costs 0 and 1 only; use dijkstra or bucket"
    )
