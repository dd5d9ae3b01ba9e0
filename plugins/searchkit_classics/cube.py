"""The cube as a solid: its 48 stickers that move, where each turn of a face takes them, and the cube unfolded.

The stickers of corners have the places 0 to 23, those of edges the places 24 to 47. The places of one piece follow each
other, clockwise, and begin with the one on the top or bottom, or else on the front or back. So the place of *one*
sticker of a piece, its first, tells where the piece is and how it is turned.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import TypeAlias

from searchkit.plugin import InvalidOptionError, Mark, shortened

Vector: TypeAlias = tuple[int, int, int]
"""x to the right, y up, z to the front."""
FACES: dict[str, Vector] = {
    "U": (0, 1, 0),
    "R": (1, 0, 0),
    "F": (0, 0, 1),
    "D": (0, -1, 0),
    "L": (-1, 0, 0),
    "B": (0, 0, -1),
}
AMOUNTS = {"": 1, "2": 2, "'": 3}
"""The end of a turn's name → how many clockwise quarter turns it is."""
METRICS = {"half": ("", "2", "'"), "quarter": ("", "'"), "square": ("2",)}
"""What counts as one turn → the ends of the names of these turns. Half turns alone make a small group."""
METRIC = "what counts as one turn: half, any turn of a face; quarter, quarter turns; square, there are only half turns"
MAX_TURNS = 1_000
START = 6
"""The number of the face that was turned last where none was; those of the others are their places in `FACES`."""
ALLOWED = [
    [number for number in range(6) if number != last and not (last < START and last == number + 3)]
    for last in range(START + 1)
]
"""Number of the face turned last → the faces that may be turned next: not the same one, and of two opposite ones, which
do not get into each other's way, the second after the first only."""


def quarter_turn(vector: Vector, face: Vector) -> Vector:
    """Return where a clockwise quarter turn of a face, seen from outside, takes a vector."""
    (x, y, z), (a, b, c) = vector, face
    along = x * a + y * b + z * c
    return a * along + y * c - z * b, b * along + z * a - x * c, c * along + x * b - y * a


def _sides(piece: Vector) -> list[Vector]:
    """Return the directions of the stickers of a piece, in the order of their places."""
    x, y, z = piece
    sides = [side for side in ((0, y, 0), (0, 0, z), (x, 0, 0)) if any(side)]
    if len(sides) == 3 and x * y * z > 0:
        sides[1:] = sides[:0:-1]
    return sides


PIECES: list[Vector] = sorted(
    ((x, y, z) for x, y, z in product((1, 0, -1), repeat=3) if abs(x) + abs(y) + abs(z) >= 2),
    key=lambda piece: -sum(map(abs, piece)),
)
"""The eight corners, the last one at the bottom left behind, and the twelve edges, by where they belong."""
STICKERS = [(piece, side) for piece in PIECES for side in _sides(piece)]
"""Place → the piece that belongs there, and the side that the sticker is on."""
HOME = tuple([STICKERS.index((piece, _sides(piece)[0])) for piece in PIECES])
"""The places of the first stickers of all pieces of a solved cube."""


def _turn(face: Vector, quarters: int) -> tuple[int, ...]:
    """Return place → the place to which some quarter turns of a face take it."""
    taken = list(range(len(STICKERS)))
    for place, (piece, side) in enumerate(STICKERS):
        if sum(one * other for one, other in zip(piece, face, strict=True)) == 1:
            for _ in range(quarters):
                piece, side = quarter_turn(piece, face), quarter_turn(side, face)
            taken[place] = STICKERS.index((piece, side))
    return tuple(taken)


TURNS = {
    f"{name}{end}": _turn(face, quarters) for name, face in FACES.items() for end, quarters in AMOUNTS.items()
}
"""Name, such as `R`, `R2` or `R'` → for each place, the place to which the turn takes a sticker."""


