"""Reading graphs from files and text, and writing them as edge lists."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

from searchkit.plugin import InputFormatError, InvalidOptionError, Query, Scenario, Source, Written, file_in
from searchkit_graph.formats.dimacs import is_dimacs, read_co, read_gr, read_queries
from searchkit_graph.formats.edge_list import (
    NUMBER,
    WORDS,
    is_edge_list,
    read_adjacency,
    read_edge_list,
    read_table,
)
from searchkit_graph.formats.libraries import FORMATS, is_node_link, read_with_networkx
from searchkit_graph.formats.listing import Listing
from searchkit_graph.options import parse
from searchkit_graph.problem import ExplicitGraph
from searchkit_graph.straight_line import Plane


def graph(edges: str | Iterable[str], **options: object) -> ExplicitGraph:
    """Return the problem of an edge list.

    Args:
        edges: the edge list, as one text or as its lines: `tail head cost` each, or `tail head`; before the first edge
            `start A`, `goal B`, `node A 3 4` and `undirected`; `#` begins a comment.
        options: `start`, `goal` and `heuristic`, as for a file.

    Raises:
        InputFormatError: the list is invalid; the message names the place.
        UnknownNameError, InvalidOptionError: an option does not exist, or its value is invalid.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_graph import graph
        >>> solve(graph(["A B 7", "A C 2", "C B 3"], start="A", goal="B")).cost
        5

    """
    text = dedent(edges) if isinstance(edges, str) else "\n".join(edges)
    chosen = parse(options)
    return _edge_list("", "\n".join(text.splitlines()), chosen).problem(chosen)


def is_graph(source: Source, options: Mapping[str, object]) -> bool:
    """Whether a file looks like a graph."""
    return is_dimacs(source.text) or is_edge_list(source.text) or is_node_link(source.text)


def read(source: Source, **options: Any) -> ExplicitGraph:
    """Return the graph in a file."""
    return _listing(source, options).problem(options)


def _listing(source: Source, options: Mapping[str, Any]) -> Listing:
    if source.suffix == ".gr" or is_dimacs(source.text):
        return _dimacs(source, options)
    if source.suffix in FORMATS or is_node_link(source.text):
        return read_with_networkx(source, options["weight"])
    if source.suffix == ".csv":
        return read_table(source.name, source.text)
    if source.suffix == ".adjlist":
        return read_adjacency(source.name, source.text)
    return _edge_list(source.name, source.text, options)


def _edge_list(name: str, text: str, options: Mapping[str, Any]) -> Listing:
    if options["coordinates"] is not None:
        raise InvalidOptionError(
            f"coordinates={options['coordinates']}: only graphs in the DIMACS format have them in a file of their own; "
            "in an edge list, say node A 3 4 before the edges"
        )
    return read_edge_list(name, text)


def _dimacs(source: Source, options: Mapping[str, Any]) -> Listing:
    listing = read_gr(source.name, source.text, _coordinates(source, options))
    if listing.plane is not None and len(listing.plane.xs) != len(listing.names):
        raise InputFormatError(
            f"the graph has {len(listing.names):,} nodes, and the coordinates are of {len(listing.plane.xs):,}; "
            "are they of the same graph?",
            source=source.name,
        )
    return listing


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


def read_scenario(source: Source, map: str | None, options: Mapping[str, object]) -> Scenario | None:
    """Return the queries of a DIMACS file, which have no known answers: `.p2p`, pairs, or `.ss`, sources; else None.

    Their graph is the `.gr` of the same name in the same folder.
    """
    if source.suffix not in (".ss", ".p2p"):
        return None
    queries = read_queries(source.name, source.text)
    path = source.path.with_name(source.path.name.partition(".")[0] + ".gr") if map is None else Path(map)
    if not path.is_file():
        raise InputFormatError(
            f"its graph {path.name} does not lie beside it; name it with --map", source=source.name
        )
    whole = read(Source(path), **parse({**options, "start": queries[0].start, "goal": ()}))

    def problem(query: Query) -> ExplicitGraph:
        return whole.aimed([query.start], () if query.goal is None else [query.goal])

    return Scenario(str(path), queries, problem)


PLAIN = re.compile(r"[^\s#]\S*")


def write(problem: object) -> Written | None:
    """Return the graph as an edge list with options.

    Returns None if the problem is not of a class of this plugin, and if an edge list can't express its
    heuristic, the key of an edge or the name of a node.
    """
    if not isinstance(problem, ExplicitGraph) or type(problem) is not ExplicitGraph:
        return None
    if problem.function or problem.rows.keys or not _can_be_written(problem.names):
        return None
    options: dict[str, Any] = {}
    if problem.plane is not None:
        options["heuristic"] = "none" if problem.straight_line is None else "straight-line"
    if not problem.goals:
        options["goal"] = ()
    return Written("graph", "".join(f"{line}\n" for line in _lines(problem)), options)


def _can_be_written(names: Iterable[Any]) -> bool:
    names = list(names)
    if all(type(name) is int for name in names):
        return True
    if not all(type(name) is str and PLAIN.fullmatch(name) and name not in WORDS for name in names):
        return False
    return not all(map(NUMBER.fullmatch, names))  # else they would be read as integers


def _lines(problem: ExplicitGraph) -> Iterator[str]:
    rows, names, plane = problem.rows, problem.names, problem.plane
    yield from (f"start {name}" for name in problem.starts)
    yield from (f"goal {name}" for name in problem.goals)
    for node, name in enumerate(names):
        yield f"node {name}" + (f" {plane.xs[node]!r} {plane.ys[node]!r}" if plane is not None else "")
    for edge, (tail, head) in enumerate(zip(rows.tails(), rows.heads, strict=True)):
        yield f"{names[tail]} {names[head]}" + (f" {rows.costs[edge]!r}" if rows.costs is not None else "")
