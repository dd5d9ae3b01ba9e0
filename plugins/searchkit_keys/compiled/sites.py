"""From cells to sites in machine code: the arrays of `searchkit_keys.contraction.sites.SiteGraph`."""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit.plugin import InvalidProblemError
from searchkit_keys.compiled.cells import (
    DOOR,
    FIRST_DOOR,
    LAST_DOOR,
    PLAIN,
    Cells,
    Scratch,
    close_areas,
    drop_corridors,
    enter_cells,
)
from searchkit_keys.vault import START, WALL, Vault

LETTERS = 26


class SiteArrays(NamedTuple):
    """`SiteGraph` as arrays; sites are numbered as there."""

    cell: Any
    begin: Any
    to: Any
    """The edges of site s are those from begin[s] up to begin[s + 1]: where they lead,"""
    length: Any
    """… how long they are,"""
    door: Any
    """… and which key it takes to enter: 0 for none."""
    key: Any
    """The key that lies on each site; 0 for none."""


@compiled_function
def number_sites(text: Any, keys: Any, starts: Any, cells: Any, number: Any, sites: Any) -> Any:
    """Give numbers to the sites that are left: starts, keys, doors, junctions; return how many there are."""
    count = 0
    number[:] = -1
    for cell in starts:
        sites.cell[count], sites.key[count], number[cell] = cell, 0, count
        count += 1
    for letter in range(LETTERS):
        if keys[letter] >= 0:
            sites.cell[count], sites.key[count], number[keys[letter]] = keys[letter], 1 << letter, count
            count += 1
    for kind in (DOOR, PLAIN):
        for cell in range(text.size):
            if cells.kind[cell] == kind:
                sites.cell[count], sites.key[count], number[cell] = cell, 0, count
                count += 1
    return count


@compiled_function
def gather_edges(
    text: Any, cells: Any, joined: Any, added: Any, count: Any, scratch: Any, sites: Any, loose: Any
) -> Any:
    """Write the edges site by site, of several between two sites the shortest; return how many there are.

    `loose` has room for where each site's edges begin, and for their ends and lengths.
    """
    number = scratch.mark
    first, ends, lengths = loose
    first[: count + 1] = 0
    for site in range(count):
        cell = sites.cell[site]
        for slot in range(4 * cell, 4 * cell + cells.degree[cell]):
            if number[cells.near[slot]] >= 0:
                first[site + 1] += 1
    for pair in range(added):
        first[number[joined[3 * pair]] + 1] += 1
        first[number[joined[3 * pair + 1]] + 1] += 1
    for site in range(count):
        first[site + 1] += first[site]
        sites.begin[site] = first[site]
    for site in range(count):
        cell = sites.cell[site]
        for slot in range(4 * cell, 4 * cell + cells.degree[cell]):
            if number[cells.near[slot]] >= 0:
                place = sites.begin[site]
                ends[place], lengths[place] = number[cells.near[slot]], cells.steps[slot]
                sites.begin[site] += 1
    for pair in range(added):
        one, other = number[joined[3 * pair]], number[joined[3 * pair + 1]]
        for here, there in ((one, other), (other, one)):
            place = sites.begin[here]
            ends[place], lengths[place] = there, joined[3 * pair + 2]
            sites.begin[here] += 1
    known, edges = scratch.stack, 0
    known[:count] = -1
    for site in range(count):
        sites.begin[site] = edges
        for place in range(first[site], first[site + 1]):
            there = ends[place]
            if known[there] >= sites.begin[site]:
                sites.length[known[there]] = min(sites.length[known[there]], lengths[place])
                continue
            known[there] = edges
            mark = text[sites.cell[there]]
            sites.to[edges], sites.length[edges] = there, lengths[place]
            sites.door[edges] = 1 << (mark - FIRST_DOOR) if FIRST_DOOR <= mark <= LAST_DOOR else 0
            edges += 1
    sites.begin[count] = edges
    return edges


@kernel
def find_sites(
    text: Any, stride: Any, keys: Any, places: Any, starts: Any, cells: Any, scratch: Any, joined: Any,
    sites: Any, loose: Any,
) -> Any:  # fmt: skip
    """Make `SiteGraph.of` as arrays; return the number of sites and of edges, each edge counted from both ends."""
    enter_cells(text, stride, keys, places, cells)
    drop_corridors(cells, scratch.stack)
    added = close_areas(cells, scratch, joined)
    count = number_sites(text, keys, starts, cells, scratch.mark, sites)
    return count, gather_edges(text, cells, joined, added, count, scratch, sites, loose)


def _check(vault: Vault) -> None:
    """Raise `InvalidProblemError` for a vault that is not made by `Vault.of`; machine code might write anywhere."""
    rows, width = vault.rows, len(vault.rows[0])
    places = [*((START, cell) for cell in vault.starts), *vault.keys.items()]
    if not (
        all(len(row) == width and row.isascii() for row in rows)
        and all(0 <= y < len(rows) and 0 <= x < width and rows[y][x] == mark for mark, (x, y) in places)
    ):
        raise InvalidProblemError(
            "expected a vault of rows of one length and of the characters # . @ a-z A-Z, whose starts and keys are "
            "where they are drawn; make it with Vault.of, or from text"
        )


def site_arrays(vault: Vault) -> tuple[SiteArrays, int]:
    """Return the sites of a vault, and the cells in a row: cells are numbered row by row, with walls all around.

    Raises `InvalidProblemError` for a vault that contradicts itself.
    """
    _check(vault)
    stride = len(vault.rows[0]) + 2
    edge = WALL * stride
    drawn = edge + "".join([f"{WALL}{row}{WALL}" for row in vault.rows]) + edge
    text = np.frombuffer(drawn.encode(), np.uint8)
    starts = np.array([(y + 1) * stride + x + 1 for x, y in vault.starts], np.int64)
    keys = np.full(LETTERS, -1, np.int64)
    for letter, (x, y) in vault.keys.items():
        keys[ord(letter) - ord("a")] = (y + 1) * stride + x + 1
    size = text.size
    cells = Cells(
        np.empty(size, np.uint8),
        np.empty(size, np.int32),
        np.empty(4 * size, np.int32),
        np.empty(4 * size, np.int32),
    )
    scratch = Scratch(
        np.empty(3 * size, np.int32),
        np.empty(size, np.int32),
        np.empty(size, np.int32),
        np.empty(16 * size, np.int64),
    )
    sites = SiteArrays(*(np.empty(room * size + 1, np.int64) for room in (1, 1, 4, 4, 4, 1)))
    loose = tuple(np.empty(room * size + 1, np.int64) for room in (1, 4, 4))
    places = np.concatenate([starts, keys[keys >= 0]])
    count, edges = find_sites(
        text, stride, keys, places, starts, cells, scratch, np.empty(6 * size, np.int32), sites, loose
    )
    cell, begin, to, length, door, key = sites
    return SiteArrays(
        cell[:count], begin[: count + 1], to[:edges], length[:edges], door[:edges], key[:count]
    ), stride
