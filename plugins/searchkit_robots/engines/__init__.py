"""Engines for robots that move simultaneously. They require the capability `searchkit_robots.MultiAgent`.

Their frontiers contain configurations, constraint-tree nodes or partial moves, not states of the problem. When an
engine has found a plan, it writes the states of the plan into `tree.reached`, and no others.
"""

from searchkit.plugin import EngineSpec, Parameter
from searchkit_robots.capability import MultiAgent
from searchkit_robots.engines.cbs import conflict_based_search
from searchkit_robots.engines.lacam import lazy_constraints_addition
from searchkit_robots.engines.odid import independence_detection

ENGINES = [
    EngineSpec(
        "cbs",
        conflict_based_search,
        "conflict-based search for robots: least cost (Sharon et al. 2015; Li et al. 2019)",
        optimal=True,
        requires=(MultiAgent,),
        preferred=True,
        memory="own",
        arrivals=False,
        kernel="searchkit_robots.compiled.cbs:Cbs",
        kernel_needs_view=False,
    ),
    EngineSpec(
        "odid",
        independence_detection,
        "joint A* for robots, decomposed by operator and by group: least cost (Standley 2010)",
        optimal=True,
        requires=(MultiAgent,),
        memory="own",
        arrivals=False,
    ),
    EngineSpec(
        "lacam",
        lazy_constraints_addition,
        "lazy constraints addition for many robots: some plan, fast, and better ones (LaCAM*; Okumura 2023)",
        requires=(MultiAgent,),
        memory="own",
        arrivals=False,
        options=(
            Parameter(
                "improve",
                "the number of expansions after the first plan, in which LaCAM* looks for better plans; 0 for none",
                default=0,
                least=0,
            ),
        ),
        kernel="searchkit_robots.compiled.explorer:Lacam",
        kernel_needs_view=False,
    ),
]
