"""Edge lists: a text of lines `tail head cost`."""

import csv
import re
from ast import literal_eval
from collections.abc import Iterator
from math import inf
from typing import NoReturn

from attrs import Factory, define, evolve

from searchkit.plugin import InputFormatError, shortened
from searchkit_graph.formats.listing import Listing
from searchkit_graph.network import LARGEST, MOST, EdgeList

WORDS = ("start", "goal", "node", "undirected")
"""The first words of lines before the first edge."""
EXPECTED = "expected an edge, tail head cost"
COMMENT = re.compile(r"(^|\s)#.*")
SAMPLE = 1 << 16
"""The number of characters that are examined."""
WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
NUMBER = re.compile(r"0|-?[1-9]\d{0,999}", re.ASCII)
"""A name that is a number. If all names are, the nodes are integers. (Python reads up to 4300 digits.)"""


def is_edge_list(text: str) -> bool:
    """Whether a text looks like an edge list.

    Its first line is `start`, `goal`, `node` or `undirected`; or all lines are edges between numbers, or edges with
    attributes, as networkx writes them.
    """
    lines = [words for _, words in _lines(text[:SAMPLE])]
    if not lines:
        return False
    first = lines[0]
    if first[0] in WORDS and len(first) == {"undirected": 1, "node": 4}.get(first[0], 2):
        return True
    lines = lines[:-1] if len(text) > SAMPLE else lines
    if all(len(words) > 2 and words[2].startswith("{") for words in lines):
        return True
    if not all(map(NUMBER.fullmatch, first[:2])) or len(lines) < 2:
        return False
    numbers = [word for words in lines for word in words]
    twice = len(numbers) - len(set(numbers))
    is_board = set(numbers) <= set(map(str, range(len(numbers)))) and twice <= (len(numbers) >= 9)
    return not is_board and {len(words) for words in lines} in ({2}, {3})


@define
class _Reader:
    """The state of reading an edge list."""

    source: str
    line: int = 0
    starts: dict[str, int] = Factory(dict)
    goals: dict[str, int] = Factory(dict)
    undirected: bool = False
    """Networkx writes each edge of an undirected graph once: in its lists with attributes, edges have no direction."""
    places: dict[str, tuple[float, float]] = Factory(dict)
    edges: EdgeList = Factory(EdgeList)
    costly: bool | None = None
    """Whether edges have costs; None before the first edge."""

    def fail(self, message: str) -> NoReturn:
        raise InputFormatError(message, source=self.source, line=self.line)

    def read(self, words: list[str]) -> None:
        if self.costly is None and words[0] in WORDS:
            self.directive(words[0], words[1:])
        elif len(words) > 2 and words[2].startswith("{"):
            self.edge_of_networkx(words)
        elif len(words) == 3 or len(words) == 2:
            self.edge(words)
        elif words[0] in WORDS:
            self.fail(
                f"{shortened(' '.join(words))} comes after an edge; move lines with {', '.join(WORDS)} to the top"
            )
        else:
            self.fail(
                f"the line has {len(words)} word{'s' * (len(words) > 1)}; {EXPECTED} (or tail head in a graph without "
                "costs); names have no spaces"
            )

    def directive(self, word: str, rest: list[str]) -> None:
        if word in ("start", "goal"):
            if len(rest) != 1:
                self.fail(f"expected {word} NAME, one name a line")
            (self.starts if word == "start" else self.goals).setdefault(rest[0], self.line)
        elif word == "undirected":
            if rest:
                self.fail("expected undirected alone on its line")
            self.undirected = True
        else:
            self.declare(rest)

    def declare(self, rest: list[str]) -> None:
        if len(rest) not in (1, 3):
            self.fail("expected node NAME or node NAME X Y")
        if rest[0] in self.edges.numbers:
            self.fail(f"the node {rest[0]} is there twice; expected each node once")
        self.edges.node(rest[0])
        if len(rest) == 3:
            try:
                x, y = map(float, rest[1:])
            except ValueError:
                x = y = inf
            if not (abs(x) <= LARGEST and abs(y) <= LARGEST):
                self.fail(f"the coordinates are {shortened(' '.join(rest[1:]))!r}; expected two numbers")
            self.places[rest[0]] = x, y

    def edge_of_networkx(self, words: list[str]) -> None:
        try:
            attributes = literal_eval(" ".join(words[2:]))
            weight = attributes.get("weight")
        except (ValueError, SyntaxError, AttributeError, RecursionError, MemoryError):
            self.fail(
                f"{shortened(' '.join(words[2:]))} is not a dictionary, as networkx writes attributes of an edge"
            )
        self.undirected = self.undirected or self.costly is None
        self.edge(words[:2] if weight is None else [*words[:2], repr(weight)])

    def edge(self, words: list[str]) -> None:
        if self.costly is None:
            self.costly = len(words) == 3
        elif self.costly != (len(words) == 3):
            has, others = ("a", "none") if len(words) == 3 else ("no", "one")
            heading = (
                "; if the line above is a heading, begin it with #" if len(set(self.edges.tails)) == 1 else ""
            )
            self.fail(
                f"this edge has {has} cost, and the edges above have {others}; give all a cost, or none{heading}"
            )
        tail, head, cost = words[0], words[1], self.cost(words[2]) if self.costly else None
        self.edges.add(tail, head, cost)
        if self.undirected and tail != head:
            self.edges.add(head, tail, cost)

    def cost(self, word: str) -> int | float:
        try:
            cost = int(word) if WHOLE.fullmatch(word) else float(word)
        except ValueError:
            cost = -1
        if not 0 <= cost < inf or (isinstance(cost, int) and cost > MOST):
            self.fail(f"the cost is {shortened(word)!r}; expected a number ≥ 0, or an integer up to {MOST}")
        return cost

    def listing(self) -> Listing:
        lacking = next((name for name in self.edges.numbers if self.places and name not in self.places), None)
        if lacking is not None:
            raise InputFormatError(
                f"the node {lacking} has no coordinates, and others have; say node {lacking} X Y before the edges",
                source=self.source,
            )
        network = self.edges.network().located(self.places or None)
        if all(map(NUMBER.fullmatch, self.edges.numbers)):
            network = evolve(network, names=list(map(int, self.edges.numbers)))
        return Listing(self.source, network, self.starts, self.goals)


