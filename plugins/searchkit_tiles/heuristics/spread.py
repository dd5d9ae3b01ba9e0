"""The breadth-first search that fills a pattern database. It runs as it stands, and compiled."""

from typing import Any


def spread(cells: Any, near: Any, start: Any, costs: Any, now: Any, later: Any, places: Any) -> None:
    """Write the fewest slides of the group's tiles from `start` to each place of these and the blank into `costs`.

    Breadth-first search with steps of cost 0, where the blank changes places with any other tile, and 1 (Dial 1969).
    A place is numbered blank + cells · (first tile + cells · (second tile + …)). `costs` begins as 255 everywhere;
    `now` and `later` have room for all places, `places` for the tiles. It runs as it stands, and compiled.
    """
    now[0], costs[start] = start, 0
    size, level = 1, 0
    while size > 0:
        following = 0
        while size > 0:
            size -= 1
            code = now[size]
            if costs[code] != level:  # it was reached for less
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
