"""A walk over a problem that may be faulty: what its members return, and the first fault of each kind.

Its optional members are compared with its successors.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from fractions import Fraction
from math import inf, isnan
from numbers import Real
from typing import Any

from attrs import Factory, define, frozen

from searchkit.basics.lookalikes import as_text
from searchkit.basics.text import kind_of
from searchkit.compiled.array_layout import Arrayable, ArrayLayout
from searchkit.problem import Aimable, Relaxable, Reversible, SearchProblem, has_cost, has_heuristic

EDGES_PER_STATE = 20
"""The largest average number of successors; the walk ends after that: some states have 10¹⁰ successors."""
COPIES = 200
"""The number of states that are copied, to detect whether they change."""
PLAIN = (int, float, complex, bool, str, bytes, type(None), Fraction)
MISSING: Any = object()
"""The answer of a member that raised."""


@frozen
class Breach:
    """A promise that a problem breaks, and where."""

    promise: str
    detail: str
    paths: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    """(name, states)."""
    numbers: tuple[tuple[str, str], ...] = ()
    """(call, answer)."""
    call: str = ""
    """An expression that shows it, if one call does."""


@define
class Survey:
    """The answers of a problem. States are identified by their place in `states`, because hashes may be faulty."""

    problem: SearchProblem[Any, Any]
    states: list[Any] = Factory(list)
    parents: list[int | None] = Factory(list)
    hashes: list[int] = Factory(list)
    copies: list[Any] = Factory(list)
    """A copy made when the state was met; MISSING if it can't change or has no equal copy."""
    starts: tuple[Any, ...] = ()
    edges: list[tuple[tuple[Any, Any], ...]] = Factory(list)
    """The (action, successor) pairs of each expanded state."""
    costs: list[tuple[Any, ...]] = Factory(list)
    goals: list[Any] = Factory(list)
    heuristic_values: list[Any] = Factory(list)
    breaches: dict[str, Breach] = Factory(dict)
    most_pairs: int = 0
    """The largest number of pairs that are read of one state."""
    cut: bool = False
    """Whether a state has more: then its known successors do not prove that one is missing."""
    _places: dict[Any, int] = Factory(dict)

    def note(self, promise: str, detail: str, *at: int, **more: Any) -> None:
        """Record a fault if it is the first of its promise, which is the nearest to the start."""
        names = ("the path to this state", "the other path")
        paths = more.pop("paths", None) or tuple(
            (name, self.path_to(place)) for name, place in zip(names, at, strict=False)
        )
        self.breaches.setdefault(promise, Breach(promise, detail, paths, **more))

    def path_to(self, place: int) -> tuple[Any, ...]:
        """Return the states of the path on which a state was first met."""
        path = []
        step: int | None = place
        while step is not None:
            path.append(self.states[step])
            step = self.parents[step]
        return tuple(reversed(path))

    def place(self, state: Any) -> int | None:
        """Return the place of a known state."""
        try:
            return self._places.get(state)
        except Exception:  # its hash or == raises, which was recorded when it was met
            return None

    def ask(self, place: int | None, text: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return the answer of a member; if it raises, record a breach and return MISSING."""
        try:
            return function(*arguments)
        except Exception as error:
            at = () if place is None else (place,)
            self.note("no errors", f"{text} raised {last_line(error)}", *at, call=direct(text))
            return MISSING

    def visit(self, state: Any, parent: int | None, source: str) -> bool:
        """Add a state; return whether it is a valid state."""
        at = () if parent is None else (parent,)
        if state is None:
            self.note(
                "states hashable", f"{source} None as a state; None means that there is no state: use ()", *at
            )
            return False
        try:
            code = hash(state)
            known = self._places.get(state)
        except Exception as error:
            self.note(
                "states hashable",
                f"{source} the state {short(state)}, {kind_of(state)}, which is not hashable "
                f"({last_line(error)}); use a tuple, a frozenset, a string or a frozen attrs class",
                *at,
            )
            return False
        if known is None:
            self._places[state] = len(self.states)
            self.copies.append(_copy(state) if len(self.states) < COPIES else MISSING)
            self.states.append(state)
            self.parents.append(parent)
            self.hashes.append(code)
        return True


def survey(problem: SearchProblem[Any, Any], max_states: int) -> Survey:
    """Call every member for every state, at most `max_states`, in the order of a walk."""
    seen = Survey(problem, most_pairs=max(1, EDGES_PER_STATE * max_states))
    for start in starts_of(seen):
        if seen.visit(start, None, "initial_states() gave"):
            seen.starts += (start,)
    place, edges = 0, 0
    while place < min(len(seen.states), max_states) and edges < seen.most_pairs:
        state = seen.states[place]
        seen.goals.append(seen.ask(place, f"is_goal({state!r})", problem.is_goal, state))
        seen.heuristic_values.append(_heuristic_value(seen, place))
        pairs = tuple(pairs_of(seen, place, "successors"))
        seen.edges.append(pairs)
        seen.costs.append(tuple(_cost(seen, place, *pair) for pair in pairs))
        edges += len(pairs)
        place += 1
    return seen


def starts_of(seen: Survey) -> list[Any]:
    """Return the start states, and record faults of the collection."""
    answer = seen.ask(None, "initial_states()", seen.problem.initial_states)
    if answer is MISSING:
        return []
    if not isinstance(answer, Iterable) or isinstance(answer, str | bytes | Mapping):
        seen.note(
            "start states",
            f"initial_states() returned {short(answer)}, {kind_of(answer)}; expected a collection of states: "
            f"[{short(answer)}]",
            call="print(problem.initial_states())",
        )
        return []
    if isinstance(answer, set | frozenset):
        seen.note("start states", f"initial_states() returned {kind_of(answer)}, {UNORDERED}")
    starts = seen.ask(None, "initial_states()", list, answer)
    return [] if starts is MISSING else starts


UNORDERED = "whose order changes from process to process; return a list, sorted where it is made from a set"


def pairs_of(
    seen: Survey, place: int, member: str, promise: str = "successor pairs"
) -> Iterator[tuple[Any, Any]]:
    """Yield the (action, state) pairs that `member` returns for a state, and record their faults.

    Successors are added one by one, because a generator may change a state that it has yielded.
    """
    state = seen.states[place]
    call = f"{member}({state!r})"
    answer = seen.ask(place, call, getattr(seen.problem, member), state)
    if answer is MISSING:
        return
    if not isinstance(answer, Iterable) or isinstance(answer, str | bytes):
        seen.note(
            promise,
            f"{call} returned {short(answer)}; expected a collection of (action, state) pairs, empty if there is none",
            place,
            call=direct(call),
        )
        return
    if isinstance(answer, set | frozenset) and member == "successors":
        seen.note("successors repeatable", f"{call} returned {kind_of(answer)}, {UNORDERED}", place)
    items = iter(answer)
    for _ in range(seen.most_pairs):
        pair = seen.ask(place, call, next, items, MISSING)
        if pair is MISSING:
            return
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            seen.note(
                promise,
                f"{call} gave {short(pair)}; expected an (action, state) pair; is it a state without its action?",
                place,
                call=direct(call),
            )
            continue
        action, other = pair
        if member != "successors" or seen.visit(other, place, f"{call} gave"):
            yield action, other
    seen.cut = True


def _heuristic_value(seen: Survey, place: int) -> Any:
    if not has_heuristic(seen.problem):
        return 0
    state = seen.states[place]
    call = f"heuristic({state!r})"
    value = seen.ask(place, call, seen.problem.heuristic, state)
    if value is not MISSING and not _number(value):
        seen.note(
            "heuristic",
            f"{call} is {value!r}; expected a number ≥ 0",
            place,
            numbers=((call, repr(value)),),
            call=direct(call),
        )
    elif value is not MISSING and seen.goals[place] is not MISSING and seen.goals[place] and value != 0:
        seen.note(
            "heuristic at goals",
            f"{call} is {value!r}, and the state is a goal: no cost is left from there",
            place,
            numbers=((call, repr(value)), (f"is_goal({state!r})", repr(seen.goals[place]))),
            call=direct(call),
        )
    return value


def _cost(seen: Survey, place: int, action: Any, successor: Any) -> Any:
    if not has_cost(seen.problem):
        return 1
    state = seen.states[place]
    call = f"cost({state!r}, {action!r}, {successor!r})"
    value = seen.ask(place, call, seen.problem.cost, state, action, successor)
    if value is not MISSING and not (_number(value) and value < inf):
        path = (("the path, this action last", (*seen.path_to(place), successor)),)
        seen.note(
            "costs",
            f"{call} is {value!r}; expected a finite number ≥ 0",
            paths=path,
            numbers=((call, repr(value)),),
            call=direct(call),
        )
    return value


def _number(value: Any) -> bool:
    return isinstance(value, Real) and not isnan(value) and float(value) >= 0


def _copy(state: Any) -> Any:
    if plain(state):
        return MISSING
    try:
        copy = deepcopy(state)
        return copy if copy is not state and bool(copy == state) else MISSING
    except Exception:  # only this check needs copies of states
        return MISSING


def plain(value: Any) -> bool:
    """Whether a value consists of immutable built-in values."""
    kind = type(value)
    return kind in PLAIN or (kind in (tuple, frozenset) and all(plain(part) for part in value))


def same(one: Any, other: Any) -> bool:
    """Whether two answers are equal. Objects without `==` count as equal if they have the same type."""
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        # The first comparison is the fast one; if it fails, a part may be NaN, an array or without `==`.
        return len(one) == len(other) and (_equal(one, other) or all(map(same, one, other)))
    if type(one) is type(other) and only_itself(one):
        return True
    try:
        return bool(one == other) or (one != one and other != other)
    except Exception:  # for example arrays, whose == is not a truth value
        return repr(one) == repr(other)


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:
        return False


def only_itself(value: Any) -> bool:
    """Whether a value is equal only to itself, because its class defines no `==`."""
    equality: Any = type(value).__eq__
    return equality is object.__eq__


def short(value: Any, most: int = 160) -> str:
    """Return the repr of a value; the middle of a long one is left out."""
    try:
        text = as_text(value)
    except Exception as error:
        return f"<{kind_of(value)} whose repr raised {type(error).__name__}>"
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 3 :]}"


def last_line(error: BaseException) -> str:
    """Return an error as in the last line of its traceback."""
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


def direct(call: str) -> str:
    """Return an expression that shows the answer of one call."""
    listed = not call.startswith(("is_goal", "cost", "heuristic", "region("))
    return f"print(list(problem.{call}))" if listed else f"print(problem.{call})"


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


PROMISE = "array layout"


def arrayable(seen: Survey) -> str:
    """Compare the array layout with the states and the costs; return the reason if that is impossible, or ""."""
    if not isinstance(seen.problem, Arrayable):
        return "it is not Arrayable: it has no array_layout"
    layout = seen.ask(None, "array_layout()", seen.problem.array_layout)
    if layout is MISSING:
        return ""
    fault = form_fault(layout)
    if fault:
        seen.note(PROMISE, f"array_layout() {fault}", call=direct("array_layout()"))
        return ""
    for place, detail in (*_place_faults(seen, layout), *_cost_faults(seen, layout)):
        seen.note(PROMISE, detail, place, call=direct("array_layout()"))
    return ""


def form_fault(layout: Any) -> str:
    """Return what is wrong with a layout by itself, or ""."""
    if not isinstance(layout, ArrayLayout):
        return f"returned {short(layout)}, which is not an ArrayLayout"
    axes = len(layout.shape)
    if not _are_numbers(layout.shape):
        return f"has the shape {layout.shape!r}; expected a number ≥ 0 for each axis"
    if layout.strides is not None and (len(layout.strides) != axes or not _are_numbers(layout.strides)):
        return f"has the shape {layout.shape!r} and the strides {layout.strides!r}; expected a number ≥ 0 for each axis"
    if layout.labels is not None and (axes != 1 or len(layout.labels) != layout.shape[0]):
        return f"has {len(layout.labels)} labels and the shape {layout.shape!r}; expected one axis of that length"
    return ""


def _are_numbers(numbers: Sequence[Any]) -> bool:
    return all(isinstance(number, int) and number >= 0 for number in numbers)


def _place_faults(seen: Survey, layout: ArrayLayout[Any]) -> Iterator[tuple[int, str]]:
    """Yield states whose index is outside the array, that of another state, or that of another label."""
    taken: dict[tuple[int, ...], int] = {}
    for number, state in enumerate(seen.states):
        index = seen.ask(number, f"array_layout().place({state!r})", layout.place, state)
        if index is MISSING:
            continue
        if (
            not isinstance(index, tuple)
            or len(index) != len(layout.shape)
            or not _are_numbers(index)
            or any(at >= end for at, end in zip(index, layout.shape, strict=True))
        ):
            yield (
                number,
                f"the index of {state!r} is {index!r}, which is not in an array of the shape {layout.shape}",
            )
        elif not same(seen.states[taken.setdefault(index, number)], state):
            yield number, f"{seen.states[taken[index]]!r} and {state!r} both have the index {index!r}"
        elif layout.labels is not None and not same(layout.labels[index[0]], state):
            yield (
                number,
                f"the index of {state!r} is {index[0]}, where labels has {layout.labels[index[0]]!r}",
            )


def _cost_faults(seen: Survey, layout: ArrayLayout[Any]) -> Iterator[tuple[int, str]]:
    """Yield a state from which an action has a cost that is not an integer, although the layout promises integers."""
    for number, costs in enumerate(seen.costs if layout.whole else ()):
        for cost in costs:
            if cost is not MISSING and not isinstance(cost, int):
                yield (
                    number,
                    f"whole=True promises integers, and an action out of {seen.states[number]!r} costs {cost!r}",
                )
