"""The built-in engines: one textbook algorithm per file.

An engine is a generator function `run(problem, tree, **options)`:

* If `tree.frontier` is None, it enters the start states into the tree; otherwise it continues from what the tree holds.
* It yields each state just before it expands it. At each yield, everything that it knows is in the tree, and the state
  is still in the frontier.
* An expansion has two phases. First the engine asks the problem for successors, costs and heuristic values, and keeps
  the answers in local variables; then it writes the tree. If the problem raises in the first phase, the tree is as it
  was, so that a new generator over it repeats the expansion: no engine needs `try`. `tree.poll()`, called in this phase
  once per 16 successors, may raise as well, when a limit is reached. The start states are entered in the same way.
* When it has found a path, it calls `tree.finish(goal)` and returns. It also returns if nothing is left to expand.

`searchkit.engines.kit` has the functions that engines share. This package is a plugin: searchkit finds it in the same
way as the engines of other distributions.
"""
# Modules here may share lines: each file shows one algorithm whole, and calls in the inner loop would slow it down.

from attrs import evolve

from searchkit.engines.informed.anytime import OPTIONS, anytime
from searchkit.engines.informed.astar import astar
from searchkit.engines.informed.beam import WIDTH, beam
from searchkit.engines.informed.bucket import bucket_queue
from searchkit.engines.informed.greedy import greedy
from searchkit.engines.informed.idastar import idastar
from searchkit.engines.informed.nbs import nbs
from searchkit.engines.informed.rbfs import recursive_best_first
from searchkit.engines.informed.smastar import MEMORY, simplified_memory_bounded_astar
from searchkit.engines.informed.wastar import WEIGHT, weighted_astar
from searchkit.engines.kit import TIES
from searchkit.engines.on_disk import ON_DISK, external_astar, external_bfs, external_dijkstra
from searchkit.engines.paths.yen import K, yen
from searchkit.engines.replanning.dstar_lite import dstar_lite
from searchkit.engines.replanning.lpastar import lpastar
from searchkit.engines.uninformed.bfs import breadth_first
from searchkit.engines.uninformed.bidirectional import bidirectional
from searchkit.engines.uninformed.dfs import depth_first
from searchkit.engines.uninformed.dijkstra import dijkstra
from searchkit.engines.uninformed.dls import DEPTH, depth_limited
from searchkit.engines.uninformed.iddfs import iterative_deepening_depth_first
from searchkit.engines.uninformed.zero_one import zero_one
from searchkit.plugin.hookspecs import hookimpl
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import Compilable, Reversible


