"""Dungeons: rooms that grow out of a bank of cells, and corridors that join them all."""

from random import Random

from searchkit.plugin import GeneratorSpec, Parameter
from searchkit_dungeon.generators.bank import CellBank, GenerationError
from searchkit_dungeon.generators.chance import below, choice
from searchkit_dungeon.generators.options import SEED, Size, Span, size_option, span
from searchkit_dungeon.generators.picture import mend_leaks, picture
from searchkit_dungeon.generators.rooms import SHAPES, Room, halo
from searchkit_dungeon.generators.suites import join
from searchkit_dungeon.terrain import Cell

LAYOUTS = 12
"""The number of attempts at placing all rooms."""
ORIGINS = 12
"""The number of random candidates for the origin of a room; the one farthest from the other rooms is chosen."""


def make_dungeon(
    size: Size, rooms: int, room_size: Span, gap: int, shape: str, loops: int, wiggle: float, seed: int | None
) -> str:
    """Return the text of a dungeon; `DUNGEON` describes the options. Raises `GenerationError`."""
    rng = Random(seed)
    width, height = size
    bank = CellBank.rectangle(width, height, margin=1)
    placed = _place(bank, rooms, room_size, gap, shape, rng)
    if len(placed) < rooms:
        raise GenerationError(
            f"{rooms} rooms of {room_size} cells do not fit into a map of {size} with a gap of {gap}: in {LAYOUTS} "
            f"attempts no more than {len(placed)} did; ask for fewer or smaller rooms, or for a larger map"
        )
    corridors = join(placed, bank, rng, wiggle, loops)
    floor = dict.fromkeys(cell for part in [*(room.cells for room in placed), *corridors] for cell in part)
    mend_leaks(floor)
    return picture(width, height, floor, placed[0].origin)


def _place(bank: CellBank, number: int, room_size: Span, gap: int, shape: str, rng: Random) -> list[Room]:
    """Return the rooms, taken from the bank. If all attempts fail, return the most rooms placed, and put them back."""
    fullest: list[Room] = []
    for _ in range(LAYOUTS):
        rooms: list[Room] = []
        kept: dict[Cell, None] = {}  # the gaps between the rooms, in which no other may grow
        while len(rooms) < number:
            room = _grow_one(
                bank,
                rooms,
                room_size.least + below(rng, room_size.most - room_size.least + 1),
                room_size.least,
                shape,
                rng,
            )
            if room is None:
                break
            rooms.append(room)
            around: dict[Cell, None] = dict.fromkeys(room.cells)
            for _ in range(gap):
                around = halo(around)
            gaps = [cell for cell in around if cell in bank]
            bank.take(gaps)
            kept.update(dict.fromkeys(gaps))
        bank.put_back(kept)
        if len(rooms) == number:
            return rooms
        fullest = max(fullest, rooms, key=len)
        bank.put_back(cell for room in rooms for cell in room.cells)
    return fullest


def _grow_one(
    bank: CellBank, rooms: list[Room], size: int, least: int, shape: str, rng: Random
) -> Room | None:
    """Return a room of `size` cells, or of at least `least`, far from the others; None if none fits."""
    free = list(bank)
    cramped: list[Cell] = []
    room = None
    while free:
        origin = max((choice(rng, free) for _ in range(ORIGINS)), key=lambda cell: _clearance(cell, rooms))
        room = Room.grow(bank, size, origin, rng, shape)
        if len(room.cells) >= least:
            break
        cramped += room.cells  # the free cells connected here are too few
        room = None
        free = list(bank)
    bank.put_back(cramped)
    return room


def _clearance(cell: Cell, rooms: list[Room]) -> int:
    """Return the distance of a cell from the origin of the nearest room, in king moves."""
    x, y = cell
    return min((max(abs(x - left), abs(y - top)) for left, top in (room.origin for room in rooms)), default=0)


DUNGEON = GeneratorSpec(
    "dungeon",
    "rooms, and corridors that join them",
    parameters=(
        size_option(Size(64, 40), least=5),
        Parameter("rooms", "the number of rooms", default=10, least=1),
        Parameter(
            "room_size",
            "the number of cells of a room, LEAST-MOST; one number for rooms of equal size",
            default=Span(40, 90),
            convert=span,
        ),
        Parameter("gap", "the cells between two rooms; with 0, rooms may touch", default=2, least=0, most=50),
        Parameter(
            "shape",
            "the shape of the rooms; mixed: some of each",
            default="mixed",
            choices=("mixed", *SHAPES),
        ),
        Parameter(
            "loops", "the number of corridors beyond those needed to join all rooms", default=2, least=0
        ),
        Parameter(
            "wiggle",
            "how winding corridors are; they are shortest paths in any case",
            default=0.0,
            least=0,
            most=1,
        ),
        SEED,
    ),
    make=make_dungeon,
)