def turns_of(faces: str, metric: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return the turns of some faces that count as one, in the order of `FACES`.

    Raises `InvalidOptionError` if a face is unknown, or if there are no faces.
    """
    if not faces or not set(faces) <= FACES.keys():
        raise InvalidOptionError(f"faces={shortened(faces, 20)}: expected some of {''.join(FACES)}")
    return [(name, turn) for name, turn in TURNS.items() if name[0] in faces and name[1:] in METRICS[metric]]


def inverse(turn: str) -> str:
    """Return the name of the turn that undoes another."""
    return {"": f"{turn}'", "2": turn, "'": turn[0]}[turn[1:]]


def scrambled(scramble: str, seed: int, faces: str, metric: str) -> tuple[str, ...]:
    """Return the turns of a scramble.

    Args:
        scramble: turns such as `R U' F2` or `R,U',F2`, or how many random ones, none of which turns the face of the
            one before.
        seed: the seed of the random turns; the same seed gives the same turns on every machine.
        faces: the faces that can be turned.
        metric: if it is `square`, only half turns are possible.

    Raises:
        InvalidOptionError: a turn is unknown or not possible, or there are too many.

    """
    possible = [name for name, _ in turns_of(faces, "square" if metric == "square" else "half")]
    text = scramble
    if text.isdecimal() and text.isascii() and int(text) <= MAX_TURNS:
        rng, names = Random(seed), [""]
        while len(names) <= int(text):
            ways = [name for name in possible if name[0] != names[-1][:1]] or possible
            names.append(ways[int(rng.random() * len(ways))])
        return tuple(names[1:])
    names = text.replace(",", " ").split()
    for name in names:
        if name not in possible:
            raise InvalidOptionError(
                f"scramble={shortened(text, 40)}: {shortened(name, 20)} is not a possible turn; expected a number of "
                f"random turns up to {MAX_TURNS:,}, or turns such as {' '.join(possible[:3])}"
            )
    if len(names) > MAX_TURNS:
        raise InvalidOptionError(f"scramble: {len(names):,} turns; expected at most {MAX_TURNS:,}")
    return tuple(names)


def turned(places: tuple[int, ...], turns: tuple[str, ...]) -> tuple[int, ...]:
    """Return where some turns, one after the other, take stickers."""
    for name in turns:
        places = tuple([TURNS[name][place] for place in places])
    return places


EMPTY = " "
MARKS = {
    EMPTY: Mark(" ", "#14171c"),
    "U": Mark("U", "#f4f6fa", "up", rank=1),
    "R": Mark("R", "#e5484d", "right", rank=1),
    "F": Mark("F", "#3ddc84", "front", rank=1),
    "D": Mark("D", "#ffe14d", "down", rank=1),
    "L": Mark("L", "#ff8b3d", "left", rank=1),
    "B": Mark("B", "#5b9dff", "back", rank=1),
}
NET: Mapping[str, tuple[int, int, Vector, Vector]] = {
    "U": (1, 0, (1, 0, 0), (0, 0, 1)),
    "L": (0, 1, (0, 0, 1), (0, -1, 0)),
    "F": (1, 1, (1, 0, 0), (0, -1, 0)),
    "R": (2, 1, (0, 0, -1), (0, -1, 0)),
    "B": (3, 1, (-1, 0, 0), (0, -1, 0)),
    "D": (1, 2, (1, 0, 0), (0, 0, -1)),
}
"""Face → its column and row in the unfolded cube, and the directions to the right and down there."""
NAME = {side: name for name, side in FACES.items()}


def _places_of(piece: int) -> range:
    """Return the places of the stickers of a piece, by its number."""
    first = HOME[piece]
    return range(first, first + sum(map(abs, PIECES[piece])))


def stickers(state: Sequence[int], pieces: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yield places and the colours of the stickers there, for the first stickers of some pieces."""
    for place, piece in zip(state, pieces, strict=True):
        count = len(_places_of(piece))
        slot = place - (place - (0 if count == 3 else HOME[8])) % count
        for turn, home in enumerate(_places_of(piece)):
            yield slot + (place - slot + turn) % count, NAME[STICKERS[home][1]]


def unfolded(size: int, coloured: Iterator[tuple[int, str]]) -> list[str]:
    """Return the rows of the unfolded cube with `size` stickers in a row; a sticker is two columns wide."""
    step = size + 1
    cells = [[EMPTY] * (4 * step - 1) for _ in range(3 * step - 1)]
    reach = 1 if size == 3 else 2  # from one sticker to the next, in the coordinates of pieces

    def put(piece: Vector, side: Vector, colour: str) -> None:
        column, row, right, down = NET[NAME[side]]
        x, y = (sum(map(int.__mul__, piece, axis)) for axis in (right, down))
        cells[row * step + (y + 1) // reach][column * step + (x + 1) // reach] = colour

    for place, colour in coloured:
        put(*STICKERS[place], colour)
    if size == 3:
        for name, side in FACES.items():
            put(side, side, name)
    return ["".join(row) for row in cells]
