"""The search that fills a pattern database. It runs in Python and in machine code."""

from typing import Any


def spread(cells: Any, near: Any, start: Any, costs: Any, now: Any, later: Any, places: Any) -> None:
    """Write the fewest slides of the tiles of a group from `start` to each position of them and the blank into `costs`.

    Breadth-first search with steps of cost 1, and of cost 0 if the blank swaps with a tile of another group (Dial
    1969). A position is numbered blank + cells · (first tile + cells · (second tile + …)). Initially `costs` is 255
    everywhere; `now` and `later` have room for all positions, `places` for the tiles.
    """
    now[0], costs[start] = start, 0
    size, level = 1, 0
    while size > 0:
        following = 0
        while size > 0:
            size -= 1
            code = now[size]
            if costs[code] != level:  # it was reached at a lower cost
                continue
            blank, rest = code % cells, code // cells
            for index in range(len(places)):
                places[index] = rest % cells
                rest //= cells
            for side in range(4):
                cell = near[4 * blank + side]
                if cell < 0:
                    break
                successor, step, weight = code + cell - blank, 0, cells
                for index in range(len(places)):
                    if places[index] == cell:
                        successor += (blank - cell) * weight
                        step = 1
                    weight *= cells
                if costs[successor] > level + step:
                    costs[successor] = level + step
                    if step == 1:
                        later[following] = successor
                        following += 1
                    else:
                        now[size] = successor
                        size += 1
        now, later = later, now
        size = following
        level += 1
