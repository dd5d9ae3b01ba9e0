"""`check_heuristic`: a heuristic against the exact distances, with the smallest counterexample and its errors."""

from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from math import inf
from numbers import Real
from typing import Any

from attrs import Factory, define, evolve
from hypothesis.strategies import SearchStrategy

from searchkit.basics.checks import checked_heuristic
from searchkit.errors import InvalidOptionError, InvalidProblemError, MissingCapabilityError, quoted
from searchkit.plugin.options import takes
from searchkit.problem import Cost, SearchProblem, check_members, has_heuristic
from searchkit.testing.reports import (
    EXAMPLES,
    HOLDS,
    Finding,
    Report,
    Trials,
    cases_of,
    chosen_promises,
    fails,
    last_line,
)
from searchkit.testing.spaces.space import StateSpace, exceeds, explore

PROMISES: Mapping[str, str] = {
    "numbers": "the heuristic of every state is a number ≥ 0, or infinity",
    "admissible": "h(s) ≤ h*(s), the least cost from s to a goal, for every state s",
    "consistent": "h(s) ≤ cost(s, a, t) + h(t) for every action a from a state s to a state t",
}
"""Name → the promise as a sentence, in the order in which reports list them."""

Heuristic = Callable[[Any, SearchProblem[Any, Any]], Any]
"""`h(state, problem)`."""


@define(slots=False)
class Audit:
    """The heuristic of one problem, evaluated in the states of a space."""

    problem: SearchProblem[Any, Any]
    space: StateSpace
    values: Mapping[Any, Cost]
    """State → h, for the states with a valid value."""
    faults: list[Finding] = Factory(list)
    """What is wrong with the other values."""

    @classmethod
    def of(cls, problem: SearchProblem[Any, Any], heuristic: Heuristic | None, max_states: int) -> "Audit":
        """Evaluate a heuristic, by default the problem's, in every reachable state, or in the first `max_states`."""
        values: dict[Any, Cost] = {}
        audit = cls(problem, explore(problem, max_states), values)
        reached = (successor for edges in audit.space.edges.values() for _, successor, _ in edges)
        for state in dict.fromkeys([*audit.space.starts, *audit.space.edges, *reached]):
            value: Any = 0
            try:
                value = heuristic(state, problem) if heuristic else problem.heuristic(state)
                values[state] = checked_heuristic(state, value, "h")
            except Exception as error:
                of_value = isinstance(error, InvalidProblemError)
                said = str(error) if of_value else f"h({quoted(state)}) raised {last_line(error)}"
                path = [state] if isinstance(value, Real) else []  # a wrong type needs no problem to be seen
                audit.faults.append(fails(said, path, "the state s"))
        return audit

    @cached_property
    def scale(self) -> Cost:
        """The largest distance to a goal: heuristic values have rounding errors of numbers of that size."""
        return max((distance for distance in self.space.to_goals.values() if distance < inf), default=0)

    def finding(self, promise: str) -> Finding:
        """Return what is found about a promise; of all states that break it, one with the least gap is shown."""
        broken = {
            "numbers": lambda: next(iter(self.faults), None),
            "admissible": self._overestimate,
            "consistent": self._drop,
        }[promise]()
        if broken is not None:
            return evolve(broken, problem=self.problem) if broken.paths else broken
        if self.faults:
            said = f"the heuristic is not a number ≥ 0 in {len(self.faults)} of the states; see {ALWAYS}"
            return Finding("undecided", said)
        if not self.space.whole:
            bound = f"within the bound of {len(self.space.edges)} states nothing breaks it"
            return Finding("undecided", f"{bound}, and there are more; give a smaller problem, or max_states")
        return HOLDS

    def _overestimate(self) -> Finding | None:
        over = [
            (h - self.space.to_goals[state], state)
            for state, h in self.values.items()
            if state in self.space.to_goals and exceeds(h, self.space.to_goals[state], self.scale)
        ]
        if not over:
            return None
        ways = self.space.ways_to_goals
        gap, state = min(over, key=lambda place: (place[0], ways[place[1]][1]))
        h, least = self.values[state], self.space.to_goals[state]
        return fails(
            f"h({quoted(state)}) = {h}, and a path of cost {least} leads from there to a goal: {gap} too much",
            self.space.path_to_goal(state),
            f"the path {'of least cost ' if self.space.whole else ''}from s to a goal, {least}",
        )

    def _drop(self) -> Finding | None:
        drops = [
            (h - (cost + after), state, action, successor, cost)
            for state, edges in self.space.edges.items()
            for action, successor, cost in edges
            if (h := self.values.get(state)) is not None
            and (after := self.values.get(successor)) is not None
            and h > after
            and (h == inf or exceeds(h, cost + after, self.scale))
        ]
        if not drops:
            return None
        _, state, action, successor, cost = min(drops, key=lambda drop: drop[0])
        h, after = self.values[state], self.values[successor]
        return fails(
            f"h drops from {h} in {quoted(state)} to {after} in {quoted(successor)}, by more than the cost {cost} "
            f"of the action {action!r}",
            [state, successor],
            "the action from s to t",
        )


