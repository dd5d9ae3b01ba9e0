"""Machine code for tables, run by Python: it makes, reads and checks the same as the code in Python.

Pieces and frontiers are small, so it goes on in many calls, and frontiers grow.
"""

from array import array
from collections.abc import Callable
from functools import partial
from itertools import product
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit.errors import InputFormatError, MissingCapabilityError
from searchkit_dungeon import grid
from searchkit_graph import graph
from searchkit_graph.precomputed.contraction.engine import Meeting
from searchkit_graph.precomputed.contraction.engine import costs_between as costs_by_hierarchy
from searchkit_graph.precomputed.contraction.hierarchy import Half, Hierarchy
from searchkit_graph.precomputed.contraction.making import Contraction
from searchkit_graph.precomputed.contraction.table_file import written as written_hierarchy
from searchkit_graph.precomputed.labels.dissection import LARGEST_LEAF
from searchkit_graph.precomputed.labels.making import _lengths_from, _rows, make_labels
from searchkit_graph.precomputed.labels.table import HubLabels, with_rows
from searchkit_graph.precomputed.labels.table_file import written as written_labels
from searchkit_graph.precomputed.network import COUNTED, FAR, LOW, NONE, WHOLE, Network
from searchkit_graph.tests.test_contraction import first_fault, town
from searchkit_graph.tests.test_hub_labels import labels_of
from tests.kernels.interpreted import Interpreted, interpreted

pytestmark = interpreted
TABLES, HIERARCHIES, LABELS = (
    f"searchkit_graph.precomputed.{each}compiled." for each in ("", "contraction.", "labels.")
)
SMALL = Interpreted(
    {
        f"{HIERARCHIES}contracting": {"PIECE": "40"},
        f"{HIERARCHIES}searching": {"PIECE": "2", "MOST_SEEN": "5", "FIRST_ROOM": "1"},
        f"{HIERARCHIES}checking": {"PIECE": "40"},
        f"{LABELS}making": {"PIECE": "9", "FIRST_ROOM": "8"},
        f"{LABELS}asking": {"PIECE": "3", "LONGEST_PIECE": "2"},
        f"{LABELS}checking": {"PIECE": "300"},
    }
)
CONTRACTING, SEARCHING, CHECKING = (
    SMALL.module(HIERARCHIES + name) for name in ("contracting", "searching", "checking")
)
MAKING, ASKING, CHECKING_LABELS = (SMALL.module(LABELS + name) for name in ("making", "asking", "checking"))


SEEDS = st.integers(0, 2**32).map(Random)
"""Most problems that are drawn number by number are too small here."""


def cave(rng: Random) -> Any:
    """Return a map on which cuts are made."""
    width = rng.randint(8, 14)
    rows = [[rng.choice("....3#") for _ in range(width)] for _ in range(rng.randint(5, 9))]
    rows[0][0], rows[-1][-1] = "S", "G"
    return grid(["".join(row) for row in rows], moves=rng.choice((4, 8)))


@given(SEEDS)
@settings(max_examples=400)
def test_hierarchies(rng: Random) -> None:
    """The same to the last byte; the same searches, state by state, and the same paths."""
    problem = town(rng)
    hierarchy = problem.contraction_hierarchy()
    assert written_hierarchy(CONTRACTING.make_hierarchy(hierarchy.network)) == written_hierarchy(hierarchy)
    reader, size = SEARCHING.Reader(hierarchy), hierarchy.network.size
    for _ in range(4):
        ends = [rng.choices(range(size), k=rng.randint(1, 3)) for _ in range(2)]
        meeting = Meeting(*([hierarchy.ranks[end] for end in each] for each in ends))
        reader.begin(*map(np.array, ends))
        generated = 0
        while (side := meeting.next()) is not None:
            assert reader.next == hierarchy.states[meeting.ascents[side].frontier[0][1]]
            generated += meeting.settle(side, hierarchy)
            assert reader.settle(1) == 1
            assert (reader.value, reader.numbers[SEARCHING.GENERATED]) == (meeting.value, generated)
        assert reader.next is None
        if meeting.value < FAR:
            assert reader.way() == hierarchy.way(meeting.path())
    starts, goals = (rng.choices(range(size), k=5) for _ in range(2))
    assert SEARCHING.costs_between(hierarchy, starts, goals) == costs_by_hierarchy(hierarchy, starts, goals)


