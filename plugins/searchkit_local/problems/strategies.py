"""Hypothesis strategies of the problems. Needs the extra `testing`."""

from functools import cache
from itertools import permutations

from hypothesis import strategies as st

from searchkit_local.problems.queens import Board, CompleteQueens
from searchkit_local.problems.tour import Tour

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


@st.composite
def tours(draw: st.DrawFn) -> Tour:
    """Draw six cities, with the length of a shortest tour as the target, or with one that no tour has.

    Most draws begin three or more moves away from a shortest tour.
    """
    place = st.tuples(st.integers(0, 9), st.integers(0, 9))
    places = draw(st.lists(place, min_size=6, max_size=6, unique=True))
    tour = Tour(places)
    lengths = {order: tour.length(order) for order in ((0, *rest) for rest in permutations(range(1, 6)))}
    target = min(lengths.values()) * (1 + 1e-9)
    moves = dict.fromkeys([order for order, length in lengths.items() if length <= target], 0)
    layer = list(moves)
    while layer:  # a move can be taken back, so the moves from the goals are those to the goals
        layer = list(
            dict.fromkeys(
                after for order in layer for _, after in tour.successors(order) if after not in moves
            )
        )
        moves.update(dict.fromkeys(layer, max(moves.values()) + 1))
    far = [order for order in lengths if moves[order] >= FAR] or list(lengths)
    start = draw(st.sampled_from(list(lengths) if draw(st.integers(0, 7)) == 7 else far))
    return Tour(places, target * (0.5 if draw(st.integers(0, 7)) == 7 else 1), start)
