"""How the crossings look: two banks with a boat or a bridge between them, and all states as a graph."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from searchkit.plugin import Mark, Places
from searchkit_classics.crossings.bridge import Bridge
from searchkit_classics.crossings.missionaries import Missionaries
from searchkit_classics.crossings.river import River
from searchkit_classics.picture import picture

LAND, WATER, BOAT, DECK, TORCH = ".~_=!"
SIDES = {
    LAND: Mark(" ", "#24452f", "bank"),
    WATER: Mark("~", "#1d4e79", "water"),
    BOAT: Mark("▄", "#b5793c", "boat", rank=2),
}
WIDE = 6
"""The cells of the water."""
COLOURS = ("#ffd23f", "#ff8c66", "#e3b7f0", "#7fd4ff", "#a8e05f", "#d7dae0")


def banks(people: Sequence[tuple[str, int]], far: bool) -> list[str]:
    """Return a picture of two banks: each key with its bank, 0 or 1, and whether the boat is at the right one."""
    left = "".join(LAND if bank else key for key, bank in people)
    right = "".join(key if bank else LAND for key, bank in people)
    boat = WATER * (WIDE - 1) + BOAT if far else BOAT + WATER * (WIDE - 1)
    empty = LAND * len(people)
    return [left + WATER * WIDE + right, empty + boat + empty]


def missionaries(problem: Missionaries) -> Places[tuple[int, int, int]]:
    """Return the banks with M and C; as a graph, the more are across the farther right."""
    marks = SIDES | {
        "M": Mark("M", "#7fd4ff", "missionary", rank=2),
        "C": Mark("C", "#ff8c66", "cannibal", rank=2),
    }
    total_m, total_c = problem.missionaries, problem.cannibals

    def rows(state: tuple[int, int, int]) -> list[str]:
        m, c, here = state
        people = [("M", int(n >= m)) for n in range(total_m)] + [("C", int(n >= c)) for n in range(total_c)]
        return banks(people, not here)

    def label(state: tuple[int, int, int]) -> str:
        m, c, here = state
        return "M" * m + "C" * c + " ▄" * here or "–"

    def position(state: tuple[int, int, int]) -> tuple[float, float]:
        m, c, here = state
        return 2.0 * (total_m + total_c - m - c) - (0 if here else 3), 0.9 * (m - c)

    return picture(rows, (total_m, total_c, 1), marks, label, position)


def river(problem: River) -> Places[tuple[int, ...]]:
    """Return the banks with the initials of all; as a graph, the more are across the farther right."""
    names = ["farmer", *problem.things]
    keys = [chr(ord("A") + number) for number in range(len(names))]
    marks = SIDES | {
        key: Mark(name[0].upper(), COLOURS[number % len(COLOURS)], name, rank=2)
        for number, (key, name) in enumerate(zip(keys, names, strict=True))
    }
    initials = [name[0].upper() for name in names]

    def label(state: tuple[int, ...]) -> str:
        left, right = (
            "".join(x for x, bank in zip(initials, state, strict=True) if bank == side) for side in (0, 1)
        )
        return f"{left or '–'} ~ {right or '–'}"

    return picture(
        lambda state: banks(list(zip(keys, state, strict=True)), bool(state[0])),
        (0,) * len(names),
        marks,
        label,
        spread,
    )


def spread(state: tuple[int, ...]) -> tuple[float, float]:
    """Return the position of a state of banks: how many are across, and which; a crossing leads by one to the right."""
    middle = (len(state) - 2) / 2
    which = sum((number - middle) * (1 + number / 9) * bank for number, bank in enumerate(state[1:]))
    return 1.2 * (2 * sum(state[1:]) - state[0]), which


def bridge(problem: Bridge) -> Places[tuple[int, ...]]:
    """Return the two sides with the times of all people and the torch; as a graph, as `river`."""
    marks = {
        LAND: Mark(" ", "#24452f", "ground"),
        " ": Mark(" ", "#14171c"),
        DECK: Mark("═", "#7a5230", "bridge"),
        TORCH: Mark("†", "#ffb000", "torch", rank=2),
        **{
            digit: Mark(digit, "#7fd4ff", "minutes of a person" * (digit == "1"), rank=2)
            for digit in "1234567890"
        },
    }
    times = [str(time) for time in problem.times]
    wide = max(map(len, times))

    def rows(state: tuple[int, ...]) -> list[str]:
        torch, *sides = state
        found = [side_by_side(wide, TORCH, torch, " " * WIDE)]
        for number, (time, side) in enumerate(zip(times, sides, strict=True)):
            found.append(side_by_side(wide, time, side, (DECK if number == len(times) // 2 else " ") * WIDE))
        return found

    def label(state: tuple[int, ...]) -> str:
        left, right = (
            " ".join(
                ["†"] * (state[0] == side) + [t for t, s in zip(times, state[1:], strict=True) if s == side]
            )
            for side in (0, 1)
        )
        return f"{left or '–'} ═ {right or '–'}"

    return picture(rows, (0,) * (1 + len(times)), marks, label, spread)


def side_by_side(wide: int, text: str, side: int, middle: str) -> str:
    """Return a row with a text on one of two sides."""
    left, right = (LAND * wide, text.ljust(wide, LAND)) if side else (text.rjust(wide, LAND), LAND * wide)
    return left + middle + right


LOOKS: Mapping[type, Callable[[Any], Places[Any]]] = {
    Missionaries: missionaries,
    River: river,
    Bridge: bridge,
}