@hookimpl
def searchkit_engines() -> list[EngineSpec]:
    """Return the built-in engines."""
    return [
        EngineSpec(
            "bfs",
            breadth_first,
            "breadth-first: fewest actions (Moore 1959)",
            aliases=("breadth-first", "breadth-first search"),
            optimal=True,
            costs="unit",
            kernel="searchkit.kernels.bfs:BreadthFirst",
            on_disk=("external_bfs",),
        ),
        EngineSpec(
            "dijkstra",
            dijkstra,
            "uniform cost: least cost (Dijkstra 1959)",
            aliases=("ucs", "uniform cost", "uniform-cost search", "lowest cost first", "cheapest first"),
            optimal=True,
            options=(TIES,),
            kernel="searchkit.kernels.astar:Dijkstra",
            on_disk=("external_dijkstra",),
        ),
        EngineSpec(
            "astar",
            astar,
            "A*: least cost, guided by a heuristic; reopens (Hart, Nilsson and Raphael 1968)",
            aliases=("A*", "A* search", "a star"),
            optimal=True,
            heuristic="required",
            options=(TIES,),
            kernel="searchkit.kernels.astar:AStar",
            on_disk=("external_astar",),
        ),
        EngineSpec(
            "bucket",
            bucket_queue,
            "Dial's bucket queue: Dijkstra or A* without a heap (Dial 1969)",
            aliases=("dial", "Dial's algorithm", "bucket queue"),
            optimal=True,
            heuristic="optional",
            options=(evolve(TIES, default="lifo"),),
            kernel="searchkit.kernels.bucket:Bucket",
            on_disk=("external_astar", "external_dijkstra"),
        ),
        EngineSpec(
            "greedy",
            greedy,
            "greedy best-first: least heuristic (Doran and Michie 1966)",
            aliases=("gbfs", "greedy best-first", "best-first", "greedy best-first search"),
            complete=False,
            heuristic="required",
            options=(TIES,),
            kernel="searchkit.kernels.greedy:Greedy",
        ),
        EngineSpec(
            "wastar",
            weighted_astar,
            "weighted A*: cost at most w times the least (Pohl 1970)",
            aliases=("weighted A*", "WA*"),
            heuristic="required",
            options=(WEIGHT, TIES),
            kernel="searchkit.kernels.astar:WeightedAStar",
        ),
        EngineSpec(
            "idastar",
            idastar,
            "iterative-deepening A*: least cost in memory linear in the depth (Korf 1985)",
            aliases=("IDA*", "iterative-deepening A*"),
            optimal=True,
            heuristic="required",
            memory="depth",
            arrivals=False,
            kernel="searchkit.kernels.idastar:IterativeDeepeningAStar",
        ),
        EngineSpec(
            "rbfs",
            recursive_best_first,
            "recursive best-first search: least cost in memory linear in the depth (Korf 1993)",
            aliases=("recursive best-first", "recursive best-first search"),
            optimal=True,
            heuristic="required",
            memory="depth",
            arrivals=False,
        ),
        EngineSpec(
            "smastar",
            simplified_memory_bounded_astar,
            "simplified memory-bounded A*: least cost, as far as the memory holds the paths (Russell 1992)",
            aliases=("SMA*", "memory-bounded A*", "simplified memory-bounded A*"),
            optimal=True,
            heuristic="required",
            memory="option",
            arrivals=False,
            options=(MEMORY,),
        ),
        EngineSpec(
            "beam",
            beam,
            "beam search: the best few states of each layer (Lowerre 1976)",
            aliases=("beam search",),
            complete=False,
            heuristic="required",
            options=(WIDTH,),
        ),
        EngineSpec(
            "iddfs",
            iterative_deepening_depth_first,
            "iterative deepening: fewest actions in memory linear in the depth (Slate and Atkin 1977)",
            aliases=("ids", "dfid", "iterative deepening", "iterative-deepening depth-first"),
            optimal=True,
            costs="unit",
            memory="depth",
            arrivals=False,
        ),
        EngineSpec(
            "dfs",
            depth_first,
            "depth-first: some path, in memory linear in the depth (Trémaux, in Lucas 1882)",
            aliases=("depth-first", "depth-first search"),
            complete=False,
            costs="unit",
            memory="depth",
            arrivals=False,
        ),
        EngineSpec(
            "dls",
            depth_limited,
            "depth-limited: some path of at most so many actions, depth-first (Russell and Norvig 1995)",
            aliases=("depth-limited", "depth-limited search"),
            complete=False,
            costs="unit",
            memory="depth",
            arrivals=False,
            options=(DEPTH,),
        ),
        EngineSpec(
            "zero_one",
            zero_one,
            "0-1 breadth-first: least cost where costs are 0 and 1 (Dial 1969)",
            aliases=("0-1 bfs", "01 bfs", "0-1"),
            optimal=True,
            costs="zero-one",
            kernel="searchkit.kernels.zero_one:ZeroOne",
        ),
        EngineSpec(
            "bidirectional",
            bidirectional,
            "bidirectional Dijkstra: least cost, from both ends (Nicholson 1966; Pohl 1971)",
            aliases=("bidirectional dijkstra", "bidirectional search", "bds"),
            optimal=True,
            requires=(Reversible,),
            arrivals=False,
        ),
        EngineSpec(
            "nbs",
            nbs,
            "near-optimal bidirectional: least cost, from both ends, guided (Chen, Holte, Zilles and Sturtevant 2017)",
            aliases=(
                "near-optimal bidirectional search",
                "bidirectional heuristic search",
                "bidirectional A*",
                "MM",
            ),
            optimal=True,
            heuristic="optional",
            requires=(Reversible,),
            arrivals=False,
        ),
        EngineSpec(
            "anytime",
            anytime,
            "anytime repairing A*: better and better paths, each with its bound (Likhachev, Gordon and Thrun 2003)",
            aliases=("ARA*", "anytime A*", "anytime repairing A*", "anytime weighted A*"),
            optimal=True,
            heuristic="required",
            expands_once=False,
            options=OPTIONS,
        ),
        EngineSpec(
            "k_best",
            yen,
            "the k cheapest simple paths (Yen 1971; Lawler 1972)",
            aliases=("k-best", "yen", "Yen's algorithm", "k shortest paths", "ksp"),
            optimal=True,
            heuristic="optional",
            arrivals=False,
            expands_once=False,
            options=(K,),
        ),
        EngineSpec(
            "lpastar",
            lpastar,
            "lifelong planning A*: least cost, repaired after changes (Koenig, Likhachev and Furcy 2004)",
            aliases=("LPA*", "lifelong planning A*", "incremental A*"),
            optimal=True,
            heuristic="required",
            requires=(Reversible,),
        ),
        EngineSpec(
            "dstar_lite",
            dstar_lite,
            "D* Lite: lifelong planning A* from the goals, for a start that moves (Koenig and Likhachev 2002)",
            aliases=("D* Lite", "D*", "dynamic A*"),
            optimal=True,
            heuristic="backward",
            requires=(Reversible,),
            arrivals=False,
        ),
        EngineSpec(
            "external_bfs",
            external_bfs,
            "breadth-first on disk: fewest actions, beyond the memory of the machine (Korf 2003)",
            aliases=("external breadth-first", "delayed duplicate detection", "disk-based search"),
            optimal=True,
            costs="unit",
            requires=(Compilable,),
            options=ON_DISK,
            kernel="searchkit.disk.search:ExternalBreadthFirst",
            layered=True,
        ),
        EngineSpec(
            "external_dijkstra",
            external_dijkstra,
            "uniform cost on disk: least whole cost, beyond the memory of the machine (Dijkstra 1959; Korf 2003)",
            aliases=("external dijkstra", "external uniform cost"),
            optimal=True,
            costs="whole",
            requires=(Compilable,),
            options=ON_DISK,
            kernel="searchkit.disk.search:ExternalDijkstra",
            layered=True,
        ),
        EngineSpec(
            "external_astar",
            external_astar,
            "A* on disk: least whole cost, beyond the memory of the machine (Edelkamp, Jabbar and Schrödl 2004)",
            aliases=("external A*", "external a star"),
            optimal=True,
            costs="whole",
            heuristic="required",
            consistent=True,
            requires=(Compilable,),
            options=ON_DISK,
            kernel="searchkit.disk.search:ExternalAStar",
            layered=True,
        ),
    ]
