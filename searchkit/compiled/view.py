"""The compiled view of a problem: the same problem over packed states, as data and as machine code.

`Compilable.compiled()` returns a `CompiledProblem`. This file imports neither numpy nor Numba: a view is made only
when a compiled engine asks for it, in a module of its own that imports them.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from attrs import field, frozen


@frozen(eq=False)
class Stencil:
    """A graph whose states are the cells of a dense grid, 0 to `size − 1`: kernels inline its moves.

    From a state, move i leads to state + offsets[i] where bit i of its mask is set, and costs lengths[i] times the
    weight of the state that it leads to. `successors` of the problem must give the moves in this order.
    """

    masks: Any
    """Array of uint8 or, for more than eight moves, uint32, one per state: the set of moves that lead from it."""
    offsets: Sequence[int]
    lengths: Sequence[float]
    weights: Any = None
    """The weight of each state, as bytes or as a sequence of numbers; None where all are 1."""
    actions: Sequence[Any] | None = None
    """The action of each move, the same from every state. With them, long paths are read in a fraction of the time."""

    @property
    def size(self) -> int:
        """How many states there are."""
        return len(self.masks)


@frozen(eq=False)
class CSR:
    """A graph in compressed sparse rows: the edges of state s are those from indptr[s] up to indptr[s + 1]."""

    indptr: Any
    """Array of int64, one more than there are states."""
    indices: Any
    """Array of uint32: where each edge leads."""
    costs: Any
    """Array of float64 or float32, each a finite number ≥ 0."""

    @property
    def size(self) -> int:
        """How many states there are."""
        return len(self.indptr) - 1


@frozen(eq=False)
class MachineCode:
    """A function of a view that is machine code already, in place of one made by `searchkit.compiled.functions`.

    Its type in LLVM is that of the decorator's functions: see "Machine code made elsewhere" in the reference.
    """

    role: str
    """`expand`, `is_goal` or `heuristic`."""
    address: int
    is_wide: bool = False
    """Whether states have several words."""
    owner: Any = None
    """What has to live as long as the code, such as an execution engine of llvmlite."""


@frozen(eq=False)
class Functions:
    """A graph given by a function over packed states: of 64 bits, or of several such words."""

    expand: Any
    """A `searchkit.compiled.functions.expand_function`, or `MachineCode`."""
    is_goal: Any
    """A `searchkit.compiled.functions.goal_function`, or `MachineCode`; None if no state is a goal."""
    branching: int
    """The most successors that a state has."""
    failure: Any = None
    """Array of one int64 that the functions of the view, and its heuristic, set to another number than 0 if they can't
    calculate what the problem would return. They may return anything then, and `expand` at most `branching`. The search
    stops within milliseconds, drops what it has found, and begins again in Python. None if they never fail."""


class GridDistance(NamedTuple):
    """The heuristic of a grid: the distance to the nearest of some rectangles, were there no walls.

    States are y · stride + x.
    """

    stride: int
    straight: float
    """What a step along an axis costs."""
    diagonal: float
    """What a diagonal step costs: twice as much where there are none."""
    rectangles: Any
    """Left, right, top and bottom of each, edges included; without any, the distance is 0."""


@frozen(eq=False)
class CompiledProblem:
    """The same problem over packed states: the same successors in the same order, costs and heuristic values."""

    graph: Stencil | CSR | Functions
    pack: Callable[[Any], int]
    """State → its number, from 0 up to 2⁶⁴ − 2, or to 2¹²⁸ − 2 in a view of two words, …; below `size` for a stencil or
    sparse rows."""
    unpack: Callable[[int], Any]
    """The inverse of `pack`."""
    goals: Sequence[int] = ()
    """The packed goal states, for a stencil or sparse rows."""
    heuristic: Any = None
    """A `heuristic_function`, `MachineCode` or a `GridDistance`; None for a problem without a heuristic."""
    table: Any = None
    """Array of int64 that the functions read; None for none."""
    whole: bool = field(default=True)
    """Whether all costs and heuristic values are integers, and thus the results. Kernels calculate in 64-bit floats; if
    a number reaches 2⁵³, the search begins again in Python. A view of other numbers, such as fractions, raises
    `searchkit.errors.InexactError`."""
    undirected: bool = False
    """Whether each action can be undone by an action: if a state has a successor, it is a successor of that one. Search
    on disk then compares new states with the last two layers only. `check_compiled` tests it."""
    words: int = 1
    """How many words of 64 bits a state has, 1 to 4: more than one with `Functions` of `MachineCode`."""
    unpack_all: Callable[[Any], Iterable[Any]] | None = None
    """Array of packed states → the states, in less time than by `unpack` one after the other: long paths are read with
    it. None for none."""
