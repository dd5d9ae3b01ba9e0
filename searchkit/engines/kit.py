"""What authors of engines share, in searchkit and in plugins: starts, the two phases of an expansion, ties, warnings.

An engine is a generator function `run(problem, tree, **options)`: see `searchkit.engines`. An expansion has two phases:
`expand` asks the problem, and `write` enters its answers into the tree. `bfs`, `dijkstra`, `astar` and others that are
to be read or to be fast have the first phase written out.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from heapq import heappush
from math import inf
from types import SimpleNamespace
from typing import Any, TypeAlias, TypeVar

from searchkit.basics.checks import NUMBERS as NUMBERS
from searchkit.basics.checks import changed_state_error as changed_state_error
from searchkit.basics.checks import checked_cost as checked_cost
from searchkit.basics.checks import checked_heuristic as checked_heuristic
from searchkit.basics.checks import cost_overflow_error as cost_overflow_error
from searchkit.basics.checks import distinct_starts as distinct_starts
from searchkit.basics.checks import step_costs
from searchkit.basics.rounding import exceeds
from searchkit.errors import quoted
from searchkit.plugin.options import Parameter
from searchkit.plugin.specs import EngineFunction, EngineSpec
from searchkit.problem import Cost, SearchProblem, has_cost, has_heuristic
from searchkit.tree import Arrival, SearchTree

Problem: TypeAlias = SearchProblem[Any, Any]
Tree: TypeAlias = SearchTree[Any, Any]
States: TypeAlias = Iterator[Any]
"""What an engine yields: each state just before it expands it."""
CostFunction: TypeAlias = Callable[[Any, Any, Any], Cost]
Heuristic: TypeAlias = Callable[[Any], Cost]
TIES = Parameter(
    "ties",
    "the order of states that look equally good: high-g (larger cost so far first, then last in), "
    "low-h (smaller heuristic first, then last in), lifo (last in first) or fifo (first in first)",
    default="high-g",
    choices=("high-g", "lifo", "fifo", "low-h"),
)
"""The option `ties` of best-first engines, for `EngineSpec.options`."""
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


def enter_starts(problem: Problem, tree: Tree) -> list[Any]:
    """Enter the distinct start states into `tree.reached`, each at cost 0, and return them in their order.

    Raises `InvalidProblemError` if there are none, or if `initial_states` returned what can't be states.
    """
    starts = distinct_starts(problem)
    tree.start(*starts)
    return starts


def values_of(states: Iterable[Any], heuristic: Heuristic | None) -> list[tuple[Any, Cost]]:
    """Return (state, heuristic value) of each state; the value is 0 if `heuristic` is None.

    Raises `InvalidProblemError` if a value is not a number ≥ 0.
    """
    if heuristic is None:
        return [(state, 0) for state in states]
    return [(state, checked_heuristic(state, heuristic(state))) for state in states]


def enter_starts_with_heuristic(
    problem: Problem, tree: Tree, heuristic: Heuristic | None
) -> list[tuple[Any, Cost]]:
    """Enter the distinct start states, dead ends too; return (state, heuristic value) for each that is not a dead end.

    Raises `InvalidProblemError` as `enter_starts` and `values_of` do.
    """
    starts = values_of(distinct_starts(problem), heuristic)
    tree.start(*(state for state, _ in starts))
    return [(state, h) for state, h in starts if h < inf]


def cost_function(problem: Problem) -> CostFunction | None:
    """Return the problem's cost function; None if every action costs 1, so that nothing needs to be called."""
    return problem.cost if has_cost(problem) else None


def heuristic_function(problem: Problem) -> Heuristic | None:
    """Return the problem's heuristic; None if it has none of its own."""
    return problem.heuristic if has_heuristic(problem) else None


def reverse(problem: Any) -> Any:
    """Return a `Reversible` problem as it is seen from its goals: its successors are the predecessors.

    Its heuristic is `backward_heuristic`, if the problem has it (`BackwardHeuristic`).
    """

    def cost(state: Any, action: Any, predecessor: Any) -> Any:
        step = problem.cost(predecessor, action, state)
        valid = type(step) in NUMBERS and 0 <= step < inf
        return step if valid else checked_cost(predecessor, action, state, step)

    def heuristic(state: Any) -> Cost:
        return checked_heuristic(state, problem.backward_heuristic(state), "backward_heuristic")

    return SimpleNamespace(
        initial_states=problem.goal_states,
        goal_states=problem.initial_states,
        successors=problem.predecessors,
        predecessors=problem.successors,
        cost=cost if has_cost(problem) else None,
        heuristic=heuristic if getattr(problem, "backward_heuristic", None) is not None else None,
    )


