"""A graph as tables are made of it: numbered states, edges in rows, and lengths that are added without rounding."""

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import accumulate

from attrs import frozen

from searchkit.compiled import is_usable
from searchkit.compiled.view import Stencil
from searchkit.plugin import MissingCapabilityError

HALF = 16
"""A length is an integer of 32 bits with two halves of this many bits: so many units of one kind, and of another."""
LOW = (1 << HALF) - 1
NONE = 2**32 - 1
"""The length of a way that does not exist."""
FAR = 1 << 60
"""Above the value of every length, and of sums of three."""
WHOLE = 1 << HALF, 1
"""The units of integer lengths: the value of such a length is the integer itself."""
COUNTED = 1 << 20, 1
"""The units of integer costs if some are 0: the upper half of a length is the cost, and the lower half counts edges. So
no length is 0, and of the cheapest paths one with the fewest edges is the shortest."""
MOST_SCALE = 2**52
LARGE = 2_000
"""With more states than this, computing by numpy saves more time than importing it takes."""


@frozen(eq=False, slots=False)
class Network:
    """The edges that leave state s are those from `begins[s]` up to, not including, `begins[s + 1]`.

    A length is an integer of 32 bits; its value is (length >> 16) · units[0] + (length & 0xFFFF) · units[1], and a cost
    is a value divided by `scale`. So lengths such as 1 and √2 are added by one addition of integers, exactly.
    """

    begins: "array[int]"
    """Type code q; one element more than there are states."""
    heads: "array[int]"
    """Type code I: where each edge leads."""
    lengths: "array[int]"
    """Type code I: the length of each edge, more than 0."""
    units: tuple[int, int]
    scale: int
    stride: int | None = None
    """The number of cells in a row of a grid; None for other graphs. With it, labels are shorter."""

    symmetric: bool = False
    """Whether it is known that for each edge there is one of the same length in the opposite direction."""

    @property
    def size(self) -> int:
        """The number of states."""
        return len(self.begins) - 1

    def value(self, length: int) -> int:
        """Return the value of a length; `FAR` for `NONE`."""
        if length == NONE:
            return FAR
        return (length >> HALF) * self.units[0] + (length & LOW) * self.units[1]

    def edges(self, state: int) -> Iterable[tuple[int, int]]:
        """Return where the edges of a state lead, and their lengths."""
        begin, end = self.begins[state], self.begins[state + 1]
        return zip(self.heads[begin:end], self.lengths[begin:end], strict=True)

    def cost(self, value: int) -> int | float:
        """Return the cost of a value: an integer if all costs are."""
        if self.units == COUNTED:
            value //= COUNTED[0]
        return value if self.scale == 1 else value / self.scale

    @cached_property
    def reverse(self) -> "Network":
        """The same edges, each in the opposite direction; this object if that makes no difference."""
        if self.symmetric:
            return self
        if self.size > LARGE and is_usable():
            from searchkit_graph.precomputed.compiled.networks import reverse_arrays

            arrays = reverse_arrays(self.size, self.begins, self.heads, self.lengths)
            if not arrays:
                return self
            begins, heads, lengths = arrays
            return Network(begins, heads, lengths, self.units, self.scale, self.stride)
        count = [0] * (self.size + 1)
        for head in self.heads:
            count[head + 1] += 1
        begins = array("q", accumulate(count))
        free = begins.tolist()
        heads, lengths = array("I", bytes(4 * len(self.heads))), array("I", bytes(4 * len(self.heads)))
        for state in range(self.size):
            for head, length in self.edges(state):
                heads[free[head]], lengths[free[head]] = state, length
                free[head] += 1
        found = Network(begins, heads, lengths, self.units, self.scale, self.stride)
        same = all(sorted(self.edges(state)) == sorted(found.edges(state)) for state in range(self.size))
        return self if same else found

    @cached_property
    def digest(self) -> bytes:
        """A digest of everything that distances depend on."""
        digest = sha256(repr((self.units, self.scale)).encode())
        for part in (self.begins, self.heads, self.lengths):
            digest.update(part)
        return digest.digest()


def stencil_network(stencil: Stencil, stride: int) -> Network:
    """Return the network of a grid whose rows have `stride` cells.

    Raises `MissingCapabilityError` if there are more than two lengths of steps, or one is not exact.
    """
    units, scale, kinds = step_units(stencil)
    if stencil.size > LARGE and is_usable():
        from searchkit_graph.precomputed.compiled.networks import stencil_arrays

        begins, heads, lengths = stencil_arrays(stencil, kinds)
        return Network(begins, heads, lengths, units, scale, stride, stencil.weights is None)
    weights = stencil.weights or bytes([1]) * stencil.size
    begins, heads, lengths = array("q", [0]), array("I"), array("I")
    moves = list(zip(stencil.offsets, kinds, strict=True))
    for state, mask in enumerate(stencil.masks):
        for bit, (offset, kind) in enumerate(moves):
            if mask >> bit & 1:
                heads.append(state + offset)
                lengths.append(kind * weights[state + offset])
        begins.append(len(heads))
    return Network(begins, heads, lengths, units, scale, stride, stencil.weights is None)


def step_units(stencil: Stencil) -> tuple[tuple[int, int], int, list[int]]:
    """Return the units of the lengths of a grid's moves, the scale, and the length of each move over weight 1."""
    exact = [length.as_integer_ratio() for length in map(float, stencil.lengths)]
    scale = max(below for _, below in exact)
    values = [above * (scale // below) for above, below in exact]
    kinds = sorted(set(values))
    if len(kinds) > 2 or scale > MOST_SCALE:
        raise MissingCapabilityError(
            f"the steps of this grid have {len(kinds)} lengths; hub labels are for one or two exact lengths"
        )
    if len(kinds) == 1:
        return WHOLE, scale, values if scale == 1 else [1 for _ in values]
    return (kinds[0], kinds[1]), scale, [1 << HALF if value == kinds[0] else 1 for value in values]


def row_network(begins: "array[int]", heads: "array[int]", costs: Sequence[float] | None) -> Network:
    """Return the network of a graph.

    Raises `MissingCapabilityError` for costs that are not multiples of a fraction 1/2ⁿ, below 2³² of them (2¹⁶, if
    some are 0): such costs are added without rounding.
    """
    exact = [(1, 1)] * len(heads) if costs is None else [cost.as_integer_ratio() for cost in costs]
    scale = max((below for _, below in exact), default=1)
    if scale > MOST_SCALE:
        raise MissingCapabilityError(f"some costs are not multiples of 1/{MOST_SCALE}; use engine astar")
    values = [above * (scale // below) for above, below in exact]
    most, counted = max(values, default=1), 0 in values
    if most >= (LOW if counted else NONE):
        raise MissingCapabilityError(
            f"hub labels and contraction hierarchies of this graph are for costs below "
            f"{(LOW if counted else NONE) / scale:g}, and there is one of "
            f"{most / scale:g}; use engine dijkstra or astar"
        )
    lengths = array("I", [(value << HALF) + 1 for value in values] if counted else values)
    return Network(begins, heads, lengths, COUNTED if counted else WHOLE, scale)


def added(network: Network, one: int, other: int) -> int:
    """Return the sum of two lengths. Raises `MissingCapabilityError` if it can't be written as one."""
    if one + other >= NONE or (network.units != WHOLE and (one & LOW) + (other & LOW) > LOW):
        raise too_long()
    return one + other


def too_long() -> MissingCapabilityError:
    """Return the error of a distance that does not fit into a table."""
    return MissingCapabilityError(
        "the paths are too long for precomputed distances, which count 65,535 steps of each kind; use engine astar"
    )
