"""Beginning again on disk when a search has reached its limit of memory."""

import os
from pathlib import Path
from typing import Any

from attrs import evolve

from searchkit.errors import DirectoryError, MissingCapabilityError
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import SearchProblem, has_heuristic
from searchkit.result import Result
from searchkit.search.auto import check_capabilities
from searchkit.search.driver import Search
from searchkit.search.limits import Limits, OutOfMemory


def engine_on_disk(problem: SearchProblem[Any, Any], spec: EngineSpec) -> EngineSpec:
    """Return the engine that gives the same answer on disk.

    Raises `MissingCapabilityError` if there is none, or the problem has no compiled view.
    """
    for name in spec.on_disk:
        other = registry().engine(name)
        if other.heuristic != "required" or has_heuristic(problem):
            check_capabilities(problem, other)
            return other
    able = ", ".join(one.name for one in registry().engines.values() if one.on_disk)
    raise MissingCapabilityError(
        f"engine {spec.name!r} has no form on disk for {type(problem).__name__}; leave out spill, or use one of {able}"
    )


def check_spill(problem: SearchProblem[Any, Any], spec: EngineSpec, directory: Path | str) -> None:
    """Check before a search that it can begin again on disk. Nothing is written.

    Raises what `engine_on_disk` raises, and `DirectoryError` if the directory can't be written.
    """
    engine_on_disk(problem, spec)
    path = Path(directory).absolute()
    there = next(one for one in (path, *path.parents) if one.exists())
    if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
        raise DirectoryError(
            f"{there} is not a directory that can be written to: name another directory for spill"
        )


def search_on_disk(
    search: Search[Any, Any], result: Result[Any, Any], limits: Limits, directory: Path | str
) -> tuple[Search[Any, Any], Limits] | None:
    """Return a search on disk with the same answer, and the limits that are left for it: seconds, and not memory.

    None if it was not memory that ended the run of the search. The other one begins from the start. Forget this one
    before that runs, so that its memory is free.
    """
    if limits.memory is None or not isinstance(result.cutoff, OutOfMemory):
        return None
    spec = engine_on_disk(search.problem, search.spec)
    other = Search(search.problem, spec, directory=str(directory))
    other.notices.append(
        f"{search.spec.name} reached {result.cutoff} after {result.statistics.expanded:,} expansions; {spec.name} "
        f"began from the start on disk, in {directory}"
    )
    left = None if limits.seconds is None else max(0.0, limits.seconds - result.statistics.seconds)
    return other, evolve(limits, memory=None, seconds=left)
