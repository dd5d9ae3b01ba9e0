"""Why an expansion failed: which member of the problem, asked about what, and what to do about it."""

from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Any

from searchkit.capabilities import has_cost, has_heuristic
from searchkit.errors import InvalidProblemError, PluginError, SearchkitError
from searchkit.problem import Action, SearchProblem, State
from searchkit.specs import EngineSpec

MEMBERS = ("initial_states", "successors", "is_goal", "cost", "heuristic", "predecessors", "goal_states")


def explain(
    problem: SearchProblem[State, Action], spec: EngineSpec, state: State | None, error: Exception
) -> SearchkitError:
    """Return the error that says which member of `problem` made an engine raise `error`.

    `state` is the one that was being expanded, None while the search was starting. What the members
    return is looked at again, one value at a time: a fault in it shows there.
    """
    during = "while the search was starting" if state is None else f"while {state!r} was being expanded"
    culprit = _raising_code(problem, spec, error)
    if culprit:
        return InvalidProblemError(
            f"{culprit} raised {type(error).__name__}: {error}, {during}; "
            "correct it, and resume the search: what was found is kept"
        )
    try:
        for fault in _faults(problem, state):
            return InvalidProblemError(f"{type(problem).__name__}.{fault}")
    except Exception:  # a member raises when it is asked again: the first error is the one to report
        pass
    return PluginError(f"engine {spec.name!r} raised {type(error).__name__}: {error}, {during}")


def _raising_code(problem: SearchProblem[State, Action], spec: EngineSpec, error: Exception) -> str:
    """Return the problem's code in which the error was raised; "" if it was raised by the engine itself.

    A member is known by its code. Other code that is neither in the engine's package nor ours is the problem's
    too: the generator expression that a member returned, a helper, a state's `__eq__`.
    """
    codes: dict[CodeType | None, str] = {}
    for name in MEMBERS:
        function = getattr(problem, name, None)
        codes[getattr(getattr(function, "__func__", function), "__code__", None)] = name
    engine = str(getattr(spec.run, "__module__", "")).partition(".")[0]
    ours = {"searchkit", "sortedcontainers", engine}
    outside = ""
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code in codes:
            return f"{type(problem).__name__}.{codes[code]}"
        if not outside and str(trace.tb_frame.f_globals.get("__name__")).partition(".")[0] not in ours:
            outside = code.co_qualname
        trace = trace.tb_next
    return outside


def _faults(problem: SearchProblem[State, Action], state: State | None) -> Iterator[str]:
    """Yield what is wrong with what the members return about the start, or about `state`."""
    if state is None:
        starts = problem.initial_states()
        yield from _not_a_collection("initial_states()", starts, "states")
        for start in starts:
            yield from _faults_of_state("initial_states() gave", problem, start)
        return
    edges = problem.successors(state)
    call = f"successors({state!r})"
    yield from _not_a_collection(call, edges, "(action, successor) pairs")
    for edge in edges:
        if not isinstance(edge, tuple | list) or len(edge) != 2:
            yield f"{call} gave {edge!r}; expected an (action, successor) pair"
        action, successor = edge
        yield from _faults_of_state(f"{call} gave", problem, successor)
        if has_cost(problem):
            cost = problem.cost(state, action, successor)
            yield from _not_a_number(f"cost({state!r}, {action!r}, {successor!r})", cost)


def _faults_of_state(source: str, problem: SearchProblem[State, Action], state: Any) -> Iterator[str]:
    try:
        hash(state)
    except TypeError:
        yield (
            f"{source} the state {state!r}, a {type(state).__name__}, which is not hashable; states must be "
            "hashable and never change: use a tuple, a frozenset, a string or a frozen attrs class"
        )
    if has_heuristic(problem):
        yield from _not_a_number(f"heuristic({state!r})", problem.heuristic(state))


def _not_a_collection(call: str, value: object, of: str) -> Iterator[str]:
    if not isinstance(value, Iterable):
        yield f"{call} returned {value!r}; expected a collection of {of} (an empty list if there is none)"


def _not_a_number(call: str, value: Any) -> Iterator[str]:
    try:
        valid = bool(value >= 0)
    except (TypeError, ValueError):
        valid = False
    if not valid:
        yield f"{call} returned {value!r}; expected a number ≥ 0"
