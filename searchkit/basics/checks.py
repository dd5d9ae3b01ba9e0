"""What a problem returns, as it is read: start states, and numbers as `int`, `float` or `Fraction`.

Everything that reads a cost or a heuristic value of a problem makes it a number of Python first: numpy's integers have
a fixed width, so that sums of them wrap around, and its `float32` rounds sums to 24 bits.
"""

from fractions import Fraction
from math import inf
from numbers import Integral, Rational, Real
from sys import float_info, int_info

from searchkit.errors import InvalidProblemError, quoted
from searchkit.problem import Action, Cost, SearchProblem, State, has_cost

NUMBERS = frozenset((int, float, Fraction))
"""The types of numbers that searchkit calculates with. All others are converted or refused when they are read."""
NO_STATE = "None can't be a state: use another value, such as () or a text"


def python_number(value: object) -> Cost | None:
    """Return a real number as an `int`, a `float` or a `Fraction`; None if the value is none.

    Booleans, numpy's scalars and arrays without dimensions, and the numbers of other libraries that are registered in
    `numbers` are real numbers. `Decimal`, complex numbers, texts and arrays with dimensions are not.
    """
    if type(value) in NUMBERS:
        return value  # type: ignore[return-value]  # one of these types
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, Real):
        return float(value)
    if getattr(value, "shape", None) == ():
        item = value.item()  # type: ignore[attr-defined]  # of an array library
        return None if type(item) is type(value) else python_number(item)
    return None


def checked_cost(state: object, action: object, successor: object, cost: object) -> Cost:
    """Return the cost of an action as a number of Python.

    Engines call it only if `type(cost) not in NUMBERS or not 0 <= cost < inf`.

    Raises:
        InvalidProblemError: it is not a finite number ≥ 0.

    """
    number = python_number(cost)
    if number is not None and 0 <= number < inf:
        return number
    given = f"cost({quoted(state)}, {quoted(action)}, {quoted(successor)}) is {quoted(cost)}"
    if number is None:
        given += f", of type {type(cost).__name__}; expected a finite int, float or Fraction ≥ 0"
        raise InvalidProblemError(given)
    advice = "Make every cost non-negative (adding the same amount to each changes which path is cheapest)"
    raise InvalidProblemError(f"{given}; expected a finite number ≥ 0. {advice}")


def checked_heuristic(state: object, h: object, member: str = "heuristic") -> Cost:
    """Return a heuristic value as a number of Python; infinity says that no goal can be reached from the state.

    Engines call it only if `type(h) not in NUMBERS or not h >= 0`.

    Args:
        state: where the value belongs.
        h: what the member returned.
        member: the name of the member, such as `backward_heuristic`.

    Raises:
        InvalidProblemError: it is not a number ≥ 0.

    """
    number = python_number(h)
    if number is None or not number >= 0:
        kind = f", of type {type(h).__name__}; expected an int, a float or a Fraction"
        given = f"{member}({quoted(state)}) is {quoted(h)}{kind if number is None else '; expected a number'}"
        raise InvalidProblemError(f"{given} ≥ 0 (infinity where no goal can be reached)")
    return number


def cost_overflow_error(state: object) -> InvalidProblemError:
    """Return the error for a path through a state whose cost or f is too large for a float, or for a text."""
    return InvalidProblemError(
        f"a path through {quoted(state)} costs more than the largest float, {float_info.max:.1e}, or its cost has more "
        "digits than Python writes (heuristic values included); scale the costs down, or use whole numbers (int) of up "
        f"to {int_info.default_max_str_digits:,} digits"
    )


def changed_state_error(state: object, or_else: str = "") -> InvalidProblemError:
    """Return the error for a state that no longer equals what it was when it was returned."""
    return InvalidProblemError(
        f"a state was changed after it was returned{or_else}; it is {quoted(state)} now. States must be immutable: "
        "successors must return new objects (tuples, frozensets, frozen dataclasses), and not change the one given"
    )


def distinct_starts(problem: SearchProblem[State, Action]) -> list[State]:
    """Return the start states, each once, in the order in which the problem gives them.

    Raises:
        InvalidProblemError: there are none, or `initial_states` returned what can't be states.

    """
    given = problem.initial_states()
    call = f"{type(problem).__name__}.initial_states()"
    if isinstance(given, str | bytes):
        raise InvalidProblemError(
            f"{call} returned {quoted(given)}, whose letters would be states: for one start, return [{quoted(given)}]"
        )
    if iter(given) is given and problem.initial_states() is given:
        raise InvalidProblemError(
            f"{call} returned the same iterator twice: it can be read only once; return a list, or a new iterator"
        )
    starts = dict.fromkeys(given)
    if not starts:
        raise InvalidProblemError(f"{call} is empty; a search needs a start")
    if None in starts:
        raise InvalidProblemError(f"{call} gave None as a state; {NO_STATE}")
    return list(starts)


def step_costs(
    problem: SearchProblem[State, Action], states: tuple[State, ...], actions: tuple[Action, ...]
) -> list[Cost]:
    """Return the cost of each action of a path as a number of Python.

    Raises:
        InvalidProblemError: one of them is not a finite number ≥ 0.

    """
    if not has_cost(problem):
        return [1] * len(actions)
    edges = zip(states, actions, states[1:], strict=False)
    return [checked_cost(*edge, problem.cost(*edge)) for edge in edges]
