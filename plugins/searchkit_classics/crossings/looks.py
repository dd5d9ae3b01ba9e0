"""How the crossings look: two banks with a boat or a bridge between them, and all states as a graph."""

from collections.abc import Callable, Mapping
from typing import Any

from searchkit.plugin import Mark, Places, picture
from searchkit_classics.crossings.banks import DECK, LAND, SIDES, TORCH, WIDE, banks
from searchkit_classics.crossings.bridge import Bridge
from searchkit_classics.crossings.river import River

COLOURS = ("#ffd23f", "#ff8c66", "#e3b7f0", "#7fd4ff", "#a8e05f", "#d7dae0")


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
    River: river,
    Bridge: bridge,
}
