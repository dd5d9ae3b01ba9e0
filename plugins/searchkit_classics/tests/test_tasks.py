"""The vacuum world and jugs: published figures."""

import pytest

from searchkit import distance_map, solve
from searchkit_classics.jugs import Jugs
from searchkit_classics.vacuum import Vacuum


@pytest.mark.parametrize("squares", [1, 2, 3, 4])
def test_states_of_the_vacuum_world(squares: int) -> None:
    """N squares have n · 2ⁿ states, 8 for two squares."""
    assert len(distance_map(Vacuum(squares))) == squares * 2**squares


def test_two_squares() -> None:
    """Suck, go to the other square, and suck."""
    solution = solve(Vacuum()).solution
    assert solution is not None
    assert solution.actions == ("suck", "right", "suck")


def test_the_sweep_is_the_true_cost() -> None:
    """In each of the 64 states of four squares."""
    for at in range(1, 5):
        for dirt in range(16):
            problem = Vacuum(4, at, f"{dirt:04b}")
            [start] = problem.initial_states()
            assert problem.heuristic(start) == solve(problem, "bfs").cost


@pytest.mark.parametrize(
    ("sizes", "target", "tap", "moves", "states"),
    [
        ((3, 5), "4", True, 6, 16),
        ((4, 3), "2,?", True, 6, 14),
        ((8, 5, 3), "4,4,0", False, 7, 16),
        ((8, 5, 3), "4", False, 6, 16),
        ((6, 4), "3", True, None, 10),
        ((6, 4), "?", True, 0, 10),
    ],
)
def test_jugs(sizes: tuple[int, ...], target: str, tap: bool, moves: int | None, states: int) -> None:
    """4 litres with 3 and 5; 2 litres in the jug of 4; Tartaglia's 8, 5 and 3; what a common divisor rules out."""
    problem = Jugs(sizes, target, tap)
    assert solve(problem).cost == moves
    assert len(distance_map(problem)) == states
