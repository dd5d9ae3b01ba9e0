"""Files: what is read, what is refused and where, and which files are left to others."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from searchkit import distance_map, load, solve
from searchkit.plugin import InputFormatError, InvalidOptionError, Source
from searchkit.plugin.loading import load_scenario
from searchkit_graph import ExplicitGraph, graph
from searchkit_graph.formats.dimacs import read_co, read_gr
from searchkit_graph.spec import SPEC, is_graph


def test_an_edge_list_with_all_it_can_have() -> None:
    """Comments, `undirected`, a start, a goal; a line after the first edge is an edge, whatever its first word."""
    problem = graph("start A\ngoal C\nundirected\nA B 5\nB node 2.5\nnode C 1\n")
    assert solve(problem).cost == 8.5
    assert [head for _, head in problem.successors("node")] == ["B", "C"]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "holds no edge"),
        ("A\n", 1, "the line has 1 word; expected an edge, tail head cost"),
        ("A B 3 4\n", 1, "the line has 4 words"),
        ("A B 3\nB C x\n", 2, "the cost is 'x'"),
        ("A B -3\n", 1, "the cost is '-3'; expected a number ≥ 0, or an integer up to 9223372036854775807"),
        ("A B nan\n", 1, "the cost is 'nan'"),
        ("A B inf\n", 1, "the cost is 'inf'"),
        ("A B 99999999999999999999\n", 1, "the cost is '9+'"),
        ("A B 3\nB C\n", 2, "this edge has no cost, and the edges above have one"),
        ("A B\nB C 3\n", 2, "this edge has a cost, and the edges above have none"),
        ("start A B\nA B 3\n", 1, "expected start NAME"),
        ("undirected A\nA B 3\n", 1, "expected undirected alone"),
        ("node A 3\nA B 3\n", 1, "expected node NAME or node NAME X Y"),
        ("node A 3 x\nA B 3\n", 1, "the coordinates are '3 x'; expected two numbers"),
        ("node A 3 4\nnode A 5 6\nA B 3\n", 2, "the node A is there twice"),
        ("node A 3 4\nA B 3\n", None, "the node B has no coordinates"),
        ("start X\ngoal B\nA B 3\n", 1, "the start X is not a node of the graph; its nodes are A, B"),
        ("goal B\nA B 3\n", None, "the graph has no start: give one .* a line start NAME"),
        ("start A\nA B 3\n", None, "the graph has no goal.*goal=\\(\\) for none"),
    ],
)
def test_faulty_edge_lists(text: str, line: int | None, message: str) -> None:
    """One message each, with the line."""
    with pytest.raises(InputFormatError, match=message) as caught:
        graph(text)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("c nothing\n", 1, "there is no line p sp NODES ARCS"),
        ("a 1 2 3\np sp 2 1\n", 1, "a TAIL HEAD COST before the line p sp"),
        ("p sp 2 1\np sp 2 1\na 1 2 3\n", 2, "a second line p"),
        ("p sp 2\na 1 2 3\n", 1, "expected p sp NODES ARCS, not p sp 2"),
        ("p sp 2 -1\n", 1, "expected p sp NODES ARCS"),
        (
            "p sp 5000000000 0\n",
            1,
            "5,000,000,000 nodes are announced; expected at most 1,000,000 in a file of 18",
        ),
        ("p max 2 1\na 1 2 3\n", 1, "expected p sp NODES ARCS, not p max 2 1"),
        ("p sp 2 1\na 1 2\n", 2, "expected a TAIL HEAD COST, not a 1 2"),
        ("p sp 2 1\na 1 2 2.5\n", 2, "expected a TAIL HEAD COST"),
        ("p sp 2 1\na 1 2 3 4\n", 2, "expected a TAIL HEAD COST"),
        ("p sp 2 1\ne 1 2 3\n", 2, "expected c, p sp NODES ARCS or a at the beginning of the line, not e"),
        ("p sp 2 1\na 0 2 3\n", 2, "the tail is 0; expected a node from 1 to 2"),
        ("p sp 2 1\na 1 3 3\n", 2, "the head is 3; expected a node from 1 to 2"),
        ("p sp 2 1\na 1 2 -3\n", 2, "the cost is -3; expected 0 to"),
        ("p sp 2 1\na 1 2 3\nc more\na 2 1 3\n", 4, "this is arc 2, and the line p sp announces 1"),
        ("p sp 2 3\na 1 2 3\na 2 1 3\n", 3, "the file ends after 2 of the 3 arcs"),
    ],
)
def test_faulty_dimacs_graphs(text: str, line: int, message: str) -> None:
    """One message each, with the line."""
    with pytest.raises(InputFormatError, match=message) as caught:
        read_gr("x.gr", text)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("v 1 0 0\n", 1, "v NODE X Y before the line p aux sp co NODES"),
        ("c\n", 1, "no line p aux sp co NODES"),
        ("p aux sp co 2\nv 1 0 0\n", 2, "no coordinates for node 2 of 2; is it whole"),
        ("p aux sp co 2\nv 1 0\n", 2, "expected v NODE X Y, not v 1 0"),
        ("p aux sp co 2\nv 1 0 inf\n", 2, "expected v NODE X Y"),
        ("p aux sp co 2\nv 3 0 0\n", 2, "the node is 3; expected a node from 1 to 2"),
        ("p sp 2 1\n", 1, "expected p aux sp co NODES, not p sp 2 1"),
        ("p aux sp co 1\np aux sp co 1\n", 2, "a second line p"),
    ],
)
def test_faulty_coordinates(text: str, line: int, message: str) -> None:
    """One message each, with the line."""
    with pytest.raises(InputFormatError, match=message) as caught:
        read_co("x.co", text)
    assert caught.value.line == line


def test_coordinates_lie_beside_the_graph_or_are_named(tmp_path: Path) -> None:
    """And are of the same graph."""
    text = "p sp 2 1\na 1 2 3\n"
    path = tmp_path / "g.gr"
    path.write_text(text)
    options: dict[str, Any] = {"start": "1", "goal": "2"}
    guided = {**options, "heuristic": "straight-line"}
    with pytest.raises(InputFormatError, match=r"the file of coordinates g\.co is not beside this file"):
        load(path, **guided)
    (tmp_path / "g.co").write_text("p aux sp co 2\nv 1 0 0\nv 2 3 0\n")
    problem = load(path, **guided)
    assert isinstance(problem, ExplicitGraph)
    assert problem.heuristic(1) == 2
    plain = load(path, **options)
    assert isinstance(plain, ExplicitGraph)
    assert plain.straight_line is None
    (tmp_path / "h.co").write_text("p aux sp co 1\nv 1 0 0\n")
    with pytest.raises(InputFormatError, match="the graph has 2 nodes, and the coordinates are of 1"):
        load(path, **options, coordinates=tmp_path / "h.co")
    with pytest.raises(InvalidOptionError, match="only graphs in the DIMACS format"):
        graph(["A B"], start="A", goal="B", coordinates="h.co")


def test_files_of_others_are_left_to_them(tmp_path: Path) -> None:
    """A list of edges is read as a graph only if its first line, its name or its numbers identify it."""
    for name, text, mine in (
        ("a.txt", "1 2 3\n4 5 6\n7 8 0\n", False),
        ("a.txt", "1 0\n2 3\n", False),
        ("a.txt", "S..G\n", False),
        ("a.txt", "p cnf 3 4\n1 2 0\n", False),
        ("a.txt", "# roads\nstart A\ngoal B\nA B 3\n", True),
        ("a.edges", "A B 3\n", True),
        ("a.txt", "c roads\np sp 2 1\na 1 2 3\n", True),
    ):
        path = tmp_path / name
        path.write_text(text)
        options: dict[str, Any] = {"start": ("A",), "goal": ("B",)}
        if mine and "p sp" in text:
            options = {"start": 1, "goal": 2}
        source = Source(path)
        assert (source.suffix in SPEC.formats or is_graph(source, options)) == mine
        if mine:
            assert isinstance(load(path, **options), ExplicitGraph)


def test_a_list_of_numbers_is_no_map(tmp_path: Path) -> None:
    """Not even with a full stop or a # in a comment: the one error is about the graph."""
    path = tmp_path / "g.gr"
    path.write_text("c Streets.\np sp 2 2\na 1 2 1\n")
    with pytest.raises(InputFormatError) as caught:
        load(path, start=1, goal=2)
    assert str(caught.value).startswith(f"{path}: line 3: the file ends after 1 of the 2 arcs")
    path.write_text("# roads\nstart 1\ngoal 2\n1 2 3\n2 3 4.5\n2 1 -1\n")
    with pytest.raises(InputFormatError) as caught:
        load(path.rename(tmp_path / "g.txt"), "graph")
    assert str(caught.value).endswith(
        "line 6: the cost is '-1'; expected a number ≥ 0, or an integer up to 9223372036854775807"
    )