@given(SEEDS)
@settings(max_examples=400)
def test_forged_hierarchies(rng: Random) -> None:
    """What was made passes the check. What was changed and passes gives right answers."""
    problem = town(rng)
    hierarchy = problem.contraction_hierarchy()
    assert CHECKING.fault_of(hierarchy) == ""
    for _ in range(8):
        parts = [array("I", part) for part in (hierarchy.ranks, *hierarchy.up, *hierarchy.down)]
        first = rng.choice((1, 5))
        if not parts[first + 1]:
            continue
        place = rng.randrange(len(parts[first + 1]))
        if rng.random() < 0.5:  # an arc is missing
            for part in parts[first + 1 : first + 4]:
                del part[place]
            for index, begin in enumerate(parts[first]):
                parts[first][index] = begin - (begin > place)
        else:
            part = rng.choice(parts[first + 1 : first + 4])
            part[place] = rng.choice((0, 1, 2**32 - 1, part[place] + 1 & 2**32 - 1, rng.choice(part)))
        forged = Hierarchy(hierarchy.network, parts[0], Half(*parts[1:5]), Half(*parts[5:]))
        if CHECKING.fault_of(forged) == "":
            assert first_fault(problem, forged, list(range(hierarchy.network.size))) == ""


@given(SEEDS, st.sampled_from((cave, town)))
@settings(max_examples=400)
def test_labels(rng: Random, make: Callable[[Random], Any]) -> None:
    """The same to the last byte; the same distances, hubs and paths."""
    labels = labels_of(make(rng))
    assert labels is not None
    network = labels.network
    assert written_labels(MAKING.make_labels(network)) == written_labels(labels)
    reader = ASKING.Reader(labels)
    starts, goals = (rng.choices(range(network.size), k=8) for _ in range(2))
    values, places = reader.ask(np.array(starts), np.array(goals))
    for start, goal, value, place in zip(starts, goals, values, places, strict=True):
        found = labels.ask(start, goal)
        assert tuple(found) == (value, place)
        if value < FAR:
            assert reader.path(start, goal, found) == labels.path(start, goal, found)


@given(SEEDS, st.sampled_from((cave, town)))
@settings(max_examples=400)
def test_forged_labels(rng: Random, make: Callable[[Random], Any]) -> None:
    """What was made passes the check, and what was changed in the rows does not."""
    labels = labels_of(make(rng))
    assert labels is not None
    assert CHECKING_LABELS.fault_of(labels) == ""
    for _ in range(4):
        rows = array("I", labels.forward)
        if not rows:
            continue
        place = rng.randrange(len(rows))
        rows[place] = rng.choice((0, 2**32 - 1, abs(rows[place] - 1), min(rows[place] + 1, 2**32 - 1)))
        if rows[place] == labels.forward[place]:
            continue
        both = labels.backward is labels.forward
        forged = HubLabels(
            labels.network, labels.above, labels.ends, labels.parts, labels.places,
            rows, rows if both else labels.backward,
        )  # fmt: skip
        assert CHECKING_LABELS.fault_of(forged) != ""


def half(begins: list[int], heads: list[int], middles: list[int]) -> Half:
    """Return arcs of length 1."""
    return Half(*(np.array(part, np.uint32) for part in (begins, heads, [1] * len(heads), middles)))


def test_shortcuts_that_mislead() -> None:
    """A shortcut over a state of a higher rank, and more shortcuts in one another than there is room for."""
    unpack, empty = SEARCHING._unpack, half([0] * 4, [], [])
    low, high = half([0, 2, 2, 2], [1, 2], [2, NONE]), half([0, 0, 1, 1], [2], [NONE])
    assert unpack(low, high, np.array([1, 0, 0]), np.zeros(9), np.array([1, 0])) == -1
    over = half([0, 0, 1, 1], [2], [0])
    assert unpack(over, empty, np.array([2]), np.zeros(9), np.array([1, 1])) == -1


