"""The problem: moves, parity, and the known answers."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Status, load, solve
from searchkit.plugin import InvalidOptionError
from searchkit.render.drawings import still
from searchkit_tiles import SlidingTiles, generate_board, korf100
from searchkit_tiles.board import GOALS, distance, goal_board, is_solvable
from searchkit_tiles.problem import HEURISTICS
from searchkit_tiles.strategies import SIZES, boards
from searchkit_tiles.tests.helpers import distances


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_parity_tells_what_can_be_solved(width: int, height: int, goal: str) -> None:
    """On every order of the tiles: solvable are those, and only those, that a search from the goal reaches."""
    target = goal_board(width * height, goal)
    reached = distances(SlidingTiles(width, height, target, goal, "zero"))
    for board in permutations(range(width * height)):
        assert is_solvable(width, height, board, target) is (board in reached)


@given(boards((3, 3), "zero"))
def test_actions_say_where_tiles_slide(problem: SlidingTiles) -> None:
    """The tile that moves is in the blank's cell after, and came from the side that the action names."""
    (board,) = problem.initial_states()
    blank = board.index(0)
    for action, after in problem.successors(board):
        cell = after.index(0)
        assert after[blank] == board[cell]
        dx, dy = {"down": (0, 1), "up": (0, -1), "right": (1, 0), "left": (-1, 0)}[action]
        assert divmod(blank, 3) == (cell // 3 + dy, cell % 3 + dx)
        assert (action, board) in problem.predecessors(after)


@pytest.mark.parametrize(
    ("engine", "backend"),
    [
        *((engine, backend) for engine in ("astar", "idastar", "bfs") for backend in ("python", "compiled")),
        ("bidirectional", "python"),
    ],
)
def test_what_cannot_be_solved_is_known_at_once(engine: str, backend: str) -> None:
    """Sam Loyd's puzzle, for which he offered a prize: no engine expands more than its start."""
    result = solve(load("loyd"), engine, backend=backend)
    assert result.status is Status.UNSOLVABLE
    assert result.statistics.expanded <= 1


def test_korfs_hundred() -> None:
    """The published figures: 53.05 slides on average, 41 to 66, and an average distance of 37.05."""
    instances = korf100()
    published = [instance.published or 0 for instance in instances]
    assert len(instances) == len({instance.tiles for instance in instances}) == 100
    assert (sum(published), min(published), max(published)) == (5305, 41, 66)
    estimates = []
    for instance in instances:
        problem = SlidingTiles(4, 4, instance.tiles, heuristic="manhattan")
        assert problem.solvable
        estimates.append(int(problem.heuristic(instance.tiles)))
        assert estimates[-1] % 2 == (instance.published or 0) % 2
    assert sum(estimates) == 3705


def test_any_goal() -> None:
    """The goal in the shape of a snail, of many courses: 5 slides, also in machine code, drawing and databases."""
    board, goal = (2, 8, 3, 1, 6, 4, 7, 0, 5), "1,2,3,8,0,4,7,6,5"
    for heuristic in HEURISTICS:
        problem = SlidingTiles(3, 3, board, goal, heuristic)
        python, compiled = (solve(problem, "astar", backend=backend) for backend in ("python", "compiled"))
        assert python.cost == compiled.cost == 5
        assert python.statistics.expanded == compiled.statistics.expanded
    drawing = still(problem, [problem.tiles, problem.goal])
    assert drawing is not None
    assert drawing.rows == ("b c d", "i _ e", "h g f")
    assert SlidingTiles(3, 3, generate_board(3, 3, seed=1, goal=goal), goal).solvable


@pytest.mark.parametrize("instance", [12, 42, 55, 79, 97])
def test_the_published_lengths_of_easy_ones(instance: int) -> None:
    """In machine code."""
    problem = load("korf", instance=instance)
    result = solve(problem, "idastar", backend="compiled")
    assert result.cost == korf100()[instance - 1].published


@given(
    st.integers(1, 4),
    st.integers(1, 4),
    st.none() | st.integers(0, 40),
    st.integers(0, 1000),
    st.sampled_from(GOALS),
)
def test_generated_boards_can_be_solved(
    width: int, height: int, moves: int | None, seed: int, goal: str
) -> None:
    """In at most as many slides as were made, and an odd number of them after an odd number."""
    board = generate_board(width, height, moves, seed, goal)
    problem = SlidingTiles(width, height, board, goal, "manhattan")
    assert problem.solvable
    if moves is not None and width * height > 1:
        assert problem.heuristic(board) <= moves
        assert distance(width, board.index(0), problem.goal.index(0)) % 2 == moves % 2
    assert board == generate_board(width, height, moves, seed, goal)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((2, 2, [0, 1, 2]), "for each cell another"),
        ((2, 2, [0, 1, 2, 2]), "for each cell another"),
        ((0, 0, []), "at least one cell"),
        ((1, 2, [0, 1], "blank-middle"), "goal=blank-middle: expected one of blank-first, blank-last"),
        ((1, 2, [0, 1], "0,2"), "goal=0,2: expected each of the numbers from 0 to 1 once"),
        ((1, 2, [0, 1], "blank-last", "h"), "heuristic=h: expected one of linear-conflict"),
    ],
)
def test_faulty_boards_in_python(arguments: tuple[object, ...], message: str) -> None:
    """The error says what was given and what was expected."""
    with pytest.raises(InvalidOptionError, match=message):
        SlidingTiles(*arguments)  # type: ignore[arg-type]  # that is the point
