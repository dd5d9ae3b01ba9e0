"""The problem as the plugin registers it: reading graphs from files and text, writing them as edge lists, examples."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

from attrs import evolve

from searchkit.plugin import (
    Example,
    InputFormatError,
    Parameter,
    Places,
    ProblemSpec,
    Query,
    Scenario,
    Source,
    file_in,
    options_of,
    parameters_of,
)
from searchkit_graph.conversion import nodes_of
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
from searchkit_graph.problem import ExplicitGraph

GRAPHS = Path(__file__).parent / "graphs"
PLAIN = re.compile(r"[^\s#]\S*")


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
    return read_edge_list("", "\n".join(text.splitlines())).problem(SPEC.parse(options))


def is_graph(source: Source, options: Mapping[str, object]) -> bool:
    """Whether a file looks like a graph."""
    return is_dimacs(source.text) or is_edge_list(source.text) or is_node_link(source.text)


def read(source: Source, **options: Any) -> ExplicitGraph:
    """Return the graph in a file."""
    if source.suffix == ".gr" or is_dimacs(source.text):
        return _dimacs(source, options).problem(options)
    if source.suffix in FORMATS or is_node_link(source.text):
        return read_with_networkx(source, options["weight"]).problem(options)
    if source.suffix == ".csv":
        return read_table(source.name, source.text, options["weight"]).problem(options)
    read = read_adjacency if source.suffix == ".adjlist" else read_edge_list
    return read(source.name, source.text).problem(options)


def _dimacs(source: Source, options: Mapping[str, Any]) -> Listing:
    network, path = read_gr(source.name, source.text), options["coordinates"]
    if path is None and options["heuristic"] == "straight-line":
        name = source.path.with_suffix(".co").name
        try:
            path = file_in(source.path.parent, name)
        except ValueError as error:
            advice = "name it with --set coordinates=FILE, or use heuristic=none"
            raise InputFormatError(
                f"the file of coordinates {name} {error}; {advice}", source=source.name
            ) from error
    if path is not None:
        coordinates = Source(Path(path))
        network = evolve(network, plane=read_co(coordinates.name, coordinates.text))
        if network.plane and len(network.plane[0]) != len(network.names):
            raise InputFormatError(
                f"the graph has {len(network.names):,} nodes, and the coordinates are of {len(network.plane[0]):,}; "
                "are they of the same graph?",
                source=source.name,
            )
    return Listing(source.name, network)


def read_scenario(source: Source, map: str | None) -> Scenario | None:
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
    whole = read(Source(path), **SPEC.parse({"start": queries[0].start, "goal": ()}))

    def problem(query: Query) -> ExplicitGraph:
        return whole.aimed([query.start], () if query.goal is None else [query.goal])

    return Scenario(str(path), queries, problem)


def places(problem: ExplicitGraph) -> Places[Any]:
    """Return the coordinates of the nodes, by which pictures and the player draw the graph; y is upwards."""
    plane, number = problem.network.plane, problem.network.number
    position = None if plane is None else lambda name: (plane[0][number(name)], plane[1][number(name)])
    return Places(None, cells=lambda name: (), position=position)


def write(problem: ExplicitGraph) -> tuple[str, dict[str, object]] | None:
    """Return the graph as an edge list with options.

    Returns None if an edge list can't express its heuristic, the key of an edge or the name of a node.
    """
    names = problem.network.names
    if type(problem) is not ExplicitGraph or problem.function or problem.network.keys:
        return None
    if not all(type(name) is int for name in names):
        plain = all(type(name) is str and PLAIN.fullmatch(name) and name not in WORDS for name in names)
        if not plain or all(map(NUMBER.fullmatch, names)):  # type: ignore[arg-type]  # else they would be integers
            return None
    options = options_of(problem) | ({} if problem.goals else {"goal": ()})
    return "".join(f"{line}\n" for line in _lines(problem)), options


def _lines(problem: ExplicitGraph) -> Iterator[str]:
    network, names, plane = problem.network, problem.network.names, problem.network.plane
    yield from (f"start {name}" for name in problem.starts)
    yield from (f"goal {name}" for name in problem.goals)
    for node, name in enumerate(names):
        yield f"node {name}" + (f" {plane[0][node]!r} {plane[1][node]!r}" if plane is not None else "")
    for edge, (tail, head) in enumerate(zip(network.tails, network.heads, strict=True)):
        cost = "" if network.costs is None else f" {network.costs[edge]!r}"
        yield f"{names[tail]} {names[head]}{cost}"


SPEC = ProblemSpec(
    name="graph",
    summary="paths through a graph of nodes and edges: edge lists, DIMACS, scipy and networkx",
    group="Routes",
    factory=graph,
    parameters=(
        Parameter("start", "the start node (several: a list), instead of the file's own", convert=nodes_of),
        Parameter("goal", "the goal node (several: a list), instead of the file's own", convert=nodes_of),
        *parameters_of(ExplicitGraph),
        Parameter(
            "weight",
            "the attribute or column with the cost, in tables and in files that networkx reads",
            "weight",
        ),
        Parameter(
            "coordinates",
            "the DIMACS file of coordinates, .co; by default, with heuristic=straight-line, the one beside the .gr",
            convert=lambda value: str(Path(value)),
            file=True,
        ),
    ),
    examples=(
        Example("island", GRAPHS / "island.edges", "the roads of an island, with coordinates"),
        Example(
            "streets",
            GRAPHS / "streets.gr",
            "a town in the DIMACS format: one-way streets, with coordinates",
            {"start": (1,), "goal": (48,), "heuristic": "straight-line"},
        ),
    ),
    strategies={"graphs": "searchkit_graph.strategies:graphs"},
    read=read,
    formats=(".gr", ".edges", ".edgelist", ".adjlist", ".csv", *FORMATS, is_graph),
    scenario=read_scenario,
    classes=(ExplicitGraph,),
    places=places,
    write=write,
)