def test_arcs_that_lead_nowhere() -> None:
    """A number that was changed after the check is an error, in the half that is followed and in the other one."""
    hierarchy = graph(["A B 1", "B A 1", "B C 1", "C B 1"], start="A", goal="C").contraction_hierarchy()
    for side in ("up", "down"):
        for head in (0, hierarchy.network.size, 2**32 - 1):
            changed = getattr(hierarchy, side)
            changed = changed._replace(heads=array("I", [head] * len(changed.heads)))
            halves = {"up": hierarchy.up, "down": hierarchy.down, side: changed}
            reader = SEARCHING.Reader(Hierarchy(hierarchy.network, hierarchy.ranks, **halves))
            reader.begin(np.array([0, 1, 2]), np.array([0, 1, 2]))
            reader.begin(np.array([0]), np.array([2]))
            with pytest.raises(InputFormatError):
                reader.settle(9)


def test_of_two_ways_the_shorter_one_is_kept() -> None:
    """It becomes an arc in both directions, with its middle, among many edges that are longer."""
    rng = Random(1)
    roads = [f"{one} {other} {rng.randint(1, 60)}" for one in range(30) for other in rng.sample(range(30), 6)]
    hierarchy = graph(roads, start=0, goal=1).contraction_hierarchy()
    assert written_hierarchy(CONTRACTING.make_hierarchy(hierarchy.network)) == written_hierarchy(hierarchy)


def outcome(make: Callable[[Network], Any], written: Callable[[Any], Any], network: Network) -> object:
    """Return the file of a table, or the error of a network whose paths are too long."""
    try:
        return written(make(network))
    except MissingCapabilityError as error:
        return str(error)


def lane(lengths: list[int], units: tuple[int, int]) -> Network:
    """Return states in a row, and a last edge back to the first one: so each removed state makes a shortcut."""
    size = len(lengths)
    heads = array("I", [(state + 1) % size for state in range(size)])
    return Network(array("q", range(size + 1)), heads, array("I", lengths), units, 1)


