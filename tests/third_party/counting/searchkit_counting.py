"""A third party's plugin: a kind of problem with a file format, a drawing and an engine of its own."""

from collections.abc import Iterable, Iterator
from typing import Any

from searchkit import EngineSpec, Parameter, ProblemSpec, SearchProblem, hookimpl
from searchkit.errors import InputFormatError
from searchkit.plugin import Drawing, Mark, Places, Source


class Counting(SearchProblem[int, str]):
    """Count from 0 to a number by ones and twos."""

    def __init__(self, target: int, largest: int = 2):
        self.target, self.largest = target, largest

    def initial_states(self) -> Iterable[int]:
        return [0]

    def successors(self, state: int) -> Iterable[tuple[str, int]]:
        return [
            (f"+{step}", state + step) for step in range(1, self.largest + 1) if state + step <= self.target
        ]

    def is_goal(self, state: int) -> bool:
        return state == self.target


def random_walk(problem: SearchProblem[Any, Any], tree: Any) -> Iterator[Any]:
    """Take the last successor, always."""
    if tree.frontier is None:
        tree.frontier = list(problem.initial_states())[:1]
        tree.start(tree.frontier[0])
    while tree.frontier:
        state = tree.frontier[-1]
        if problem.is_goal(state):
            return tree.finish(state)
        yield state
        steps = list(problem.successors(state))
        tree.generated += len(steps)
        tree.frontier.pop()
        if steps:
            action, successor = steps[-1]
            tree.reached[successor] = (tree.reached[state][0] + 1, state, action)
            tree.frontier.append(successor)
    return None


def read(source: Source, **options: Any) -> Counting:
    rest = source.text.partition(" ")[2].strip()
    if not rest.isdigit():
        raise InputFormatError(f"expected a number, not {rest!r}", source=source.name, line=1, column=7)
    return Counting(int(rest), **options)


def places(problem: Counting) -> Places[int]:
    marks = {"x": Mark("x", "#ff0000", "path", 1), ".": Mark(".", "#888888")}
    ground = Drawing(["." * (problem.target + 1)], marks)
    return Places(ground, cells=lambda number: [(number, 0)], path={".": "x"})


SPEC = ProblemSpec(
    "counting",
    "count to a number",
    Counting,
    (Parameter("largest", "the largest step", default=2, convert=int),),
    read=read,
    formats=(".count", lambda source, options: source.text.startswith("count ")),
    places=places,
)


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    return [SPEC]


@hookimpl
def searchkit_engines() -> list[EngineSpec]:
    return [
        EngineSpec(
            "last", random_walk, "takes the last successor", complete=False, exhaustive=False, costs="unit"
        )
    ]