def read_edge_list(name: str, text: str) -> Listing:
    """Return the graph of an edge list. Raises `InputFormatError`, with `name` and line, if it is faulty.

    Lines before the first edge may name starts (`start A`), goals (`goal B`) and coordinates (`node A 3 4`), and
    declare the graph `undirected`. `#` begins a comment.
    """
    reader = _Reader(name, undirected=text.startswith("% sym"))  # Konect's first line
    for reader.line, words in _lines(text):
        reader.read(words)
    if not reader.edges.numbers:
        raise InputFormatError(f"the file holds no edge; {EXPECTED}, one a line", source=name, line=1)
    return reader.listing()


def read_table(name: str, text: str, weight: str) -> Listing:
    """Return the graph of a table of edges (CSV). Raises `InputFormatError` if it is faulty.

    Its columns are tail, head and cost; or a heading names them: `source`, `target` and `weight`, or words like these.
    Another `weight` is the heading of the costs. A column `type`, as Gephi writes it, says which edges are undirected.
    """
    reader = _Reader(name)
    columns: list[int | None] = [0, 1, 2, None]
    headings = (*ENDS, COSTS if weight == "weight" else {weight.lower()}, {"type"})
    # Where commas are in numbers, Excel writes semicolons.
    delimiter = max(",;\t", key=text.strip().partition("\n")[0].count)
    try:
        for reader.line, row in enumerate(csv.reader(text.split("\n"), delimiter=delimiter), 1):
            cells = [cell.strip() for cell in row]
            low = [cell.lower() for cell in cells]
            if not any(cells):
                continue
            if not reader.edges.tails and all(set(low) & names for names in ENDS):
                columns = [
                    next((low.index(word) for word in low if word in names), None) for names in headings
                ]
                if columns[2] is None and len(list(filter(None, low))) > 2:
                    reader.fail(
                        f"no column is called {weight}; name the one of the costs with --set weight=NAME"
                    )
                continue
            tail, head, cost, kind = (
                cells[at] if at is not None and at < len(cells) else "" for at in columns
            )
            if not (tail and head):
                reader.fail("the row lacks its tail or head; expected tail,head,cost or tail,head")
            reader.undirected = kind.lower() == "undirected"
            reader.edge([tail, head, cost] if cost else [tail, head])
    except csv.Error as error:
        reader.fail(f"the next row can't be read: {error}; expected tail,head,cost")
    if not reader.edges.tails:
        raise InputFormatError("the table holds no edge; expected rows tail,head,cost", source=name, line=1)
    return reader.listing()


ENDS = (
    {"source", "tail", "from", "start", "node1", "u"},
    {"target", "head", "to", "end", "destination", "node2", "v"},
)
COSTS = {"weight", "cost", "length", "distance"}
"""The headings of the columns of a table."""


def read_adjacency(name: str, text: str) -> Listing:
    """Return the graph of an adjacency list of networkx: in each line a node and its neighbours; edges of cost 1."""
    reader = _Reader(name, undirected=True)
    for reader.line, words in _lines(text):
        reader.edges.node(words[0])
        for head in words[1:]:
            reader.edge([words[0], head])
    return reader.listing()


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("%"):  # a comment, in Konect's files and in Matrix Market
            continue
        words = (COMMENT.sub("", line) if "#" in line else line).split()
        if words:
            yield number, words
