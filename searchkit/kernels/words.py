"""Packed states as kernels have them: a number of 64 bits, or an array of several such words, the lowest first."""

from typing import Any

import numpy as np
from numba import types

from searchkit.compiled import functions as compiling
from searchkit.compiled.functions import chosen_for, compiled_function, copy_state
from searchkit.compiled.view import CompiledProblem, Functions, GridDistance
from searchkit.errors import InvalidProblemError


def check_words(view: CompiledProblem) -> None:
    """Raise `InvalidProblemError` for functions that are not made for states of so many words."""
    if not isinstance(view.graph, Functions):
        if view.words != 1:
            raise InvalidProblemError(
                f"words={view.words}: expected 1, as the states of a {type(view.graph).__name__} are small numbers"
            )
        return
    wide = "wide_" if view.words > 1 else ""
    functions = {"expand": view.graph.expand, "goal": view.graph.is_goal}
    if view.heuristic is not None and not isinstance(view.heuristic, GridDistance):
        functions["heuristic"] = view.heuristic
    for name, function in functions.items():
        kind = getattr(compiling, f"{wide}{'is_' if name == 'goal' else ''}{name}".upper())
        if getattr(function, "_sig", None) != kind:
            raise InvalidProblemError(
                f"words={view.words}: expected {function!r} to be made by "
                f"searchkit.compiled.functions.{wide}{name}_function"
            )


def as_words(packed: int, words: int) -> Any:
    """Return a packed state as kernels take it. Raises `OverflowError` for one that does not fit."""
    if words == 1:
        return np.uint64(packed)
    return np.frombuffer(packed.to_bytes(8 * words, "little"), "<u8").astype(np.uint64)


def as_number(state: Any) -> int:
    """Return a packed state, taken out of an array, as `CompiledProblem.unpack` takes it."""
    return int(state) if np.ndim(state) == 0 else int.from_bytes(state.astype("<u8").tobytes(), "little")


def state_array(size: int, words: int) -> Any:
    """Return an array for so many packed states, of no particular values."""
    return np.empty(size if words == 1 else (size, words), np.uint64)


@compiled_function
def mixed(key: Any) -> Any:
    """Return 64 bits that all depend on all of the key's (the finaliser of SplitMix64, Steele et al. 2014)."""
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))


def hash_of(state: Any) -> Any:
    """Return 64 bits that all depend on all of a state's. For kernels only."""
    raise TypeError("searchkit.kernels.words.hash_of is called by compiled code only")


@chosen_for(hash_of)
def _hash_of(state: Any) -> Any:
    if not isinstance(state, types.Array):

        def one(state: Any) -> Any:
            return mixed(state)

        return one

    def several(state: Any) -> Any:
        key = mixed(state[0])
        for word in range(np.uint64(1), np.uint64(state.size)):
            key = mixed(key ^ state[word])
        return key

    return several


def are_same(state: Any, other: Any) -> Any:
    """Whether two states are equal. For kernels only."""
    raise TypeError("searchkit.kernels.words.are_same is called by compiled code only")


@chosen_for(are_same)
def _are_same(state: Any, other: Any) -> Any:
    if not isinstance(state, types.Array):

        def one(state: Any, other: Any) -> Any:
            return state == other

        return one

    def several(state: Any, other: Any) -> Any:
        for word in range(np.uint64(state.size)):  # noqa: SIM110  # Numba compiles no generator expressions
            if state[word] != other[word]:
                return False
        return True

    return several


def put_state(record: Any, state: Any) -> None:
    """Write a state into the field `state` of a record. For kernels only."""
    raise TypeError("searchkit.kernels.words.put_state is called by compiled code only")


@chosen_for(put_state)
def _put_state(record: Any, state: Any) -> Any:
    if not isinstance(state, types.Array):

        def one(record: Any, state: Any) -> None:
            record.state = state

        return one

    def several(record: Any, state: Any) -> None:
        copy_state(record.state, state)

    return several
