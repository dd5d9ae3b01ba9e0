"""A strategy of heuristics with given properties, made from the exact distances to the goals (h*)."""

from fractions import Fraction
from math import inf
from typing import Any, Literal

from hypothesis import strategies as st

from searchkit.errors import InvalidProblemError
from searchkit.problem import Cost, SearchProblem
from searchkit.testing.spaces.digraphs import with_heuristic
from searchkit.testing.spaces.space import StateSpace, explore, is_consistent

QUARTERS = 4
PARTS = (0, 4, 2, 1, 3, 0, 4, 0, 4)
"""Quarters of h*, the simplest first: nothing and all of it are the most frequent values in practice."""
PATTERN = 16
"""The largest number of drawn parts; on a larger space they are repeated."""
PATTERNS = st.text("012345678", min_size=1, max_size=PATTERN)
"""Indices of `PARTS`."""
# Drawn as text, because Hypothesis copies drawn values to places of the same type, and the graph is drawn as bytes.
Kind = Literal["admissible", "consistent", "inadmissible", "inconsistent"]


def heuristics_for(
    problem: SearchProblem[Any, Any],
    kind: Kind = "admissible",
    *,
    strict: bool = False,
    max_states: int = 10_000,
) -> st.SearchStrategy[Any]:
    """Draw the same problem with a heuristic of a kind, over all reachable states.

    A heuristic is admissible if h(s) ≤ h*(s), the least cost from s to a goal, for every state s. It is consistent if
    also h(s) ≤ c(s, a, s') + h(s') for every action. Each consistent heuristic is admissible, and each can be drawn.
    It shrinks to 0 everywhere, as far as its kind allows.

    Args:
        problem: any problem with a finite state space; for a `WeightedDigraph`, another one is drawn.
        kind: `admissible` (it may be consistent), `consistent`, `inconsistent` (admissible, but not consistent) or
            `inadmissible` (it overestimates at a state that leads to a goal).
        strict: whether a problem that has no heuristic of the kind is rejected. If not, a similar one is drawn: if no
            action costs less than h* of its state, every admissible heuristic is consistent; if no goal can be reached,
            every heuristic is admissible.
        max_states: the largest number of states.

    Raises:
        InvalidProblemError: more than `max_states` states can be reached.

    """
    space = explore(problem, max_states)
    if not space.whole:
        raise InvalidProblemError(
            f"{problem!r}\nhas more than {max_states} states, and its exact distances are needed; "
            "take a smaller problem, or give more max_states"
        )
    possible = {"inconsistent": steep_edges(space), "inadmissible": space.to_goals}.get(kind, True)
    return _with_table(problem, space, kind) if possible or not strict else st.nothing()


@st.composite
def _with_table(draw: st.DrawFn, problem: SearchProblem[Any, Any], space: StateSpace, kind: Kind) -> Any:
    exact = space.to_goals
    parts = [PARTS[int(digit)] for digit in draw(PATTERNS)]
    table: dict[Any, Cost] = {
        state: _part(exact.get(state, inf), parts[number % len(parts)])
        for number, state in enumerate(space.edges)
    }
    if kind == "consistent":
        _close(table, space)
    elif kind == "inadmissible" and exact:
        state = draw(st.sampled_from([state for state in space.edges if state in exact]))
        table[state] = exact[state] + draw(st.sampled_from([1, 2, 10]))
    elif kind == "inconsistent" and is_consistent(table, space) and (steep := steep_edges(space)):
        tail, head = draw(st.sampled_from(steep))
        table[tail], table[head] = exact.get(tail, inf), 0
    return with_heuristic(problem, {state: value for state, value in table.items() if value != 0})


def steep_edges(space: StateSpace) -> list[tuple[Any, Any]]:
    """Return the (state, successor) pairs with h*(state) > cost: only at these can it be inconsistent."""
    exact = space.to_goals
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
