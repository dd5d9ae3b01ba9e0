"""Why an expansion failed: which member of the problem was called with what, and what to do about it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from numbers import Real
from types import CodeType
from typing import Any

from searchkit.basics.checks import NO_STATE, changed_state_error, cost_overflow_error
from searchkit.basics.lookalikes import SAMPLE, lookalikes, remedy, shown
from searchkit.basics.text import kind_of
from searchkit.errors import RESUME, InvalidProblemError, PluginError, SearchkitError
from searchkit.plugin.adapters import Adapted
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import Action, SearchProblem, State, has_cost, has_heuristic
from searchkit.tree import SearchTree

MEMBERS = ("initial_states", "successors", "is_goal", "cost", "heuristic", "predecessors", "goal_states")
PAIRS = "did successors return a state instead of (action, state)?"


def explain(
    problem: SearchProblem[State, Action],
    spec: EngineSpec,
    tree: SearchTree[State, Action],
    state: State | None,
    error: Exception,
    during: str = "",
) -> SearchkitError:
    """Return the error that says which member of `problem` made an engine raise `error`.

    The members are called again, and each value that they return is checked.

    Args:
        problem: the problem that was searched.
        spec: the engine.
        tree: what the search has learned.
        state: the state that was being expanded; not used if the search was just starting.
        error: what was raised.
        during: what was being done, for the message; "" for the expansion of `state`.

    """
    started = tree.frontier is not None
    if not during:
        during = f"while {state!r} was being expanded" if started else "while the search was starting"
    fault = none_reached(problem, tree)
    if fault is not None:
        return fault
    culprit = _raising_code(problem, spec, error)
    if culprit:
        hint = _misread(problem, state) if started else ""
        return InvalidProblemError(
            f"{culprit} raised {type(error).__name__}: {error}, {during}{hint}{RESUME}"
        )
    if isinstance(error, OverflowError) and "float" in str(
        error
    ):  # an int that is larger than any float, and a float
        return cost_overflow_error(state)
    try:
        for fault_found in _faults(problem, [state] if started else None):
            return InvalidProblemError(f"{type(problem).__name__}.{fault_found}")
    except Exception as fault_of_repr:  # messages quote states
        return InvalidProblemError(
            f"{type(problem).__name__} gave a state that raises {type(fault_of_repr).__name__} when it is printed "
            f"({fault_of_repr}), {during}; before, {type(error).__name__} was raised: {error}"
        )
    return PluginError(f"engine {spec.name!r} raised {type(error).__name__}: {error}, {during}")


def none_reached(
    problem: SearchProblem[State, Action], tree: SearchTree[State, Action]
) -> InvalidProblemError | None:
    """Return the error for a search that was given None as a state; None if it was not."""
    if (
        not isinstance(tree.reached, dict) or None not in tree.reached
    ):  # compiled engines pack states, and None fails
        return None
    _, parent, action = tree.reached[None]  # type: ignore[index]  # None is not a valid state
    call = "initial_states()" if action is None and parent is None else f"successors({parent!r})"
    return InvalidProblemError(f"{type(problem).__name__}.{call} gave None as a state; {NO_STATE}")


def check_unchanged(tree: SearchTree[Any, Any]) -> None:
    """Hash some of the states that were reached again. Raises `InvalidProblemError` if one of them has changed."""
    if not isinstance(tree.reached, dict):
        return
    seen = set()
    for state in islice(tree.reached, SAMPLE):
        if state not in tree.reached or state in seen:
            raise changed_state_error(state)
        seen.add(state)


def doubts(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> Iterator[str]:
    """Yield warnings about what looks like a mistake in the problem, once an engine in Python has searched it.

    Inspects some of the states that were reached, and calls `is_goal` at most once.
    """
    alike = lookalikes(tree.reached)
    if alike is not None:
        yield f"{shown(alike[0])} was reached twice, as two states that are not equal: {remedy(alike[0])}"
    if tree.found or not tree.reached:
        return
    states = iter(tree.reached)
    start: Any = next(states)
    answer, fault = _asked("is_goal", problem.is_goal, start)
    if answer is None and not fault:
        yield f"is_goal({start!r}) returned None, which counts as no: does it lack a return?"
    kinds = {type(state) for state in islice(states, SAMPLE)}
    if (
        isinstance(start, tuple)
        and len(start) == 2
        and kinds == {type(start[1])}
        and type(start) not in kinds
    ):
        other: Any = next(islice(tree.reached, 1, None))
        yield f"{other!r} was reached as a state, and the start is {start!r}: {PAIRS}"


def _misread(problem: SearchProblem[Any, Any], state: Any) -> str:
    """Return a hint if a value became a state by mistake: a start or a successor without its brackets."""
    try:
        given = problem.initial_states()
        starts = list(given)
        if isinstance(given, tuple) and len(given) > 1 and state in given:
            return (
                f"; initial_states() returned {given!r}, which is taken for {len(given)} states: "
                f"for one start, return [{given!r}]"
            )
    except Exception:
        return ""
    kinds = sorted({type(start).__name__ for start in starts})
    if type(state).__name__ in kinds:
        return ""
    return f" (of type {type(state).__name__}, and the starts are of type {', '.join(kinds)}: {PAIRS})"


def _raising_code(problem: SearchProblem[State, Action], spec: EngineSpec, error: Exception) -> str:
    """Return the name of the problem's code in which the error was raised; "" if the engine itself raised it.

    Members are recognised by their code objects. Other code that is neither in the package of the engine nor in
    searchkit counts as code of the problem: a generator expression that a member returned, a helper, `__eq__` of a
    state, a method of an adapted problem.
    """
    codes: dict[CodeType | None, str] = {}
    for name in () if isinstance(problem, Adapted) else MEMBERS:
        function = getattr(problem, name, None)  # some members are optional, and functions may be wrapped
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


def _faults(problem: SearchProblem[Any, Any], states: list[Any] | None) -> Iterator[str]:
    """Yield the faults in what the members return for these states; for None, in the starts and their successors."""
    if states is None:
        starts, fault = _asked("initial_states()", problem.initial_states)
        yield from fault
        yield from _not_a_collection("initial_states()", starts, "states")
        for start in starts:
            yield from _faults_of_state("initial_states() gave", problem, start)
        states = list(starts)
    for state in states:
        yield from _faults_of_successors(problem, state)


def _faults_of_successors(problem: SearchProblem[Any, Any], state: Any) -> Iterator[str]:
    call = f"successors({state!r})"
    edges, fault = _asked(call, problem.successors, state)
    yield from fault
    yield from _not_a_collection(call, edges, "(action, successor) pairs")
    if isinstance(edges, Mapping):
        yield f"{call} returned {kind_of(edges)}; expected (action, successor) pairs: its items()"
    edges, fault = _asked(call, list, edges)
    yield from fault
    for edge in edges:
        if not isinstance(edge, tuple | list) or len(edge) != 2:
            yield f"{call} gave {edge!r}; expected an (action, successor) pair: {PAIRS}"
        action, successor = edge
        yield from _faults_of_state(f"{call} gave", problem, successor)
        if has_cost(problem):
            call_of_cost = f"cost({state!r}, {action!r}, {successor!r})"
            cost, fault = _asked(call_of_cost, problem.cost, state, action, successor)
            yield from fault
            yield from _not_a_number(call_of_cost, cost)


def _faults_of_state(source: str, problem: SearchProblem[Any, Any], state: Any) -> Iterator[str]:
    try:
        hash(state)
    except TypeError:
        yield (
            f"{source} the state {state!r}, {kind_of(state)}, which is not hashable; states must be "
            "hashable and never change: use a tuple, a frozenset, a string or a frozen attrs class"
        )
    call = f"is_goal({state!r})"
    answer, fault = _asked(call, problem.is_goal, state)
    yield from fault
    try:
        bool(answer)
    except Exception as error:
        yield (
            f"{call} returned {answer!r}, which is neither true nor false ({type(error).__name__}: {error}); "
            "return True or False"
        )
    if has_heuristic(problem):
        call = f"heuristic({state!r})"
        h, fault = _asked(call, problem.heuristic, state)
        yield from fault
        yield from _not_a_number(call, h)


def _asked(call: str, member: Callable[..., Any], *arguments: Any) -> tuple[Any, list[str]]:
    """Return what a member returns, or None and the fault if it raises."""
    try:
        return member(*arguments), []
    except Exception as error:
        return None, [f"{call} raised {type(error).__name__}: {error}"]


def _not_a_collection(call: str, value: object, of: str) -> Iterator[str]:
    if not isinstance(value, Iterable):
        yield f"{call} returned {value!r}; expected a collection of {of} (an empty list if there is none)"


def _not_a_number(call: str, value: Any) -> Iterator[str]:
    try:
        valid = bool(value >= 0)
    except (TypeError, ValueError, ArithmeticError):
        valid = False
    if not valid:
        yield f"{call} returned {value!r}; expected a number ≥ 0"
    if not isinstance(value, Real):
        yield (
            f"{call} returned {value!r}, {kind_of(value)}; expected an int, a float or a Fraction, which "
            "can be added to one another"
        )
