"""A third party's plugin that brings names which others have: an engine `dijkstra` and a problem `counting`."""

from collections.abc import Iterator

from searchkit import EngineSpec, ProblemSpec, hookimpl, problem_from


def nothing(problem: object, tree: object) -> Iterator[object]:
    yield from ()


@hookimpl
def searchkit_engines() -> list[EngineSpec]:
    return [EngineSpec("dijkstra", nothing), EngineSpec("own", nothing)]


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    return [ProblemSpec("counting", "another one", problem_from, formats=(".count",))]
