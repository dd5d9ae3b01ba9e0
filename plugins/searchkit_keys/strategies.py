"""Hypothesis strategies of small vaults, for property tests. Needs the extra `testing`."""

from hypothesis import strategies as st

from searchkit_keys.contracted import ContractedVault
from searchkit_keys.vault import Vault


@st.composite
def vaults(
    draw: st.DrawFn, most_keys: int = 5, most_robots: int = 3, width: int = 7, height: int = 6
) -> Vault:
    """Draw a vault with loops, open areas, doors without keys, one or several robots; often solvable, often not."""
    columns, lines = draw(st.integers(2, width)), draw(st.integers(1, height))
    floors = draw(st.sampled_from(["..", "..#", ".#"]))
    cells = draw(st.lists(st.sampled_from(floors), min_size=columns * lines, max_size=columns * lines))
    places = draw(st.permutations(range(columns * lines)))
    robots = draw(st.integers(1, most_robots))
    keys = "abcdefg"[: draw(st.integers(0, most_keys))]
    doors = draw(st.lists(st.sampled_from("ABCDEFGQ"[: len(keys) + 1]), max_size=6))
    for place, mark in zip(places, "@" * robots + keys + "".join(doors), strict=False):
        cells[place] = mark
    if "@" not in cells:
        cells[0] = "@"
    return Vault.of(tuple("".join(cells[y * columns : (y + 1) * columns]) for y in range(lines)))


@st.composite
def mazes(draw: st.DrawFn, size: int = 9, most_keys: int = 6) -> Vault:
    """Draw a vault that is a tree, or has few loops, with one robot; mostly solvable."""
    half = draw(st.integers(2, size // 2))
    side = 2 * half + 1
    rows = [["#"] * side for _ in range(side)]
    inside = [(x, y) for y in range(1, side, 2) for x in range(1, side, 2)]
    for x, y in inside:
        rows[y][x] = "."
        ways = [(dx, dy) for dx, dy in ((-1, 0), (0, -1)) if x + dx > 0 and y + dy > 0]
        if ways:
            dx, dy = draw(st.sampled_from(ways))
            rows[y + dy][x + dx] = "."
    for _ in range(draw(st.integers(0, 2))):
        x, y = draw(st.sampled_from(inside))
        if x + 1 < side - 1:
            rows[y][x + 1] = "."
    floor = [(x, y) for y in range(side) for x in range(side) if rows[y][x] == "."]
    places = draw(st.permutations(floor))
    keys = "abcdefg"[: draw(st.integers(1, most_keys))]
    doors = "".join(draw(st.lists(st.sampled_from(keys.upper()), max_size=6)))
    for (x, y), mark in zip(places, f"@{keys}{doors}", strict=False):
        rows[y][x] = mark
    return Vault.of(tuple(map("".join, rows)))


def problems() -> st.SearchStrategy[ContractedVault]:
    """Draw contracted problems."""
    return vaults().map(ContractedVault)
