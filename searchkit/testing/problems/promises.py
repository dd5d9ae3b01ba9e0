"""The promises that every problem makes, and how they are checked."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from searchkit.basics.lookalikes import content, lookalikes, remedy, shown
from searchkit.errors import InvalidProblemError
from searchkit.problem import SearchProblem, check_members, has_cost, has_heuristic
from searchkit.search.driver import solve
from searchkit.search.limits import Limits
from searchkit.testing.problems.arrays import arrayable
from searchkit.testing.problems.capabilities import aimable, regions, reversible
from searchkit.testing.problems.drawings import drawn, round_trip
from searchkit.testing.problems.survey import (
    MISSING,
    Breach,
    Survey,
    last_line,
    only_itself,
    pairs_of,
    plain,
    same,
    short,
    starts_of,
    survey,
)

PROMISES: Mapping[str, str] = {
    "members": "it has the methods of a search problem",
    "no errors": "no method raises an error for any state",
    "start states": "initial_states returns a collection of states, the same each time",
    "successor pairs": "successors returns a collection of (action, state) pairs",
    "states hashable": "every state is hashable, and none is None",
    "equal states": "equal states have equal hashes",
    "states told apart": "states of equal content are equal",
    "states unchanged": "no state changes after it was returned",
    "successors repeatable": "successors returns the same pairs in the same order, whatever was called before",
    "costs": "every cost is a finite number ≥ 0",
    "costs repeatable": "a cost is the same each time, whatever was called before",
    "goal test": "is_goal returns the same answer each time, whatever was called before",
    "heuristic": "every heuristic value is a number ≥ 0, the same each time",
    "heuristic at goals": "the heuristic value of a goal is 0",
    "predecessors": "predecessors is the inverse of successors",
    "goal states": "goal_states lists the goals and nothing else",
    "regions": "every action stays in its region or leads to one that neighbours() lists",
    "aimed": "with other starts and goals, the problem is otherwise the same",
    "array layout": "each state has an index of its own in the array, and costs are integers if it says so",
    "searchable": "an engine can search it",
    "drawing": "every state can be drawn",
    "round trip": "written as text and loaded again, it is the same problem",
}
"""Name → what is promised."""

ASKED_AGAIN = ("successors repeatable", "costs repeatable", "goal test", "searchable")
AGAIN = 200
"""The number of states that are checked a third time, after a search."""
PAIRS = 100
"""The number of states that are compared with one another."""

Finding = Breach | str | None
"""A breach; the reason why the promise does not apply; None if it holds."""


def examine(problem: SearchProblem[Any, Any], max_states: int) -> tuple[dict[str, Finding], int]:
    """Return the finding on each promise, over at most `max_states` states, and the number of expanded states."""
    try:
        check_members(problem)
    except InvalidProblemError as error:
        found: dict[str, Finding] = dict.fromkeys(
            PROMISES, "it does not have the methods of a search problem"
        )
        return found | {"members": Breach("members", str(error))}, 0
    seen = survey(problem, max_states)
    _equal_states(seen)
    _lookalikes(seen)
    reasons = {
        "costs": "" if has_cost(problem) else "it has no cost method: every action costs 1",
        "heuristic": "" if has_heuristic(problem) else "it has no heuristic",
        "predecessors": reversible(seen),
        "regions": regions(seen),
        "aimed": aimable(seen),
        "array layout": arrayable(seen),
        "searchable": "a state has too many successors" if seen.cut else "",
        "drawing": drawn(seen),
        "round trip": round_trip(seen, min(max_states, AGAIN)),
    }
    reasons["costs repeatable"] = reasons["costs"]
    reasons["heuristic at goals"] = reasons["heuristic"]
    reasons["goal states"] = reasons["predecessors"]
    if not any(goal is not MISSING and goal for goal in seen.goals):
        reasons["heuristic at goals"] = reasons["heuristic at goals"] or "no goal was reached"
    _unchanged(seen)
    if "states unchanged" in seen.breaches:
        reasons |= dict.fromkeys(ASKED_AGAIN, "states change, so no call can be repeated")
    else:
        _ask_again(seen, reversed(range(len(seen.edges))), "in another order")
        _search(seen, max_states)
        _ask_again(seen, range(min(len(seen.edges), AGAIN)), "after a search")
        _unchanged(seen)
    findings = {name: seen.breaches.get(name) or reasons.get(name) or None for name in PROMISES}
    return findings, len(seen.edges)


def _equal_states(seen: Survey) -> None:
    """Compare states with one another and with their copies: equal states have equal hashes."""
    first = [place for place, state in enumerate(seen.states[:PAIRS]) if not plain(state)]
    for one, other in combinations(first, 2):
        if _differ(seen, seen.states[one], seen.states[other]):
            _note_unlike(seen, seen.states[one], seen.states[other], one, other)
            return
    for place in first:
        copy = seen.copies[place]
        if copy is not MISSING and _differ(seen, seen.states[place], copy):
            _note_unlike(seen, seen.states[place], copy, place)
            return


def _differ(seen: Survey, one: Any, other: Any) -> bool:
    try:
        return bool(one == other) and hash(one) != hash(other)
    except Exception as error:
        seen.note("equal states", f"comparing {short(one)} with {short(other)} raised {last_line(error)}")
        return False


def _note_unlike(seen: Survey, one: Any, other: Any, *at: int) -> None:
    what = "another state" if len(at) > 1 else "a copy of it"
    seen.note(
        "equal states",
        f"{short(one)} is equal to {what}, but has another hash: a search would treat them as two states. The "
        "hash must depend only on what == compares",
        *at,
        numbers=(("hash of the one", str(hash(one))), ("hash of the other", str(hash(other)))),
    )


def _lookalikes(seen: Survey) -> None:
    """Find two states that differ although their contents are equal."""
    found = lookalikes(seen.states, len(seen.states))
    at = [] if found is None else [place for place in map(seen.place, found) if place is not None]
    if found is None or len(at) < len(found):
        return
    different = len({state if key is None else key for state in seen.states for key in [content(state)]})
    _note_lookalikes(
        seen,
        f"{shown(found[0])} was reached twice, as two states that are not equal: the {len(seen.states):,} states that "
        f"were reached have only {different:,} different contents, and a search treats each as a new state",
        found,
        *at,
    )


def _note_lookalikes(seen: Survey, what: str, pair: Sequence[Any], *at: int) -> None:
    seen.note(
        "states told apart",
        f"{what}. {remedy(pair[0])}",
        *at,
        numbers=(("one == other", str(pair[0] == pair[1])),),
    )


def _asked_alike(seen: Survey, place: int | None, call: str, before: Any, after: Any) -> None:
    """Record a state that is a new object, equal only to itself, at each call."""
    for one, other in zip(before, after, strict=False):
        if one is not other and only_itself(one) and not callable(one):
            what = (
                f"{call} returned {shown(one)}, and at the next call {shown(other)}, which is not equal to it"
            )
            _note_lookalikes(seen, what, (one, other), *(() if place is None else (place,)))
            return


def _ask_again(seen: Survey, order: Iterable[int], when: str) -> None:
    """Repeat earlier calls: the answers have to be the same."""
    problem, changed = seen.problem, []
    starts = starts_of(seen)
    if len(starts) != len(seen.starts) or not same(starts, seen.starts):
        seen.note(
            "start states",
            f"initial_states() returned {short(list(seen.starts))}, and at the next call {short(starts)}; return "
            "a new collection each time",
            numbers=(("at first", short(list(seen.starts))), (when, short(starts))),
            call="print(list(problem.initial_states()), list(problem.initial_states()))",
        )
    _asked_alike(seen, None, "initial_states()", seen.starts, starts)
    members: list[tuple[str, str, Callable[..., Any], list[Any]]] = [
        ("goal test", "is_goal", problem.is_goal, seen.goals)
    ]
    if has_heuristic(problem):
        members.append(("heuristic", "heuristic", problem.heuristic, seen.heuristic_values))
    for place in order:
        state = seen.states[place]
        for promise, name, member, answers in members:
            answer = seen.ask(place, f"{name}({state!r})", member, state)
            if answer is not MISSING and answers[place] is not MISSING and not same(answer, answers[place]):
                changed.append((place, promise, f"{name}({state!r})", answers[place], answer))
        if has_cost(problem):
            for (action, successor), before in zip(seen.edges[place], seen.costs[place], strict=True):
                call = f"cost({state!r}, {action!r}, {successor!r})"
                answer = seen.ask(place, call, problem.cost, state, action, successor)
                if answer is not MISSING and before is not MISSING and not same(answer, before):
                    changed.append((place, "costs repeatable", call, before, answer))
        again = tuple(pairs_of(seen, place, "successors"))
        call = f"successors({state!r})"
        _asked_alike(seen, place, call, [to for _, to in seen.edges[place]], [to for _, to in again])
        if not same(again, seen.edges[place]):
            changed.append((place, "successors repeatable", call, list(seen.edges[place]), list(again)))
    for place, promise, call, before, after in sorted(changed, key=lambda change: change[0]):
        seen.note(
            promise,
            f"{call} was {short(before)}, and {short(after)} when it was called again {when}",
            place,
            numbers=((f"{call} at first", short(before)), (when, short(after))),
        )


def _search(seen: Survey, max_states: int) -> None:
    """Search the problem. An exception is another breach, unless it occurs only in an engine."""
    if seen.cut:
        return
    try:
        solve(seen.problem, limits=Limits(expansions=max_states))
    except Exception as error:
        if not seen.breaches:
            seen.note("searchable", f"solve raised {last_line(error)}", call="solve(problem)")


def _unchanged(seen: Survey) -> None:
    for place, state in enumerate(seen.states):
        try:
            code, copy = hash(state), seen.copies[place]
            changed = code != seen.hashes[place] or (copy is not MISSING and not bool(state == copy))
        except Exception:
            changed = True
        if changed:
            before = "had another hash" if copy is MISSING else f"was {short(copy)}"
            seen.note(
                "states unchanged",
                f"a state that is now {short(state)} {before} when it was returned: a method changes it; make a new "
                "state instead",
                place,
                numbers=(
                    ("then", short(copy) if copy is not MISSING else "not known"),
                    ("now", short(state)),
                ),
            )
            return
