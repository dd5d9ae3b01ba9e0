"""Drawings, places of states and graphs as data, independent of how they are shown."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeAlias

from attrs import field, frozen
from attrs.validators import matches_re

from searchkit.errors import InvalidProblemError
from searchkit.problem import State


@frozen
class Mark:
    """How one kind of cell looks."""

    glyph: str
    """One character, for terminals."""
    colour: str = field(validator=matches_re("#[0-9a-fA-F]{6}"))
    """`#rrggbb`, for terminals with colours and for images."""
    label: str = ""
    """The text in the legend; a mark without a label is not in the legend."""
    rank: int = 0
    """If several cells share one place because the drawing is scaled down, the one of highest rank is shown."""


@frozen
class Drawing:
    """A raster: one character per cell, and the mark of each character.

    All rows have the same length. Row 0 is the top.
    """

    rows: tuple[str, ...] = field(converter=tuple[str, ...])
    marks: Mapping[str, Mark] = field()
    hexagonal: bool = False
    """Whether pictures show the cells as hexagons, with every second row shifted to the right."""

    @property
    def width(self) -> int:
        """Cells in a row."""
        return len(self.rows[0]) if self.rows else 0

    @property
    def height(self) -> int:
        """Rows."""
        return len(self.rows)


Cell: TypeAlias = tuple[int, int]
"""(x, y) in a drawing, from 0: x to the right, y down."""


@frozen
class Route:
    """The walk of one mover along a path of states."""

    cells: Sequence[Cell]
    """All cells walked, also those between two states."""
    keys: Mapping[str, str]
    """Key of the ground → key shown where the walk passes. The ground stays visible where its key is missing."""
    label: str = ""
    """The text in the legend, in place of the labels of the marks shown; "" leaves theirs."""


@frozen(eq=False)
class Places(Generic[State]):
    """Where the states of a problem are, and how they look: what `ProblemSpec.places` returns.

    Terminal, pictures, recordings and player all draw from it. A problem without a ground and without positions is
    shown as the tree of its states. The functions are called after a search or between two steps, never inside one.
    """

    ground: Drawing | None
    """What all states share: walls, floor, starts, goals, doors. Its marks are all that can be shown, also those that
    only the functions below use."""
    cells: Callable[[State], Sequence[Cell]]
    """The cells of a state on the ground; the first cell is its place. () if it is nowhere."""
    label: Callable[[State], str] = str
    """A short text for a state; several lines for a board."""
    expanded: Mapping[str, str] = field(factory=dict)
    """Key of the ground → key where a state was expanded. The ground stays visible where its key is missing."""
    routes: Callable[[Sequence[State]], Sequence[Route]] | None = None
    """The walks of the movers along a path of states, drawn in this order; never called without a state.

    None: one walk over the first cells of the states, with the keys of `path`."""
    path: Mapping[str, str] = field(factory=dict)
    """Key of the ground → key on the path, if `routes` is None."""
    changes: Callable[[State], Mapping[Cell, str]] | None = None
    """The cells that look different in a state, and their keys: where robots are, keys taken, a board.

    None: the ground always looks the same."""
    regions: Callable[[Any], Iterable[Cell]] | None = None
    """The cells of a region: recordings show which phase of a search in a mask of regions opened them."""
    position: Callable[[State], tuple[float, float]] | None = None
    """The coordinates of a state, y upwards, in any unit: for graphs of any size, with a ground or without."""

    def __attrs_post_init__(self) -> None:
        ground, shown = self.ground, {*self.path.values(), *self.expanded.values()}
        if ground is not None and (lacking := sorted(shown.union(*ground.rows) - ground.marks.keys())):
            known = ", ".join(map(repr, ground.marks))
            raise InvalidProblemError(f"the key {lacking[0]!r} has no mark; the ground has marks for {known}")


def picture(
    rows: Callable[[Any], Sequence[str]],
    initial: Any,
    marks: Mapping[str, Mark],
    label: Callable[[Any], str] | None = None,
    position: Callable[[Any], tuple[float, float]] | None = None,
) -> Places[Any]:
    """Return places in which each state is a picture.

    Args:
        rows: state → the keys of its picture, row by row; all pictures of a problem have one size.
        initial: the state whose picture is the ground.
        marks: how each key looks.
        label: a short text of a state; None for its picture.
        position: where a state is in a drawing of all states, y upwards; None to show them as a tree.

    """
    before = rows(initial)

    def changes(state: Any) -> dict[Cell, str]:
        after = rows(state)
        return {
            (x, y): key
            for y, (old, new) in enumerate(zip(before, after, strict=True))
            for x, (was, key) in enumerate(zip(old, new, strict=True))
            if was != key
        }

    def text(state: Any) -> str:
        return "\n".join("".join(marks[key].glyph for key in row).rstrip() or " " for row in rows(state))

    return Places(
        Drawing(before, marks),
        cells=lambda state: (),
        label=label or text,
        changes=changes,
        position=position,
    )


@frozen
class GraphNode:
    """A node of a graph."""

    name: str
    """Different from the names of all other nodes."""
    label: str
    """The text on it; may be empty."""
    kind: str
    """Nodes of the same kind look the same."""
    position: tuple[float, float]
    """(x, y): x to the right, y down."""


@frozen
class ContractedGraph:
    """A small graph to which a problem was contracted: what `ProblemSpec.contract` returns."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[tuple[str, str, str], ...]
    """The names of the two nodes of each edge, and the text beside it, such as its cost."""
