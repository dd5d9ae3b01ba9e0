"""The specification that the plugin registers: the problem with its examples."""

from pathlib import Path

from searchkit.plugin import EngineSpec, Example, ProblemSpec, imported_late
from searchkit_graph.files import graph
from searchkit_graph.labels.engine import Labelled, hub_labels, unprepared
from searchkit_graph.labels.making import NAME
from searchkit_graph.options import PARAMETERS

GRAPHS = Path(__file__).parent / "graphs"

HUB_LABELS = EngineSpec(
    name=NAME,
    run=hub_labels,
    summary="hub labels: distances that are read, not searched (Cohen, Halperin, Kaplan and Zwick 2003)",
    optimal=True,
    requires=(Labelled,),
    arrivals=False,
    kernel="searchkit_graph.labels.compiled.run:HubLabelling",
    precomputed=True,
    unprepared=unprepared,
)

STRATEGY = imported_late("searchkit_graph.strategies", "graphs")

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
    strategy=STRATEGY,
    strategies={"graphs": STRATEGY},
)
