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

from searchkit.engines.informed.anytime import anytime
from searchkit.engines.informed.astar import astar
from searchkit.engines.informed.beam import beam
from searchkit.engines.informed.bucket import bucket_queue
from searchkit.engines.informed.greedy import greedy
from searchkit.engines.informed.idastar import idastar
from searchkit.engines.informed.nbs import nbs
from searchkit.engines.informed.rbfs import recursive_best_first
from searchkit.engines.informed.smastar import simplified_memory_bounded_astar
from searchkit.engines.informed.wastar import weighted_astar
from searchkit.engines.kit import SPECS
from searchkit.engines.on_disk import external_astar, external_bfs, external_dijkstra
from searchkit.engines.paths.yen import yen
from searchkit.engines.replanning.dstar_lite import dstar_lite
from searchkit.engines.replanning.lpastar import lpastar
from searchkit.engines.uninformed.bfs import breadth_first
from searchkit.engines.uninformed.bidirectional import bidirectional
from searchkit.engines.uninformed.dfs import depth_first
from searchkit.engines.uninformed.dijkstra import dijkstra
from searchkit.engines.uninformed.dls import depth_limited
from searchkit.engines.uninformed.iddfs import iterative_deepening_depth_first
from searchkit.engines.uninformed.zero_one import zero_one
from searchkit.plugin.hookspecs import hookimpl
from searchkit.plugin.specs import EngineSpec

ENGINES = (
    breadth_first,
    dijkstra,
    astar,
    bucket_queue,
    greedy,
    weighted_astar,
    idastar,
    recursive_best_first,
    simplified_memory_bounded_astar,
    beam,
    iterative_deepening_depth_first,
    depth_first,
    depth_limited,
    zero_one,
    bidirectional,
    nbs,
    anytime,
    yen,
    lpastar,
    dstar_lite,
    external_bfs,
    external_dijkstra,
    external_astar,
)
"""The functions of the built-in engines, in the order in which they are listed."""


@hookimpl
def searchkit_engines() -> list[EngineSpec]:
    """Return the built-in engines, as they are declared above their functions."""
    return [SPECS[run] for run in ENGINES]
