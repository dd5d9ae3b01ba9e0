"""`rbfs` with one planted defect: its own source with one line changed."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from attrs import evolve

from searchkit import EngineSpec, available_engines


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


BACKED_UP = "            siblings[0][VALUE] = value\n"
MUTANTS = {
    "rbfs backs up its bound": (rbfs(BACKED_UP, BACKED_UP.replace("value", "bound")), "terminates"),
    "rbfs does not back up": (rbfs(BACKED_UP, ""), "terminates"),
    "rbfs forgets the alternative": (rbfs("append([min(bound, alternative),", "append([bound,"), "optimal"),
    "rbfs forgets those of its ancestors": (
        rbfs("append([min(bound, alternative),", "append([alternative,"),
        "optimal",
    ),
}
"""Name → the engine, and the promise that `check_engine` finds broken."""
