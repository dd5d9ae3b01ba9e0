"""Suites (rooms that touch) and the corridors that join them."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TypeAlias

from searchkit import Cost, distance_map, problem_from
from searchkit_dungeon.generators.bank import CellBank, GenerationError
from searchkit_dungeon.generators.chance import below
from searchkit_dungeon.generators.corridors import Corridor, shortest_way
from searchkit_dungeon.generators.rooms import Room, halo
from searchkit_dungeon.terrain import Cell

Pair: TypeAlias = tuple[int, int]
"""The numbers of two suites, the smaller first."""


def suites_of(rooms: Iterable[Room]) -> list[Room]:
    """Return the rooms, with rooms that share an edge merged, in the order of their first cells."""
    return parts_of(cell for room in rooms for cell in room.cells)


def parts_of(cells: Iterable[Cell]) -> list[Room]:
    """Return the connected parts of the cells, in the order of their first cells."""
    bank = CellBank(cells)
    parts: list[Room] = []
    for cell in list(bank):
        if cell in bank:
            parts.append(Room(bank.flood(cell)))
            bank.take(parts[-1].cells)
    return parts


def join(
    rooms: Sequence[Room], bank: CellBank, rng: Random, randomness: float = 0.0, loops: int = 0
) -> list[Corridor]:
    """Return corridors that connect all rooms, each between the closest cells of two suites.

    The corridors form a minimum spanning tree of the suites, closest first (Kruskal 1956). If possible, a corridor
    keeps one cell of distance from other suites. Corridors may cross.

    Args:
        rooms: at least one room; their cells are not in the bank.
        bank: the free cells; the bank keeps them.
        rng: the random number generator.
        randomness: how winding corridors are, from 0 to 1.
        loops: the number of additional corridors, each between two neighbouring suites that no corridor joins
            directly; fewer if there are not enough such pairs.

    Raises:
        GenerationError: a suite can't be reached over free cells; the message names it.

    """
    suites = suites_of(rooms)
    neighbouring = _neighbouring(suites, bank)
    tree, group = _spanning_tree(len(suites), neighbouring)
    for number, suite in enumerate(suites):
        if group[number] != group[0]:
            raise GenerationError(
                f"the room at {suite.origin} can't be joined to the one at {suites[0].origin}: between them there is "
                "no way over free cells; leave more cells free between the rooms"
            )
    spare = [pair for pair in neighbouring if pair not in tree]
    pairs = tree + _loops(spare, loops, len(suites), rng)
    beside: dict[Cell, set[int]] = {}
    for number, suite in enumerate(suites):
        for cell in halo(suite.cells):
            beside.setdefault(cell, set()).add(number)
    return [_dig(suites, pair, bank, beside, rng, randomness) for pair in pairs]


def _neighbouring(suites: Sequence[Room], bank: CellBank) -> list[Pair]:
    """Return the pairs of suites whose surroundings touch, closest first.

    A search from all suites assigns each free cell to the nearest suite. A minimum spanning tree of the pairs that meet
    is a minimum spanning tree of all pairs (K. Mehlhorn, "A faster approximation algorithm for the Steiner problem in
    graphs", 1988).
    """
    owner = {cell: number for number, suite in enumerate(suites) for cell in suite.cells}
    distances = distance_map(problem_from(list(owner), bank.successors, lambda cell: False))
    for cell in distances:
        before = distances.descend(cell)
        if before is not None:
            owner[cell] = owner[before]
    lengths: dict[Pair, Cost] = {}
    for (x, y), distance in distances.items():
        for other in ((x + 1, y), (x, y + 1)):
            one, two = owner[x, y], owner.get(other, owner[x, y])
            if one != two:
                pair = (min(one, two), max(one, two))
                length = distance + distances[other]
                lengths[pair] = min(length, lengths.get(pair, length))
    return sorted(lengths, key=lengths.__getitem__)


def _spanning_tree(number: int, pairs: Iterable[Pair]) -> tuple[list[Pair], list[int]]:
    """Return the pairs of a spanning tree, taken in order, and the resulting group of each suite."""
    group = list(range(number))
    tree: list[Pair] = []
    for one, other in pairs:
        if group[one] != group[other]:
            tree.append((one, other))
            old, new = group[other], group[one]
            group = [new if member == old else member for member in group]
    return tree, group


def _loops(spare: list[Pair], loops: int, number: int, rng: Random) -> list[Pair]:
    """Return the pairs for the loops: each is the closest remaining pair of a random suite."""
    chosen: list[Pair] = []
    while spare and len(chosen) < loops:
        one = below(rng, number)
        pair = next((pair for pair in spare if one in pair), None)
        if pair is not None:
            spare.remove(pair)
            chosen.append(pair)
    return chosen


def _dig(
    suites: Sequence[Room],
    pair: Pair,
    bank: CellBank,
    beside: Mapping[Cell, set[int]],
    rng: Random,
    randomness: float,
) -> Corridor:
    """Return a corridor between two suites that keeps away from the others if possible."""
    ends = set(pair)
    one, other = (suites[number].cells for number in pair)

    def clear(cell: Cell) -> bool:
        return cell in bank and beside.get(cell, ends) <= ends

    corridor = shortest_way(one, other, clear, randomness, rng)
    if corridor is None:
        corridor = shortest_way(one, other, bank.__contains__, randomness, rng)
    assert corridor is not None  # the pair is of suites that meet
    return corridor
