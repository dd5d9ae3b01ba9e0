"""Sokoban: figures of Microban by two engines, deadlocks that change no answer, matching, levels that are faulty."""

from io import StringIO
from typing import Any

import pytest
from hypothesis import given, settings

from searchkit import Status, certify, distance_map, load, solve
from searchkit.errors import InputFormatError, InvalidOptionError
from searchkit.plugin.places import places_of
from searchkit.testing import check_heuristic
from searchkit_classics.blocks import Level, Sokoban
from searchkit_classics.blocks.level import DIRECTIONS, read_level
from searchkit_classics.blocks.strategies import levels

METRICS = ("moves", "pushes")
DEADLOCKS = ("none", "squares", "frozen")
MICROBAN = {1: (33, 8), 2: (16, 3), 3: (41, 13), 4: (23, 7), 5: (25, 6), 6: (107, 29)}
"""Level of Microban → the fewest moves, and the fewest pushes."""


@pytest.mark.parametrize("number", MICROBAN)
def test_the_first_levels_of_microban(number: int) -> None:
    """Both metrics, by A* and a certificate; by another engine where that is quick."""
    for metric, cost in zip(METRICS, MICROBAN[number], strict=True):
        problem = load("sokoban", level=number, metric=metric)
        result = solve(problem, "astar", certificate=True)
        assert (result.cost, result.statistics.reopened) == (cost, 0)
        if number < 5:
            assert f"no path costs less than {cost}" in certify(problem, result).proved
            assert solve(load("sokoban", level=number, metric=metric, heuristic="zero"), "bfs").cost == cost


@pytest.mark.long
@pytest.mark.parametrize("number", [5, 6])
def test_the_longer_levels_of_microban(number: int) -> None:
    """By breadth-first search."""
    for metric, cost in zip(METRICS, MICROBAN[number], strict=True):
        assert solve(load("sokoban", level=number, metric=metric), "bfs").cost == cost


def test_level_1_has_639_states() -> None:
    """All of them, dead ones too; with deadlocks left out, fewer, and the same answer."""
    found = {}
    for deadlocks in DEADLOCKS:
        problem = load("sokoban", deadlocks=deadlocks)
        everywhere = distance_map(problem)
        assert min(everywhere[state] for state in everywhere if problem.is_goal(state)) == 33
        found[deadlocks] = len(everywhere)
    assert found == {"none": 639, "squares": 234, "frozen": 210}


def replayed(problem: Sokoban, moves: str) -> Any:
    """Play the letters of a solution on the level, by the rules alone; return the boxes."""
    (x, y), boxes = problem.level.player, set(problem.level.boxes)
    for move in moves:
        dx, dy = DIRECTIONS[move.lower()]
        x, y = x + dx, y + dy
        assert (x, y) in problem.level.floor
        assert ((x, y) in boxes) is move.isupper()
        if move.isupper():
            boxes.remove((x, y))
            assert (x + dx, y + dy) in problem.level.floor - boxes
            boxes.add((x + dx, y + dy))
    return boxes


@given(levels())
@settings(max_examples=200)
def test_deadlocks_change_no_answer(problem: Sokoban) -> None:
    """The fewest moves or pushes are the same whatever is left out, and the moves solve the level."""
    results = {kind: solve(Sokoban(problem.level, problem.metric, "zero", kind), "bfs") for kind in DEADLOCKS}
    assert len({(result.status, result.cost) for result in results.values()}) == 1
    expanded = [results[kind].statistics.expanded for kind in DEADLOCKS]
    if results["none"].status is Status.UNSOLVABLE:
        assert sorted(expanded, reverse=True) == expanded
    solution = solve(problem).solution
    if solution is not None and solution.actions:
        details = problem.path_details(solution.states)
        moves = "".join(solution.actions) if problem.metric == "moves" else str(details["moves"])
        assert replayed(problem, moves) == set(problem.level.goals)
        assert solution.cost == (len(moves) if problem.metric == "moves" else sum(map(str.isupper, moves)))


@given(levels())
@settings(max_examples=100)
def test_pushes_are_those_of_moves(problem: Sokoban) -> None:
    """The fewest pushes are at most those in a path of the fewest moves; both are solvable, or neither is."""
    moves, pushes = (solve(Sokoban(problem.level, metric)) for metric in METRICS)
    assert moves.status is pushes.status
    if moves.solution is not None and pushes.cost is not None:
        assert pushes.cost <= sum(map(str.isupper, moves.solution.actions))


@pytest.mark.parametrize("heuristic", ["goals", "matching"])
def test_heuristics_are_consistent(heuristic: str) -> None:
    """Of both metrics, with every kind of deadlocks."""
    drawn = levels().map(lambda drawn: Sokoban(drawn.level, drawn.metric, heuristic, drawn.deadlocks))
    check_heuristic(drawn, promises=["admissible", "consistent"], examples=15)


def test_a_state_is_shown_as_its_level() -> None:
    """As the text of a level; the boxes of the goal are on goals, and the paths of pushes are those of boxes."""
    for name in ("sokoban", "sokoban-pushes"):
        problem: Any = load(name)
        solution = solve(problem).solution
        places = places_of(problem)
        assert solution is not None
        assert places.routes is not None
        rows = places.label(solution.goal).split("\n")
        level, boxes = Level.of("\n".join(rows)), {problem.cells[box] for box in solution.goal[1]}
        assert {*level.boxes} == {*level.goals} == boxes
        routes = places.routes(solution.states)
        ends = {route.cells[-1] for route in routes}
        assert ends == (boxes if name == "sokoban-pushes" else {problem.cells[solution.goal[0]]})


