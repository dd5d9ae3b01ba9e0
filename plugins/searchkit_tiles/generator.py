"""A generator of random solvable boards."""

from random import Random

from searchkit.plugin import InvalidOptionError
from searchkit_tiles.board import GOALS, Board, goal_board, is_solvable, slides

MOST_CELLS = 10_000


def generate_board(
    width: int = 4, height: int = 4, moves: int | None = None, seed: int = 0, goal: str = GOALS[0]
) -> Board:
    """Return a random solvable board.

    Args:
        width: cells in a row.
        height: cells in a column.
        moves: the number of random slides from the goal, none of which reverses the previous one: an upper bound on the
            length of a shortest solution. None for a board drawn uniformly from all solvable ones.
        seed: the same seed gives the same board on every machine.
        goal: `blank-first` or `blank-last`.

    Raises:
        InvalidOptionError: there are no cells or too many, or `moves` is below 0.

    """
    if width < 1 or height < 1 or width * height > MOST_CELLS:
        raise InvalidOptionError(f"size={width}x{height}: expected 1 to {MOST_CELLS:,} cells")
    if moves is not None and moves < 0:
        raise InvalidOptionError(f"moves={moves}: expected a number ≥ 0")
    rng, target = Random(seed), goal_board(width * height, goal)
    return _any(width, height, target, rng) if moves is None else _walk(width, height, target, moves, rng)


def _any(width: int, height: int, goal: Board, rng: Random) -> Board:
    if min(width, height) == 1:  # the blank may be anywhere, but tiles never pass each other
        tiles = [tile for tile in goal if tile]
        blank = int(rng.random() * len(goal))
        return (*tiles[:blank], 0, *tiles[blank:])
    board = sorted(goal, key=lambda _: rng.random())  # the same for a seed in every version of Python
    if not is_solvable(width, height, board, goal):
        first, second = [cell for cell in range(3) if board[cell] != 0][:2]
        board[first], board[second] = board[second], board[first]
    return tuple(board)


def _walk(width: int, height: int, goal: Board, moves: int, rng: Random) -> Board:
    board, near = list(goal), slides(width, height)
    blank, before = board.index(0), -1
    for _ in range(moves):
        ways = [cell for _, cell in near[blank] if cell != before] or [cell for _, cell in near[blank]]
        if not ways:
            break
        cell = ways[int(rng.random() * len(ways))]
        board[blank], board[cell] = board[cell], 0
        before, blank = blank, cell
    return tuple(board)
