"""Corridors between two rooms, and between all suites."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import distance_map, problem_from
from searchkit_dungeon import Cell, CellBank, GenerationError, Room, connect, join, suites_of
from searchkit_dungeon.generators.corridors import Corridor, shortest_way
from searchkit_dungeon.generators.rooms import halo


def is_a_way(corridor: Corridor) -> bool:
    """Whether each cell lies beside the one before it, and none is in it twice."""
    steps = all(abs(ax - bx) + abs(ay - by) == 1 for (ax, ay), (bx, by) in pairwise(corridor))
    return steps and len(set(corridor)) == len(corridor)


@pytest.mark.parametrize("size", [1, 60])
@pytest.mark.parametrize("randomness", [0, 0.5, 1])
def test_on_an_empty_map(size: int, randomness: float) -> None:
    """Between the origins there are 1 + Manhattan cells, straight or wiggly."""
    bank, rng = CellBank.rectangle(100, 100), Random(1)
    one, other = (Room.grow(bank, size, origin, rng) for origin in ((10, 10), (90, 90)))
    corridor = connect(one, other, bank, randomness=randomness, rng=rng)
    assert corridor is not None
    assert len(corridor) == 161
    assert (corridor[0], corridor[-1]) == ((10, 10), (90, 90))
    assert is_a_way(corridor)


def bends(corridor: Corridor) -> int:
    """Return how often a corridor turns."""
    steps = [(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(corridor)]
    return sum(one != other for one, other in pairwise(steps))


def test_randomness_makes_it_winding() -> None:
    """Without it the corridor turns once; with all of it, at about every second cell."""
    bank = CellBank.rectangle(100, 100)
    one, other = Room([(10, 10)]), Room([(90, 90)])
    straight = connect(one, other, bank)
    assert straight is not None
    assert bends(straight) == 1
    turns = []
    for randomness in (0.2, 1):
        corridor = connect(one, other, bank, randomness=randomness, rng=Random(5))
        assert corridor is not None
        turns.append(bends(corridor))
    assert 5 < turns[0] < turns[1] < 120
    assert turns[1] > 40


def test_it_leads_around_other_rooms() -> None:
    """A corridor goes around a room between its ends, at the least possible cost."""
    bank = CellBank.rectangle(9, 9)
    wall = Room([(4, y) for y in range(8)])
    one, other = Room([(1, 0)]), Room([(7, 0)])
    for room in (wall, one, other):
        bank.take(room.cells)
    corridor = connect(one, other, bank)
    assert corridor is not None
    assert not set(corridor) & set(wall.cells)
    assert len(corridor) == 1 + 6 + 2 * 8


def test_it_leads_through_its_own_rooms() -> None:
    """Their cells are not obstacles, even if they are the only path."""
    bank = CellBank([(3, 0)])
    corridor = connect(Room([(0, 0), (1, 0), (2, 0)]), Room([(6, 0), (5, 0), (4, 0)]), bank)
    assert corridor == tuple((x, 0) for x in range(7))


def test_the_ends_can_be_chosen() -> None:
    """Any cells of the two rooms."""
    bank = CellBank([(3, 0)])
    ends = ((2, 0), (4, 0))
    one, other = Room([(0, 0), (1, 0), (2, 0)]), Room([(6, 0), (5, 0), (4, 0)])
    assert connect(one, other, bank, ends=ends) == ((2, 0), (3, 0), (4, 0))


def test_no_way() -> None:
    """It is None; nothing is raised."""
    assert connect(Room([(0, 0)]), Room([(4, 0)]), CellBank([(1, 0), (3, 0)])) is None


def test_suites_are_rooms_that_touch() -> None:
    """Along an edge; a common corner is not enough."""
    rooms = [Room([(0, 0)]), Room([(5, 5)]), Room([(1, 0), (2, 0)]), Room([(3, 1)])]
    assert [set(suite.cells) for suite in suites_of(rooms)] == [{(0, 0), (1, 0), (2, 0)}, {(5, 5)}, {(3, 1)}]


def test_suites_are_joined_from_their_closest_cells() -> None:
    """Not from their origins."""
    bank = CellBank.rectangle(30, 9)
    rooms = [Room([(x, 4) for x in range(8)]), Room([(x, 4) for x in range(29, 12, -1)])]
    for room in rooms:
        bank.take(room.cells)
    assert join(rooms, bank, Random(0)) == [tuple((x, 4) for x in range(7, 14))]


def test_a_corridor_walls_nothing_off() -> None:
    """A suite that a corridor surrounds on all sides is joined across it."""
    bank = CellBank.rectangle(11, 3)
    rooms = [Room([(0, 0)]), Room([(10, 0)]), Room([(5, 2)])]
    for room in rooms:
        bank.take(room.cells)
    across = connect(rooms[0], rooms[1], bank)
    assert across == tuple((x, 0) for x in range(11))
    beyond = connect(rooms[2], Room([(5, 0)]), bank)
    assert beyond == ((5, 2), (5, 1), (5, 0))
    corridors = join(rooms, bank, Random(0))
    assert connected(rooms, corridors)


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


@given(st.integers(0, 10**6), st.integers(2, 7))
def test_the_corridors_are_a_minimum_spanning_tree(seed: int, number: int) -> None:
    """Joining, one after the other, the nearest suite to those joined so far (Prim) takes the same number of cells."""
    rng = Random(seed)
    bank = CellBank.rectangle(14, 14)
    rooms: list[Room] = []
    for _ in range(number):
        free = list(bank)
        rooms.append(Room.grow(bank, 1 + int(rng.random() * 9), free[int(rng.random() * len(free))], rng))
    suites = suites_of(rooms)
    joined, waiting, total = [suites[0]], suites[1:], 0
    while waiting:
        ways = [
            (len(way), at)
            for at, suite in enumerate(waiting)
            for other in joined
            if (way := shortest_way(suite.cells, other.cells, bank.__contains__)) is not None
        ]
        length, at = min(ways)
        total += length
        joined.append(waiting.pop(at))
    owner = {cell: suite for suite in suites for cell in suite.cells}
    lengths = []
    for corridor in join(rooms, bank, rng):
        shortest = shortest_way(owner[corridor[0]].cells, owner[corridor[-1]].cells, bank.__contains__)
        assert shortest is not None
        lengths.append(len(shortest))
    assert sum(lengths) == total


def test_corridors_keep_away_from_other_suites() -> None:
    """If possible: two cells longer, this one passes the room at (5, 3) without opening it."""
    bank = CellBank.rectangle(9, 7)
    rooms = [Room([(2, 2)]), Room([(6, 2)]), Room([(5, 3)])]
    for room in rooms:
        bank.take(room.cells)
    corridors = {frozenset((way[0], way[-1])): way for way in join(rooms, bank, Random(0), loops=1)}
    past = corridors[frozenset(((2, 2), (6, 2)))]
    assert set(past) & halo([(5, 3)]).keys() == {(6, 2)}
    assert len(past) == 1 + 6


def test_a_loop_is_a_corridor_more() -> None:
    """Three rooms in a ring need two corridors; one loop closes it."""
    bank = CellBank.rectangle(20, 20)
    rooms = [Room.grow(bank, 9, origin, Random(0)) for origin in ((3, 3), (16, 4), (9, 16))]
    assert len(join(rooms, bank, Random(0))) == 2
    assert len(join(rooms, bank, Random(0), loops=1)) == 3


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