def test_files_of_levels(tmp_path: Any) -> None:
    """Titles and comments are ignored, `-` and `_` are floor, decorations are walls; the suffix is enough."""
    text = "Title: two\n\n#####\n#@$.#\n#####\n\n; the other\n--######\n--#_@$.#\n###-####\n#-*-#\n#####\n"
    one, other = (read_level("", text, number) for number in (1, 2))
    assert (one.boxes, one.goals, one.player) == (((2, 1),), ((3, 1),), (1, 1))
    assert (other.boxes, other.rows[0]) == (((2, 3), (5, 1)), "  ######")
    assert str(one) == "#####\n#@$.#\n#####\n"
    assert len(Level.of("#####*\n#@$.#\n#####").boxes) == 1
    path = tmp_path / "few.xsb"
    path.write_text(text)
    assert load(path, level=2).level == other  # type: ignore[attr-defined]  # it is a Sokoban
    with pytest.raises(InvalidOptionError, match=r"level=3: .*few.xsb holds 2 levels, from 1 on"):
        load(path, level=3)
    with pytest.raises(InvalidOptionError, match="level=2: <text> holds only one level"):
        load(StringIO("#####\n#@$.#\n#####"), level=2)


@pytest.mark.parametrize(
    "text",
    [
        "7#\n#@-$.2#\n7#\n",
        "7#|#@-$.-#|7#",
        "WWWWWWW\nWp b. W\nWWWWWWW\n",
        "*#####*\n#@ $. #\n*#####*\n",
        "# ######\n\n#######\n#pb.B_#\n#######\n",
    ],
)
def test_other_forms_of_rows(text: str, tmp_path: Any) -> None:
    """Run-length encoded, several in a line, with letters, and decorated; another level may be faulty."""
    path = tmp_path / "forms.sok"
    path.write_text(text)
    number = text.count("\n\n") + 1
    assert solve(load(path, level=number, metric="pushes", deadlocks="none")).cost is not None


@pytest.mark.parametrize("row", ["#@.# $ #", "#@$#.  #", "#@ # $.#"])
def test_boxes_and_goals_behind_walls(row: str) -> None:
    """Such a level is valid, and unsolvable."""
    level = Level.of(f"########\n{row}\n########")
    for metric in METRICS:
        assert solve(Sokoban(level, metric)).status is Status.UNSOLVABLE
        assert places_of(Sokoban(level, metric)).ground is not None


def test_only_the_level_that_is_asked_for_has_to_be_right(tmp_path: Any) -> None:
    """Half of the collections of a public library have an unusual level."""
    path = tmp_path / "some.xsb"
    path.write_text("######\n#@ $.#\n######\n\n#####\n#   #\n#####\n")
    assert solve(load(path)).cost == 2
    with pytest.raises(InputFormatError, match="line 5, column 1: the level has no player"):
        load(path, level=2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("; no level\n", "line 1: there is no level; expected rows such as #@ $.#"),
        ("; 1\n#####\n#@$x#\n#####\n", "line 3, column 4: unknown character 'x'; expected # wall, $ box"),
        ("#####\n# $.#\n#####\n", "line 1, column 1: the level has no player; draw one as @"),
        ("######\n#@$.@#\n######\n", "line 2, column 5: the level has a second player"),
        ("######\n#@$..#\n######\n", "line 1, column 1: the level has 1 boxes and 2 goals"),
        ("######\n#@   #\n#*#  #\n### ##\n", "line 4, column 4: the player could walk out of the level here"),
        ("####\n#@$.\n####\n", "line 2, column 4: the player could walk out of the level here"),
        ("###\n#@ $.#\n######\n", "line 1, column 4: the player could walk out"),
        ("#" * 101 + "\n", "line 1, column 1: the level is too large; expected at most 100x100 cells"),
    ],
)
def test_what_is_wrong_with_a_level(text: str, message: str, tmp_path: Any) -> None:
    """One error, with the place; also without `--problem` if the file is named as one."""
    path = tmp_path / "level.xsb"
    path.write_text(text)
    for kind in ("sokoban", None):
        with pytest.raises(InputFormatError) as caught:
            load(path, kind)
        assert str(caught.value).startswith(f"{path}: {message}")


def test_a_level_is_no_other_map() -> None:
    """Whatever its name: neither a dungeon nor a vault, which have such walls too."""
    assert isinstance(load(StringIO("######\n#@$. #\n# $$.#\n##. ##\n######")), Sokoban)
    with pytest.raises(InputFormatError, match="<text>: line 1, column 1: the level has 1 boxes and 2 goals"):
        load(StringIO("######\n#@$..#\n######\n"))


def test_other_values_are_refused() -> None:
    """By the options and by the constructor."""
    with pytest.raises(InvalidOptionError, match="metric=time: expected one of moves, pushes"):
        load("sokoban", metric="time")
    with pytest.raises(InvalidOptionError, match="deadlocks=all: expected one of none, squares, frozen"):
        Sokoban(Level.of("#####\n#@$.#\n#####"), deadlocks="all")
