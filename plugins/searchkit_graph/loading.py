"""From files and texts to problems: which reader takes what."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

from searchkit.basics.files import file_in
from searchkit.plugin import InputFormatError, InvalidOptionError, Source, parse_options
from searchkit_graph.dimacs import is_dimacs, read_co, read_gr
from searchkit_graph.edge_list import is_edge_list, read_edge_list
from searchkit_graph.graph import ExplicitGraph
from searchkit_graph.options import PARAMETERS
from searchkit_graph.straight_line import Plane

NAME = "graph"
SUFFIXES = (".edges", ".edgelist")
"""Files that are edge lists whatever their first line is."""


def graph(edges: str | Iterable[str], **options: object) -> ExplicitGraph:
    """Return the problem on a graph that is listed as text.

    Args:
        edges: the edge list, as one text or as its lines: `tail head cost` each, or `tail head`; before the first edge
            `start A`, `goal B`, `node A 3 4` and `undirected`; `#` begins a comment.
        options: `start`, `goal` and `heuristic`, as for a file.

    Raises:
        InputFormatError: the list is faulty; the message says where.
        UnknownNameError, InvalidOptionError: no such option, or a value that it can't have.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_graph import graph
        >>> solve(graph(["A B 7", "A C 2", "C B 3"], start="A", goal="B")).cost
        5

    """
    text = dedent(edges) if isinstance(edges, str) else "\n".join(edges)
    return _edge_list("", "\n".join(text.splitlines()), parse(options))


def parse(options: Mapping[str, object]) -> dict[str, Any]:
    """Read the options of a graph, defaults filled in. Raises `UnknownNameError`, `InvalidOptionError`."""
    defaults = {parameter.name: parameter.default for parameter in PARAMETERS}
    return defaults | parse_options(f"problem {NAME!r}", PARAMETERS, options)


def load(source: Source, format: str | None, options: Mapping[str, object]) -> ExplicitGraph | None:
    """Return the graph in a file, or None where it looks like none and is not said to be one."""
    if format not in (None, NAME):
        return None
    if source.suffix == ".gr" or is_dimacs(source.text):
        return _dimacs(source, parse(options))
    if format == NAME or source.suffix in SUFFIXES or is_edge_list(source.text):
        return _edge_list(source.name, source.text, parse(options))
    return None


def _edge_list(name: str, text: str, options: Mapping[str, Any]) -> ExplicitGraph:
    if options["coordinates"] is not None:
        raise InvalidOptionError(
            f"coordinates={options['coordinates']}: only graphs in the DIMACS format have them in a file of their own; "
            "in an edge list, say node A 3 4 before the edges"
        )
    return read_edge_list(name, text).problem(options)


def _dimacs(source: Source, options: Mapping[str, Any]) -> ExplicitGraph:
    listing = read_gr(source.name, source.text, _coordinates(source, options))
    if listing.plane is not None and len(listing.plane.xs) != len(listing.names):
        raise InputFormatError(
            f"the graph has {len(listing.names):,} nodes, and the coordinates are of {len(listing.plane.xs):,}; "
            "are they of the same graph?",
            source=source.name,
        )
    return listing.problem(options)


def _coordinates(source: Source, options: Mapping[str, Any]) -> Plane | None:
    path = options["coordinates"]
    if path is None and options["heuristic"] == "straight-line":
        beside = source.path.with_suffix(".co")
        advice = "name their file with --set coordinates=FILE, or use heuristic=none"
        if not beside.is_file():
            raise InputFormatError(
                f"no coordinates {beside.name} lie beside the graph; {advice}", source=source.name
            )
        try:
            path = file_in(beside.parent, beside.name)
        except ValueError as error:
            raise InputFormatError(f"the file {beside.name} {error}; {advice}", source=source.name) from error
    if path is None:
        return None
    coordinates = Source(Path(path))
    return read_co(coordinates.name, coordinates.text)
