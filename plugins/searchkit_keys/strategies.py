"""Hypothesis strategies of small vaults, for property tests. Needs the extra `testing`."""

from string import ascii_lowercase

from hypothesis import strategies as st

from searchkit.testing.strategies.frames import Draft, drafts, pick
from searchkit_keys.contracted import ContractedVault
from searchkit_keys.expanded import ExpandedVault
from searchkit_keys.files import VaultProblem
from searchkit_keys.heuristics import HEURISTICS
from searchkit_keys.vault import Vault

FLOORS = ("..#", "...#", "....#", ".")
"""What cells are drawn from."""
MAX_DOORS = 6


@st.composite
def vaults(
    draw: st.DrawFn, most_keys: int = 5, most_robots: int = 3, width: int = 7, height: int = 6
) -> Vault:
    """Draw a vault with loops, open areas, doors without keys, one or several robots; most vaults are solvable.

    Marks are drawn over earlier ones, robots last, so that a vault can shrink independently of its marks.
    """
    places = most_robots + most_keys + MAX_DOORS
    draft: Draft = draw(drafts(width, height, choices=4 + MAX_DOORS, places=places))
    return _vault(draft, draft.choices, most_keys, most_robots)


def _vault(draft: Draft, choices: bytes, most_keys: int, most_robots: int) -> Vault:
    floors, robots, keys, doors, *letters = choices
    floor = pick(floors, FLOORS).encode()
    rows = [bytearray(pick(byte, floor) for byte in row) for row in draft.cells]
    numbers = [*range(most_keys + 1), *(most_keys, max(most_keys - 1, 0)) * 20]  # mostly many keys
    lettered = ascii_lowercase[: pick(keys, numbers)]
    at_robots, at_keys = draft.marks[:most_robots], draft.marks[most_robots:][:most_keys]
    at_doors = draft.marks[most_robots + most_keys :][: pick(doors, range(MAX_DOORS + 1))]
    marked = [
        *zip((pick(letter, lettered.upper() + "Z") for letter in letters), at_doors, strict=False),
        *zip(lettered, at_keys, strict=False),
        *(("@", robot) for robot in at_robots[: pick(robots, [*range(1, most_robots + 1), 1])]),
    ]
    for mark, (x, y) in marked:
        rows[y][x] = ord(mark)
    return Vault.of(tuple(row.decode() for row in rows))


@st.composite
def mazes(draw: st.DrawFn, size: int = 9, most_keys: int = 6) -> Vault:
    """Draw a vault with one robot that is a tree or has few loops; most vaults are solvable."""
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


@st.composite
def problems(
    draw: st.DrawFn, size: int = 6, most_keys: int = 4, most_robots: int = 2, contracted: bool | None = None
) -> VaultProblem:
    """Draw a problem: the graph of keys or the grid, with loops, one or several robots; most problems are solvable.

    `size` is the largest number of cells in a row and in a column. `contracted` chooses the graph of keys (true), the
    grid (false) or either (None).
    """
    places = most_robots + most_keys + MAX_DOORS
    draft: Draft = draw(drafts(size, choices=6 + MAX_DOORS, places=places))
    kind, bound, *choices = draft.choices
    found = _vault(draft, bytes(choices), most_keys, most_robots)
    if contracted or (contracted is None and kind >= 128):
        return ContractedVault(found, pick(bound, list(HEURISTICS)))
    return ExpandedVault(found, pick(bound, ("bounding-box", "zero")))
