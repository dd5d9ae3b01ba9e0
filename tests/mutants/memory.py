"""`rbfs` and `smastar` with one planted defect each: their own source with one line changed."""

import sys
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from attrs import evolve

from searchkit import EngineSpec, available_engines

ROOM, LITTLE = 30, 5
"""Nodes that hold every path of the problems that are drawn, and nodes that do not."""


def mutated(engine: str, old: str, new: str) -> Any:
    """Return the function of an engine after a change of its source. Fails if the source does not have it once."""
    run = available_engines()[engine].run
    file = sys.modules[run.__module__].__file__
    assert file is not None
    source = Path(file).read_text(encoding="utf-8")
    assert source.count(old) == 1, f"{engine} has {source.count(old)} times: {old}"
    module = ModuleType(f"{run.__module__}_with_a_defect")
    sys.modules[module.__name__] = module  # attrs looks for it
    exec(compile(source.replace(old, new), file, "exec"), vars(module))
    return getattr(module, run.__name__)


def rbfs(old: str, new: str) -> EngineSpec:
    """Return recursive best-first search with a change."""
    return evolve(available_engines()["rbfs"], run=mutated("rbfs", old, new))


def smastar(old: str, new: str, memory: int = ROOM) -> EngineSpec:
    """Return memory-bounded A* with a change, and with so much memory; with little, it promises no path."""
    spec, run = available_engines()["smastar"], mutated("smastar", old, new)
    whole = memory == ROOM
    return evolve(spec, run=partial(run, memory=memory), options=(), optimal=whole, complete=whole)


BACKED_UP = "            siblings[0][VALUE] = value\n"
REMEMBERED = "        parent.forgotten[node.state] = node.value\n"
CUT = "        cut_off(tree, cut, memory)\n        if node"
MUTANTS = {
    "rbfs backs up its bound": (rbfs(BACKED_UP, BACKED_UP.replace("value", "bound")), "terminates"),
    "rbfs does not back up": (rbfs(BACKED_UP, ""), "terminates"),
    "rbfs forgets the alternative": (rbfs("append([min(bound, alternative),", "append([bound,"), "optimal"),
    "rbfs forgets those of its ancestors": (
        rbfs("append([min(bound, alternative),", "append([alternative,"),
        "optimal",
    ),
    "smastar remembers the largest value": (smastar("min(self.forgotten", "max(self.forgotten"), "bound"),
    "smastar does not say what it cut": (smastar(CUT, "        if node", LITTLE), "bound"),
    "smastar forgets what it backed up": (
        smastar(REMEMBERED, REMEMBERED.replace("node.value", "node.f")),
        "terminates",
    ),
}
"""Name → the engine, and the promise that `check_engine` finds broken."""