@pytest.mark.parametrize("units", [WHOLE, COUNTED])
@pytest.mark.parametrize("excess", [-1, 0, 1])
def test_lengths_up_to_the_largest_one(units: tuple[int, int], excess: int) -> None:
    """A sum that is just not too long is written; the next one is an error, in each half of a length too."""
    largest = NONE - 1 if units == WHOLE else LOW
    network = lane([largest // 3 + excess, 1, largest - largest // 3], units)
    made = outcome(CONTRACTING.make_hierarchy, written_hierarchy, network)
    assert made == outcome(lambda each: Contraction(each).hierarchy(), written_hierarchy, network)
    assert isinstance(made, str) == (excess > 0)
    labels = make_labels(lane([1] * 30, units))
    places = array("i", labels.places)
    ways = [
        _lengths_from(side, hub, places)
        for side in (labels.network, labels.network.reverse)
        for hub, place in enumerate(places)
        if place >= 0
    ]
    most = max(max(way.values()) for way in ways)
    lengths, outcomes = [largest // most] * 30, set()
    for edge in range(0, 30, 3):  # which may be one of those that add up to the largest length
        network = lane(
            [*lengths[:edge], lengths[edge] + largest % most + excess, *lengths[edge + 1 :]], units
        )
        made = outcome(MAKING.make_labels, written_labels, network)
        assert made == outcome(make_labels, written_labels, network)
        outcomes.add(type(made))
    assert (str in outcomes) == (excess > 0)


@given(SEEDS)
@settings(max_examples=100)
def test_shortcuts_in_as_little_room_as_possible(rng: Random) -> None:
    """Each step has the least room with which it is taken, and that is enough for all shortcuts."""
    network, contract = town(rng).contraction_hierarchy().network, CONTRACTING._contract

    def tight(lists: Any, work: Any, left: int, most: int) -> int:
        made = int(work.numbers[CONTRACTING.MADE])
        for room in range(made, len(lists.arcs) + 1):
            why: int = contract(lists._replace(arcs=lists.arcs[:room]), work, 1, most)
            if why != CONTRACTING.FULL:
                break
        return why

    with patch.object(CONTRACTING, "_contract", tight):
        made = written_hierarchy(CONTRACTING.make_hierarchy(network))
    assert made == written_hierarchy(Contraction(network).hierarchy())


def test_an_edge_that_is_longer_than_the_way_over_a_state() -> None:
    """It does not replace the shortcut, even if it is an edge of the graph."""
    network = graph(["A B 1", "B C 1", "A C 5"], start="A", goal="C").contraction_hierarchy().network
    down = Half(*(array("I", part) for part in ([0, 1, 1, 1], [1], [1], [NONE])))
    for length, middle, expected in ((2, 0, ""), (5, NONE, "a shortcut is missing")):
        up = Half(*(array("I", part) for part in ([0, 1, 2, 2], [2, 2], [1, length], [NONE, middle])))
        assert CHECKING.fault_of(Hierarchy(network, array("I", [1, 0, 2]), up, down)) == expected


def test_checks_that_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that settles too many states is broken off, and the hierarchy refused, even if the next one meets it."""
    search, counts, cases = CHECKING._search, list[int](), set()

    def watched(*arguments: Any) -> Any:
        count, met = search(*arguments)
        assert count >= 0 or not met
        cases.add((any(each < 0 for each in counts), met))
        counts.append(int(count))
        return count, met

    monkeypatch.setattr(CHECKING, "_search", watched)
    for seed, most in product(range(25), (0, 1, 2, 3, 99)):
        monkeypatch.setattr(CHECKING, "MOST_SETTLED", most)
        counts.clear()
        fault = CHECKING.fault_of(town(Random(seed)).contraction_hierarchy())
        assert fault == ("a shortcut is missing" if min(counts, default=0) < 0 else "")
        assert most < 99 or fault == ""
        assert most > 0 or not counts or fault != ""
    assert (True, True) in cases


def test_paths_through_the_largest_part() -> None:
    """They are read in pieces, and there is room for all states of a part wherever in a piece it begins."""
    for first in range(1, 5):  # hubs before the part; another one is behind it
        size = first + LARGEST_LEAF + 1
        begins, heads, lengths = [*range(size), size - 1], range(1, size), [1] * (size - 1)
        network = Network(array("q", begins), array("I", heads), array("I", lengths), WHOLE, 1)
        parts = array("i", [*[0] * first, *[1] * LARGEST_LEAF, 0])
        places = array("i", [*range(1, first + 1), *[-1] * LARGEST_LEAF, 0])
        frame = array("i", [-1, 0]), array("i", [first + 1] * 2), parts, places
        labels = with_rows(network, frame, partial(_rows, frame=frame))
        answer = labels.ask(0, size - 1)
        assert answer == (size - 1, 0)
        assert ASKING.Reader(labels).path(0, size - 1, answer) == list(range(size))


def test_the_largest_part_that_is_not_cut() -> None:
    """One state more is refused: reading and checking take the square of their number."""
    for count in (LARGEST_LEAF, LARGEST_LEAF + 1):
        begins = array("q", [0, *[count - 1] * count])
        star = Network(begins, array("I", range(1, count)), array("I", [1] * (count - 1)), WHOLE, 1)
        parts, places = (array("i", [number]) * count for number in (0, -1))
        labels = HubLabels(star, array("i", [-1]), array("i", [0]), parts, places, array("I"), array("I"))
        fault = CHECKING_LABELS.fault_of(labels)
        assert fault.endswith("one that is too large") == (count > LARGEST_LEAF)
        assert fault == "" or count > LARGEST_LEAF
