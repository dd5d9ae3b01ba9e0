"""Whether a problem that is aimed at other starts and goals is the same problem otherwise."""

from typing import Any

from searchkit.problem import Aimable, has_cost, has_heuristic
from searchkit.testing.problems.inverse import list_of
from searchkit.testing.problems.survey import MISSING, Survey, same, short

TRIED = 12
"""States that it is aimed from, and at."""


def aimable(seen: Survey) -> str:
    """Aim the problem from some states at others, and compare with what was seen; return why that can't be done."""
    if not isinstance(seen.problem, Aimable):
        return "it is not Aimable: it has no aimed"
    count = min(TRIED, len(seen.edges))
    for place in range(count):
        _aim(seen, place, count - 1 - place, count)
    return ""


def _aim(seen: Survey, start: int, goal: int, count: int) -> None:
    problem: Any = seen.problem
    states = seen.states
    aimed = f"aimed([{states[start]!r}], [{states[goal]!r}])"
    other: Any = seen.ask(start, aimed, problem.aimed, [states[start]], [states[goal]])
    if other is MISSING:
        return

    def expect(expected: Any, member: str, *arguments: Any) -> None:
        listed = member in ("initial_states", "successors")
        call = f"{aimed}.{member}({', '.join(map(repr, arguments))})"
        function = getattr(other, member)
        found = (
            seen.ask(start, call, list_of, function, *arguments)
            if listed
            else seen.ask(start, call, function, *arguments)
        )
        if not any(answer is MISSING for answer in (found, expected)) and not same(found, expected):
            seen.note(
                "aimed",
                f"{call} is {short(found)}; expected {short(expected)}: only starts and goals may differ",
                start,
                numbers=((call, short(found)), ("expected", short(expected))),
                call=f"print(list(problem.{call}))" if listed else f"print(problem.{call})",
            )

    expect([states[start]], "initial_states")
    for place in range(count):
        expect(place == goal, "is_goal", states[place])
    for place in (start, goal):
        expect(list(seen.edges[place]), "successors", states[place])
        if has_cost(problem):
            for edge, cost in zip(seen.edges[place], seen.costs[place], strict=True):
                expect(cost, "cost", states[place], *edge)
    if has_heuristic(other):
        expect(0, "heuristic", states[goal])
