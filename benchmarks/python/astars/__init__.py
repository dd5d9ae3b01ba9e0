"""The A* of other libraries as plain engines, `f(problem) -> list of states or None`, for a check of A*'s promises.

Each module has `PACKAGE`, the distribution to install, and `astar`. Problems have one start. If there are several
goals, the search is for an additional node, which every goal leads to at cost 0.
"""

from importlib import import_module
from types import ModuleType

from benchmarks.kit import machine

PEERS = ("igraph", "rustworkx", "astar", "simpleai", "networkx")


def load(name: str) -> ModuleType:
    """Return the module of a peer. It imports its library only when `astar` is called."""
    return import_module(f"benchmarks.python.astars.{name}")


def installed(name: str) -> str | None:
    """Return the version of the library of a peer, None where it is not installed."""
    return machine.installed(load(name).PACKAGE)
