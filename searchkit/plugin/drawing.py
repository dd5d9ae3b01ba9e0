"""Drawings and graphs as data, independent of how they are shown."""

from collections.abc import Iterable, Mapping

from attrs import field, frozen


@frozen
class Mark:
    """How one kind of cell looks."""

    glyph: str
    """One character, for terminals."""
    colour: str
    """`#rrggbb`, for terminals with colours and for images."""
    label: str = ""
    """The text in the legend; a mark without a label is not in the legend."""
    rank: int = 0
    """If several cells share one place because the drawing is scaled down, the one of highest rank is shown."""


def _rows(rows: Iterable[str]) -> tuple[str, ...]:
    return tuple(rows)  # `tuple` itself as a converter hides from mypy what it takes


@frozen
class Drawing:
    """A raster: one character per cell, and the mark of each character.

    All rows have the same length. Row 0 is the top.
    """

    rows: tuple[str, ...] = field(converter=_rows)
    marks: Mapping[str, Mark] = field()

    @property
    def width(self) -> int:
        """Cells in a row."""
        return len(self.rows[0]) if self.rows else 0

    @property
    def height(self) -> int:
        """Rows."""
        return len(self.rows)

    @rows.validator
    def _check_rows(self, _: object, rows: tuple[str, ...]) -> None:
        lengths = {len(row) for row in rows}
        if len(lengths) > 1:
            raise ValueError(f"the rows of a drawing have the same length, not {sorted(lengths)}")

    @marks.validator
    def _check_marks(self, _: object, marks: Mapping[str, Mark]) -> None:
        unknown = set().union(*self.rows) - marks.keys() if self.rows else set()
        if unknown:
            raise ValueError(f"no mark is given for {sorted(unknown)}")


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
class GraphEdge:
    """An edge without direction."""

    ends: tuple[str, str]
    """The names of its two nodes."""
    label: str
    """The text beside it, such as its cost."""


@frozen
class ContractedGraph:
    """A small graph to which a problem was contracted: what `searchkit_contract` returns."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...] = field()

    @edges.validator
    def _check_edges(self, _: object, edges: tuple[GraphEdge, ...]) -> None:
        names = {node.name for node in self.nodes}
        unknown = {end for edge in edges for end in edge.ends} - names
        if unknown:
            raise ValueError(f"edges lead to {sorted(unknown)}, which are not nodes")
