"""The text of a generated map."""

from collections.abc import Collection

from searchkit import Cost, distance_map
from searchkit_dungeon.formats.text import map_text
from searchkit_dungeon.generators.bank import GenerationError
from searchkit_dungeon.problem import Grid
from searchkit_dungeon.terrain import Cell, Terrain


def picture(width: int, height: int, floor: Collection[Cell], inside: Cell) -> str:
    """Return the text of a map with this floor, with S and G far apart in the connected part that contains `inside`.

    Raises `GenerationError` if that part is a single cell.
    """
    rows = [bytearray(width) for _ in range(height)]
    for x, y in floor:
        rows[y][x] = 1
    terrain = Terrain([bytes(row) for row in rows])
    start, goal = far_apart(terrain, inside)
    if start == goal:
        raise GenerationError(
            f"a map of {width}x{height} with these options has no two cells of floor that are connected, "
            "as a start and a goal have to be; ask for a larger map, or for more floor"
        )
    return map_text(terrain, [start], [goal])


def far_apart(terrain: Terrain, cell: Cell) -> tuple[Cell, Cell]:
    """Return two cells far apart among those that can be reached from `cell` by straight steps.

    The search goes from a farthest cell to a cell farthest from that one as long as the distance grows. On a map
    without loops no two cells are farther apart; on other maps no distance is more than twice as large.
    """
    one = cell
    largest: Cost = -1
    while True:
        distances = distance_map(Grid(terrain, [one]))
        other = distances.farthest()[0]
        if distances[other] <= largest:
            return one, other
        largest, one = distances[other], other


def mend_leaks(floor: dict[Cell, None]) -> None:
    """Make a cell floor wherever two cells of floor touch only by a corner."""
    waiting = list(floor)
    while waiting:
        x, y = waiting.pop()
        for dx, dy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            if (x + dx, y + dy) in floor and (x + dx, y) not in floor and (x, y + dy) not in floor:
                floor[x + dx, y] = None
                waiting.append((x + dx, y))
