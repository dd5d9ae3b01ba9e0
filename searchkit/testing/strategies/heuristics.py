"""A strategy of heuristics with given properties, made from the exact distances to the goals (h*)."""

from fractions import Fraction
from math import inf
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from searchkit.errors import InvalidOptionError, InvalidProblemError
from searchkit.problem import Cost, SearchProblem
from searchkit.testing.spaces.digraphs import WeightedDigraph, with_heuristic
from searchkit.testing.spaces.space import StateSpace, explore, is_consistent

QUARTERS = 4
PARTS = (0, 4, 2, 1, 3, 0, 4, 0, 4)
"""Quarters of h*, the simplest first: nothing and all of it are the most frequent values in practice."""
PATTERN = 16
"""The largest number of drawn parts; on a larger space they are repeated."""
PATTERNS = st.text("012345678", min_size=1, max_size=PATTERN)
"""Indices of `PARTS`."""
# Drawn as text, because Hypothesis copies drawn values to places of the same type, and the graph is drawn as bytes.
FLAGS: dict[str, dict[str, bool]] = {
    "admissible": {},
    "consistent": {"consistent": True},
    "inconsistent": {"consistent": False},
    "inadmissible": {"admissible": False},
}


def heuristics_for(
    problem: SearchProblem[Any, Any],
    admissible: bool = True,
    consistent: bool | None = None,
    *,
    max_states: int = 10_000,
) -> st.SearchStrategy[Any]:
    """Draw the same problem with a heuristic that has these properties, over all reachable states.

    A heuristic is admissible if h(s) ≤ h*(s), the least cost from s to a goal, for every state s. It is consistent if
    also h(s) ≤ c(s, a, s') + h(s') for every action. Each consistent heuristic is admissible, and each can be drawn.
    It shrinks to 0 everywhere, as far as the properties allow.

    If the problem has no such heuristic, a similar one is drawn: if no action costs less than h* of its state, every
    admissible heuristic is consistent; if no goal can be reached, every heuristic is admissible.

    Args:
        problem: any problem with a finite state space; for a `WeightedDigraph`, another one is drawn.
        admissible: whether it never overestimates. If not, it overestimates at a state that leads to a goal.
        consistent: whether it is consistent; None for either.
        max_states: the largest number of states.

    Raises:
        InvalidOptionError: consistent, but not admissible: there is no such heuristic.
        InvalidProblemError: more than `max_states` states can be reached.

    """
    if consistent and not admissible:
        raise InvalidOptionError(
            "admissible=False, consistent=True: every consistent heuristic is admissible; leave one of them out"
        )
    space = explore(problem, max_states)
    if not space.whole:
        raise InvalidProblemError(
            f"{problem!r}\nhas more than {max_states} states, and its exact distances are needed; "
            "take a smaller problem, or give more max_states"
        )
    return _with_table(problem, space, admissible, consistent)


@st.composite
def _with_table(draw: st.DrawFn, problem: SearchProblem[Any, Any], *wanted: Any) -> Any:
    return with_heuristic(problem, _table(draw, *wanted))


def draw_heuristic(draw: st.DrawFn, graph: WeightedDigraph, kind: str) -> Any:
    """Draw the graph with a heuristic of a kind. A graph that has none is rejected."""
    space = explore(graph)
    assume(kind != "inconsistent" or steep_edges(space))
    assume(kind != "inadmissible" or space.to_goals())
    return draw(heuristics_for(graph, **FLAGS[kind]))


def _table(draw: st.DrawFn, space: StateSpace, admissible: bool, consistent: bool | None) -> dict[Any, Cost]:
    exact = space.to_goals()
    parts = [PARTS[int(digit)] for digit in draw(PATTERNS)]
    table: dict[Any, Cost] = {
        state: _part(exact.get(state, inf), parts[number % len(parts)])
        for number, state in enumerate(space.edges)
    }
    if consistent:
        _close(table, space)
    elif not admissible and exact:
        state = draw(st.sampled_from([state for state in space.edges if state in exact]))
        table[state] = exact[state] + draw(st.sampled_from([1, 2, 10]))
    elif consistent is False and not is_consistent(table, space):
        pass
    elif consistent is False and (steep := steep_edges(space)):
        tail, head = draw(st.sampled_from(steep))
        table[tail], table[head] = exact.get(tail, inf), 0
    return {state: value for state, value in table.items() if value != 0}


def steep_edges(space: StateSpace) -> list[tuple[Any, Any]]:
    """Return the (state, successor) pairs with h*(state) > cost: only at these can it be inconsistent."""
    exact = space.to_goals()
    return [
        (tail, head)
        for tail, edges in space.edges.items()
        for _, head, cost in edges
        if head != tail and exact.get(tail, inf) > cost
    ]


def _part(distance: Cost, quarters: int) -> Cost:
    """Return some quarters of a distance, of the same type; for infinity 0, 3 or infinity."""
    if distance == inf:
        return {0: 0, QUARTERS: inf}.get(quarters, 3)
    if isinstance(distance, int):
        return distance * quarters // QUARTERS
    return distance * (
        Fraction(quarters, QUARTERS) if isinstance(distance, Fraction) else quarters / QUARTERS
    )


def _close(table: dict[Any, Cost], space: StateSpace) -> None:
    """Reduce values to the largest consistent heuristic that is nowhere larger."""
    lowered = True
    while lowered:
        lowered = False
        for tail, edges in reversed(list(space.edges.items())):
            least = min((cost + table[head] for _, head, cost in edges), default=inf)
            if least < table[tail]:
                table[tail], lowered = least, True
