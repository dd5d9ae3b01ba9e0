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

from importlib import import_module

from searchkit.engines.kit import SPECS
from searchkit.plugin.hookspecs import hookimpl
from searchkit.plugin.specs import EngineSpec

MODULES = [
    "uninformed.bfs",
    "uninformed.dijkstra",
    "informed.astar",
    "informed.bucket",
    "informed.greedy",
    "informed.wastar",
    "informed.idastar",
    "informed.rbfs",
    "informed.beam",
    "uninformed.iddfs",
    "uninformed.dfs",
    "uninformed.dls",
    "uninformed.zero_one",
    "uninformed.bidirectional",
    "informed.nbs",
    "informed.anytime",
    "paths.yen",
    "replanning.lpastar",
    "replanning.dstar_lite",
    "on_disk",
]
"""The modules of the built-in engines, in the order in which they are listed."""


@hookimpl
def searchkit_engines() -> list[EngineSpec]:
    """Return the built-in engines, as they are declared above their functions."""
    modules = [import_module(f"{__name__}.{name}") for name in MODULES]
    return [spec for module in modules for run, spec in SPECS.items() if run.__module__ == module.__name__]
