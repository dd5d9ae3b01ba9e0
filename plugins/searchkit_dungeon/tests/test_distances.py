"""Path distances from any set of cells, and the cells farthest away."""

from hypothesis import given

from searchkit import distance_map
from searchkit_dungeon import Grid, grid
from searchkit_dungeon.generators.picture import far_apart
from searchkit_dungeon.tests.generated import mazes

PLUS = ["##.##", "##.##", ".....", "##.##", "##.##"]


def test_the_farthest_cells_of_a_plus() -> None:
    """The tips of its arms."""
    distances = distance_map(grid(PLUS, start=(2, 2), goal=()))
    tips = {(2, 0), (2, 4), (0, 2), (4, 2)}
    assert sorted(distances.farthest()) == sorted(tips)


@given(mazes())
def test_two_cells_far_apart(maze: Grid) -> None:
    """In a perfect maze no two cells are farther apart; in any map at least half as far as the farthest two."""
    cells = [cell for cell in maze.terrain.cells if cell in maze.terrain and maze.terrain.weight(cell)]
    one, other = far_apart(maze.terrain, cells[0])
    apart = distance_map(Grid(maze.terrain, [one]))[other]
    diameter = max(max(distance_map(Grid(maze.terrain, [cell])).values()) for cell in cells)
    assert diameter / 2 <= apart <= diameter
    passages = len(cells) - 1
    perfect = sum(len(maze.successors(cell)) for cell in cells) == 2 * passages
    assert apart == diameter or not perfect
