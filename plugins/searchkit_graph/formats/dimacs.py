"""The file formats of the ninth DIMACS challenge, on shortest paths: graphs (`.gr`) and coordinates (`.co`).

`p sp 3 2` announces 3 nodes, numbered from 1, and 2 arcs; `a 1 2 7` is the arc from 1 to 2 of length 7. In a file of
coordinates `p aux sp co 3` announces 3 nodes, and `v 1 -73530767 41085396` gives those of node 1. `c` begins a comment.
(C. Demetrescu, A. Goldberg, D. Johnson (eds.): The Shortest Path Problem, 2009.)
"""

import re
from array import array
from collections.abc import Iterator
from math import nan

from attrs import Factory, define

from searchkit.plugin import InputFormatError, Query
from searchkit_graph.formats.listing import Listing
from searchkit_graph.rows import MOST, rows_of
from searchkit_graph.straight_line import LARGEST, Plane

MOST_NODES = 2**32 - 1
FREE_NODES = 1_000_000
"""The number of nodes that any file may announce; with more nodes, a file must have at least as many characters. So a
short file can't allocate gigabytes."""
BLOCK = 1 << 18
"""The number of characters that are read at once if they contain only arcs."""
PLAIN_ARCS = re.compile(r"(?:a \d{1,18} \d{1,18} \d{1,18}\n)+", re.ASCII)
PREVIOUS = (-1).__add__


def is_dimacs(text: str) -> bool:
    """Whether a text begins like a graph of this format, valid or not."""
    for line in text.split("\n", 1000)[:1000]:  # comments may come first
        words = line.split()
        if words and words[0] != "c":
            return words[:2] == ["p", "sp"]
    return False


@define
class _Arcs:
    """The state of reading a graph."""

    source: str
    room: int
    """The number of characters of the file."""
    nodes: int = -1
    arcs: int = -1
    """The numbers that the line p announces; −1 before that line."""
    tails: "array[int]" = Factory(lambda: array("I"))
    heads: "array[int]" = Factory(lambda: array("I"))
    costs: "array[int]" = Factory(lambda: array("q"))

    def read(self, number: int, line: str) -> None:
        """Read one line."""
        words = line.split()
        if not words or line.startswith("c"):
            return
        if words[0] == "a":
            self.arc(number, line, words)
        elif words[0] == "p":
            if self.nodes >= 0:
                raise InputFormatError("a second line p; expected one", source=self.source, line=number)
            self.nodes, self.arcs = _announced(self.source, number, line, ["p", "sp"], 2, self.room)
        else:
            raise _unlike(self.source, number, "c, p sp or a at the beginning of the line", line)

    def arc(self, number: int, line: str, words: list[str]) -> None:
        try:
            tail, head, cost = map(int, words[1:])
        except ValueError:
            raise _unlike(self.source, number, "a TAIL HEAD COST, three whole numbers", line) from None
        if not (1 <= tail <= self.nodes and 1 <= head <= self.nodes and 0 <= cost <= MOST):
            raise _bad_arc(self.source, number, self.nodes, tail, head, cost)
        self.tails.append(tail - 1)
        self.heads.append(head - 1)
        self.costs.append(cost)
        if len(self.tails) > self.arcs:
            raise InputFormatError(
                f"this is arc {len(self.tails):,}, and the line p sp announces {self.arcs:,}; correct the number there",
                source=self.source,
                line=number,
            )

    def take(self, block: str) -> bool:
        """Read a block of lines at once if all are valid arcs; otherwise do nothing and return False."""
        if not PLAIN_ARCS.fullmatch(block):
            return False
        numbers = array("q", map(int, block.replace("a", "").split()))
        tails, heads, costs = numbers[0::3], numbers[1::3], numbers[2::3]
        ends = min(min(tails), min(heads)), max(max(tails), max(heads))
        if ends[0] < 1 or ends[1] > self.nodes or len(self.tails) + len(tails) > self.arcs:
            return False
        self.tails.extend(array("I", map(PREVIOUS, tails)))
        self.heads.extend(array("I", map(PREVIOUS, heads)))
        self.costs.extend(costs)
        return True


def read_gr(name: str, text: str, plane: Plane | None = None) -> Listing:
    """Return the graph in a `.gr` file. Raises `InputFormatError`, with `name` and line, if it is faulty."""
    read = _Arcs(name, len(text))
    number = 0
    for block in _blocks(text):
        if read.take(block):
            number += block.count("\n")
            continue
        for line in block.removesuffix("\n").split("\n"):
            number += 1
            read.read(number, line)
    nodes, arcs = read.nodes, read.arcs
    if nodes < 0:
        raise InputFormatError("there is no line p sp NODES ARCS", source=name, line=1)
    if len(read.tails) < arcs:
        raise InputFormatError(
            f"the file ends after {len(read.tails):,} of the {arcs:,} arcs that the line p sp announces; is it whole?",
            source=name,
            line=number,
        )
    rows = rows_of(nodes, read.tails, read.heads, read.costs)
    return Listing(name, rows, range(1, nodes + 1), plane=plane)


