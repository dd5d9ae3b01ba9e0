"""Why an expansion failed: which member of the problem was called with what, and what to do about it."""

from collections.abc import Awaitable, Iterable, Iterator, Mapping
from contextlib import suppress
from inspect import isroutine
from itertools import islice
from traceback import walk_tb
from typing import Any

from searchkit.basics.checks import NO_STATE, changed_state_error, cost_overflow_error
from searchkit.basics.lookalikes import SAMPLE, lookalikes, remedy
from searchkit.basics.text import kind_of, state_text
from searchkit.errors import RESUME, InvalidProblemError, PluginError, SearchkitError, quoted, shortened
from searchkit.plugin.adapters import Adapted
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import Action, SearchProblem, State, has_cost, has_heuristic
from searchkit.search.limits import COMPARISONS, LIBRARIES, LimitReached
from searchkit.tree import SearchTree

UNEXPLAINED = SearchkitError, LimitReached, MemoryError
"""What an engine raises that says by itself what to do."""
MAX_ASKED = 10_000
"""How many successors are asked for again: there may be endlessly many."""
AGAIN = "; correct it, and search again"
"""The end of a message about a comparison that raised an error: it may have come while the tree was being written."""
PAIRS = "did successors return a state, or (state, action), instead of (action, state)?"
COSTS = "the cost of an action is returned by cost(state, action, successor)"


def explain(
    problem: SearchProblem[State, Action],
    spec: EngineSpec,
    tree: SearchTree[State, Action],
    state: State | None,
    error: Exception,
    during: str = "",
) -> SearchkitError:
    """Return the error that says which member of `problem` made an engine raise `error`, and with which arguments.

    The members are called again, and each value that they return is checked. If none raises now, the code that has
    raised is named.

    Args:
        problem: the problem that was searched.
        spec: the engine.
        tree: what the search has learned.
        state: the state that was being expanded; not used if the search was just starting.
        error: what was raised.
        during: what was being done, for the message; "" for the expansion of `state`.

    """
    check_unchanged(tree)
    started = tree.frontier is not None and state is not None
    if not during:
        during = f"while {quoted(state)} was being expanded" if started else "while the search was starting"
    if isinstance(tree.reached, dict) and None in tree.reached:  # of machine code, None can't be packed
        return none_error(problem, tree)
    if isinstance(error.__cause__, StopIteration):  # of `next` in a member: a generator can't let it pass
        error = error.__cause__
    culprit = _raising_code(spec, error)
    found = f"{culprit} raised {_text_of(error)}"
    if not (culprit and isinstance(problem, Adapted)):  # whose own methods are better known
        try:
            _ask_again(problem, spec, [state] if started else None)
        except InvalidProblemError as fault:
            if fault.__cause__ is None:  # no member raised
                return fault
            culprit = found = str(fault)
        except Exception:  # of a comparison of states
            pass
    if culprit:
        advice = AGAIN if culprit.rpartition(".")[2] in COMPARISONS else RESUME
        return InvalidProblemError(f"{found}, {during}{_misread(problem, state) if started else ''}{advice}")
    # An int beyond any float and a float, or more digits than Python writes.
    if isinstance(error, OverflowError) or "set_int_max_str_digits" in str(error):
        return cost_overflow_error(state)
    return PluginError(f"engine {spec.name!r} raised {_text_of(error)}, {during}")


def _text_of(error: Exception) -> str:
    try:
        return f"{type(error).__name__}: {shortened(str(error), 400)}"
    except Exception as fault:  # of the `__repr__` of a state
        return f"{type(error).__name__} (whose text raised {type(fault).__name__})"


def none_error(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]) -> InvalidProblemError:
    """Return the error for a search that was given None as a state."""
    _, parent, action = tree.reached[None]
    call = "initial_states()" if action is None and parent is None else f"successors({quoted(parent)})"
    return InvalidProblemError(f"{type(problem).__name__}.{call} gave None as a state; {NO_STATE}")


def check_unchanged(tree: SearchTree[Any, Any]) -> None:
    """Hash some of the states that were reached again. Raises `InvalidProblemError` if one of them has changed."""
    if not isinstance(tree.reached, dict):
        return
    seen = set()
    for state in islice(tree.reached, SAMPLE):
        try:
            changed = state not in tree.reached or state in seen
            seen.add(state)
        except Exception:  # of `__eq__` or `__hash__`: that is explained
            return
        if changed:
            raise changed_state_error(state)


def check_goal_test(problem: SearchProblem[State, Action], goal: State) -> None:
    """Raise `InvalidProblemError` if what `is_goal` returned is true of every state, such as a generator."""
    answer = problem.is_goal(goal)
    if type(answer) is not bool and (isroutine(answer) or isinstance(answer, Awaitable | Iterator)):
        raise InvalidProblemError(
            f"{type(problem).__name__}.is_goal({quoted(goal)}) returned {quoted(answer)}, which counts as true for "
            "every state; return True or False"
        )


