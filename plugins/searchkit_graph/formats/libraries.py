"""The formats of graphs that networkx reads."""

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from io import BytesIO
from typing import Any

from searchkit.plugin import InputFormatError, MissingExtraError, Source
from searchkit_graph.conversion import network_of_networkx
from searchkit_graph.formats.listing import Listing


def _read_json(networkx: Any, text: str) -> Any:
    data = json.loads(text)
    return networkx.node_link_graph(data, edges="links" if "links" in data else "edges")


FORMATS: Mapping[str, Callable[[Any, str], Any]] = {
    ".graphml": lambda networkx, text: networkx.read_graphml(BytesIO(text.encode())),
    ".gml": lambda networkx, text: networkx.parse_gml(text.split("\n")),
    ".net": lambda networkx, text: networkx.parse_pajek(text.split("\n")),
    ".g6": lambda networkx, text: networkx.from_graph6_bytes(text.split("\n")[0].encode()),
}
"""Suffix → (networkx, text) → graph: GraphML, GML, Pajek and graph6. Node-link data is recognised by its text."""


def is_node_link(text: str) -> bool:
    """Whether a text looks like the node-link data of networkx in JSON."""
    return text.lstrip().startswith("{") and '"nodes"' in text and ('"links"' in text or '"edges"' in text)


def read_with_networkx(source: Source, weight: str) -> Listing:
    """Return the graph in a file of one of these `FORMATS`, or of node-link data.

    Edges without the attribute `weight` cost 1. Raises `MissingExtraError` without networkx, and `InputFormatError` if
    networkx can't read the file.
    """
    try:
        networkx = import_module("networkx")
    except ImportError as error:
        raise MissingExtraError(
            f"{source.name}: such files are read by networkx: pip install networkx"
        ) from error
    try:
        graph = FORMATS.get(source.suffix, _read_json)(networkx, source.text)
    except (InputFormatError, MemoryError):
        raise
    except Exception as error:  # of many kinds: the parsers check little
        raise InputFormatError(
            f"networkx can't read it: {type(error).__name__}: {error}", source=source.name
        ) from error
    return Listing(source.name, network_of_networkx(graph, weight))