def edges_of(problem: Any) -> set[tuple[Any, Any, Any]]:
    """Return (tail, head, cost) of each edge."""
    cost = problem.cost or (lambda *step: 1)
    return {
        (tail, head, cost(tail, action, head))
        for tail in problem.network.names
        for action, head in problem.successors(tail)
    }


def test_what_networkx_writes_is_read(tmp_path: Path) -> None:
    """Its edge lists with attributes or without, adjacency lists, and the formats that it reads itself."""
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph()
    graph.add_weighted_edges_from([("1", "2", 3), ("2", "3", 4), ("1", "3", 9)])
    weighted = {
        (a, b, cost)
        for one, two, cost in [("1", "2", 3), ("2", "3", 4), ("1", "3", 9)]
        for a, b in [(one, two), (two, one)]
    }
    plain = {(tail, head, 1) for tail, head, _ in weighted}

    def read(name: str, **options: Any) -> set[tuple[Any, Any, Any]]:
        found = edges_of(load(tmp_path / name, start="1", goal="3", **options))
        return {(str(tail), str(head), cost) for tail, head, cost in found}

    networkx.write_edgelist(graph, tmp_path / "a.edgelist")
    networkx.write_edgelist(graph, tmp_path / "a.txt")
    networkx.write_edgelist(graph, tmp_path / "a.edgelist.gz")
    for name in ("a.edgelist", "a.txt", "a.edgelist.gz"):
        assert read(name) == weighted
    networkx.write_adjlist(graph, tmp_path / "a.adjlist")
    assert read("a.adjlist") == plain
    networkx.write_graphml(graph, tmp_path / "a.graphml")
    networkx.write_gml(graph, tmp_path / "a.gml")
    (tmp_path / "a.json").write_text(json.dumps(networkx.node_link_data(graph, edges="links")))
    for name in ("a.graphml", "a.gml", "a.json"):
        assert read(name) == weighted
    networkx.write_pajek(graph, tmp_path / "a.net")
    assert {(tail, head) for tail, head, _ in read("a.net")} == {(tail, head) for tail, head, _ in plain}
    networkx.write_graph6(networkx.path_graph(3), tmp_path / "a.g6", header=False)
    assert solve(load(tmp_path / "a.g6", start=0, goal=2)).cost == 2
    (tmp_path / "b.gml").write_text("graph [ node [")
    with pytest.raises(InputFormatError, match=r"b\.gml: networkx can't read it: "):
        load(tmp_path / "b.gml", start=0, goal=1)