def doubts(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> Iterator[str]:
    """Yield warnings about what looks like a mistake in the problem, once an engine in Python has searched it.

    Inspects some of the states that were reached, and calls `is_goal` at most once.
    """
    alike = lookalikes(tree.reached)
    if alike is not None:
        text = shortened(state_text(alike[0]), 80)
        yield f"{text} was reached twice, as two states that are not equal: {remedy(alike[0])}"
    if tree.found or not tree.reached:
        return
    start = next(iter(tree.reached))
    with suppress(Exception):  # the search was ended before it asked
        if problem.is_goal(start) is None:
            yield f"is_goal({quoted(start)}) returned None, which counts as no: does it lack a return?"


def _misread(problem: SearchProblem[Any, Any], state: Any) -> str:
    """Return a hint if a value became a state by mistake: a start or a successor without its brackets."""
    try:
        given = problem.initial_states()
        if isinstance(given, tuple) and len(given) > 1 and state in given:
            return (
                f"; initial_states() returned {quoted(given)}, which is taken for {len(given)} states: "
                f"for one start, return [{quoted(given)}]"
            )
        kinds = sorted({type(start).__name__ for start in given})
    except Exception:
        return ""
    if type(state).__name__ in kinds:
        return ""
    return f" (of type {type(state).__name__}, and the starts are of type {', '.join(kinds)}: {PAIRS})"


def _raising_code(spec: EngineSpec, error: BaseException) -> str:
    """Return the name of the function outside of searchkit and of the package of the engine that was called there.

    "" if there is none: the engine itself raised the error.
    """
    ours = {"searchkit", *LIBRARIES, str(getattr(spec.run, "__module__", "")).partition(".")[0]}
    for frame, _ in walk_tb(error.__traceback__):
        if str(frame.f_globals.get("__name__")).partition(".")[0] not in ours:
            return frame.f_code.co_qualname.rpartition("<locals>.")[2]
    return ""


def raised_while_writing(engine: Any, error: BaseException) -> bool:
    """Whether an engine at work was perhaps writing its tree, and not asking the problem, when this was raised."""
    while error.__cause__ is not None:
        error = error.__cause__
    interrupted = isinstance(error, KeyboardInterrupt)
    if engine.backend == "compiled":
        return interrupted
    culprit = _raising_code(engine.spec, error)
    return (
        culprit.rpartition(".")[2] in COMPARISONS
        if culprit
        else interrupted or isinstance(error, MemoryError)
    )


def _ask_again(problem: SearchProblem[Any, Any], spec: EngineSpec, states: Iterable[Any] | None) -> None:
    """Ask for the successors of states; for None, of the starts. Raises `InvalidProblemError` for the first fault."""
    if states is None:
        call, states = _asked(problem, "states", "initial_states")
        for start in states:
            _check_state(problem, spec, call, start)
    for state in states:
        call, edges = _asked(problem, "(action, successor) pairs", "successors", state)
        for edge in edges:
            if not isinstance(edge, tuple | list) or len(edge) != 2:
                hint = COSTS if isinstance(edge, tuple | list) and len(edge) == 3 else PAIRS
                raise InvalidProblemError(
                    f"{call} gave {quoted(edge)}; expected an (action, successor) pair: {hint}"
                )
            _check_state(problem, spec, call, edge[1])
            if has_cost(problem):
                _asked(problem, "", "cost", state, *edge)


def _asked(problem: SearchProblem[Any, Any], of: str, member: str, *arguments: Any) -> tuple[str, Any]:
    """Return the text of a call, and what it returns, as a list if that is to be a collection `of` something.

    Raises `InvalidProblemError` if it raises, or returns no collection.
    """
    call = f"{type(problem).__name__}.{member}({', '.join(map(quoted, arguments))})"
    try:
        given = getattr(problem, member)(*arguments)
        if not of or (isinstance(given, Iterable) and not isinstance(given, Mapping)):
            return call, list(islice(given, MAX_ASKED)) if of else given
    except Exception as error:
        names = ", ".join(("self", "state", "action", "successor")[: len(arguments) + 1])
        by_call = isinstance(error, TypeError) and getattr(error.__traceback__, "tb_next", None) is None
        hint = f"; expected {member}({names})" if by_call else ""
        raise InvalidProblemError(f"{call} raised {_text_of(error)}{hint}") from error
    if isinstance(given, Mapping):
        raise InvalidProblemError(f"{call} returned {kind_of(given)}; expected {of}: its items()")
    raise InvalidProblemError(
        f"{call} returned {quoted(given)}; expected a collection of {of} (an empty list if there is none)"
    )


def _check_state(problem: SearchProblem[Any, Any], spec: EngineSpec, source: str, state: Any) -> None:
    try:
        hash(state)
    except TypeError:
        raise InvalidProblemError(
            f"{source} gave the state {quoted(state)}, {kind_of(state)}, which is not hashable; states must be "
            "hashable and immutable: use a tuple, a frozenset, a string or a frozen dataclass"
        ) from None
    call, answer = _asked(problem, "", "is_goal", state)
    try:
        bool(answer)
    except Exception as error:
        raise InvalidProblemError(
            f"{call} returned {quoted(answer)}, which is neither true nor false ({_text_of(error)}); "
            "return True or False"
        ) from None
    if has_heuristic(problem) and spec.heuristic in ("optional", "required"):
        _asked(problem, "", "heuristic", state)
    try:
        bool(state == state)  # it may be an array
    except Exception as error:
        raise InvalidProblemError(
            f"{source} gave the state {quoted(state)}; whether it equals itself is neither true nor false "
            f"({_text_of(error)}): its __eq__ must return True or False"
        ) from None
