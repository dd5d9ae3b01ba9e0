"""Machine code for robots, run by Python: it finds what the engines in Python find, tie for tie.

Arrays are full at once, calls are short, and many of them are late, so that the work goes on in others.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from math import inf
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from searchkit import Limits, Search
from searchkit.compiled.kit import control
from searchkit.tree import SearchTree
from searchkit_dungeon import Cell
from searchkit_robots import MultiAgentGrid, robots
from searchkit_robots.engines._conflicts import conflicts_between
from searchkit_robots.engines._constraints import Constraints, Robot
from searchkit_robots.engines._single import Diagram, Traffic, best_path
from searchkit_robots.problem import OBJECTIVES
from tests.kernels.interpreted import Interpreted, interpreted

pytestmark = interpreted
COMPILED = "searchkit_robots.compiled."
SMALL = Interpreted(
    {
        "searchkit.compiled.kit.control": {"FIRST_STEPS, LEAST_STEPS, MOST_STEPS": "16, 16, 16"},
        f"{COMPILED}explorer": {"FIRST_ROOM": "1"},
        f"{COMPILED}roads": {"MOST_FLOODED": "3"},
        f"{COMPILED}tools": {"MORE_TIMES": "1", "MOST_STEPS": "20", "MOST_RULED": "2", "MOST_PATHS": "2"},
    }
)
CBS, EXPLORER, LACAM, ROADS, TOOLS = (
    SMALL.module(COMPILED + name) for name in ("cbs", "explorer", "lacam", "roads", "tools")
)


@pytest.fixture(autouse=True)
def _wrapping() -> Iterator[None]:
    """Let products of 64 bits wrap around, as in machine code."""
    with np.errstate(over="ignore"):
        yield


def crowd(rng: Random, least: int, most: int, largest: int = 12) -> MultiAgentGrid:
    """Return some robots in a small connected region, where most of them are in the way of others."""
    count, region = rng.randint(least, most), {(2, 2)}
    while len(region) < rng.randint(5, largest) or len(region) <= count:
        x, y = rng.choice(sorted(region))
        region.add(
            rng.choice([(x, max(y - 1, 0)), (x, min(y + 1, 4)), (max(x - 1, 0), y), (min(x + 1, 4), y)])
        )
    rows = ["".join("#."[(x, y) in region] for x in range(5)) for y in range(5)]
    cells = sorted(region)
    pairs = list(zip(rng.sample(cells, count), rng.sample(cells, count), strict=True))
    return robots(rows, pairs, objective=rng.choice(sorted(OBJECTIVES)))


def late(monkeypatch: pytest.MonkeyPatch, rng: Random, chance: float) -> None:
    """Let calls be late by chance, and begin with arrays of a few elements."""
    monkeypatch.setattr(TOOLS.Tools, "is_late", lambda self: rng.random() < chance)
    monkeypatch.setattr(TOOLS, "ROOM", rng.randint(1, 6))


def known(tree: Any) -> tuple[Any, ...]:
    """Return what a search has found, and its counters."""
    counters = tree.expanded, tree.generated, tree.peak_frontier
    return tree.found, tree.incumbent, tree.lower_bound, dict(tree.reached), counters


def compare(kind: Any, problem: MultiAgentGrid, step: int, most: int, **options: Any) -> None:
    """Run the machine code by Python and the engine in Python, `step` expansions at a time, `most` in all."""
    engine = kind.__name__.lower()
    python: Search[Any, Any] = Search(problem, engine, backend="python", **options)
    run = kind(problem, SearchTree(), **options)
    while not python.ended and python.tree.expanded < most:
        python.run(Limits(expansions=step))
        tree = run.tree
        while not run.ended and not (run.settled and tree.expanded >= python.tree.expanded):
            tree.expanded += run.advance(python.tree.expanded - tree.expanded)
        assert known(tree) == known(python.tree)
        assert run.ended == python.ended
        if not run.ended:
            assert run.state == python.next_state


def fill(explorer: Any, rng: Random) -> None:
    """Leave little room in the arrays of an explorer or none, and let its ring begin anywhere, often at the end."""
    spare = rng.choice((0, 7, 99))

    def cut(array: Any, used: int) -> Any:
        return array[: max(1, used) + rng.randint(0, spare)].copy()

    counters, nodes = explorer.counters, explorer.nodes
    count, room = int(counters[LACAM.NODES]), len(cut(nodes.links, counters[LACAM.NODES]))
    first = rng.choice((room, rng.randint(0, room)))
    waiting = (counters[LACAM.LAST] - counters[LACAM.FIRST]) % len(nodes.ring)
    ring = np.roll(np.roll(nodes.ring, -counters[LACAM.FIRST])[: room + 1], first)
    counters[LACAM.FIRST], counters[LACAM.LAST] = first, (first + waiting) % len(ring)
    short = {name: getattr(nodes, name)[:room].copy() for name in ("robots", "links", "costs", "hashes")}
    slots = np.full(2 << room.bit_length(), LACAM.NONE, np.int32)
    stack = cut(nodes.stack, counters[LACAM.SIZE])
    explorer.nodes = nodes._replace(slots=slots, ring=ring, stack=stack, **short)
    LACAM.hash_all(explorer.nodes, count)
    explorer.entries = cut(explorer.entries, counters[LACAM.ENTRIES])
    explorer.edges = cut(explorer.edges, counters[LACAM.EDGES])


@pytest.mark.parametrize("places", ["hashed well", "hashed badly"])
def test_lacam(places: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With improvements or without, with a plan or without; also if many configurations have the same hash."""
    if places == "hashed badly":
        monkeypatch.setattr(LACAM, "_hash", lambda places: np.uint64(int(places[0]) % 3 + 6))
    chance, work = Random(0), EXPLORER.Explorer.slice

    def filled(explorer: Any, expansions: int, steps: int) -> Any:
        if chance.random() < 0.2 and explorer.counters[LACAM.NODES]:
            fill(explorer, chance)
            nodes, counters = explorer.nodes, explorer.counters.copy()
            explorer.nodes = nodes._replace(stack=nodes.stack[: len(explorer) + 1].copy())
            assert work(explorer, expansions, steps) == (control.FULL, 0)  # an expansion may take two places
            counters[LACAM.EXPANDED] = 0
            assert (explorer.counters == counters).all()
            explorer.nodes = nodes
        return work(explorer, expansions, steps)

    monkeypatch.setattr(EXPLORER.Explorer, "slice", filled)
    for seed in range(20):
        rng = Random(seed)
        improve, most = rng.choice(((0, 30), (1000, 60), (1000, 200)))
        compare(EXPLORER.Lacam, crowd(rng, 2, 5), rng.randint(1, 25), most, improve=improve)
    for seed in range(4):  # the same few nodes become cheaper again and again
        compare(EXPLORER.Lacam, crowd(Random(seed), 4, 4, 7), 111, 666, improve=1000)


