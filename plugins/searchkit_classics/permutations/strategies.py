"""Hypothesis strategies of small permutation puzzles, for property tests. Needs the extra `testing`."""

from hypothesis import strategies as st

from searchkit.testing.strategies.frames import blocks, pick
from searchkit_classics.permutations.hanoi import HEURISTICS as OF_HANOI
from searchkit_classics.permutations.hanoi import PEGS, Hanoi
from searchkit_classics.permutations.pancakes import HEURISTICS as OF_PANCAKES
from searchkit_classics.permutations.pancakes import Pancakes
from searchkit_classics.permutations.topspin import HEURISTICS as OF_RINGS
from searchkit_classics.permutations.topspin import TURNING, TopSpin


def _order(drawn: list[int]) -> list[int]:
    """Return the numbers from 1 in an order that the bytes give: zeros leave them in order."""
    order = list(range(1, len(drawn) + 1))
    for place in range(len(drawn) - 1, 0, -1):  # (Fisher and Yates 1938)
        other = place - (drawn[place] * (place + 1) >> 8)
        order[place], order[other] = order[other], order[place]
    return order


@st.composite
def stacks(draw: st.DrawFn) -> Pancakes:
    """Draw a stack of three to five pancakes, or of three to four with a burnt side."""
    count, burnt, heuristic, sides, *places = draw(blocks(10))
    size = pick(count, (4, 5, 4, 3)) - (burnt >= 128)
    order = [-cake if burnt >= 128 and sides >> cake & 1 else cake for cake in _order(places[: max(3, size)])]
    return Pancakes(order, burnt=burnt >= 128, heuristic=pick(heuristic, OF_PANCAKES))


@st.composite
def rings(draw: st.DrawFn) -> TopSpin:
    """Draw a ring of five or six tokens; with five and a turnstile of four, half of all can't be brought into order."""
    size, turning, heuristic, *places = draw(blocks(9))
    n, k = pick(size, ((5, 3), (6, 4), (6, 4), (5, 4), (6, 4)))
    turns = pick(turning, (TURNING[0], TURNING[0], TURNING[1], TURNING[0]))
    return TopSpin(_order(places[:n]), k=k, turning=turns, heuristic=pick(heuristic, OF_RINGS))


@st.composite
def towers(draw: st.DrawFn) -> Hanoi:
    """Draw two to four discs, on any of three or four pegs."""
    count, pegs, heuristic, *places = draw(blocks(7))
    number = pick(pegs, (3, 3, 4))
    start = "".join([pick(place, PEGS[:number]) for place in places[: pick(count, (3, 4, 2, 3))]])
    return Hanoi(pegs=number, start=start, heuristic=pick(heuristic, OF_HANOI))
