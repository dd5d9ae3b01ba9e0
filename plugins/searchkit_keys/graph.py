"""The contraction of a vault as a graph to draw."""

from searchkit.plugin import ContractedGraph, GraphEdge, GraphNode
from searchkit_keys.sites import Site, SiteGraph
from searchkit_keys.vault import Vault


def site_graph(vault: Vault) -> ContractedGraph:
    """Return starts, keys, doors and junctions, where they lie, and the ways between them.

    An edge is labelled with its length in steps, and with the key that is needed where it ends at a door.
    """
    graph = SiteGraph.of(vault)
    names = [f"{site.name or 'junction'} {site.cell[0]},{site.cell[1]}" for site in graph.sites]
    nodes = [
        GraphNode(name, site.name, _kind(site), site.cell)
        for name, site in zip(names, graph.sites, strict=True)
    ]
    edges = []
    for number, around in enumerate(graph.edges):
        for other, steps in sorted(around.items()):
            if number < other:
                doors = sorted(
                    {graph.sites[i].name.lower() for i in (number, other) if graph.sites[i].is_door}
                )
                needs = f" (needs {' and '.join(doors)})" if doors else ""
                edges.append(GraphEdge((names[number], names[other]), f"{steps}{needs}"))
    return ContractedGraph(tuple(nodes), tuple(edges))


def _kind(site: Site) -> str:
    if site.is_start:
        return "start"
    return "key" if site.is_key else "door" if site.is_door else "junction"
