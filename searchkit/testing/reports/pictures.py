"""A problem as text: a drawing or a list of its states and actions, a path in words, and lines of Python.

Edges have one notation everywhere, that of `searchkit.testing.spaces.digraphs`: tail -cost→ head.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any

from attrs import evolve

import searchkit
from searchkit.basics.lookalikes import as_text
from searchkit.plugin.loading import write
from searchkit.plugin.places import places_of
from searchkit.problem import SearchProblem, has_cost, has_heuristic
from searchkit.render.drawings import frames, painted, still
from searchkit.render.terminal import legend, to_text
from searchkit.testing.spaces.digraphs import WeightedDigraph
from searchkit.testing.spaces.with_heuristic import WithHeuristic

WIDTH = 110
STATES = 12
"""The largest number of listed states of a problem that no plugin draws."""
STEPS = 24
"""The largest number of steps of a path in words."""

CHECKS = ("check_compiled", "check_engine", "check_heuristic", "check_pair", "check_problem", "check_saving")
"""The functions of `searchkit.testing` that a line may call."""
STRING = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"")
NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
HOMES: dict[str, str] = {
    "digraph": "searchkit.testing.spaces.digraphs",
    "WithHeuristic": "searchkit.testing.spaces.with_heuristic",
    "StringIO": "io",
    "Fraction": "fractions",
    "inf": "math",
    **dict.fromkeys(CHECKS, "searchkit.testing"),
    **dict.fromkeys(searchkit.__all__, "searchkit"),
}
"""The modules of the names that a line may contain."""


def picture(problem: SearchProblem[Any, Any], path: Iterable[Any] = (), expanded: Iterable[Any] = ()) -> str:
    """Return the problem with a path as plain text of at most 110 columns.

    A problem that no plugin draws is listed: its starts, and the actions of the first states of a breadth-first walk.
    The path in words follows: its states and the costs of its steps, which a drawing need not show.
    """
    states, expanded = tuple(path), tuple(expanded)
    shown_problem = problem.problem if isinstance(problem, WithHeuristic) else problem
    drawing = still(shown_problem, states, expanded)
    parts = []
    if drawing is not None and drawing.width:
        parts.append(to_text(drawing, WIDTH, means="glyphs").plain)
        parts.append(legend([drawing], WIDTH, means="glyphs").plain)
    elif not states:
        parts.append(_listing(problem))
    if states:
        parts.append(path_in_words(problem, states))
    return "\n".join(part for part in parts if part)


def picture_from(problem: SearchProblem[Any, Any], path: Iterable[Any]) -> str:
    """Return the problem as it is in the first state of a path, with the path, as text of at most 110 columns.

    A problem that looks the same in all states, or that no plugin draws, is shown as by `picture`.
    """
    states, places = tuple(path), places_of(problem)
    if not states or places.ground is None or places.changes is None or places.routes is None:
        return picture(problem, states)
    drawing = painted(evolve(places, ground=next(frames(problem, states[:1]))), states)
    if drawing is None or not drawing.width:
        return picture(problem, states)
    drawn = (to_text(drawing, WIDTH, means="glyphs"), legend([drawing], WIDTH, means="glyphs"))
    return "\n".join([*(text.plain for text in drawn), path_in_words(problem, states)])


def path_in_words(problem: SearchProblem[Any, Any], states: Sequence[Any]) -> str:
    """Return the states of a path, the cost of each step and of all: `0 -2→ 1 -1→ 2, cost 3`.

    A step without an action is marked with ?. The middle of a long path is left out.
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
    """Return the least cost of an action from one state to the other; None if there is none or it is unknown."""
    try:
        costs = [
            problem.cost(before, action, successor) if has_cost(problem) else 1
            for action, successor in problem.successors(before)
            if successor is after or successor == after
        ]
        return min(costs, default=None)
    except Exception:  # a faulty problem is drawn as well
        return None


def _listing(problem: SearchProblem[Any, Any]) -> str:
    """List the first states of a walk, each with its actions.

    The actions of a digraph, which are the numbers of its edges, are left out.
    """
    costs, guided = has_cost(problem), has_heuristic(problem)
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
        value = f", h = {problem.heuristic(state)}" if guided else ""
        lines.append(f"{as_text(state)}{goal}{value}: {', '.join(steps) or 'no actions'}")
    return "\n".join(lines)


def reproduce(problem: SearchProblem[Any, Any], call: str, otherwise: Iterable[str] = ()) -> tuple[str, ...]:
    r"""Return three lines of Python: the imports, `problem = …`, and `call`.

    The problem is made by its expression, if it is a `WeightedDigraph`, or read from the text that its plugin writes
    (the hook `searchkit_write`). The functions that `call` calls are imported from `searchkit` and `searchkit.testing`.

    Args:
        problem: the problem; for a `WithHeuristic` with a table, its problem and the table are written.
        call: an expression in which the problem is called `problem`, such as `solve(problem, "astar")`.
        otherwise: the lines to return if the problem can't be written.

    Example:
        >>> from searchkit.testing.spaces.digraphs import digraph
        >>> print("\n".join(reproduce(digraph("0 -3→ 1", [0], [1]), 'solve(problem, "bfs")')))
        from searchkit import solve; from searchkit.testing.spaces.digraphs import digraph
        problem = digraph("0 -3→ 1", starts=[0], goals=[1])
        solve(problem, "bfs")

    """
    expression = express(problem)
    if expression is None:
        return tuple(otherwise)
    imports = imports_of(f"{expression} {call}")
    return (imports, f"problem = {expression}", call)


def express(problem: SearchProblem[Any, Any]) -> str | None:
    """Return an expression that makes the problem; None if there is none."""
    if isinstance(problem, WeightedDigraph):
        return repr(problem)
    if isinstance(problem, WithHeuristic):
        inner = express(problem.problem)
        if inner is None or not isinstance(problem.values, Mapping):
            return None
        return f"WithHeuristic({inner}, {dict(problem.values)!r})"
    written = write(problem)
    if written is None:
        return None
    options = "".join(f", {name}={value!r}" for name, value in written.options.items())
    return f"load(StringIO({written.text!r}), {written.kind!r}{options})"


def imports_of(code: str) -> str:
    """Return one line that imports the names in a piece of code."""
    wanted: dict[str, list[str]] = {}
    for name in sorted(set(NAME.findall(STRING.sub("", code))) & HOMES.keys()):
        wanted.setdefault(HOMES[name], []).append(name)
    homes = sorted(wanted, key=lambda home: (home != "searchkit", home))
    return "; ".join(f"from {home} import {', '.join(wanted[home])}" for home in homes)