def facts(audit: Audit) -> dict[str, Any]:
    """Return what is known of the heuristic: the verdict, and its errors, unless a part of the space was checked."""
    space, prefixes = audit.space, {"holds": "", "fails": "in", "undecided": "undecided whether "}
    verdict = [prefixes[audit.finding(name).outcome] + name for name in ("admissible", "consistent")]
    known: dict[str, Any] = {
        "verdict": ", ".join(verdict),
        "states": len(space.edges) if space.whole else f"{len(space.edges)}, the bound; there are more",
    }
    errors = [
        audit.space.to_goals[state] - h
        for state, h in audit.values.items()
        if state in audit.space.to_goals and h < inf and state in space.edges
    ]
    if not space.whole or not errors:
        return known
    known["states from which a goal can be reached"] = len(errors)
    known["h = h*"] = f"{sum(error == 0 for error in errors) / len(errors):.0%} of these"
    known["mean error h* − h"] = number(Fraction(sum(errors)) / len(errors))
    known["largest error h* − h"] = number(max(errors))
    if min(errors) < 0:
        known["largest overestimate h − h*"] = number(-min(errors))
    return known


def number(value: Any) -> str:
    """Return a number as short text: integers and large numbers as integers, others with four digits."""
    return str(int(value)) if value == int(value) or abs(value) > 1e15 else f"{float(value):.4g}"


ALWAYS = "numbers"
PER_EXAMPLE = 10
"""Of a drawn problem, this part of `max_states` is expanded: a check of a strategy takes seconds."""


def check_heuristic(
    subject: Any,
    heuristic: Heuristic | None = None,
    *,
    promises: Iterable[str] = ("admissible",),
    max_states: int = 200_000,
    examples: int = EXAMPLES,
    seed: int = 0,
) -> Report:
    """Compare a heuristic with the exact distances h*, on one problem or on the small problems of a strategy.

    For one problem, the report's facts say whether it is admissible and consistent, how large its errors h* − h are
    (on average, at most). Of all states that break a promise, the report shows the one with the least gap, and among
    these the one with the fewest states on the path that proves it. For a strategy, it shows the smallest problem that
    breaks the promise.

    Args:
        subject: a problem, a `ProblemSpec` or the name of a registered kind of problem, whose strategy is then used, or
            a Hypothesis strategy of problems.
        heuristic: a function `h(state, problem)`; None for the problem's own.
        promises: `admissible`, `consistent` or both. `numbers` is always checked: that each value is a number ≥ 0, or
            infinity.
        max_states: the largest number of states of a problem that are expanded; for drawn problems, a tenth of it.
        examples: problems to draw from a strategy.
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
    __tracebackhide__ = True  # pytest shows the report, and not this function
    promised = chosen_promises(promises, PROMISES, ALWAYS)
    name = "the heuristic" if heuristic is None else _name_of(heuristic)
    call = f'check_heuristic(problem{"" if heuristic is None else f", {name}"}, promises=["{{}}"])'
    where, cases = cases_of(subject)
    if heuristic is not None and not takes(heuristic, 2):
        raise InvalidOptionError(
            f"heuristic={getattr(heuristic, '__name__', heuristic)}: expected a function of two arguments, "
            "h(state, problem); one of a state alone is given as lambda state, problem: h(state)"
        )
    known: dict[str, Any] = {}

    def try_on(problem: SearchProblem[Any, Any], names: Collection[str]) -> dict[str, Finding]:
        if heuristic is None and not has_heuristic(problem):
            return {}
        single = problem is subject
        audit = Audit.of(problem, heuristic, max_states if single else max(1, max_states // PER_EXAMPLE))
        known.update(facts(audit) if single else {})
        return {name: audit.finding(name) for name in names}

    trials = Trials(promised, try_on, call, named=(heuristic,))
    if not isinstance(cases, SearchStrategy):
        check_members(subject)
        if heuristic is None and not has_heuristic(subject):
            raise MissingCapabilityError(
                f"{where} has no heuristic; define heuristic(state), or give one: "
                "check_heuristic(problem, h) with h(state, problem)"
            )
    trials.run(cases, examples, seed)
    return trials.report(f"{name} of {where}", known)


def _name_of(function: object) -> str:
    """Return the name of a function for Python code; `h` if it has none."""
    name = getattr(function, "__name__", "h")
    return name if name.isidentifier() else "h"
