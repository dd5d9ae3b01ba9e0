"""A problem as text: the drawing of its plugin, or a list of its states and actions."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

from searchkit.capabilities import has_heuristic
from searchkit.problem import SearchProblem
from searchkit.render.drawings import draw
from searchkit.render.terminal import legend, to_text
from searchkit.testing.with_heuristic import WithHeuristic

WIDTH = 110
STATES = 12
"""Most states that are listed of a problem which nobody can draw."""


def picture(problem: SearchProblem[Any, Any], path: Iterable[Any] = (), expanded: Iterable[Any] = ()) -> str:
    """Return the problem, and a path on it, as plain text of at most 110 columns.

    A problem that no plugin draws is listed: its starts, and the actions out of the first states that a
    breadth-first walk meets. A path on such a problem is the list of its states.
    """
    shown_problem = problem.problem if isinstance(problem, WithHeuristic) else problem
    drawing = draw(shown_problem, path, expanded)
    if drawing is not None and drawing.width:
        shown = to_text(drawing, WIDTH, means="glyphs").plain
        labels = legend([drawing], WIDTH, means="glyphs").plain
        return f"{shown}\n{labels}" if labels else shown
    states = list(path)
    if states:
        return " → ".join(map(repr, states))
    return _listing(problem)


def _listing(problem: SearchProblem[Any, Any]) -> str:
    """List the first states, each with its actions, in the order in which a walk meets them."""
    has_cost, estimated = hasattr(problem, "cost"), has_heuristic(problem)
    starts = list(islice(problem.initial_states(), STATES))
    lines = [f"starts: {', '.join(map(repr, starts))}"]
    met = list(dict.fromkeys(starts))
    for state in met:
        steps = []
        for action, successor in islice(problem.successors(state), STATES):
            cost = problem.cost(state, action, successor) if has_cost else 1
            steps.append(f"-{action!r}, {cost}→ {successor!r}")
            if successor not in met and len(met) < STATES:
                met.append(successor)
        goal = " (goal)" if problem.is_goal(state) else ""
        estimate = f", h = {problem.heuristic(state)}" if estimated else ""
        lines.append(f"{state!r}{goal}{estimate}: {'; '.join(steps) or 'no actions'}")
    return "\n".join(lines)