@pytest.mark.parametrize(
    "text",
    [
        "a,b,3\nb,c,4\n",
        "weight,source,target\n3,a,b\n4,b,c\n",
        'Source, Target, Label, Weight\n"a", b,x,3\nb,c,,4\n',
        "\r\nSource;Target;Weight\r\na;b;3\r\nb;c;4\r\n",
        "Source\tTarget\tType\tWeight\na\tb\tDirected\t3\nb\tc\tDirected\t4\n",
    ],
)
def test_a_table(text: str, tmp_path: Path) -> None:
    """With a heading or without; the order of its columns does not matter."""
    path = tmp_path / "a.csv"
    path.write_text(text)
    assert edges_of(load(path, start="a", goal="c")) == {("a", "b", 3), ("b", "c", 4)}


@pytest.mark.parametrize("text", ["a,b,3\nb\n", "a,b,3\n,b,4\n", "a,b,3\na,,4\n"])
def test_a_cost_is_not_read_as_a_node(text: str, tmp_path: Path) -> None:
    """Where a cell is empty, the ones after it do not take its place."""
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(InputFormatError, match=r"a\.csv: line 2: the row lacks its tail or head"):
        load(path, start="a", goal="b")


def test_a_column_of_costs_with_another_name_is_not_ignored(tmp_path: Path) -> None:
    """Then every edge would cost 1."""
    path = tmp_path / "a.csv"
    path.write_text("from,to,km\na,b,5\nb,c,5\na,c,11\n")
    with pytest.raises(InputFormatError, match="no column is called weight"):
        load(path, start="a", goal="c")
    assert solve(load(path, start="a", goal="c", weight="km")).cost == 10


def test_edges_that_a_table_calls_undirected_lead_both_ways(tmp_path: Path) -> None:
    """Gephi writes this column; Konect's lists of edges begin with `% sym`."""
    path = tmp_path / "a.csv"
    path.write_text(
        "Source,Target,Type,Id,Weight\na,b,Undirected,0,2.0\nc,b,Undirected,1,1.0\nc,a,Directed,2,0\n"
    )
    assert solve(load(path, start="a", goal="c")).cost == 3
    assert solve(load(path, start="c", goal="a")).cost == 0
    path.with_suffix(".edges").write_text("% sym weighted\n1 2 7\n")
    assert solve(load(path.with_suffix(".edges"), start=2, goal=1)).cost == 7


