"""Places of problems whose states are pictures of characters: boards, banks of a river, bars."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from searchkit.plugin import Cell, Drawing, Mark, Places


def picture(
    rows: Callable[[Any], Sequence[str]],
    initial: Any,
    marks: Mapping[str, Mark],
    label: Callable[[Any], str] | None = None,
    position: Callable[[Any], tuple[float, float]] | None = None,
) -> Places[Any]:
    """Return places in which each state is a picture.

    Args:
        rows: state → the keys of its picture, row by row; all pictures of a problem have one size.
        initial: the state whose picture is the ground.
        marks: how each key looks.
        label: a short text of a state; None for its picture.
        position: where a state is in a drawing of all states, y upwards; None to show them as a tree.

    """
    before = rows(initial)

    def changes(state: Any) -> dict[Cell, str]:
        after = rows(state)
        return {
            (x, y): key
            for y, (old, new) in enumerate(zip(before, after, strict=True))
            for x, (was, key) in enumerate(zip(old, new, strict=True))
            if was != key
        }

    def text(state: Any) -> str:
        return "\n".join("".join(marks[key].glyph for key in row).rstrip() or " " for row in rows(state))

    return Places(
        Drawing(before, marks),
        cells=lambda state: (),
        label=label or text,
        changes=changes,
        position=position,
    )
