"""`check_heuristic`: a heuristic against the exact distances, with the smallest counterexample and its errors."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from inspect import signature
from math import inf
from textwrap import indent
from typing import Any

from attrs import frozen
from hypothesis.errors import Flaky
from hypothesis.strategies import SearchStrategy

from searchkit.basics.checks import python_number
from searchkit.basics.text import kind_of
from searchkit.errors import InvalidOptionError, MissingCapabilityError, unknown
from searchkit.plugin.drawing import Drawing, Mark
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import ProblemSpec
from searchkit.problem import Cost, SearchProblem, has_heuristic
from searchkit.render.terminal import to_text
from searchkit.testing.reports import (
    EXAMPLES,
    WIDTH,
    Check,
    Counterexample,
    Report,
    picture,
    picture_from,
    reproduce,
    smallest,
)
from searchkit.testing.spaces.space import checked_space, exceeds
from searchkit.testing.trials import last_line

PROMISES: Mapping[str, str] = {
    "numbers": "the heuristic of every state is a number ≥ 0, or infinity",
    "admissible": "h(s) ≤ h*(s), the least cost from s to a goal, for every state s",
    "consistent": "h(s) ≤ cost(s, a, t) + h(t) for every action a from a state s to a state t",
    "zero at goals": "h(s) = 0 for every goal s",
    "informed": "h(s) > 0 for some state s from which a goal can be reached",
}
"""Name → the promise as a sentence, in the order in which reports list them."""

Heuristic = Callable[[Any, SearchProblem[Any, Any]], Any]
"""`h(state, problem)`."""


@frozen
class Violation:
    """One place where a promise is broken, and by how much."""

    detail: str
    gap: Any = 0
    """The amount by which the inequality fails, in units of cost."""
    states: int = 1
    """The number of states on the path that shows it."""
    state: Any = None
    successor: Any = None
    """The successor, if an action shows it."""
    numbers: tuple[tuple[str, str], ...] = ()


class Audit:
    """The heuristic of one problem, evaluated in every reachable state, or in the first `max_states`."""

    def __init__(self, problem: SearchProblem[Any, Any], heuristic: Heuristic, max_states: int):
        self.problem = problem
        self.space = checked_space(problem, max_states)
        self.values: dict[Any, Cost] = {}
        """State → h, for the states with a valid value."""
        self.faults: list[Violation] = []
        """The states with an invalid value."""
        for state in self._met():
            value, fault = _value(heuristic, state, problem)
            if fault:
                shown = (("s", repr(state)), ("h(s)", "" if value is None else repr(value)))
                self.faults.append(
                    Violation(f"h({state!r}) {fault}", state=state, numbers=tuple(n for n in shown if n[1]))
                )
            else:
                self.values[state] = value

    def _met(self) -> Iterator[Any]:
        """Yield each state once, in the order in which a walk meets them."""
        met = dict.fromkeys(self.space.starts)
        met.update(dict.fromkeys(self.space.edges))
        for edges in self.space.edges.values():
            met.update(dict.fromkeys(successor for _, successor, _ in edges))
        yield from met

    @cached_property
    def exact(self) -> dict[Any, Cost]:
        """h* of each state from which a goal can be reached; on a part of a space, an upper bound of h*."""
        return self.space.to_goals()

    @property
    def guides(self) -> bool:
        """Whether it is above 0 for some state from which a goal can be reached."""
        return any(self.values.get(state) for state in self.exact)

    def broken(self, promise: str) -> Violation | None:
        """Return the violation of the promise with the least gap, and among these the one with the fewest states."""
        places = self._violations(promise)
        return min(places, key=lambda place: (place.gap, place.states), default=None)

    def decided(self, promise: str) -> bool:
        """Whether the absence of violations proves a promise, or the rest of the space could break it."""
        if promise == "informed":
            return self.space.whole or self.guides
        return self.space.whole

    def _violations(self, promise: str) -> Iterator[Violation]:
        if promise == "numbers":
            return iter(self.faults[:1])
        if promise == "admissible":
            return self._overestimates()
        if promise == "consistent":
            return self._drops()
        if promise == "zero at goals":
            return self._goals()
        return self._uninformed()

    def _scale(self) -> Cost:
        """Return the largest distance to a goal: heuristic values have rounding errors of numbers of that size."""
        return max((distance for distance in self.exact.values() if distance < inf), default=0)

    def _overestimates(self) -> Iterator[Violation]:
        scale = self._scale()
        over = [
            (state, h, self.exact[state])
            for state, h in self.values.items()
            if state in self.exact and exceeds(h, self.exact[state], scale)
        ]
        if not over:
            return
        steps = self.space.steps_to_goals(self.exact)
        truth = "h*(s)" if self.space.whole else "cost of a path from s to a goal"
        for state, h, least in over:
            yield Violation(
                f"h({state!r}) = {h}, and a path of cost {least} leads from there to a goal: {h - least} too much",
                h - least,
                int(steps[state]) + 1,
                state,
                numbers=(("s", repr(state)), ("h(s)", str(h)), (truth, str(least)), ("gap", str(h - least))),
            )

    def _drops(self) -> Iterator[Violation]:
        scale = self._scale()
        for state, edges in self.space.edges.items():
            for action, successor, cost in edges:
                if state not in self.values or successor not in self.values:
                    continue
                h, after = self.values[state], self.values[successor]
                if h == after == inf or (h != inf and not exceeds(h, cost + after, scale)):
                    continue
                gap = h - (cost + after)
                yield Violation(
                    f"h drops from {h} in {state!r} to {after} in {successor!r}, by more than the cost {cost} "
                    f"of the action {action!r}",
                    gap,
                    2,
                    state,
                    successor,
                    (
                        ("s", repr(state)),
                        ("t", repr(successor)),
                        ("action", repr(action)),
                        ("h(s)", str(h)),
                        ("cost(s, action, t)", str(cost)),
                        ("h(t)", str(after)),
                        ("gap", str(gap)),
                    ),
                )

    def _goals(self) -> Iterator[Violation]:
        scale = self._scale()
        for state in self.values:
            if state in self.space.goals and exceeds(self.values[state], 0, scale):
                h = self.values[state]
                numbers = (("s", repr(state)), ("h(s)", str(h)))
                yield Violation(f"{state!r} is a goal, and h({state!r}) = {h}", h, 1, state, numbers=numbers)

    def _uninformed(self) -> Iterator[Violation]:
        guided = [state for state in self.values if self.exact.get(state, 0) > 0]
        if self.space.whole and guided and not self.faults and not self.guides:
            yield Violation(
                "h(s) = 0 for every state from which a goal can be reached: it does not guide a search",
                states=len(guided),
                state=guided[0],
                numbers=(("states with h* > 0", str(len(guided))),),
            )


def _value(heuristic: Heuristic, state: Any, problem: SearchProblem[Any, Any]) -> tuple[Any, str]:
    """Return the heuristic value of a state, and what is wrong with it ("" if nothing is)."""
    try:
        value = heuristic(state, problem)
    except Exception as error:
        return None, f"raised {last_line(error)}"
    number = python_number(value)
    if number is None:
        fault = kind_of(value)
    elif number >= 0:
        return number, ""
    else:
        fault = "which is negative" if number < 0 else "which is not a number"
    return value, f"is {value!r}, {fault}; expected a number ≥ 0, or infinity where no goal can be reached"


ROWS = 12
"""The largest number of rows of a table; more distances are grouped."""
OVER, NO_PATH, NOT_NUMBER, NO_STATE = "!", "x", "?", " "
COLOUR = "#9aa3b2"
AREA = 1_000_000
"""The largest number of cells of a map of errors."""


@frozen
class ByDistance:
    """Errors by h*: rows of (h*, states, mean error, largest error)."""

    rows: tuple[tuple[str, int, str, str], ...]

    def __iter__(self) -> Iterator[Mapping[str, object]]:
        names = ("h*", "states", "mean error", "largest error")
        return (dict(zip(names, row, strict=True)) for row in self.rows)

    def __str__(self) -> str:
        cells = [("h*", "states", "mean", "largest"), *((a, str(b), c, d) for a, b, c, d in self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = (
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells
        )
        return "\n" + indent("\n".join(lines), "    ")


def facts(audit: Audit) -> dict[str, Any]:
    """Return the facts about the errors; only the number of states if a part of the space was checked."""
    space = audit.space
    known: dict[str, Any] = {
        "states": len(space.edges) if space.whole else f"{len(space.edges)}, the bound; there are more",
    }
    errors = errors_of(audit)
    if not space.whole or not errors:
        return known
    values = list(errors.values())
    known["states from which a goal can be reached"] = len(values)
    known["h = h*"] = f"{sum(error == 0 for error in values) / len(values):.0%} of these"
    known["mean error h* − h"] = number(sum(values) / len(values))
    known["largest error h* − h"] = number(max(values))
    if min(values) < 0:
        known["largest overestimate h − h*"] = number(-min(values))
    known["errors by distance"] = by_distance(audit.exact, errors)
    chart = heat_map(audit, errors)
    if chart:
        known["errors on the map"] = "\n" + indent(chart, "    ")
    return known


def errors_of(audit: Audit) -> dict[Any, Cost]:
    """Return h* − h for each state for which both are finite."""
    return {
        state: audit.exact[state] - h
        for state, h in audit.values.items()
        if state in audit.exact and h < inf and state in audit.space.edges
    }


def by_distance(exact: Mapping[Any, Cost], errors: Mapping[Any, Cost]) -> ByDistance:
    """Return the table of errors: a row for each h*, or for each range of h* if there are many."""
    distances = sorted({exact[state] for state in errors})
    groups: dict[str, list[Cost]] = {}
    if len(distances) <= ROWS:
        for state, error in sorted(errors.items(), key=lambda pair: exact[pair[0]]):
            groups.setdefault(number(exact[state]), []).append(error)
    else:
        width = float(distances[-1]) / ROWS
        for state, error in sorted(errors.items(), key=lambda pair: exact[pair[0]]):
            row = min(int(float(exact[state]) / width), ROWS - 1)
            groups.setdefault(f"{number(row * width)} to {number((row + 1) * width)}", []).append(error)
    return ByDistance(
        tuple(
            (label, len(group), number(sum(group) / len(group)), number(max(group)))
            for label, group in groups.items()
        )
    )


def heat_map(audit: Audit, errors: Mapping[Any, Cost]) -> str:
    """Return a map of the errors, one digit for each, with a legend; "" if states are not cells (x, y)."""
    states = list(audit.space.edges)
    if not all(isinstance(s, tuple) and len(s) == 2 and all(type(n) is int for n in s) for s in states):
        return ""
    left, top = min(x for x, _ in states), min(y for _, y in states)
    columns, rows = max(x for x, _ in states) - left + 1, max(y for _, y in states) - top + 1
    if columns * rows > AREA:
        return ""
    largest = max([*errors.values(), 0])
    unit: Cost = 1 if largest <= 9 and all(error == int(error) for error in errors.values()) else largest / 9
    cells = [[NO_STATE] * columns for _ in range(rows)]
    for x, y in states:
        cells[y - top][x - left] = _glyph(audit, errors, (x, y), unit)
    marks = {glyph: Mark(glyph, COLOUR, rank=rank) for rank, glyph in enumerate(" x0123456789?!")}
    drawing = Drawing(("".join(row) for row in cells), marks)
    meaning = "h* − h" if unit == 1 else f"(h* − h) / {number(unit)}, rounded"
    others = {OVER: "h > h*", NO_PATH: "no goal can be reached", NOT_NUMBER: "h is not a number ≥ 0"}
    shown = set().union(*drawing.rows)
    explained = [f"0–9: {meaning}", *(f"{glyph}: {text}" for glyph, text in others.items() if glyph in shown)]
    lines = [line.rstrip() for line in to_text(drawing, WIDTH, means="glyphs").plain.split("\n")]
    return "\n".join([*lines, "  ".join(explained)])


def _glyph(audit: Audit, errors: Mapping[Any, Cost], state: Any, unit: Cost) -> str:
    if state not in audit.values:
        return NOT_NUMBER
    if state not in audit.exact:
        return NO_PATH
    error = errors.get(state, -inf)
    return OVER if error < -1e-9 else str(round(max(error, 0) / unit) if unit else 0)


def number(value: Any) -> str:
    """Return a number as short text: integers exactly, other numbers with four digits."""
    return str(int(value)) if value == int(value) else f"{float(value):.4g}"


ALWAYS = "numbers"
MANY_STATES, FEW_STATES = 50_000, 500
"""When so many states were expanded for a promise, problems that are drawn later are expanded up to the second number:
a check of a strategy takes seconds, whatever sizes it draws."""
VERDICTS = {
    "admissible": ("admissible", "inadmissible"),
    "consistent": ("consistent", "inconsistent"),
}


def check_heuristic(
    subject: Any,
    heuristic: Heuristic | None = None,
    *,
    promises: Iterable[str] = ("admissible",),
    max_states: int = 100_000,
    examples: int = EXAMPLES,
    seed: int = 0,
) -> Report:
    """Compare a heuristic with the exact distances h*, on one problem or on the small problems of a strategy.

    For one problem, the report's facts say whether it is admissible and consistent, how large its errors h* − h are
    (on average, at most, by distance) and, if states are cells (x, y), where they are. Of all states that break a
    promise, the report shows the one with the least gap, and among these the one with the fewest states on the path
    that proves it. For a strategy, it shows the smallest problem that breaks the promise.

    Args:
        subject: a problem, a `ProblemSpec` or the name of a registered kind of problem, whose strategy is then used, or
            a Hypothesis strategy of problems.
        heuristic: a function `h(state, problem)`; None for the problem's own.
        promises: names out of `admissible`, `consistent`, `zero at goals` and `informed` (above 0 somewhere). `numbers`
            is always checked: that each value is a number ≥ 0, or infinity.
        max_states: the largest number of states of a problem that are expanded. Of problems that are drawn after
            50,000 states were expanded for a promise, at most 500 are.
        examples: problems to draw from a strategy, for each promise.
        seed: the same seed draws the same problems.

    If a space has more than `max_states` states, a part of it is checked. A violation there is a violation in the whole
    space, because a path that was found costs at least h*. A promise without violations is undecided, and the errors
    are unknown. Floats may differ by 10⁻⁹ of their size; other numbers are compared exactly.

    Raises:
        CheckFailure: a promise does not hold.
        MissingCapabilityError: the problem has no heuristic, and none is given; or the kind of problem no strategy.
        InvalidProblemError: a cost is not a finite number ≥ 0.
        InvalidOptionError: an argument is invalid.
        UnknownNameError: there is no such kind of problem.

    Example:
        >>> from searchkit import problem_from
        >>> from searchkit.testing import check_heuristic
        >>> line = problem_from([3], lambda x: [("left", x - 1)] if x else [], lambda x: x == 0,
        ...                     heuristic=lambda x: x // 2)
        >>> report = check_heuristic(line)
        >>> report.facts["verdict"], report.facts["mean error h* − h"]
        ('admissible, consistent', '1')

    """
    promised = _promised(promises)
    function = _function(heuristic)
    name = "the heuristic" if heuristic is None else name_of(heuristic)
    if hasattr(subject, "initial_states"):
        if heuristic is None and not has_heuristic(subject):
            raise MissingCapabilityError(
                f"{type(subject).__name__} has no heuristic; define heuristic(state), or give one: "
                "check_heuristic(problem, h) with h(state, problem)"
            )
        audit = Audit(subject, function, max_states)
        checks = [_check(audit, promise, heuristic) for promise in promised]
        known = {"verdict": verdict(audit), **facts(audit)}
        return Report(f"{name} of {type(subject).__name__}", checks, 1, known).or_raise()
    where, strategy = _strategy(subject)
    trials = _Trials(heuristic, function, max_states)
    checks = [trials.check(strategy, promise, examples, seed) for promise in promised]
    return Report(f"{name} of {where}", checks, trials.number, trials.facts()).or_raise()


def verdict(audit: Audit) -> str:
    """Return whether the heuristic is admissible and consistent, if that is known."""
    words = []
    for promise, (kept, broken) in VERDICTS.items():
        if audit.broken(promise) is not None:
            words.append(broken)
        elif audit.faults:
            words.append(f"not {kept}, as it is not a number ≥ 0 everywhere")
        else:
            words.append(kept if audit.decided(promise) else f"{kept} or not: undecided within the bound")
    return ", ".join(words)


class _Trials:
    """A heuristic on the problems of a strategy."""

    def __init__(self, heuristic: Heuristic | None, function: Heuristic, max_states: int):
        self.heuristic, self.function, self.max_states = heuristic, function, max_states
        self.number = self.states = self.undecided = 0
        self.sum_of_errors, self.errors = 0.0, 0

    def check(self, strategy: SearchStrategy[Any], promise: str, examples: int, seed: int) -> Check:
        """Look for the smallest problem on which the promise is broken."""
        told = spent = 0
        failed = False

        def broken(problem: SearchProblem[Any, Any]) -> bool:
            nonlocal told, spent, failed
            if self.heuristic is None and not has_heuristic(problem):
                return False
            # What fails in a part of a space fails in the whole space; so a failure can be repeated without the bound.
            bounded = spent >= MANY_STATES and not failed
            most = min(self.max_states, FEW_STATES) if bounded else self.max_states
            audit = Audit(problem, self.function, most)
            told += 1
            spent += len(audit.space.edges)
            if promise == ALWAYS:  # this promise is first, and is checked on every problem
                self._measure(audit)
            # an easy problem need not have guidance: one problem that has it is enough
            found = audit.guides if promise == "informed" else audit.broken(promise) is not None
            failed |= found
            return found

        try:
            problem = smallest(strategy, broken, examples=examples, seed=seed)
        except Flaky:
            detail = "asked about the same state again, it gave another answer; it has to depend on the state alone"
            return Check(promise, PROMISES[promise], "fails", detail)
        if promise == "informed" and told:
            found = problem is not None
            detail = (
                "" if found else "h(s) = 0 in all examples, for every state from which a goal can be reached"
            )
            return Check(promise, PROMISES[promise], "holds" if found else "fails", detail)
        if problem is not None:
            return _check(Audit(problem, self.function, self.max_states), promise, self.heuristic)
        if not told:
            return Check(promise, PROMISES[promise], "skipped", "no example has a heuristic")
        if self.undecided == self.number:
            return Check(promise, PROMISES[promise], "undecided", _beyond(self.max_states))
        return Check(promise, PROMISES[promise], "holds")

    def _measure(self, audit: Audit) -> None:
        self.number += 1
        self.states += len(audit.space.edges)
        self.undecided += not audit.space.whole
        if audit.space.whole:
            errors = errors_of(audit)
            self.errors += len(errors)
            self.sum_of_errors += float(sum(errors.values()))

    def facts(self) -> dict[str, Any]:
        """Return the measured facts over all problems."""
        known: dict[str, Any] = {"problems": self.number, "states": self.states}
        if self.undecided:
            known["problems of which a part was seen"] = self.undecided
        if self.errors:
            known["mean error h* − h"] = number(self.sum_of_errors / self.errors)
        return known


def _promised(promises: Iterable[str]) -> list[str]:
    wanted = {promises} if isinstance(promises, str) else set(promises)
    strange = sorted(map(str, wanted - PROMISES.keys()))
    if strange:
        what, there_are = f"there is no promise {strange[0]!r}", f"there are {', '.join(PROMISES)}"
        raise InvalidOptionError(unknown(what, strange[0], PROMISES, there_are))
    return [name for name in PROMISES if name in wanted or name == ALWAYS]


def _function(heuristic: Heuristic | None) -> Heuristic:
    if heuristic is None:
        return lambda state, problem: problem.heuristic(state)
    if not callable(heuristic):
        raise InvalidOptionError(f"heuristic={heuristic!r}: expected a function h(state, problem)")
    try:
        signature(heuristic).bind(None, None)
    except TypeError:
        name = getattr(heuristic, "__name__", heuristic)
        raise InvalidOptionError(
            f"heuristic={name}: expected a function of two arguments, h(state, problem); "
            "one of a state alone is given as lambda state, problem: h(state)"
        ) from None
    except ValueError:  # some built-in functions have no signature
        pass
    return heuristic


def _strategy(subject: Any) -> tuple[str, SearchStrategy[Any]]:
    if isinstance(subject, SearchStrategy):
        return "a strategy", subject
    spec = registry().problem(subject) if isinstance(subject, str) else subject
    if not isinstance(spec, ProblemSpec):
        raise InvalidOptionError(
            f"{subject!r} has no heuristic to check; expected a problem, a ProblemSpec, the name of a registered kind "
            "of problem, or a Hypothesis strategy of problems"
        )
    if spec.strategy is None:
        raise MissingCapabilityError(
            f"problem {spec.name!r} has no Hypothesis strategy; give its ProblemSpec one, or check one problem"
        )
    return spec.name, spec.strategy()


def name_of(function: object) -> str:
    """Return the name of a function for Python code; `h` if it has none."""
    name = getattr(function, "__name__", "h")
    return name if name.isidentifier() else "h"


def _beyond(states: int) -> str:
    return (
        f"within the bound of {states} states nothing breaks it, and there are more states; raise max_states"
    )


def _check(audit: Audit, promise: str, heuristic: Heuristic | None) -> Check:
    violation = audit.broken(promise)
    if violation is not None:
        case = _counterexample(audit, promise, violation, heuristic)
        return Check(promise, PROMISES[promise], "fails", violation.detail, case)
    if promise == "informed" and not audit.exact and audit.space.whole:
        return Check(promise, PROMISES[promise], "skipped", "no goal can be reached")
    if audit.faults:
        detail = f"the heuristic is not a number ≥ 0 in {len(audit.faults)} of the states; see {ALWAYS}"
        return Check(promise, PROMISES[promise], "undecided", detail)
    if not audit.decided(promise):
        return Check(promise, PROMISES[promise], "undecided", _beyond(len(audit.space.edges)))
    return Check(promise, PROMISES[promise], "holds")


def _counterexample(
    audit: Audit, promise: str, violation: Violation, heuristic: Heuristic | None
) -> Counterexample:
    problem, paths = audit.problem, []
    if promise == "admissible":
        path = audit.space.path_to_goal(violation.state) or ()
        of = "of least cost " if audit.space.whole else ""
        title = f"the path {of}from s to a goal, {audit.exact[violation.state]}"
        paths.append((title, picture_from(problem, path)))
    elif promise == "consistent":
        paths.append(
            ("the action from s to t", picture_from(problem, (violation.state, violation.successor)))
        )
    elif violation.numbers and promise != "informed":
        paths.append(("the state s", picture_from(problem, (violation.state,))))
    given = "" if heuristic is None else f", {name_of(heuristic)}"
    call = f'check_heuristic(problem{given}, promises=["{promise}"])'
    otherwise = (
        "from searchkit.testing import check_heuristic",
        f"# {type(problem).__name__} can't be written as text; the report holds it, as `counterexample.problem`",
        call,
    )
    return Counterexample(
        drawing=picture(problem),
        paths=tuple(paths),
        numbers=violation.numbers,
        reproduce=reproduce(problem, call, otherwise),
        problem=problem,
    )
