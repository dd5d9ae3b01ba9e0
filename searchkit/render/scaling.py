"""Scaling a drawing down: each block of cells becomes the mark of the highest rank in it."""

from searchkit.plugin.drawing import Drawing


def fitted(width: int, height: int, most_width: int, most_height: int | None) -> tuple[int, int]:
    """Return the largest size of the same proportions that fits, and that is not larger than the original.

    No side becomes 0. `most_height` is None where the height has no limit.
    """
    columns = min(width, most_width)
    if most_height is not None and height * columns > most_height * width:
        rows = min(height, most_height)
        columns = width * rows // height
    else:
        rows = height * columns // width
    return max(1, columns), max(1, rows)


def scaled(drawing: Drawing, columns: int, rows: int) -> tuple[str, ...]:
    """Return `rows` rows of `columns` characters, each standing for the mark that its block of cells shows.

    Every cell belongs to exactly one block. Of several marks of the highest rank, the most frequent is shown.
    `columns` and `rows` are at least 1 and at most the drawing's own. Time O(cells).
    """
    width, height = drawing.width, drawing.height
    edges = [(i * width // columns, (i + 1) * width // columns) for i in range(columns)]
    bands = (drawing.rows[j * height // rows : (j + 1) * height // rows] for j in range(rows))
    return tuple(
        "".join(_shown(drawing, "".join(row[left:right] for row in band)) for left, right in edges)
        for band in bands
    )


def _shown(drawing: Drawing, block: str) -> str:
    present = set(block)
    if len(present) == 1:
        return block[0]
    top = max(drawing.marks[key].rank for key in present)
    highest = [key for key, mark in drawing.marks.items() if mark.rank == top and key in present]
    return max(highest, key=block.count)
