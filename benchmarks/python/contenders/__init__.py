"""The contenders: searchkit, a hand-written loop, and other Python libraries, one module each.

Each module has `PACKAGE`, the distribution to install ("" for none); `EASIER`, the reason why its task is easier than
searchkit's ("" if it is the same: the same functions of the problem, the same answer); and `prepare(workload,
counter)`, which returns the search as a function without arguments that returns one `Answer` for each instance. The
time of `prepare` does not count: importing the library, and making the library's own form of the problem. If
`counter` is given, the run counts expansions, on a workload whose functions count calls; contenders that don't call
these functions count themselves. `prepare` raises `NotApplicableError` if the library can't do the workload.
"""

from importlib import import_module
from types import ModuleType

CONTENDERS = {
    "hand-written": "benchmarks.python.contenders.handwritten",
    "searchkit": "benchmarks.python.contenders.searchkit",
    "nographs": "benchmarks.python.contenders.nographs",
    "nographs, states only": "benchmarks.python.contenders.nographs_states",
    "networkx": "benchmarks.python.contenders.networkx",
    "networkx, with building": "benchmarks.python.contenders.networkx_building",
    "pathfinding": "benchmarks.python.contenders.pathfinding",
    "astar": "benchmarks.python.contenders.astar",
    "simpleai": "benchmarks.python.contenders.simpleai",
}
BASELINE = "hand-written"
OURS = "searchkit"
PEERS = tuple(name for name in CONTENDERS if name not in (BASELINE, OURS))


def load(name: str) -> ModuleType:
    """Return the module of a contender. It imports its library only in `prepare`."""
    return import_module(CONTENDERS[name])


def package(name: str) -> str:
    """Return the distribution that a contender needs; "" for none."""
    return str(load(name).PACKAGE)


PACKAGES = tuple(sorted(filter(None, map(package, CONTENDERS))))
"""The distributions that the contenders need."""
