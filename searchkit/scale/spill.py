"""Going on on disk when a search has reached its limit of memory."""

import os
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from attrs import evolve

from searchkit.errors import DirectoryError, MissingCapabilityError
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import SearchProblem, has_heuristic

LEAST, MOST = 16, 256
"""The MB that the tasks of a search on disk may use."""
BESIDE = 205
"""The MB that Python, machine code and the layers that a search on disk keeps in memory take besides, as measured."""
OUT_OF_MEMORY = "MB of memory", "the memory of this machine"
"""How the reason of a cutoff ends if memory was short."""
AnySearch = TypeVar("AnySearch", bound=Any)


def engine_on_disk(problem: SearchProblem[Any, Any], spec: EngineSpec) -> EngineSpec:
    """Return the engine that gives the same answer on disk.

    Raises:
        MissingCapabilityError: there is none, or the problem has no compiled view.

    """
    for name in spec.on_disk:
        other = registry().engine(name)
        if other.heuristic == "required" and not has_heuristic(problem):
            continue
        if not all(isinstance(problem, capability) for capability in other.requires):
            needed = " and ".join(capability.__name__ for capability in other.requires)
            raise MissingCapabilityError(
                f"engine {name!r}, the form of {spec.name!r} on disk, needs {needed}, which {type(problem).__name__} "
                "is not; leave out spill"
            )
        return other
    able = ", ".join(one.name for one in registry().engines.values() if one.on_disk)
    raise MissingCapabilityError(
        f"engine {spec.name!r} has no form on disk for {type(problem).__name__}; leave out spill, or use one of {able}"
    )


def check_spill(problem: SearchProblem[Any, Any], spec: EngineSpec, directory: Path | str) -> None:
    """Check before a search that it can go on on disk: afterwards, what it has found would be lost.

    Nothing is written. Raises what `engine_on_disk` raises, and `DirectoryError` if the directory can't be used.
    """
    engine_on_disk(problem, spec)
    there = path = Path(directory)
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir():
        fault = "is not a directory"
    elif not os.access(there, os.W_OK | os.X_OK):
        fault = "can't be written by this user"
    else:
        return
    where = "it" if there == path else str(there)
    raise DirectoryError(f"no search can go on in {path}: {where} {fault}; name another directory for spill")


def has_engine_on_disk(problem: SearchProblem[Any, Any], spec: EngineSpec) -> bool:
    """Whether there is an engine that gives the same answer on disk."""
    try:
        engine_on_disk(problem, spec)
    except MissingCapabilityError:
        return False
    return True


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
    """Return a search on disk with the same answer, and the limits that are left for it.

    A limit of expansions counts those that were handed over, and a limit of seconds those of the search in memory.

    A compiled search hands over what it has found, if it can. Other searches begin again. Forget the search before the
    new one runs, so that its memory is free. What the limit of memory leaves beside the process itself is the option
    `memory` of the tasks, within `LEAST` and `MOST`, so that the process keeps the limit if it is 230 MB or more.
    """
    spec = engine_on_disk(search.problem, search.spec)
    memory = int(min(MOST, max(LEAST, limits.memory - BESIDE)))
    done, begun = search.statistics, perf_counter()
    seconds = None if limits.seconds is None else max(0.0, limits.seconds - done.seconds)
    why_not = _hand_over(search, spec.name, Path(directory), seconds)
    other = type(search)(search.problem, spec, directory=str(directory), memory=memory)
    stopped = f"{search.spec.name} reached the limit of {limits.memory} MB of memory after {done.expanded:,} expansions"
    if why_not:
        other.notices.append(f"{stopped}; {spec.name} began again on disk, in {directory}: {why_not}")
    else:
        before = f"{search.engine_choice}; " if search.engine_choice else ""
        other.engine_choice = f"{before}{stopped}, and went on on disk, in {directory}"
    spent = done.seconds + perf_counter() - begun
    if not why_not:
        other._seconds = spent
    return other, evolve(limits, memory=None, spent=0.0 if limits.seconds is None else spent)


def _hand_over(search: Any, engine: str, directory: Path, seconds: float | None) -> str:
    """Write what a search has found into a directory, from where the engine goes on; return "", or why it can't."""
    if search.kernel is None:
        return "a search in Python hands nothing over"
    if engine == "external_bfs":
        from searchkit.scale.handover.layers import write_layers

        return write_layers(search.kernel, directory, seconds)
    from searchkit.scale.handover.buckets import write_states

    return write_states(search.kernel, engine, directory, seconds)
