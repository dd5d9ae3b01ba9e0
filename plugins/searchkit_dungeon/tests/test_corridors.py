"""Corridors between two rooms, and between all suites."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import distance_map, problem_from
from searchkit_dungeon import Cell, CellBank, GenerationError, Room, connect, join, suites_of
from searchkit_dungeon.generators.corridors import Corridor


def is_a_way(corridor: Corridor) -> bool:
    """Whether each cell lies beside the one before it, and none is in it twice."""
    steps = all(abs(ax - bx) + abs(ay - by) == 1 for (ax, ay), (bx, by) in pairwise(corridor))
    return steps and len(set(corridor)) == len(corridor)


def test_suites_are_rooms_that_touch() -> None:
    """Along an edge; a common corner is not enough."""
    rooms = [Room([(0, 0)]), Room([(5, 5)]), Room([(1, 0), (2, 0)]), Room([(3, 1)])]
    assert [set(suite.cells) for suite in suites_of(rooms)] == [{(0, 0), (1, 0), (2, 0)}, {(5, 5)}, {(3, 1)}]


def connected(rooms: list[Room], corridors: list[Corridor]) -> bool:
    """Whether rooms and corridors are connected."""
    floor = CellBank(cell for part in [*(room.cells for room in rooms), *corridors] for cell in part)
    return len(floor.flood(rooms[0].origin)) == len(floor)


def test_suites_that_can_not_be_joined() -> None:
    """The error names two rooms that can't be connected."""
    bank = CellBank((x, y) for x, y in CellBank.rectangle(9, 9) if x != 4)
    rooms = [Room([(1, 1)]), Room([(2, 7)]), Room([(7, 7)])]
    for room in rooms:
        bank.take(room.cells)
    with pytest.raises(
        GenerationError,
        match=r"the room at \(7, 7\) can't be joined to the one at \(1, 1\): between them there is no way",
    ):
        join(rooms, bank, Random(0))


@given(st.integers(0, 10**6), st.integers(1, 8), st.sampled_from([0, 0.5, 1]), st.integers(0, 3))
def test_all_suites_are_joined(seed: int, number: int, randomness: float, loops: int) -> None:
    """All rooms are connected, whether they touch or not; each corridor is a shortest path between two suites."""
    rng = Random(seed)
    bank = CellBank.rectangle(16, 12)
    rooms: list[Room] = []
    for _ in range(number):
        free = list(bank)
        rooms.append(Room.grow(bank, 1 + int(rng.random() * 20), free[int(rng.random() * len(free))], rng))
    suites = suites_of(rooms)
    corridors = join(rooms, bank, rng, randomness, loops)
    assert connected(rooms, corridors)
    assert len(suites) - 1 <= len(corridors) <= len(suites) - 1 + loops
    owner: dict[Cell, int] = {cell: n for n, suite in enumerate(suites) for cell in suite.cells}
    for corridor in corridors:
        assert is_a_way(corridor)
        assert owner[corridor[0]] != owner[corridor[-1]]
        assert all(cell in bank for cell in corridor[1:-1])


@given(st.sets(st.sampled_from([(x, y) for x in range(7) for y in range(7)]), max_size=24), st.data())
def test_it_is_a_shortest_way(walls: set[Cell], data: st.DataObject) -> None:
    """Their length is the distance on any bank; None is returned exactly if there is no path."""
    cells = {(x, y) for x in range(7) for y in range(7)} - walls
    one, other = data.draw(st.lists(st.sampled_from(sorted(cells)), min_size=2, max_size=2, unique=True))
    bank = CellBank(sorted(cells))
    distances = distance_map(problem_from([one], bank.successors, lambda cell: False))
    corridor = connect(Room([one]), Room([other]), bank, randomness=0.7, rng=Random(3))
    assert (corridor is None) == (other not in distances)
    if corridor is not None:
        assert len(corridor) - 1 == distances[other]
        assert is_a_way(corridor)
