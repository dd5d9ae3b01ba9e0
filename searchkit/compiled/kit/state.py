"""Packed states as kernels take them: a number of 64 bits, or an array of several such words, the lowest first."""

from typing import Any

import numpy as np
from numba import types

from searchkit.compiled.functions import compiled_function, copy_state
from searchkit.compiled.variants import variants


def as_words(packed: int, words: int) -> Any:
    """Return a packed state as kernels take it. Raises `OverflowError` if it does not fit into so many words."""
    if words == 1:
        return np.uint64(packed)
    return np.frombuffer(packed.to_bytes(8 * words, "little"), "<u8").astype(np.uint64)


def as_number(state: Any) -> int:
    """Return a packed state, taken out of an array, as `CompiledProblem.unpack` takes it."""
    return int(state) if np.ndim(state) == 0 else int.from_bytes(state.astype("<u8").tobytes(), "little")


def state_array(size: int, words: int) -> Any:
    """Return an uninitialised array for `size` packed states."""
    return np.empty(size if words == 1 else (size, words), np.uint64)


@compiled_function
def mixed(key: Any) -> Any:
    """Return 64 bits that all depend on all bits of the key (the finaliser of SplitMix64, Steele et al. 2014)."""
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))


@variants("state")
def hash_of(state: Any) -> Any:
    """Return 64 bits that all depend on all bits of a state. In compiled code only."""


@hash_of.when(types.Array)
def _(state: Any) -> Any:
    key = mixed(state[0])
    for word in range(np.uint64(1), np.uint64(state.size)):
        key = mixed(key ^ state[word])
    return key


@hash_of.when(object)
def _(state: Any) -> Any:
    return mixed(state)


@variants("state")
def are_same(state: Any, other: Any) -> Any:
    """Whether two states are equal. In compiled code only."""


@are_same.when(types.Array)
def _(state: Any, other: Any) -> Any:
    for word in range(np.uint64(state.size)):  # noqa: SIM110  # Numba compiles no generator expressions
        if state[word] != other[word]:
            return False
    return True


@are_same.when(object)
def _(state: Any, other: Any) -> Any:
    return state == other


@variants("state")
def put_state(record: Any, state: Any) -> None:
    """Write a state into the field `state` of a record. In compiled code only."""


@put_state.when(types.Array)
def _(record: Any, state: Any) -> None:
    copy_state(record.state, state)


@put_state.when(object)
def _(record: Any, state: Any) -> None:
    record.state = state
