"""The cubes: published figures, and the pattern databases."""

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from searchkit import Limits, Search, SearchProblem, Status, distance_map, solve
from searchkit.plugin import InvalidOptionError, MissingExtraError
from searchkit.testing import check_compiled, check_heuristic, explore
from searchkit_classics.cubes import patterns
from searchkit_classics.cubes.cube2 import Cube2
from searchkit_classics.cubes.cube3 import Cube3
from searchkit_classics.cubes.fill import fill
from searchkit_classics.cubes.geometry import FACES, HOME, turned, turns_of
from searchkit_classics.cubes.looks import LOOKS
from searchkit_classics.cubes.patterns import LARGE_PATTERNS, Pattern, build

HALF = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644]
QUARTER = [1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280, 276]
"""2×2×2 cubes at each distance from solved: OEIS A079761 and A079762."""
CORNERS = [1, 18, 243, 2874, 28000, 205416, 1168516, 5402628, 20776176, 45391616, 15139616, 64736]
"""Positions of the corners of the 3×3×3 cube at each distance from solved, in half turns."""
SEARCHED: dict[str, list[int]] = {"half": HALF, "quarter": QUARTER}


def levels(problem: SearchProblem[Any, Any], most: int) -> list[int]:
    """Return the number of states at each distance from the start, up to `most`."""
    reached = set(problem.initial_states())
    newest, counts = list(reached), [len(reached)]
    for _ in range(most):
        after = {state for before in newest for _, state in problem.successors(before)} - reached
        reached |= after
        newest = list(after)
        counts.append(len(newest))
    return counts


@pytest.mark.parametrize(("metric", "most"), [("half", 4), ("quarter", 5)])
def test_the_first_levels_of_the_small_cube(metric: str, most: int) -> None:
    """All levels are in a longer test."""
    assert levels(Cube2("", metric=metric), most) == SEARCHED[metric][: most + 1]


@pytest.mark.long
@pytest.mark.parametrize("metric", SEARCHED)
def test_all_small_cubes(metric: str) -> None:
    """3,674,160 states: 2,644 are 11 half turns away from solved, and 276 are 14 quarter turns away."""
    counts = Counter(distance_map(Cube2("", metric=metric)).values())
    assert [counts[distance] for distance in range(len(counts))] == SEARCHED[metric]


def test_the_first_levels_of_the_large_cube() -> None:
    """Positions; and sequences of turns if a state knows the last face (Korf 1997)."""
    assert levels(Cube3("", pruned=False), 3) == [1, 18, 243, 3240]
    assert levels(Cube3(""), 3) == [1, 18, 243, 3240]


@pytest.mark.long
def test_more_levels_of_the_large_cube() -> None:
    """Some sequences of four turns lead to the same position."""
    assert levels(Cube3("", pruned=False), 4)[4] == 43239
    assert levels(Cube3(""), 4)[4] == 43254


@pytest.mark.parametrize(
    ("turns", "order"), [("R", 4), ("R2", 2), ("R U", 105), ("R U R' U'", 6), ("R L", 4)]
)
def test_how_often_turns_are_repeated_to_undo_them(turns: str, order: int) -> None:
    """105 for R U, on the 3×3×3 cube."""
    places, repeated = HOME, 0
    while not repeated or places != HOME:
        places, repeated = turned(places, tuple(turns.split())), repeated + 1
    assert repeated == order


def test_turns_go_clockwise() -> None:
    """A turn of the right face takes its front to the top: drawn, the unfolded cube shows green there."""
    ground = LOOKS[Cube3](Cube3("R")).ground
    assert ground is not None
    top = [row[4:7] for row in ground.rows[:3]]
    assert top == ["UUF"] * 3
    small = LOOKS[Cube2](Cube2("R U")).ground
    assert small is not None
    assert [row[3:5] for row in small.rows[:2]] == ["UU", "FF"]


@pytest.mark.parametrize("metric", ["half", "quarter", "square"])
def test_the_views_are_the_same_problems(metric: str) -> None:
    """With all heuristics that need no large databases."""
    for heuristic in ("misplaced", "zero"):
        assert check_compiled(Cube2(5, metric=metric, heuristic=heuristic), max_states=100).holds
    for heuristic in ("small", "zero"):
        cube = Cube3(5, metric=metric, heuristic=heuristic, pruned=heuristic == "small")
        assert check_compiled(cube, max_states=60).holds
        assert cube.compiled().undirected != cube.pruned  # a turn that is left out may be the way back
    assert Cube2(5, metric=metric).compiled().undirected


