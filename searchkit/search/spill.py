"""Beginning again on disk when a search has reached its limit of memory."""

import os
from pathlib import Path
from typing import Any, TypeVar

from attrs import evolve

from searchkit.errors import DirectoryError, MissingCapabilityError
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import SearchProblem, has_heuristic
from searchkit.search.auto import check_capabilities

OUT_OF_MEMORY = "MB of memory", "the memory of this machine"
"""How the reason of a cutoff ends if memory was short."""
AnySearch = TypeVar("AnySearch", bound=Any)


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
    there = Path(directory).absolute()
    while not there.exists():
        there = there.parent
    if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
        raise DirectoryError(
            f"no search can begin in {directory}: {there} is not a directory that this user may write to; name another "
            "directory for spill"
        )


def reached_memory(cutoff: str, limits: Any) -> bool:
    """Whether a run with these limits was cut off by its limit of memory."""
    return limits.memory is not None and cutoff == f"the limit of {limits.memory} MB of memory"


def run_or_spill(held: list[Any], limits: Any, directory: str, certificate: bool) -> Any:
    """Run the only search in a list; at its limit of memory, take it out, and search on disk. Return the result."""
    check_spill(held[0].problem, held[0].spec, directory)
    result = held[0].run(limits, certificate=certificate)
    if limits is None or not reached_memory(result.cutoff, limits):
        return result
    other, left = search_on_disk(held.pop(), limits, directory)
    del result  # nothing refers to the search any more: its memory is free
    return other.run(left, certificate=certificate)


def search_on_disk(search: AnySearch, limits: Any, directory: Path | str) -> tuple[AnySearch, Any]:
    """Return a search on disk with the same answer, and the limits that are left for it: seconds, and not memory.

    It begins from the start. Forget the other search before it runs, so that its memory is free.
    """
    spec = engine_on_disk(search.problem, search.spec)
    done = search.statistics
    other = type(search)(search.problem, spec, directory=str(directory))
    other.notices.append(
        f"{search.spec.name} reached the limit of {limits.memory} MB of memory after {done.expanded:,} expansions; "
        f"{spec.name} began from the start on disk, in {directory}"
    )
    left = None if limits.seconds is None else max(0.0, limits.seconds - done.seconds)
    return other, evolve(limits, memory=None, seconds=left)
