"""Boards as text."""

import re

from attrs import frozen

from searchkit.plugin import InputFormatError, InvalidOptionError, shortened
from searchkit_tiles.board import Board

SIZE = re.compile(r"(\d+)x(\d+)", re.ASCII)
MAX_NUMBER = 1_000_000
"""The largest valid number in a file."""
WORD = re.compile(r"\S+")
EXPECTED = "rows of numbers, 0 the blank; or a line such as 4x4 and then a board in each line"


@frozen
class Instance:
    """A board of a file."""

    width: int
    height: int
    tiles: Board
    published: int | None = None
    """The length of a shortest solution, if the file contains it."""


def is_board(text: str) -> bool:
    """Whether a text is a size with boards, valid or not, or a board alone, at most with one number twice."""
    words = [word for line in text.split("\n") for word in line.partition("#")[0].split()]
    if words and SIZE.fullmatch(words[0]):
        return len(words) > 1 and all(word.isdecimal() or word == "=" for word in words[1:])
    try:
        return bool(read_instances("", text))
    except InputFormatError:
        cells = {str(number) for number in range(len(words))}
        return len(words) >= 9 and set(words) <= cells and len(set(words)) == len(words) - 1


def read_instance(name: str, text: str, number: int = 1) -> Instance:
    """Return the board with this number, counted from 1.

    Raises:
        InputFormatError: the text is invalid; with `name`, line and column.
        InvalidOptionError: there is no board of this number.

    """
    instances = read_instances(name, text)
    if not 1 <= number <= len(instances):
        few = "only one board" if len(instances) == 1 else f"{len(instances)} boards, from 1 on"
        raise InvalidOptionError(f"instance={number}: {name or 'the text'} holds {few}")
    return instances[number - 1]


def read_instances(name: str, text: str) -> list[Instance]:
    """Return every board of a text. Raises `InputFormatError`, with `name`, line and column, if it is faulty."""
    lines = [
        (number, [(word[0], word.start() + 1) for word in WORD.finditer(line.partition("#")[0])])
        for number, line in enumerate(text.split("\n"), 1)
    ]
    lines = [(number, words) for number, words in lines if words]
    if not lines:
        raise InputFormatError(f"the file is empty; expected {EXPECTED}", source=name, line=1, column=1)
    first, words = lines[0]
    size = SIZE.fullmatch(words[0][0])
    if size is None:
        return [_read_rows(name, lines)]
    width, height = _number(size[1]), _number(size[2])
    if len(words) > 1 or not width * height or max(width, height) > MAX_NUMBER:
        raise InputFormatError(
            f"expected a size such as 4x4 alone in its line, at least 1x1 and at most {MAX_NUMBER}x{MAX_NUMBER}",
            source=name,
            line=first,
        )
    if len(lines) == 1:
        raise InputFormatError(
            f"no board follows the size; expected a line of {width * height} numbers for each",
            source=name,
            line=first,
        )
    return [_read_line(name, width, height, number, words) for number, words in lines[1:]]


def _read_rows(name: str, lines: list[tuple[int, list[tuple[str, int]]]]) -> Instance:
    width = len(lines[0][1])
    for number, words in lines:
        if len(words) != width:
            column = words[width][1] if len(words) > width else words[-1][1] + len(words[-1][0])
            raise InputFormatError(
                f"this row has {len(words)} numbers, and the first has {width}; expected rows of one length",
                source=name,
                line=number,
                column=column,
            )
    placed = [(word, number, column) for number, words in lines for word, column in words]
    return Instance(width, len(lines), _tiles(name, placed))


def _read_line(name: str, width: int, height: int, number: int, words: list[tuple[str, int]]) -> Instance:
    cells, published = width * height, None
    texts = [word for word, _ in words]
    if "=" in texts:
        equals = texts.index("=")
        answer = texts[equals + 1 :]
        if len(answer) != 1 or not answer[0].isdecimal() or _number(answer[0]) > MAX_NUMBER:
            raise InputFormatError(
                "expected one number after =, the length of a shortest solution",
                source=name,
                line=number,
                column=words[equals][1],
            )
        published, words = _number(answer[0]), words[:equals]
    if len(words) != cells:
        raise InputFormatError(
            f"{len(words)} numbers; expected {cells} for a board of {width}x{height}",
            source=name,
            line=number,
            column=words[min(cells, len(words) - 1)][1] if words else 1,
        )
    return Instance(
        width, height, _tiles(name, [(word, number, column) for word, column in words]), published
    )


def _tiles(name: str, placed: list[tuple[str, int, int]]) -> Board:
    """Return the numbers, each from 0 to one less than there are cells, and each once."""
    seen: dict[int, tuple[int, int]] = {}
    for word, line, column in placed:
        tile = _number(word) if word.isdecimal() else -1
        if not 0 <= tile < len(placed):
            fault = f"{shortened(word)!r}; expected a number from 0, the blank, to {len(placed) - 1}"
        elif tile in seen:
            before = "line {}, column {}".format(*seen[tile])
            missing = min(
                set(range(len(placed))) - {_number(w) for w, _, _ in placed if w.isdecimal()}, default=0
            )
            fault = f"{tile} is here and at {before}; expected each number once, and {missing} is missing"
        else:
            seen[tile] = line, column
            continue
        raise InputFormatError(fault, source=name, line=line, column=column)
    return tuple(seen)


def _number(word: str) -> int:
    """Return a decimal number; one with too many digits, which Python won't read, as one that is too large."""
    return int(word) if len(word) <= 20 else MAX_NUMBER + 1
