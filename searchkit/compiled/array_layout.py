"""Distances as arrays of numpy: which entry belongs to which state. Imports numpy only when it makes an array."""

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, Generic, Protocol, runtime_checkable

from attrs import frozen

from searchkit.errors import InvalidProblemError, MissingCapabilityError, MissingExtraError
from searchkit.problem import State

INT32_END, INT64_END = 1 << 31, 1 << 63


@frozen(eq=False)
class ArrayLayout(Generic[State]):
    """How the states of a problem are arranged in an array: what `distances.array()` returns has this form.

    An example is a map of cells (x, y) whose compiled view packs a cell into y · stride + x:

        ArrayLayout((height, width), lambda cell: (cell[1], cell[0]), whole=True, strides=(stride, 1))
    """

    shape: tuple[int, ...]
    """The length of each axis."""
    place: Callable[[State], tuple[int, ...]]
    """State → its index: one number for each axis, from 0 up to below its length. No two states share an index."""
    whole: bool
    """Whether all costs are integers. Then distances are integers, and −1 stands for a state that can't be reached;
    otherwise they are floats, and infinity stands for it."""
    strides: tuple[int, ...] | None = None
    """Numbers ≥ 0 such that the compiled view, a `Stencil` or a `CSR`, packs the state at index (i, j, …) into
    i · strides[0] + j · strides[1] + …: then the array shows the memory of the search, without a copy. None if there
    are no such numbers; then the distance of each state is copied by itself."""
    labels: Sequence[State] | None = None
    """For one axis: the state of each entry. None if the index itself tells the state."""


@runtime_checkable
class Arrayable(Protocol[State]):
    """A problem whose states are places of an array, such as the cells of a map or the nodes of a graph."""

    def array_layout(self) -> ArrayLayout[State]:
        """Return how the states are arranged."""
        ...


def layout_of(problem: object) -> ArrayLayout[Any]:
    """Return the layout of a problem. Raises `MissingCapabilityError` if it has none."""
    if not isinstance(problem, Arrayable):
        raise MissingCapabilityError(
            f"the states of {type(problem).__name__} have no places in an array: grids and explicit graphs have, and "
            "every problem with a method array_layout(); dict(distances) holds the same distances"
        )
    return problem.array_layout()


def numpy() -> ModuleType:
    """Return the module numpy. Raises `MissingExtraError` if it is not installed."""
    try:
        import numpy as np
    except ImportError as error:
        raise MissingExtraError(
            "distances.array() needs numpy; install it with: pip install 'statespace-searchkit[fast]'"
        ) from error
    return np


def integer_type(largest: float) -> Any:
    """Return the type of an array of integers up to this one. Raises `MissingCapabilityError` if there is none."""
    if largest >= INT64_END:
        raise MissingCapabilityError(
            f"the distance {largest:,} does not fit into 64 bits; dict(distances) holds the same distances"
        )
    return numpy().int32 if largest < INT32_END else numpy().int64


def filled(layout: ArrayLayout[Any], distances: Mapping[Any, Any]) -> Any:
    """Return an array of the distances of states.

    Raises:
        InvalidProblemError: a distance is not an integer as the layout says, or an index is wrong.
        MissingCapabilityError: a distance does not fit into 64 bits.
        MissingExtraError: numpy is not installed.

    """
    np, numbers = numpy(), list(distances.values())
    if layout.whole and not all(isinstance(number, int) for number in numbers):
        raise InvalidProblemError("array_layout() has whole=True, and a distance is not an integer")
    kind = integer_type(max(numbers, default=0)) if layout.whole else np.float64
    array = np.full(layout.shape, -1 if layout.whole else np.inf, kind)
    places = [layout.place(state) for state in distances]
    try:
        if len(set(places)) < len(places):
            raise IndexError("two states have the same index")
        if places:
            array[tuple(np.array(places, np.intp).T)] = np.array(numbers, kind)
    except (IndexError, ValueError) as error:
        raise InvalidProblemError(f"array_layout() has the shape {layout.shape}: {error}") from error
    array.flags.writeable = False
    return array


def shown(layout: ArrayLayout[Any], memory: Any) -> Any:
    """Return a read-only view, in the form of the layout, of an array with the distance of each packed state.

    Raises `InvalidProblemError` if the strides lead out of the array.
    """
    assert layout.strides is not None
    protected = memory.view()
    protected.flags.writeable = False
    try:
        steps = [stride * memory.itemsize for stride in layout.strides]
        return numpy().ndarray(layout.shape, memory.dtype, protected, strides=steps)
    except ValueError as error:
        raise InvalidProblemError(
            f"array_layout() has the shape {layout.shape} and the strides {layout.strides}, and the compiled view has "
            f"{len(memory):,} states: {error}"
        ) from error