def test_dimacs_queries_are_a_scenario(tmp_path: Path) -> None:
    """Pairs and sources, without published answers."""
    (tmp_path / "a.gr").write_text("p sp 3 2\na 1 2 5\na 2 3 6\n")
    (tmp_path / "a.p2p").write_text("c pairs\np aux sp p2p 2\nq 1 3\nq 2 1\n")
    (tmp_path / "a.ss").write_text("p aux sp ss 1\ns 2\n")
    found = load_scenario(tmp_path / "a.p2p")
    costs = [solve(found.problem(query)).cost for query in found.queries]
    assert costs == [11, None]
    assert all(query.agrees(cost) for query, cost in zip(found.queries, costs, strict=True))
    sources = load_scenario(tmp_path / "a.ss")
    assert [dict(distance_map(sources.problem(query))) for query in sources.queries] == [{2: 0, 3: 6}]
    (tmp_path / "b.p2p").write_text("q 1\n")
    with pytest.raises(InputFormatError, match=r"line 1: expected q FROM TO, or s FROM, not q 1"):
        load_scenario(tmp_path / "b.p2p")


def test_a_text_of_numbers_is_each_kind_that_can_read_it(tmp_path: Path) -> None:
    """Edges, a map of digits, or boards of tiles."""
    path = tmp_path / "numbers.txt"
    for text, options, kind in (
        ("1 2\n2 3\n", {"start": 1, "goal": 3}, "ExplicitGraph"),
        ("1163\n1381\n2136\n3694\n", {"start": (0, 0), "goal": (3, 3)}, "Grid"),
        ("1 2 3\n4 5 6\n7 0 8\n", {}, "SlidingTiles"),
    ):
        path.write_text(text)
        problem = load(path, **options)
        assert type(problem).__name__ == kind
        assert solve(problem).cost


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "start A\nA B 1\nnode D 1 2\n",
            "line 3: node D 1 2 comes after an edge; move lines with start, goal, node",
        ),
        (
            "ym weighted\n1 2 3\n",
            "line 2: this edge has a cost.*; if the line above is a heading, begin it with #",
        ),
        ("a b {'weight'}\n", "line 1: {'weight'} is not a dictionary, as networkx writes attributes"),
    ],
)
def test_a_line_in_the_wrong_place_says_what_to_do(text: str, message: str, tmp_path: Path) -> None:
    """Not only that it has too many words."""
    path = tmp_path / "a.edges"
    path.write_text(text)
    with pytest.raises(InputFormatError, match=message):
        load(path, start="A", goal="B")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "a,b,3\n" + "x" * 200_000 + ",b,3\n"),
        ("a.csv", 'a,b,3\n"a\n'),
        ("a.p2p", f"q 1 {'9' * 5000}\n"),
        ("a.edgelist", "a b " + "{" * 5000 + "\n"),
        ("a.graphml", "<graphml>" * 3000),
        ("a.g6", "~~~~~~~~~\n"),
        ("a.gml", "graph [" * 3000),
        ("a.txt", '{"nodes": 3, "links": ' + "[" * 5000),
    ],
)
def test_a_hostile_text_is_one_error(name: str, text: str, tmp_path: Path) -> None:
    """Of the file, and not of the program."""
    path = tmp_path / name
    path.write_text(text)
    (tmp_path / "a.gr").write_text("p sp 3 1\na 1 2 5\n")
    with pytest.raises(InputFormatError, match=name.replace(".", r"\.")):
        load_scenario(path) if name == "a.p2p" else load(path, start="a", goal="b")


def test_a_packed_file_that_is_not_whole_is_one_error(tmp_path: Path) -> None:
    """Nor are more than 256 MiB unpacked."""
    whole = gzip.compress(b"p sp 3 2\na 1 2 5\na 2 3 6\n")
    path = tmp_path / "a.gr.gz"
    path.write_bytes(whole)
    assert solve(load(path, start=1, goal=3)).cost == 11
    path.write_bytes(gzip.compress(b"p sp 3 2\na 1 2 5\n") + gzip.compress(b"a 2 3 6\n"))
    assert solve(load(path, start=1, goal=3)).cost == 11, "of several parts, all are read"
    for damaged in (whole[:20], whole[:-3], whole + b"x"):
        path.write_bytes(damaged)
        with pytest.raises(InputFormatError, match=r"can't be unpacked: .*; is it complete\?"):
            load(path, start=1, goal=3)
