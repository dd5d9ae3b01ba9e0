"""Hypothesis strategies of the problems. Needs the extra `testing`."""

from functools import cache

from hypothesis import strategies as st

from searchkit_local.problems.queens import Board, CompleteQueens

SIZE = 4
FAR = 3
"""Most draws begin at least so many moves away from a goal."""


@cache
def starts() -> tuple[list[Board], list[Board]]:
    """Return the boards of four queens that are far from both goals, and all boards."""
    every: list[Board] = [
        (a, b, c, d) for a in range(SIZE) for b in range(SIZE) for c in range(SIZE) for d in range(SIZE)
    ]
    goals = [board for board in every if CompleteQueens(SIZE, board).value(board) == 0]
    moved = {
        board: min(sum(x != y for x, y in zip(board, goal, strict=True)) for goal in goals) for board in every
    }
    return [board for board in every if moved[board] >= FAR], every


def boards() -> st.SearchStrategy[CompleteQueens]:
    """Draw four queens: 256 boards, two of them goals, mostly three or four moves away."""
    far, every = starts()
    rows = st.one_of(st.sampled_from(far), st.sampled_from(far), st.sampled_from(every))
    return st.builds(CompleteQueens, st.just(SIZE), rows)
