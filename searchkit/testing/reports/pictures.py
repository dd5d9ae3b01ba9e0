"""A problem as text: the drawing of its plugin, or a list of its states and actions; a path as text beside it.

Edges have one notation everywhere, that of `searchkit.testing.spaces.digraphs`: tail -cost→ head.
"""

from collections.abc import Iterable, Sequence
from itertools import islice, pairwise
from typing import Any

from searchkit.problem import SearchProblem, has_cost, has_heuristic
from searchkit.render.drawings import draw
from searchkit.render.terminal import legend, to_text
from searchkit.search.lookalikes import as_text
from searchkit.testing.spaces.digraphs import WeightedDigraph
from searchkit.testing.spaces.with_heuristic import WithHeuristic

WIDTH = 110
STATES = 12
"""Most states that are listed of a problem which nobody can draw."""
STEPS = 24
"""Most steps of a path that are written."""


def picture(problem: SearchProblem[Any, Any], path: Iterable[Any] = (), expanded: Iterable[Any] = ()) -> str:
    """Return the problem, and a path on it, as plain text of at most 110 columns.

    A problem that no plugin draws is listed: its starts, and the actions out of the first states that a
    breadth-first walk meets. Below a drawing, and alone where there is none, stands the path in words: its states and
    what its steps cost, which a drawing need not show.
    """
    states, expanded = tuple(path), tuple(expanded)
    shown_problem = problem.problem if isinstance(problem, WithHeuristic) else problem
    drawing = draw(shown_problem, states, expanded)
    parts = []
    if drawing is not None and drawing.width:
        parts.append(to_text(drawing, WIDTH, means="glyphs").plain)
        parts.append(legend([drawing], WIDTH, means="glyphs").plain)
    elif not states:
        parts.append(_listing(problem))
    if states:
        parts.append(path_in_words(problem, states))
    return "\n".join(part for part in parts if part)


def path_in_words(problem: SearchProblem[Any, Any], states: Sequence[Any]) -> str:
    """Return the states of a path, the cost of each step and of all: `0 -2→ 1 -1→ 2, cost 3`.

    A step that no action makes is marked with ?. Of a long path the middle is left out.
    """
    costs = [_cost_of_step(problem, before, after) for before, after in pairwise(states)]
    words = [as_text(states[0])]
    half = STEPS // 2
    for number, (cost, state) in enumerate(zip(costs, states[1:], strict=True)):
        if len(costs) > STEPS and half <= number < len(costs) - half:
            if number == half:
                words.append(f"… {len(costs) - STEPS} steps more …")
            continue
        words.append(f"-{'?' if cost is None else cost}→ {as_text(state)}")
    known = [cost for cost in costs if cost is not None]
    total = f", cost {sum(known)}" if known and len(known) == len(costs) else ""
    return " ".join(words) + total


def _cost_of_step(problem: SearchProblem[Any, Any], before: Any, after: Any) -> Any:
    """Return the least cost of an action from one state to the other; None where there is none, or it can't be told."""
    try:
        costs = [
            problem.cost(before, action, successor) if has_cost(problem) else 1
            for action, successor in problem.successors(before)
            if successor is after or successor == after
        ]
        return min(costs, default=None)
    except Exception:  # a faulty problem is drawn too
        return None


def _listing(problem: SearchProblem[Any, Any]) -> str:
    """List the first states, each with its actions, in the order in which a walk meets them.

    The actions of a digraph are the numbers of its edges, and left out.
    """
    costs, estimated = has_cost(problem), has_heuristic(problem)
    plain = problem.problem if isinstance(problem, WithHeuristic) else problem
    starts = list(islice(problem.initial_states(), STATES))
    lines = [f"starts: {', '.join(map(as_text, starts))}"]
    met = list(dict.fromkeys(starts))
    for state in met:
        steps = []
        for action, successor in islice(problem.successors(state), STATES):
            cost = problem.cost(state, action, successor) if costs else 1
            by = "" if isinstance(plain, WeightedDigraph) else f" by {action!r}"
            steps.append(f"-{cost}→ {as_text(successor)}{by}")
            if successor not in met and len(met) < STATES:
                met.append(successor)
        goal = " (goal)" if problem.is_goal(state) else ""
        estimate = f", h = {problem.heuristic(state)}" if estimated else ""
        lines.append(f"{as_text(state)}{goal}{estimate}: {', '.join(steps) or 'no actions'}")
    return "\n".join(lines)
