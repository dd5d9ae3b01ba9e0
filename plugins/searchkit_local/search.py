"""Driving a method of local search: the best state, the goal, limits, and what is counted."""

from collections.abc import Mapping
from math import isnan
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

from attrs import frozen

from searchkit import Limits
from searchkit.plugin import InvalidProblemError, UnknownNameError, unknown
from searchkit_local.methods import METHODS, Method
from searchkit_local.problem import Value, Valued

if TYPE_CHECKING:
    from searchkit import Picture

CAVEAT = "local search proves nothing: a better state may exist"


@frozen
class LocalResult:
    """What a local search found. It proves nothing: a better state may exist, unless `goal` says that this is one."""

    state: Any
    """The best state seen; the first of equally good ones."""
    value: Value
    """Its value."""
    goal: bool
    """Whether it is a goal of the problem."""
    stopped: str
    """Why the search ended."""
    cut_off: bool
    """Whether a limit or an interruption ended it."""
    method: str
    options: Mapping[str, object]
    seed: int
    """With the same problem, method, options and seed, the search is the same in every run."""
    steps: int
    """How many states came after the first; of a population, generations."""
    evaluated: int
    """How many values of states were asked for."""
    values: tuple[Value, ...]
    """The value after each step, the first state included."""
    seconds: float
    """Wall-clock time."""
    _problem: Any

    def __str__(self) -> str:
        """Return one sentence about the state, and one that says what it is worth."""
        steps = f"{self.steps} step{'s' * (self.steps != 1)}"
        found = f"value {self.value}, {'a goal' if self.goal else 'not a goal'}, after {steps}"
        head = f"{found}: {self.stopped}; {self.method} evaluated {self.evaluated} states"
        return head if self.goal else f"{head}\n{CAVEAT}"

    def draw(self) -> "Picture":
        """Return a picture of the state."""
        from searchkit import Picture  # which takes long to import

        return Picture(self._problem, (self.state,), (str(self).splitlines()[0],))


class LocalSearch:
    """A local search that can be interrupted.

    Args:
        problem: a search problem with `value(state)`; see `Valued`.
        method: the name of one of `METHODS`.
        seed: where chance begins.
        options: the options of the method.

    Raises:
        InvalidProblemError: the problem has no values.
        UnknownNameError, InvalidOptionError: there is no such method or option, or a value is invalid.

    """

    def __init__(self, problem: Any, method: str = "hill_climbing", *, seed: int = 0, **options: object):
        if not isinstance(problem, Valued):
            raise InvalidProblemError(
                f"{type(problem).__name__} has no values; local search needs value(state), which is larger for better "
                "states, besides initial_states, successors and is_goal"
            )
        self.problem: Any = problem
        self.method, self.seed = method_named(method), seed
        self.options = self.method.parse(options)
        self._interrupted = False

    def interrupt(self) -> None:
        """End the search at its next step. Can be called from a signal handler or another thread."""
        self._interrupted = True

    def run(self, limits: Limits | None = None) -> LocalResult:
        """Search until the method ends, a goal is found, or a limit is reached; `expansions` counts steps.

        Raises `InvalidProblemError` for a value that is not a number, and what the problem's members raise.
        """
        limits = limits or Limits()
        began, count, evaluate = perf_counter(), 0, self.problem.value

        def value(state: Any) -> Value:
            nonlocal count
            count += 1
            return _checked(state, evaluate(state))

        values: list[Value] = []
        best: Any = None
        most: Value = 0
        state, stopped, cut_off = None, "", True
        run = self.method.run(self.problem, value, Random(self.seed), **self.options)
        while not stopped:
            before = state
            try:
                state, here = next(run)
            except StopIteration as end:
                stopped, cut_off = end.value, False
                break
            values.append(here)
            if len(values) == 1 or here > most:
                best, most = state, here
            if state is not before and self.problem.is_goal(state):
                best, most, stopped, cut_off = state, here, "it is a goal", False
            elif limits.expansions is not None and len(values) > limits.expansions:
                stopped = f"the limit of {limits.expansions} steps"
            elif self._interrupted:
                stopped = "interrupted"
            else:
                stopped = limits.reached(perf_counter() - began)
        return LocalResult(
            state=best,
            value=most,
            goal=bool(self.problem.is_goal(best)),
            stopped=stopped,
            cut_off=cut_off,
            method=self.method.name,
            options=self.options,
            seed=self.seed,
            steps=len(values) - 1,
            evaluated=count,
            values=tuple(values),
            seconds=perf_counter() - began,
            problem=self.problem,
        )


def local_search(
    problem: Any,
    method: str = "hill_climbing",
    *,
    seed: int = 0,
    limits: Limits | None = None,
    **options: object,
) -> LocalResult:
    """Return the best state that a method of local search finds.

    The arguments and errors are those of `LocalSearch`.

    Example:
        >>> from searchkit_local import CompleteQueens, local_search
        >>> result = local_search(CompleteQueens(), restarts=100, seed=1)
        >>> result.goal, result.value
        (True, 0)
        >>> print(local_search(CompleteQueens(), seed=4))
        value ...

    """
    return LocalSearch(problem, method, seed=seed, **options).run(limits)


def method_named(name: str) -> Method:
    """Return the method of that name. Raises `UnknownNameError`."""
    if name not in METHODS:
        known = f"the methods are {', '.join(METHODS)}"
        raise UnknownNameError(unknown(f"there is no method {name!r} of local search", name, METHODS, known))
    return METHODS[name]


def _checked(state: Any, value: Any) -> Value:
    if isinstance(value, bool) or not isinstance(value, int | float) or isnan(value):
        raise InvalidProblemError(
            f"value({state!r}) is {value!r}; expected a number, larger for better states"
        )
    return value
