"""Rush Hour and Klotski: published figures, boards that are faulty, and the strategies' problems by two engines."""

from io import StringIO
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings

from searchkit import distance_map, load, solve
from searchkit.errors import InputFormatError, InvalidOptionError
from searchkit.testing import check_heuristic
from searchkit_classics.blocks import Klotski, RushHour, Sokoban
from searchkit_classics.blocks.strategies import blocks, jams
from searchkit_classics.pacman import Food

IBB, GBB = "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", "GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo"


@pytest.mark.parametrize(
    ("board", "metric", "cost", "states"),
    [
        (IBB, "moves", 60, 2332),
        (GBB, "moves", 51, 4780),
        pytest.param(IBB, "steps", 103, 2332, marks=pytest.mark.long),
        pytest.param(GBB, "steps", 81, 4780, marks=pytest.mark.long),
    ],
)
def test_the_hardest_boards_of_rush_hour(board: str, metric: str, cost: int, states: int) -> None:
    """Fogleman's database: 60 moves and 2,332 states, 51 moves and 4,780 states. By A* and breadth-first search."""
    problem = RushHour(board, metric)
    everywhere = distance_map(problem)
    assert len(everywhere) == states
    assert min(everywhere[state] for state in everywhere if problem.is_goal(state)) == cost
    result = solve(problem, "astar")
    assert (result.cost, result.statistics.reopened) == (cost, 0)


@pytest.mark.parametrize(
    ("metric", "cost"),
    [pytest.param("moves", 81, marks=pytest.mark.long), ("steps", 116)],
)
def test_klotski_has_25955_states(metric: str, cost: int) -> None:
    """81 moves or 116 steps (Gardner 1964); each state is reached, mirror images apart."""
    problem = Klotski(metric=metric)
    everywhere = distance_map(problem)
    assert len(everywhere) == 25_955
    assert min(everywhere[state] for state in everywhere if problem.is_goal(state)) == cost


@pytest.mark.parametrize("strategy", [jams, blocks])
def test_heuristics_are_consistent(strategy: Any) -> None:
    """Of both metrics."""
    check_heuristic(strategy(), promises=["admissible", "consistent"], examples=20)


@given(jams())
@settings(max_examples=100)
def test_a_path_is_one_on_the_board(problem: RushHour) -> None:
    """One car drives at a time, over empty cells; the last board has A at the right end."""
    path = solve(problem).solution
    for before, after in pairwise(map(problem.rows, path.states) if path else []):
        cells = {
            (x, y): (a, b)
            for y, rows in enumerate(zip(before, after, strict=True))
            for x, (a, b) in enumerate(zip(*rows, strict=True))
        }
        changed = {letter for pair in cells.values() if pair[0] != pair[1] for letter in pair} - {"."}
        assert len(changed) == 1
    if path:
        assert any(row.endswith("AA") for row in problem.rows(path.states[-1]))


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        (Klotski, [".AA.", ".AA."]),
        (RushHour, ["oooo", "AABo", "ooBo"]),
        (Sokoban, ["#####", "#@$.#", "#####"]),
        (Food, ["%%%%%", "%P .%", "%%%%%"]),
    ],
)
def test_a_board_is_a_text_or_a_list_of_rows(kind: Any, rows: list[str]) -> None:
    """As grids and vaults are; a list raised an AttributeError."""
    assert kind(rows) == kind("\n".join(rows))


def test_moves_and_steps() -> None:
    """A car drives far in one move, and a block slides around a corner; each cell is a step."""
    board = "oooo\nAABo\nooBo\noooo"
    assert [solve(RushHour(board, metric)).cost for metric in ("moves", "steps")] == [2, 3]
    corner = "Ax\n..\nx."
    assert [solve(Klotski(corner, metric, exit=(1, 2))).cost for metric in ("moves", "steps")] == [1, 3]


def test_files_of_boards() -> None:
    """Rows, or a board in each line as in the database; the number of the board."""
    assert solve(load("rushhour-51"), "bfs").cost == 51
    text = f"# two\n60 {IBB} 2332\n{GBB}\n"
    rows = "\n".join(IBB[begin : begin + 6] for begin in range(0, 36, 6))
    assert load(StringIO(rows), "rushhour") == load(StringIO(IBB)) == RushHour(IBB)
    assert load(StringIO(text), board=2) == RushHour(GBB)
    with pytest.raises(InvalidOptionError, match="board=3: <text> holds 2 boards, from 1 on"):
        load(StringIO(text), board=3)
    with pytest.raises(InvalidOptionError, match="board=2: <text> holds only one board"):
        load(StringIO(rows), "rushhour", board=2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: the file is empty; expected the rows of a board"),
        ("AA.\n..\n", "line 2, column 3: this row has 2 cells, and the first has 3"),
        ("AA.\n...\n\n...\n", "line 3: expected the rows of one board, without a gap"),
        ("AA.\n.b.\n", "line 2, column 2: unknown character 'b'; expected the letters A to Z"),
        (
            "AA.B\n....\n..B.\n",
            "line 3, column 3: piece B is broken: this cell is not connected to the one at line 1, column 4",
        ),
        ("BB.\n...\n", "line 1: there is no piece A"),
        ("AA.\n" + "." * 33 + "\n", "line 2, column 4: this row has 33 cells"),
        (".\n" * 33, "line 1: the board is too large; expected at most 32x32 cells"),
    ],
)
@pytest.mark.parametrize("kind", ["rushhour", "klotski"])
def test_what_is_wrong_with_a_board(kind: str, text: str, message: str) -> None:
    """One error, with the place."""
    with pytest.raises(InputFormatError) as caught:
        load(StringIO(text), kind)
    assert str(caught.value).startswith(f"<text>: {message}")


def test_other_values_are_refused() -> None:
    """By the options and by the constructors."""
    with pytest.raises(InvalidOptionError, match="metric=km: expected one of moves, steps"):
        load("rushhour", metric="km")
    with pytest.raises(InvalidOptionError, match="metric=km: expected one of moves, steps"):
        Klotski(metric="km")
    with pytest.raises(InvalidOptionError, match="heuristic=best: expected one of blocking, zero"):
        RushHour(IBB, heuristic="best")
    with pytest.raises(InvalidOptionError, match=r"exit=9,9: block A does not fit there"):
        load("klotski", exit="9,9")
    with pytest.raises(InvalidOptionError, match=r"exit=1: block A does not fit there"):
        load("klotski", exit="1")
