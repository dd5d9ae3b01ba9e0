"""Comparing a heuristic with the exact distances to the goals."""

from collections.abc import Iterable
from inspect import signature
from typing import Any

from hypothesis.errors import Flaky
from hypothesis.strategies import SearchStrategy

from searchkit.errors import InvalidOptionError, MissingCapabilityError, unknown
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import ProblemSpec
from searchkit.problem import SearchProblem, has_heuristic
from searchkit.testing.heuristics.audit import PROMISES, Audit, Heuristic, Violation
from searchkit.testing.heuristics.error_tables import errors_of, facts, number
from searchkit.testing.reports import (
    EXAMPLES,
    Check,
    Counterexample,
    Report,
    picture,
    picture_from,
    reproduce,
    smallest,
)

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
