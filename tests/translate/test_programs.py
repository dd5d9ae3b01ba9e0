"""Random programs: translated, they do what Python does, or they are refused; and no child process crashes."""

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from tests.translate.programs import programs, random_program
from tests.translate.trial import FAULT, SAME, Child

ENGINES = ("bfs", "dijkstra", "astar")
MANY = 60
"""Programs of one test."""


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    """Return a process in which programs are judged, so that a crash is a counterexample."""
    process = Child()
    yield process
    process.close()


@pytest.mark.parametrize("part", range(4))
def test_many_programs(child: Child, part: int) -> None:
    """All states as in Python; where it raises an exception, machine code stops. Few programs are refused."""
    kinds = Counter[str]()
    for seed in range(MANY * part, MANY * (part + 1)):
        source = random_program(seed)
        verdict = child.judge(source)
        assert verdict.kind != FAULT, f"{verdict.why}\n{source}"
        kinds[verdict.kind] += 1
    assert kinds[SAME] > 0.7 * MANY


@given(source=programs())
@settings(max_examples=1_000, deadline=None)
def test_searches(child: Child, source: str) -> None:
    """All states, and of whole searches the status, the cost, the path, the expanded and the generated states."""
    engine = ENGINES[len(source) % 3]  # each program by one of them
    verdict = child.judge(source, (engine,))
    assert verdict.kind != FAULT, f"{verdict.why}\n{source}"
