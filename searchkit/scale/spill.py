"""Going on on disk when a search has reached its limit of memory."""

from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from attrs import evolve

from searchkit.errors import MissingCapabilityError
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
    engine_on_disk(held[0].problem, held[0].spec)
    result = held[0].run(limits, certificate=certificate)
    if limits is None or not reached_memory(result.cutoff, limits):
        return result
    other, left = search_on_disk(held.pop(), limits, directory)
    del result  # nothing refers to the search any more: its memory is free
    return other.run(left, certificate=certificate)


def search_on_disk(search: AnySearch, limits: Any, directory: Path | str) -> tuple[AnySearch, Any]:
    """Return a search on disk with the same answer, and the limits that are left for it.

    A compiled `bfs` of hashed states hands its layers over. Other searches begin again. Forget the search before the
    new one runs, so that its memory is free. What the limit of memory leaves beside the process itself is the option
    `memory` of the tasks, within `LEAST` and `MOST`, so that the process keeps the limit if it is 230 MB or more.
    """
    spec = engine_on_disk(search.problem, search.spec)
    memory = int(min(MOST, max(LEAST, limits.memory - BESIDE)))
    done, begun = search.statistics, perf_counter()
    seconds = None if limits.seconds is None else max(0.0, limits.seconds - done.seconds)
    layers = 0
    if search.kernel is not None and spec.name == "external_bfs":
        from searchkit.scale.handover import can_hand_over, write_layers

        if can_hand_over(search.kernel):
            layers = write_layers(search.kernel, Path(directory), seconds)
    other = type(search)(search.problem, spec, directory=str(directory), memory=memory)
    how = f"went on from its {layers} layers" if layers else "began again"
    other.notices.append(
        f"{search.spec.name} reached the limit of {limits.memory} MB of memory after {done.expanded:,} expansions; "
        f"{spec.name} {how} on disk, in {directory}"
    )
    if seconds is not None:
        seconds = max(0.0, seconds - (perf_counter() - begun))
    return other, evolve(limits, memory=None, seconds=seconds)
