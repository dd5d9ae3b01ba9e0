"""The specification that the plugin registers: the problem with its examples."""

from pathlib import Path

from searchkit.plugin import Example, ProblemSpec
from searchkit_graph.files import graph, is_graph, read, read_scenario, write
from searchkit_graph.formats.libraries import FORMATS
from searchkit_graph.options import PARAMETERS
from searchkit_graph.problem import ExplicitGraph
from searchkit_graph.render import places

GRAPHS = Path(__file__).parent / "graphs"

SPEC = ProblemSpec(
    name="graph",
    summary="paths through a graph of nodes and edges: edge lists, DIMACS, scipy and networkx",
    group="Routes",
    factory=graph,
    parameters=PARAMETERS,
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
    suffixes=(".gr", ".edges", ".edgelist", ".adjlist", ".csv", *FORMATS),
    scenario=read_scenario,
    recognise=is_graph,
    classes=(ExplicitGraph,),
    places=places,
    write=write,
)