def test_a_robot_that_does_not_get_its_first_choice_pulls_no_other_one() -> None:
    """It has changed places with nobody."""
    starts = [(2, 2), (3, 1), (1, 1), (3, 2), (1, 2), (2, 0), (2, 1)]
    goals = [(3, 1), (2, 0), (2, 1), (1, 0), (2, 2), (3, 2), (1, 2)]
    pairs = zip(starts, goals, strict=True)
    problem = robots(["#..#", "#...", "#..."], pairs, objective="makespan")
    compare(EXPLORER.Lacam, problem, 30, 30)


def test_calls_for_lacam_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """They end when the steps are used up, however many nodes become cheaper, are dropped or are expanded."""
    relaxed: list[None] = []
    relax, most_followed, most_dropped = LACAM._relax, 0, 0

    def counted(*arguments: Any) -> None:
        relaxed.append(None)
        relax(*arguments)

    monkeypatch.setattr(LACAM, "_relax", counted)
    for seed in range(9):
        rng = Random(seed)
        problem = crowd(rng, 4, 4, 7)
        run = EXPLORER.Lacam(problem, SearchTree(), improve=1000)
        run.open_whole()
        for _ in range(200):
            relaxed.clear()
            steps, count, height = rng.choice((1, 20, 200)), len(problem.robots), len(run.explorer)
            why, expanded = run.explorer.slice(100, steps)
            followed, dropped = max(0, len(relaxed) - expanded), height - len(run.explorer)
            assert count * followed + 8 * count * (expanded - 1) < steps + count
            assert dropped <= steps
            most_followed, most_dropped = max(most_followed, followed), max(most_dropped, dropped)
            if why not in (control.PAUSED, control.WORKED):
                list(run.handle(why) or ())
            if run.ended:
                break
    assert min(most_followed, most_dropped) > 10


