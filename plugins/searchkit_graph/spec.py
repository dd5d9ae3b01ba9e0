"""The specification that the plugin registers: the problem with its examples."""

from pathlib import Path

from searchkit.plugin import EngineSpec, Example, ProblemSpec, imported_late
from searchkit_graph.files import graph
from searchkit_graph.options import PARAMETERS
from searchkit_graph.precomputed.contraction.engine import Contractible, contraction_hierarchies
from searchkit_graph.precomputed.contraction.engine import unprepared as unprepared_hierarchy
from searchkit_graph.precomputed.contraction.making import NAME as HIERARCHY
from searchkit_graph.precomputed.labels.engine import Labelled, hub_labels, unprepared
from searchkit_graph.precomputed.labels.making import NAME

GRAPHS = Path(__file__).parent / "graphs"

HUB_LABELS = EngineSpec(
    name=NAME,
    run=hub_labels,
    summary="hub labels: distances that are read, not searched (Cohen, Halperin, Kaplan and Zwick 2003)",
    optimal=True,
    requires=(Labelled,),
    arrivals=False,
    kernel="searchkit_graph.precomputed.labels.compiled.run:HubLabelling",
    precomputed=True,
    unprepared=unprepared,
)

CONTRACTION_HIERARCHIES = EngineSpec(
    name=HIERARCHY,
    run=contraction_hierarchies,
    summary="contraction hierarchies: least cost, over shortcuts, from both ends (Geisberger and others 2008)",
    optimal=True,
    requires=(Contractible,),
    arrivals=False,
    kernel="searchkit_graph.precomputed.contraction.compiled.run:ContractionHierarchies",
    precomputed=True,
    unprepared=unprepared_hierarchy,
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