def test_views_do_not_disturb_each_other() -> None:
    """Searches of several problems are held open at the same time, and take turns."""
    problems = [
        Cube3(5, metric=metric, faces=faces, pruned=pruned)
        for metric, faces, pruned in (
            ("half", "URFDLB", True),
            ("half", "UR", False),
            ("square", "FDL", True),
        )
    ]
    expected = [solve(problem, "astar", backend="python") for problem in problems]
    searches = [Search(problem, "astar", backend="compiled") for problem in problems]
    for search in searches:
        search.run(Limits(expansions=2))
    for search, python in zip(searches, expected, strict=True):
        result = search.run()
        assert result.solution == python.solution
        assert result.statistics.expanded == python.statistics.expanded


def test_turns_are_undone_by_the_predecessors() -> None:
    """In each metric, whether or not a state knows the last face."""
    for metric in ("half", "quarter"):
        for problem in (
            Cube2(3, metric=metric),
            Cube3(3, metric=metric),
            Cube3(3, metric=metric, pruned=False),
        ):
            space = explore(problem, 20)
            for state in space.edges:
                for action, after in problem.successors(state):
                    assert (action, state) in list(problem.predecessors(after))
                for action, before in problem.predecessors(state):
                    assert (action, state) in list(problem.successors(before))


@pytest.mark.parametrize("seed", [0, 1])
def test_backends_agree(seed: int) -> None:
    """On cost, path and counters."""
    for problem, engine in ((Cube2(4, seed), "astar"), (Cube3(3, seed), "idastar")):
        python, compiled = (solve(problem, engine, backend=backend) for backend in ("python", "compiled"))
        assert compiled.solution == python.solution
        assert compiled.statistics.expanded == python.statistics.expanded


def test_heuristics_never_overestimate() -> None:
    """On the group of half turns, and around the solved cube."""
    assert check_heuristic(Cube2("R2 U2 F2", metric="square")).holds
    assert check_heuristic(Cube3("R2 U2 F2", metric="square", faces="URF")).holds
    problem = Cube3("")
    for state, distance in distance_map(problem, limits=Limits(expansions=300)).items():
        assert problem.heuristic(state) <= distance


SOME = [Pattern(0, 2), Pattern(4, 3), Pattern(8, 2), Pattern(18, 2)]


@pytest.mark.parametrize("metric", ["half", "quarter"])
@pytest.mark.parametrize("pattern", SOME)
def test_databases_by_definition(pattern: Pattern, metric: str) -> None:
    """Each entry is the fewest turns for its pieces, found by a search of their places alone."""
    turns = [turn for _, turn in turns_of("".join(FACES), metric)]
    start = HOME[pattern.first : pattern.first + pattern.pieces]
    fewest, newest = {start: 0}, [start]
    for places in newest:
        for turn in turns:
            after = tuple([turn[place] for place in places])
            if after not in fewest:
                fewest[after] = fewest[places] + 1
                newest.append(after)
    databases = patterns.Databases((pattern,), memoryview(bytearray(patterns.BEGIN) + build(pattern, metric)))
    assert len(fewest) == pattern.positions
    for places, turned_by in fewest.items():
        state = (*[0] * pattern.first, *places)
        assert databases.entry(pattern, state) == turned_by


def test_machine_code_builds_the_same() -> None:
    """Byte for byte."""
    for pattern in SOME:
        assert build(pattern, "half", compiled=True) == build(pattern, "half", compiled=False)


@pytest.fixture
def small_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let small databases stand for the large ones, in a folder of the test."""
    some = (SOME[0], SOME[2], Pattern(10, 2))
    content = b"".join(build(pattern, "half") for pattern in some)
    monkeypatch.setattr(patterns, "LARGE_PATTERNS", some)
    monkeypatch.setattr(patterns, "HEURISTICS", {**patterns.HEURISTICS, "max": some})
    monkeypatch.setattr("searchkit_classics.cubes.cube3.HEURISTICS", patterns.HEURISTICS)
    monkeypatch.setattr(patterns, "DIGESTS", {"half": sha256(content).hexdigest()})
    monkeypatch.setattr(patterns, "_large", {})
    monkeypatch.setattr("searchkit.compiled.tables.user_cache", lambda: tmp_path)
    return tmp_path / "patterns"


def test_large_databases_are_built_once(small_ones: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process maps the file; damaged, it is built again. The first value of the heuristic builds them."""
    built: list[Pattern] = []

    def counted(pattern: Pattern, metric: str) -> bytearray:
        built.append(pattern)
        return build(pattern, metric)

    monkeypatch.setattr(patterns, "build", counted)
    problem = Cube3("R U2", heuristic="max")
    assert Search(problem, "bfs", backend="python").run().cost == 2
    assert not built
    assert Search(problem, "idastar", backend="python").run().cost == 2
    assert len(built) == 3
    [path] = small_ones.iterdir()
    patterns._large.clear()
    assert problem.heuristic(problem.start) == 2
    assert len(built) == 3
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    patterns._large.clear()
    assert problem.heuristic(problem.start) == 2
    assert len(built) == 6
    content[-1] ^= 1
    assert [each.read_bytes() for each in small_ones.iterdir()] == [content]