def test_cbs(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a plan or without."""
    for seed in range(24):
        rng = Random(seed)
        late(monkeypatch, rng, 0.2)
        compare(CBS.Cbs, crowd(rng, 2, 4), rng.randint(1, 7), 20)


class Numbers:
    """The tools of compiled `cbs` for a problem, whose locations they know by numbers."""

    def __init__(self, problem: MultiAgentGrid, rng: Random):
        numbered = ROADS.Numbered(problem)
        while not numbered.flood():
            pass
        self.tools = TOOLS.Tools(numbered, SimpleNamespace(check_memory=lambda size: None))
        self.number, self.location, self.rng = numbered.number, numbered.location, rng
        self.asked: list[Callable[[], Any]] = []

    def insist(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Call something until it is not late; sometimes something that was called before is called in between."""
        self.asked.append(partial(work, *arguments))
        while True:
            try:
                return work(*arguments)
            except TOOLS.Late:
                if self.rng.random() < 0.3:
                    with suppress(TOOLS.Late):
                        self.rng.choice(self.asked)()

    def numbered(self, constraints: Constraints) -> Constraints:
        """Return constraints over numbers."""

        def changed(each: Any) -> Any:
            return (each[0], *map(self.number, each[1:]))

        vertices, edges, landmarks = (
            frozenset(map(changed, kind))
            for kind in (constraints.vertices, constraints.edges, constraints.landmarks)
        )
        claims = tuple((robot, time, tuple(map(self.number, way))) for robot, time, way in constraints.claims)
        return Constraints(vertices, edges, landmarks, claims, constraints.earliest)

    def route(self, path: Sequence[Cell]) -> Any:
        """Return a path as the tools have it."""
        return self.tools.route(np.array([*map(self.number, path)], np.int32))

    def levels(self, drawing: Any) -> list[dict[Cell, tuple[Cell, ...]]]:
        """Return the levels of a diagram as `Diagram` has them."""
        offsets, places, after = drawing.levels
        cells: list[Any] = [self.location(int(place)) if place >= 0 else None for place in places]
        return [
            {
                cells[number]: tuple(cells[ahead] for ahead in after[number] if ahead >= 0)
                for number in range(first, last)
                if cells[number] is not None
            }
            for first, last in pairwise(offsets)
        ]

    def met(self, drawing: Any, marks: Any) -> list[set[Cell]]:
        """Return the met places of each level."""
        offsets, places, _ = drawing.levels
        return [
            {self.location(int(place)) for place in places[first:last][marks[first:last] != 0]}
            for first, last in pairwise(offsets)
        ]


def walk(problem: MultiAgentGrid, rng: Random, start: Cell, most: int) -> tuple[Cell, ...]:
    """Return a path that goes anywhere."""
    path = [start]
    for _ in range(rng.randint(0, most)):
        path.append(rng.choice([*problem.neighbours(path[-1]), path[-1]]))
    return tuple(path)


def constrained(problem: MultiAgentGrid, rng: Random, robot: int) -> Constraints:
    """Return constraints of any kind, most of which leave a path."""
    ends = problem.endpoints()
    near = [each for start, goal in ends for each in (start, goal, *problem.neighbours(goal))]
    times, own = range(rng.randint(1, 9)), walk(problem, rng, ends[robot][0], 9)

    def some(most: int) -> range:
        return range(rng.choice((0, 0, rng.randint(0, most))))

    def move() -> tuple[Cell, Cell]:
        cell = rng.choice(near)
        return cell, rng.choice(problem.neighbours(cell) or [cell])

    landmarks = [(time, own[time]) for time in rng.sample(range(len(own)), min(len(own), len(some(3))))]
    if rng.random() < 0.1:
        landmarks.append((rng.choice(times), rng.choice(near)))
    goal = rng.choice(ends)[1]
    claims = [
        (rng.randint(0, 2), rng.choice(times) + 1, rng.choice((move(), move()[:1], (goal, goal))))
        for _ in some(3)
    ]
    return Constraints(
        frozenset((rng.choice(times), rng.choice(near)) for _ in some(6)),
        frozenset((rng.choice(times), *move()) for _ in some(6)),
        frozenset(landmarks),
        tuple(claims),
        rng.choice((0, 0, rng.randint(0, 9))),
    )


def test_paths_and_diagrams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one robot under any constraints, among others; and the places that are met in two diagrams."""
    found = conflicting = 0
    for seed in range(70):
        rng = Random(seed)
        late(monkeypatch, rng, 0.5)
        problem = crowd(rng, 2, 3)
        numbers, drawn = Numbers(problem, rng), []
        for number, robot in enumerate(Robot.all_of(problem) * 2):
            constraints = constrained(problem, rng, robot.index)
            others = [
                walk(problem, rng, rng.choice(problem.endpoints())[0], 12) for _ in range(rng.randint(0, 4))
            ]
            expected = best_path(robot, constraints, Traffic(others))
            inside, routes = numbers.numbered(constraints), [*map(numbers.route, others)]
            path = numbers.insist(numbers.tools.best_path, robot.index, inside, routes, number)
            assert (path and tuple(map(numbers.location, path))) == expected
            if expected is not None:
                found += 1
                diagram = Diagram(robot, constraints, len(expected) - 1)
                drawing = numbers.insist(numbers.tools.draw, robot, inside, diagram.cost)
                assert numbers.levels(drawing) == diagram.levels
                drawn.append((diagram, drawing))
        for one, mine in drawn:
            for other, others_too in drawn:
                expected_met, met = one.met(other), numbers.insist(mine.met, others_too)
                assert (met is None) == (expected_met is None)
                for sets, each, marks in zip(expected_met or (), (mine, others_too), met or (), strict=False):
                    conflicting += 1
                    assert numbers.met(each, marks) == sets[: len(each.widths)]
    assert min(found, conflicting) > 100


def test_conflicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of paths that go anywhere and have any length; and of many robots that all change places at once."""
    for seed in range(60):
        rng = Random(seed)
        late(monkeypatch, rng, 0.5)
        problem = crowd(rng, 1, 1)
        cells = walk(problem, rng, problem.endpoints()[0][0], 9)
        paths: list[tuple[Cell, ...]] = [
            walk(problem, rng, rng.choice(cells), 9) for _ in range(rng.randint(1, 6))
        ]
        if seed % 9 == 0:
            forth: tuple[Cell, ...] = (cells[0], problem.neighbours(cells[0])[0]) * 3
            paths = [forth] * 3 + [forth[::-1]] * 3
        numbers = Numbers(problem, rng)
        for each in (paths, paths[::-1]):
            conflicts = numbers.insist(numbers.tools.conflicts, tuple(map(numbers.route, each)))
            found = [
                (time, first, second, numbers.location(here), numbers.location(there))
                for time, first, second, here, there in conflicts
            ]
            assert found == conflicts_between(each)


def test_of_equal_arrivals_the_latest_comes_first() -> None:
    """A path through an empty room is found without looking at all others that are as short."""
    problem = robots(["........"] * 8, [((0, 0), (7, 7))])
    numbers = Numbers(problem, Random(0))
    numbers.tools.until = inf
    path = numbers.insist(numbers.tools.best_path, 0, Constraints(), [], "path")
    assert len(path) == 15
    assert numbers.tools.counters[TOOLS.COUNT] <= 3 * len(path)