def is_dead_end(state: Any, h: Cost) -> bool:
    """Return True if h is infinite, where f is. Raises `InvalidProblemError` if not: the path costs too much."""
    if h == inf:
        return True
    raise cost_overflow_error(state)


def counted(g: Cost, h: Cost, number: int, state: Any) -> tuple[int, Cost]:
    """Return the number of a successor, counted through the whole search, and its heuristic value."""
    return number, h


def by_f(g: Cost, h: Cost, number: int, state: Any) -> tuple[Cost, int, Cost, Any]:
    """Return an entry for a heap in order of f = g + h, of equal f the first in first: (f, number, g, state)."""
    return g + h, number, g, state


def expand(
    tree: Tree,
    state: Any,
    g: Cost,
    successors: Callable[[Any], Iterable[tuple[Any, Any]]],
    cost: CostFunction | None,
    heuristic: Heuristic | None = None,
    entry: Callable[[Any, Any, int, Any], Any] = counted,
    *,
    new_only: bool = False,
    equals: bool = False,
    half: Tree | None = None,
) -> tuple[int, list[tuple[Any, Arrival[Any, Any], Any]]]:
    """Ask the problem about the actions in a state. Nothing is written: if the problem raises, the tree is unchanged.

    Args:
        tree: has the counter of generated successors, and `poll`.
        state: the state to expand.
        g: the cost of the path to it.
        successors: returns its (action, successor) pairs.
        cost: returns the cost of an action; None if every action costs 1.
        heuristic: returns the estimate of a successor; None for 0 at each.
        entry: `entry(g, h, number, successor)` returns the entry for the frontier; by default (number, h).
        new_only: whether to leave out all successors that are in `reached`, instead of those reached as cheaply.
        equals: whether to leave out only those reached more cheaply.
        half: whose `reached` counts; None for that of the tree.

    Returns:
        The counter after this expansion, and (successor, arrival, entry) of each successor that is not left out, and no
        dead end: as `write` takes them.

    Raises:
        InvalidProblemError: a cost is not a finite number ≥ 0, a heuristic value is not a number ≥ 0, or f is too large
            for a float.

    """
    reached = (half or tree).reached
    new_g, generated, children = g + 1, tree.generated, []
    h: Cost = 0
    for action, child in successors(state):
        generated += 1
        if not generated % POLL_EVERY:
            tree.poll()
        known = reached.get(child)
        if known is not None and new_only:
            continue
        if cost is not None:
            step = cost(state, action, child)
            if type(step) not in NUMBERS or not 0 <= step < inf:
                step = checked_cost(state, action, child, step)
            new_g = g + step
        if known is None or new_g < known[0] or (equals and new_g == known[0]):
            if heuristic is not None:
                h = heuristic(child)
                if type(h) not in NUMBERS or not h >= 0:
                    h = checked_heuristic(child, h)
            if not new_g + h < inf and is_dead_end(child, h):
                continue
            children.append((child, (new_g, state, action), entry(new_g, h, generated, child)))
    return generated, children


def write(
    tree: Tree,
    state: Any,
    generated: int,
    children: Iterable[tuple[Any, Arrival[Any, Any], Any]],
    push: Callable[[Any, Any], object] = heappush,
    half: Tree | None = None,
) -> None:
    """Write what the expansion of `state` by a best-first engine has found: the arrivals that are cheaper than before.

    A closed state that is reached more cheaply is opened again. No member of the problem is called.

    Args:
        tree: has the counters.
        state: the expanded state, which was removed from the frontier.
        generated: the counter of generated successors after this expansion.
        children: (successor, arrival, entry for the frontier) in the order in which they were generated.
        push: `push(frontier, entry)` adds an entry to the frontier.
        half: where the arrivals are entered; None for the tree itself. If its `closed` is not a set, no state is opened
            again.

    Raises:
        InvalidProblemError: a state was changed after it was returned.

    """
    half = half or tree
    reached, frontier = half.reached, half.frontier
    tree.generated = generated
    for child, arrival, entry in children:
        known = reached.setdefault(child, arrival)
        if known is not arrival:
            if known[0] <= arrival[0]:
                if known[1] is not state:  # it is not reached twice in this expansion either
                    raise changed_state_error(child)
                continue
            if isinstance(half.closed, set) and child in half.closed:
                half.closed.remove(child)
                tree.reopened += 1
            reached[child] = arrival
        push(frontier, entry)
    if len(frontier) > tree.peak_frontier:
        tree.peak_frontier = len(frontier)


