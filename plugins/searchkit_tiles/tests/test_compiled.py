"""The compiled view is the same problem: same successors in the same order, same heuristic values."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search, solve
from searchkit.testing import check_compiled
from searchkit_tiles import SlidingTiles, generate_board, korf100
from searchkit_tiles.problem import HEURISTICS
from searchkit_tiles.strategies import boards

ENGINES = ("astar", "idastar")
FORMULAS = ("manhattan", "linear-conflict", "zero")


def hold_together(problem: SlidingTiles, engine: str, expansions: int) -> None:
    """Search the problem on both backends for some expansions, and compare everything that the searches know."""
    python, kernel = (Search(problem, engine, backend=backend) for backend in ("python", "compiled"))
    expected, found = python.run(Limits(expansions=expansions)), kernel.run(Limits(expansions=expansions))
    assert (found.status, found.solution, found.lower_bound) == (
        expected.status,
        expected.solution,
        expected.lower_bound,
    )
    assert found.statistics.generated == expected.statistics.generated
    assert kernel.ended == python.ended
    if not python.ended:
        assert kernel.next_state == python.next_state
    assert dict(kernel.tree.reached) == dict(python.tree.reached)


@pytest.mark.parametrize("size", [(3, 3), (4, 4), (16, 1), (2, 8), (5, 3), (1, 4), (1, 1)])
@given(data=st.data())
@settings(max_examples=60)
def test_formulas(size: tuple[int, int], data: st.DataObject) -> None:
    """On boards of up to sixteen cells, solvable or not."""
    problem = data.draw(boards(size, data.draw(st.sampled_from(FORMULAS))))
    hold_together(problem, data.draw(st.sampled_from(ENGINES)), data.draw(st.integers(0, 60)))


def test_a_24_puzzle() -> None:
    """It has no view and is translated: solved to the end, 44 slides, with as many expansions as in Python."""
    problem = SlidingTiles(5, 5, generate_board(5, 5, moves=80, seed=2))
    python, compiled = (solve(problem, "astar", backend=backend) for backend in ("python", "compiled"))
    assert compiled.backend == "compiled"
    assert compiled.cost == python.cost == 44
    assert compiled.solution == python.solution
    assert compiled.statistics.expanded == python.statistics.expanded


@pytest.mark.parametrize("size", [(3, 3), (2, 3), (1, 4), (4, 2)])
@given(data=st.data())
@settings(max_examples=60)
def test_pattern_databases(size: tuple[int, int], data: st.DataObject) -> None:
    """The same tables, read in machine code."""
    problem = data.draw(boards(size, "pattern-database"))
    hold_together(problem, data.draw(st.sampled_from(ENGINES)), data.draw(st.integers(0, 60)))


@pytest.mark.one_in(6)
@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_state_by_state(heuristic: str) -> None:
    """On the states around boards of any kind, and on a thousand 8-puzzles."""
    for size in ((4, 4), (8, 2)) if heuristic in FORMULAS else ((3, 3), (4, 2)):
        assert check_compiled(boards(size, heuristic), max_states=100, examples=10).holds
    problem = SlidingTiles(3, 3, (8, 0, 6, 5, 4, 7, 2, 3, 1), heuristic=heuristic)
    assert check_compiled(problem, max_states=1_000).holds


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("heuristic", ["manhattan", "linear-conflict"])
def test_hard_boards(engine: str, heuristic: str) -> None:
    """On the beginnings of ten of Korf's searches, where many heuristic values are large."""
    for instance in korf100()[::10]:
        hold_together(SlidingTiles(4, 4, instance.tiles, heuristic=heuristic), engine, 300)
