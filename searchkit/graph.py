"""A contracted graph as a picture needs it: what its nodes and edges are called, and where they lie."""

from attrs import field, frozen


@frozen
class GraphNode:
    """A node."""

    name: str
    """Tells it apart from all other nodes of the graph."""
    label: str
    """What is written on it; may be empty."""
    kind: str
    """Nodes of a kind look alike."""
    position: tuple[float, float]
    """(x, y): x to the right, y down."""


@frozen
class GraphEdge:
    """An edge, which leads both ways."""

    ends: tuple[str, str]
    """The names of its nodes."""
    label: str
    """What is written beside it: what it costs, and what it needs."""


@frozen
class ContractedGraph:
    """What a plugin returns from `searchkit_contract`."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...] = field()

    @edges.validator
    def _check_edges(self, _: object, edges: tuple[GraphEdge, ...]) -> None:
        names = {node.name for node in self.nodes}
        unknown = {end for edge in edges for end in edge.ends} - names
        if unknown:
            raise ValueError(f"edges lead to {sorted(unknown)}, which are not nodes")
