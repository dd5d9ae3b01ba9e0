"""How the permutation puzzles look: a stack from the side, a ring from above, pegs from the side."""

from collections.abc import Callable, Mapping
from math import cos, sin, tau
from typing import Any

from searchkit.plugin import Mark, Places, picture
from searchkit_classics.permutations.hanoi import PEGS, Hanoi
from searchkit_classics.permutations.hanoi import State as Discs
from searchkit_classics.permutations.pancakes import Pancakes
from searchkit_classics.permutations.pancakes import State as Stack
from searchkit_classics.permutations.topspin import State as Ring
from searchkit_classics.permutations.topspin import TopSpin

EMPTY = " "
GROUND = Mark(" ", "#14171c")
CAKE, SORTED, BURNT, PLATE = "#=x-"
STACK = {
    EMPTY: GROUND,
    CAKE: Mark("█", "#d9a441", "pancake", rank=1),
    SORTED: Mark("█", "#f4d58d", "pancake that lies right on the one below", rank=1),
    BURNT: Mark("▒", "#5b3a1e", "burnt side", rank=2),
    PLATE: Mark("─", "#9aa3b2", "plate"),
}


def pancakes(problem: Pancakes) -> Places[Stack]:
    """Return the stack from the side, on a plate; a pancake with a burnt side is two rows high."""
    wide = 2 * len(problem.stack) + 1

    def rows(state: Stack) -> list[str]:
        found = []
        for size, below in zip(state, (*state[1:], len(state) + 1), strict=True):
            key = CAKE if problem.is_gap(size, below, 0) else SORTED
            halves = [BURNT, key] if size < 0 else [key, BURNT]
            found += [
                (half * (2 * abs(size) - 1)).center(wide) for half in (halves if problem.burnt else [key])
            ]
        return [*found, PLATE * wide]

    return picture(rows, problem.stack, STACK, lambda state: " ".join(map(str, state)))


DIGITS = "1234567890"
IN_TURNSTILE = dict(zip(DIGITS, "abcdefghij", strict=True))
"""The keys of the digits of tokens in the turnstile."""
RING = {
    EMPTY: GROUND,
    **{digit: Mark(digit, "#7fd4ff", "token" * (digit == "1"), rank=1) for digit in DIGITS},
    **{
        key: Mark(digit, "#ffb000", "in the turnstile" * (digit == "1"), rank=2)
        for digit, key in IN_TURNSTILE.items()
    },
}


def topspin(problem: TopSpin) -> Places[Ring]:
    """Return the ring from above, the turnstile at the top; the tokens follow each other clockwise."""
    digits = len(str(problem.n))
    radius = problem.n * (2 * digits) / tau  # so that the first digits of neighbours are that far apart
    side = 2 * round(radius) + 1

    def rows(state: Ring) -> list[str]:
        cells = [[EMPTY] * (side + digits - 1) for _ in range(side)]
        for place, token in enumerate(state):
            angle = tau * (place - (problem.k - 1) / 2) / problem.n
            x, y = round(side // 2 + radius * sin(angle)), round(side // 2 - radius * cos(angle))
            held = problem.turning == "counted" and place < problem.k
            for column, digit in enumerate(str(token).rjust(digits, EMPTY), x):
                cells[y][column] = IN_TURNSTILE.get(digit, digit) if held else digit
        return ["".join(row) for row in cells]

    return picture(rows, problem.ring, RING, lambda state: " ".join(map(str, state)))


DISC_COLOURS = ("#ff6b6b", "#ffb000", "#ffe66d", "#3ddc84", "#7fd4ff", "#b28dff", "#ff8fd8")
PEG, BASE = "|", "_"
DISCS = {
    EMPTY: GROUND,
    PEG: Mark("│", "#9aa3b2"),
    BASE: Mark("─", "#9aa3b2", "peg"),
    **{
        str(number): Mark("█", colour, "disc" * (number == 0), rank=1)
        for number, colour in enumerate(DISC_COLOURS)
    },
}


def hanoi(problem: Hanoi) -> Places[Discs]:
    """Return the pegs from the side; and for three pegs where a state is in the triangle of all states."""
    high, wide = len(problem.start), 2 * len(problem.start) + 1

    def rows(state: Discs) -> list[str]:
        towers = [[disc for disc, on in enumerate(state) if on == peg] for peg in range(problem.pegs)]
        found = []
        for level in range(high, -1, -1):
            row = []
            for tower in towers:
                disc = tower[len(tower) - 1 - level] if level < len(tower) else None
                row.append(
                    (PEG if disc is None else str(disc % len(DISC_COLOURS)) * (2 * disc + 3)).center(wide)
                )
            found.append(EMPTY.join(row))
        return [*found, BASE * len(found[0])]

    def position(state: Discs) -> tuple[float, float]:
        """Return where the graph of all states, which looks like Sierpinski's triangle, is drawn without crossings."""
        x, y, corners = 0.0, 0.0, [(-1.0, 0.0), (0.0, 3**0.5), (1.0, 0.0)]
        for disc in range(high - 1, -1, -1):
            peg = state[disc]
            x, y = x + 2**disc * corners[peg][0], y + 2**disc * corners[peg][1]
            one, other = (number for number in range(3) if number != peg)
            corners[one], corners[other] = corners[other], corners[one]
        return x, y

    def label(state: Discs) -> str:
        return "".join(PEGS[peg] for peg in state)

    return picture(rows, problem.start, DISCS, label, position if problem.pegs == 3 else None)


LOOKS: Mapping[type, Callable[[Any], Places[Any]]] = {Pancakes: pancakes, TopSpin: topspin, Hanoi: hanoi}