def test_what_is_written_before_the_databases_stays_in_memory(small_ones: Path) -> None:
    """A view uses these bytes, and the file is mapped by other processes."""
    databases = patterns.large_databases("half")
    before = patterns.file_of("half").path.read_bytes()
    patterns._large.clear()
    databases = patterns.large_databases("half")
    databases.memory[: patterns.BEGIN] = bytes(range(256)) * (patterns.BEGIN // 256)
    assert patterns.file_of("half").path.read_bytes() == before


def test_an_interrupted_building_leaves_nothing(small_ones: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Building them again is complete."""
    calls: list[Any] = []

    def interrupted(*arguments: Any) -> int:
        calls.append(arguments)
        if len(calls) == 20:
            raise KeyboardInterrupt
        return int(fill(*arguments))

    monkeypatch.setattr(patterns, "fill", interrupted)
    with pytest.raises(KeyboardInterrupt):
        patterns.large_databases("half")
    assert not small_ones.exists()
    assert patterns.large_databases("half").entry(SOME[0], HOME) == 0


def test_without_numba_and_without_databases(small_ones: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says what to install, and which heuristic works instead."""
    monkeypatch.setattr(patterns, "is_usable", lambda: False)
    with pytest.raises(MissingExtraError, match=r"heuristic=max needs .*\[fast\]', or use heuristic=small$"):
        Cube3(heuristic="max")
    assert solve(Cube3("R U F"), "idastar", backend="python").cost == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scramble": "R X"}, r"scramble=R X: X is not a possible turn; .* such as U U2 U'"),
        ({"scramble": "R", "metric": "square"}, "R is not a possible turn"),
        ({"scramble": "1001"}, "1001 is not a possible turn"),
        ({"scramble": "R " * 1001}, "1,001 turns; expected at most 1,000"),
        ({"metric": "third"}, "metric=third: expected one of half, quarter, square"),
        ({"heuristic": "best"}, "heuristic=best: expected one of "),
    ],
)
def test_options_that_make_no_sense(options: dict[str, str], message: str) -> None:
    """The error says what was expected, for both cubes."""
    for kind in (Cube2, Cube3):
        with pytest.raises(InvalidOptionError, match=message):
            kind(**options)  # type: ignore[arg-type]  # texts are enough here
    with pytest.raises(InvalidOptionError, match="faces=X: expected some of URFDLB"):
        Cube3(faces="X")


def nibbles(entries: Sequence[int]) -> Counter[int]:
    """Return how often each entry is in a database."""
    pairs = Counter(entries)
    return sum(
        (Counter({pair & 15: count}) + Counter({pair >> 4: count}) for pair, count in pairs.items()),
        Counter(),
    )


@pytest.mark.long
def test_the_large_databases() -> None:
    """The corners at each distance, all of them; Korf's averages, 8.764 for corners and 7.668 for six edges."""
    databases = [build(pattern, "half") for pattern in LARGE_PATTERNS]
    corners, *edges = map(nibbles, databases)
    assert [corners[turns] for turns in range(12)] == CORNERS
    assert sum(CORNERS) == LARGE_PATTERNS[0].positions == 88_179_840
    for counts in (corners, *edges):
        average = sum(turns * count for turns, count in counts.items()) / sum(counts.values())
        assert round(average, 3) == (8.764 if counts is corners else 7.668)
    assert sha256(b"".join(databases)).hexdigest() == patterns.DIGESTS["half"]


@pytest.mark.long
def test_the_large_databases_for_quarter_turns() -> None:
    """The ones whose digest is known."""
    content = b"".join(build(pattern, "quarter") for pattern in LARGE_PATTERNS)
    assert sha256(content).hexdigest() == patterns.DIGESTS["quarter"]


@pytest.mark.long
def test_fourteen_half_turns() -> None:
    """A position at depth 14, solved by machine code; each weaker heuristic finds the same cost at depth 11."""
    deep = Cube3(15, seed=1, heuristic="max")
    assert solve(deep, "idastar", backend="compiled").cost == 14
    costs = {
        solve(Cube3(12, seed=1, heuristic=heuristic), "idastar", backend="compiled").cost
        for heuristic in ("max", "edges", "corners")
    }
    assert costs == {11}


@pytest.mark.long
@pytest.mark.parametrize("backend", ["python", "compiled"])
def test_limits_hold_while_large_databases_are_built(
    backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing is left of what was begun."""
    monkeypatch.setattr(patterns, "_large", {})
    monkeypatch.setattr("searchkit.compiled.tables.user_cache", lambda: tmp_path)
    search = Search(Cube3(3, heuristic="max"), "idastar", backend=backend)
    assert search.run(Limits(seconds=0.3)).status is Status.CUTOFF
    assert not (tmp_path / "patterns").exists()