def warn_of_inconsistency(problem: Problem, tree: Tree, state: Any, action: Any, successor: Any) -> None:
    """Add a warning that names the inconsistent step on the path through `state` to `successor`.

    Call it when `successor` is closed and is reached more cheaply from `state`, before the tree is changed: it calls
    members of the problem, which may raise. Such a step exists: if the heuristic were consistent along that path, the
    path would have been expanded before (Hart, Nilsson and Raphael 1968, lemma 2). If the backward half grows, the
    warning names only the successor.
    """
    if tree.growing is not None and tree.growing is tree.backward:
        tree.warnings.append(
            f"backward_heuristic is inconsistent: a cheaper path from {quoted(successor)} was found after its expansion"
        )
        return
    states, actions = tree.path_to(state)
    states, actions = (*states, successor), (*actions, action)
    h = [value for _, value in values_of(states, heuristic_function(problem))]
    costs = step_costs(problem, states, actions)
    excesses = [h[i] - cost - h[i + 1] for i, cost in enumerate(costs)]
    excess = max(excesses)
    step = excesses.index(excess)
    how = f": it drops by {excess} more than the step costs"
    if not exceeds(h[step], costs[step] + h[step + 1], len(costs), sum(costs)):
        how = " by a rounding error of floats; exact costs, such as integers, avoid it"
    where = f"heuristic is inconsistent between {quoted(states[step])} and {quoted(states[step + 1])}"
    tree.warnings.append(where + how)


def warn_of_reopening(problem: Problem, tree: Tree, closed: Any, children: Iterable[Any]) -> None:
    """Add that warning if an expansion has found a cheaper path to a closed state, unless there is a warning."""
    for child, (_, state, action), _ in () if tree.warnings else children:
        if child in closed:
            warn_of_inconsistency(problem, tree, state, action, child)
            return


def allow_reopening(problem: Problem, tree: Tree, *child: Any) -> Callable[[Any], object]:
    """Make `tree.closed` a set, so that `write` opens closed states again, and return its `add`.

    Warns if `child`, which is (successor, arrival, entry), is closed.
    """
    if not isinstance(tree.closed, set):
        tree.closed = set(tree.closed)
    warn_of_reopening(problem, tree, tree.closed, [child])
    return tree.closed.add


def enter_halves(tree: Tree, starts: Collection[Any], goals: Collection[Any]) -> Tree:
    """Enter the start states, and the goals into a new backward half, which is returned."""
    tree.backward = backward = SearchTree[Any, Any]()
    tree.start(*starts)
    backward.start(*goals)
    tree.closed, backward.closed = set(), set()
    record_meetings(tree, tree, ((state, (0, None, None), None) for state in goals))
    return backward


def record_meetings(tree: Tree, other: Tree, children: Iterable[Any]) -> None:
    """Keep the cheapest path through a state that both halves have reached: its cost is the incumbent.

    `children` is what `expand` returned, and `other` the half that was not expanded.
    """
    reached = other.reached
    for state, (g, _, _), _ in children:
        if state in reached:
            cost = g + reached[state][0]
            if tree.incumbent is None or cost < tree.incumbent:
                tree.incumbent, tree.goal = cost, state
                tree.note("meeting", state=state, cost=cost)


def finish_at_meeting(problem: Any, tree: Tree, heuristic: Any = None) -> None:
    """End a search with the path through the meeting: extend the forward tree along the backward arrivals to a goal.

    An arrival of the forward tree at the same or a lower cost is kept, so that steps of cost 0 make no cycle. If the
    backward heuristic exceeds the cost so far of a state on the path, nothing is proved, and a warning names the state.
    """
    assert tree.backward is not None
    reached = tree.reached
    states, actions = (part[::-1] for part in tree.backward.path_to(tree.goal))
    costs = step_costs(problem, states, actions)
    for before, action, after, step in zip(states, actions, states[1:], costs, strict=False):
        g = reached[before][0] + step
        if after not in reached or g < reached[after][0]:
            reached[after] = (g, before, action)
    goal = states[-1]
    cost = bound = reached[goal][0]
    for length, (state, h) in enumerate(values_of(tree.path_to(goal)[0], heuristic)):
        g = reached[state][0]
        if exceeds(h, g, length, cost):
            bound = 0
            tree.warnings.append(
                f"backward_heuristic is not admissible: backward_heuristic({quoted(state)}) is {h}, but a path of "
                f"cost {g} leads there from a start; a cheaper path than this one may exist"
            )
            break
    tree.lower_bound = bound
    tree.finish(goal)
