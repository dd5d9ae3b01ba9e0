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


def engine_on_disk(
    problem: SearchProblem[Any, Any], spec: EngineSpec, directory: Path | str = "."
) -> EngineSpec:
    """Return the engine that gives the same answer on disk. Nothing is written.

    Raises `MissingCapabilityError` if there is none, or the problem has no compiled view, and `DirectoryError` if the
    directory can't be written.
    """
    able = ", ".join(one.name for one in registry().engines.values() if one.on_disk)
    engines = map(registry().engine, spec.on_disk)
    found = next((one for one in engines if one.heuristic != "required" or has_heuristic(problem)), None)
    if found is None:
        kind = type(problem).__name__
        raise MissingCapabilityError(
            f"engine {spec.name!r} has no form on disk for {kind}; leave out spill, or use one of {able}"
        )
    check_capabilities(problem, found)
    path = Path(directory).absolute()
    there = next(one for one in (path, *path.parents) if one.exists())
    if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
        raise DirectoryError(f"{there} can't be written to, or is a file: name another directory for spill")
    return found


def search_on_disk(
    search: Search[Any, Any], result: Result[Any, Any], limits: Limits, directory: Path | str
) -> tuple[Search[Any, Any], Limits] | None:
    """Return a search on disk with the same answer, and the limits that are left for it: seconds, and not memory.

    None if it was not memory that ended the run of the search. The other one begins from the start. Forget this one
    before that runs, so that its memory is free.
    """
    if not isinstance(result.cutoff, OutOfMemory):
        return None
    spec = engine_on_disk(search.problem, search.spec, directory)
    other = Search(search.problem, spec, directory=str(directory))
    other.notices.append(
        f"{search.spec.name} reached {result.cutoff} after {result.statistics.expanded:,} expansions; {spec.name} "
        f"began from the start on disk, in {directory}"
    )
    left = None if limits.seconds is None else max(0.0, limits.seconds - result.statistics.seconds)
    return other, evolve(limits, memory=None, seconds=left)
