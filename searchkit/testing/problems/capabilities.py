"""Whether the optional members of a problem (`Reversible`, `Relaxable`, `Aimable`) agree with its successors."""

from collections.abc import Callable, Iterable
from typing import Any

from searchkit.problem import Aimable, Relaxable, Reversible, has_cost, has_heuristic
from searchkit.testing.problems.survey import MISSING, Survey, direct, pairs_of, same, short

TRIED = 12
"""The number of states that a problem is aimed from, and at."""


def reversible(seen: Survey) -> str:
    """Compare predecessors with successors in both directions; return the reason if that is impossible, or ""."""
    if not isinstance(seen.problem, Reversible):
        return "it is not Reversible: it has no predecessors and goal_states"
    if seen.cut:
        return "a state has too many successors to compare them all"
    into: dict[int, list[tuple[Any, Any]]] = {}

    def predecessors(place: int) -> list[tuple[Any, Any]]:
        if place not in into:
            into[place] = list(pairs_of(seen, place, "predecessors", "predecessors"))
        return into[place]

    for tail, edges in enumerate(seen.edges):
        state = seen.states[tail]
        for action, successor in edges:
            head = seen.place(successor)
            if head is not None and not _lists(predecessors(head), action, state):
                seen.note(
                    "predecessors",
                    f"({action!r}, {successor!r}) is a successor of {state!r}, but predecessors({successor!r}) "
                    f"lacks ({action!r}, {state!r})",
                    paths=(("the path, this action last", (*seen.path_to(tail), successor)),),
                    numbers=_both(state, edges, successor, predecessors(head)),
                    call=direct(f"predecessors({successor!r})"),
                )
    for head in range(len(seen.edges)):
        state = seen.states[head]
        for action, tail_state in predecessors(head):
            known = seen.place(tail_state)
            if known is not None and known < len(seen.edges):
                outgoing: Iterable[Any] = seen.edges[known]
            else:
                outgoing = seen.ask(
                    head, f"successors({tail_state!r})", list_of, seen.problem.successors, tail_state
                )
            if outgoing is not MISSING and not _lists(outgoing, action, state):
                seen.note(
                    "predecessors",
                    f"({action!r}, {tail_state!r}) is a predecessor of {state!r}, but successors({tail_state!r}) "
                    f"lacks ({action!r}, {state!r})",
                    head,
                    numbers=_both(tail_state, outgoing, state, predecessors(head)),
                    call=direct(f"predecessors({state!r})"),
                )
    _goal_states(seen)
    return ""


def _goal_states(seen: Survey) -> None:
    problem: Any = seen.problem
    listed = seen.ask(None, "goal_states()", list_of, problem.goal_states)
    if listed is MISSING:
        return
    for goal in listed:
        answer = seen.ask(None, f"is_goal({goal!r})", problem.is_goal, goal)
        if answer is not MISSING and not answer:
            seen.note(
                "goal states",
                f"goal_states() lists {goal!r}, and is_goal of it is {answer!r}",
                call=direct("goal_states()"),
            )
    for place, answer in enumerate(seen.goals):
        if answer is not MISSING and answer and not any(same(seen.states[place], goal) for goal in listed):
            seen.note(
                "goal states",
                f"{seen.states[place]!r} is a goal, and goal_states() does not list it: {short(listed)}",
                place,
                call=direct("goal_states()"),
            )


def regions(seen: Survey) -> str:
    """Check that the regions of a relaxable problem follow its protocol; return the reason if it has none, or ""."""
    problem = seen.problem
    if not isinstance(problem, Relaxable):
        return "it is not Relaxable: it has no regions"
    lying = [
        seen.ask(place, f"region({state!r})", problem.region, state)
        for place, state in enumerate(seen.states)
    ]
    around: dict[Any, Any] = {}
    goals = seen.ask(None, "goal_regions()", list_of, problem.goal_regions)
    for place, edges in enumerate(seen.edges):
        here = lying[place]
        for _, successor in edges:
            head = seen.place(successor)
            there = MISSING if head is None else lying[head]
            if here is MISSING or there is MISSING or here == there:
                continue
            if here not in around:
                around[here] = seen.ask(place, f"neighbours({here!r})", list_of, problem.neighbours, here)
            if around[here] is not MISSING and there not in around[here]:
                seen.note(
                    "regions",
                    f"an action leads from region {here!r} to region {there!r}, and neighbours({here!r}) lacks it: "
                    f"{short(around[here])}",
                    paths=(("the path, this action last", (*seen.path_to(place), successor)),),
                )
        if (
            goals is not MISSING
            and seen.goals[place] is not MISSING
            and seen.goals[place]
            and here not in goals
        ):
            seen.note(
                "regions",
                f"a goal lies in region {here!r}, and goal_regions() lacks it: {short(goals)}",
                place,
            )
    return ""


def _lists(pairs: Iterable[Any], action: Any, state: Any) -> bool:
    return any(same((action, state), tuple(pair)) for pair in pairs)


def _both(tail: Any, outgoing: Iterable[Any], head: Any, into: Iterable[Any]) -> tuple[tuple[str, str], ...]:
    return (
        (f"successors({tail!r})", short(list(outgoing))),
        (f"predecessors({head!r})", short(list(into))),
    )


def list_of(member: Callable[..., Iterable[Any]], *arguments: Any) -> list[Any]:
    """Return the items that a member yields as a list."""
    return list(member(*arguments))


def aimable(seen: Survey) -> str:
    """Aim the problem from some states at others, and compare; return the reason if that is impossible, or ""."""
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
