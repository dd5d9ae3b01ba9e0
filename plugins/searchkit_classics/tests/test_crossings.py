"""Missionaries and cannibals, the river and the bridge: published figures."""

import pytest

from searchkit import distance_map, solve
from searchkit_classics.bridge import Bridge
from searchkit_classics.missionaries import Missionaries
from searchkit_classics.river import River


def test_missionaries() -> None:
    """11 crossings, and 16 states that can be reached."""
    assert solve(Missionaries()).cost == 11
    assert len(distance_map(Missionaries())) == 16


@pytest.mark.parametrize(
    ("people", "boat", "crossings"),
    [(2, 2, 5), (4, 2, None), (4, 3, 9), (5, 3, 11), (6, 3, None), (6, 4, 9)],
)
def test_larger_boats(people: int, boat: int, crossings: int | None) -> None:
    """A boat for two serves three couples, a boat for three serves five (Pressman and Singmaster 1989)."""
    assert solve(Missionaries(people, people, boat)).cost == crossings


def test_nobody_is_eaten() -> None:
    """Neither on a bank nor in the boat, in any state of a larger instance."""
    problem = Missionaries(5, 4, 3)
    for m, c, _ in distance_map(problem):
        assert m in (0, 5) or m >= c
        assert m in (0, 5) or 5 - m >= 4 - c
    assert "→ 1 missionary, 2 cannibals" not in [action for action, _ in problem.successors((5, 4, 1))]


def test_the_wolf_the_goat_and_the_cabbage() -> None:
    """7 crossings, 10 states, and the goat goes first."""
    result = solve(River())
    assert result.solution is not None
    assert (result.cost, len(distance_map(River()))) == (7, 10)
    assert result.solution.actions[0] == "→ goat"


@pytest.mark.parametrize(
    ("eats", "boat", "crossings"),
    [("wolf-goat,goat-cabbage", 2, 3), ("a-b", 1, 3), ("a-b,b-c,c-a", 1, None), ("a-b,b-c,c-a", 2, 3)],
)
def test_other_passengers(eats: str, boat: int, crossings: int | None) -> None:
    """Three that all eat one another need a boat for two."""
    assert solve(River(eats, boat)).cost == crossings


@pytest.mark.parametrize(
    ("times", "minutes"),
    [((1, 2, 5, 10), 17), ((1, 3, 6, 8, 12), 29), ((1, 2, 3, 8), 15), ((7,), 7), ((3, 9), 9)],
)
def test_the_bridge(times: tuple[int, ...], minutes: int) -> None:
    """With two at a time (Rote 2002)."""
    assert solve(Bridge(times)).cost == minutes


def test_the_two_fastest_carry_the_torch() -> None:
    """In 17 minutes, 5 and 10 cross together; if the fastest leads each one over, it takes 19."""
    solution = solve(Bridge()).solution
    assert solution is not None
    assert (5, 10) in solution.actions


@pytest.mark.parametrize("heuristic", ["returns", "pairs", "slowest"])
def test_heuristics_of_the_bridge_are_ordered(heuristic: str) -> None:
    """Each is at least as large as the next one in every state, and none overestimates."""
    order = ["returns", "pairs", "slowest", "zero"]
    better, worse = (
        Bridge((1, 3, 6, 8, 12), heuristic=h) for h in (heuristic, order[order.index(heuristic) + 1])
    )
    for state in distance_map(better):
        assert better.heuristic(state) >= worse.heuristic(state)