def _blocks(text: str) -> Iterator[str]:
    """Yield the text in blocks of complete lines."""
    begin = 0
    while begin < len(text):
        end = text.find("\n", begin + BLOCK) + 1 or len(text)
        yield text[begin:end]
        begin = end


def read_queries(name: str, text: str) -> list[Query]:
    """Return the queries of a `.p2p` or `.ss` file: `q FROM TO` or `s FROM` in a line. Raises `InputFormatError`."""
    queries = []
    for number, line in _lines(text):
        letter, *words = line.split()
        if letter == "p":
            continue
        if {"q": 2, "s": 1}.get(letter) != len(words) or not all(
            word.isdecimal() and len(word) < 16 for word in words
        ):
            raise _unlike(name, number, "q FROM TO, or s FROM", line)
        start, goal = (*map(int, words), None)[:2]
        queries.append(Query(number, start, goal, nan, 0))
    if not queries:
        raise InputFormatError("there is no query in it; expected lines q FROM TO, or s FROM", source=name)
    return queries


def read_co(name: str, text: str) -> Plane:
    """Return the coordinates in a `.co` file. Raises `InputFormatError`, with `name` and line, if it is faulty."""
    xs, ys = array("d"), array("d")
    nodes, number = -1, 0
    for number, line in _lines(text):
        words = line.split()
        if words[0] == "p":
            if nodes >= 0:
                raise InputFormatError("a second line p; expected one", source=name, line=number)
            (nodes,) = _announced(name, number, line, ["p", "aux", "sp", "co"], 1, len(text))
            xs, ys = array("d", [nan]) * nodes, array("d", [nan]) * nodes
            continue
        try:
            letter, node, x, y = words[0], int(words[1]), float(words[2]), float(words[3])
            if letter != "v" or len(words) != 4 or not (abs(x) <= LARGEST and abs(y) <= LARGEST):
                raise ValueError
        except (ValueError, IndexError):
            raise _unlike(name, number, "v NODE X Y", line) from None
        if not 1 <= node <= nodes:
            raise InputFormatError(f"the node is {node}; expected {_range(nodes)}", source=name, line=number)
        xs[node - 1], ys[node - 1] = x, y
    if nodes < 0:
        raise InputFormatError("there is no line p aux sp co NODES", source=name, line=1)
    lacking = next((node for node, x in enumerate(xs, 1) if x != x), None)
    if lacking is not None:
        raise InputFormatError(
            f"the file has no coordinates for node {lacking:,} of {nodes:,}; is it whole?",
            source=name,
            line=number,
        )
    return Plane(xs, ys)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("c"):
            yield number, line


def _announced(name: str, number: int, line: str, head: list[str], count: int, room: int) -> tuple[int, ...]:
    words = line.split()
    numbers = words[len(head) :]
    fits = words[: len(head)] == head and len(numbers) == count
    if not fits or not all(word.isascii() and word.isdigit() and len(word) < 16 for word in numbers):
        raise _unlike(name, number, " ".join([*head, "NODES", "ARCS"][: len(head) + count]), line)
    found = tuple(map(int, numbers))
    if found[0] > MOST_NODES:
        raise InputFormatError(f"{found[0]:,} nodes; at most {MOST_NODES:,} fit", source=name, line=number)
    if found[0] > max(room, FREE_NODES):
        raise InputFormatError(
            f"{found[0]:,} nodes are announced, and the file has {room:,} characters; most nodes can have no line in "
            "it, so expected a smaller number. Is the file whole?",
            source=name,
            line=number,
        )
    return found


def _bad_arc(name: str, number: int, nodes: int, tail: int, head: int, cost: int) -> InputFormatError:
    if nodes < 0:
        return InputFormatError("an arc before the line p sp NODES ARCS", source=name, line=number)
    for what, node in (("tail", tail), ("head", head)):
        if not 1 <= node <= nodes:
            return InputFormatError(
                f"the {what} is {node}; expected {_range(nodes)}", source=name, line=number
            )
    return InputFormatError(f"the cost is {cost}; expected 0 to {MOST}", source=name, line=number)


def _range(nodes: int) -> str:
    return f"a node from 1 to {nodes:,}, which the line p announces"


def _unlike(name: str, number: int, expected: str, line: str) -> InputFormatError:
    shown = line.strip()
    return InputFormatError(
        f"expected {expected}, not {shown if len(shown) <= 40 else shown[:39] + '…'}",
        source=name,
        line=number,
    )
