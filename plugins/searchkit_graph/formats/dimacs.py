"""The file formats of the ninth DIMACS challenge, on shortest paths: graphs (`.gr`) and coordinates (`.co`).

`p sp 3 2` announces 3 nodes, numbered from 1, and 2 arcs; `a 1 2 7` is the arc from 1 to 2 of length 7. In a file of
coordinates `p aux sp co 3` announces 3 nodes, and `v 1 -73530767 41085396` gives those of node 1. `c` begins a comment.
(C. Demetrescu, A. Goldberg, D. Johnson (eds.): The Shortest Path Problem, 2009.)
"""

from array import array
from collections.abc import Iterator
from math import nan

from searchkit.plugin import InputFormatError, Query, shortened
from searchkit_graph.network import LARGEST, MOST, Network, Plane, network_of

MOST_NODES = 2**32 - 1
FREE_NODES = 1_000_000
"""The number of nodes that any file may announce; with more nodes, a file must have at least as many characters. So a
short file can't allocate gigabytes."""


def is_dimacs(text: str) -> bool:
    """Whether a text begins like a graph of this format, valid or not."""
    for line in text.split("\n", 1000)[:1000]:  # comments may come first
        words = line.split()
        if words and words[0] != "c":
            return words[:2] == ["p", "sp"]
    return False


def read_gr(name: str, text: str) -> Network:
    """Return the graph in a `.gr` file. Raises `InputFormatError`, with `name` and line, if it is faulty."""
    tails, heads, costs = array("I"), array("I"), array("q")
    nodes = arcs = number = 0
    for number, words in _records(name, text, "p sp NODES ARCS", "a TAIL HEAD COST"):
        if words[0] == "p":
            nodes, arcs = map(int, words[2:])
            continue
        try:
            tail, head, cost = int(words[1]), int(words[2]), int(words[3])
        except ValueError:
            raise _unlike(name, number, "a TAIL HEAD COST", words) from None
        if not (0 < tail <= nodes and 0 < head <= nodes and 0 <= cost <= MOST and len(tails) < arcs):
            fault = f"this is arc {arcs + 1:,}, and the line p sp announces {arcs:,}; correct it there"
            if not 0 <= cost <= MOST:
                fault = f"the cost is {cost}; expected 0 to {MOST}"
            for what, node in (("head", head), ("tail", tail)):
                fault = fault if 0 < node <= nodes else f"the {what} is {node}; expected {_range(nodes)}"
            raise InputFormatError(fault, source=name, line=number)
        tails.append(tail - 1)
        heads.append(head - 1)
        costs.append(cost)
    if len(tails) < arcs:
        raise InputFormatError(
            f"the file ends after {len(tails):,} of the {arcs:,} arcs that the line p sp announces; is it whole?",
            source=name,
            line=number,
        )
    return network_of(range(1, nodes + 1), tails, heads, costs)


def read_co(name: str, text: str) -> Plane:
    """Return the coordinates in a `.co` file. Raises `InputFormatError`, with `name` and line, if it is faulty."""
    xs, ys, number = array("d"), array("d"), 0
    for number, words in _records(name, text, "p aux sp co NODES", "v NODE X Y"):
        if words[0] == "p":
            xs, ys = array("d", [nan]) * int(words[4]), array("d", [nan]) * int(words[4])
            continue
        try:
            node, x, y = int(words[1]), float(words[2]), float(words[3])
        except ValueError:
            raise _unlike(name, number, "v NODE X Y", words) from None
        if not (abs(x) <= LARGEST and abs(y) <= LARGEST):
            raise _unlike(name, number, "v NODE X Y", words)
        if not 1 <= node <= len(xs):
            raise InputFormatError(
                f"the node is {node}; expected {_range(len(xs))}", source=name, line=number
            )
        xs[node - 1], ys[node - 1] = x, y
    lacking = next((node for node, x in enumerate(xs, 1) if x != x), None)
    if lacking is not None:
        raise InputFormatError(
            f"the file has no coordinates for node {lacking:,} of {len(xs):,}; is it whole?",
            source=name,
            line=number,
        )
    return xs, ys


def read_queries(name: str, text: str) -> list[Query]:
    """Return the queries of a `.p2p` or `.ss` file: `q FROM TO` or `s FROM` in a line. Raises `InputFormatError`."""
    queries = []
    for number, line in enumerate(text.split("\n"), 1):
        letter, *words = line.split() or ["c"]
        if letter[0] in "cp":
            continue
        if {"q": 2, "s": 1}.get(letter) != len(words) or not all(map(_is_number, words)):
            raise _unlike(name, number, "q FROM TO, or s FROM", [letter, *words])
        start, goal = (*map(int, words), None)[:2]
        queries.append(Query(number, start, goal, nan, 0))
    if not queries:
        raise InputFormatError("there is no query in it; expected lines q FROM TO, or s FROM", source=name)
    return queries


def _records(name: str, text: str, head: str, form: str) -> Iterator[tuple[int, list[str]]]:
    """Yield number and words of the line `p`, which comes first and once, and of the others, which have a form.

    Raises `InputFormatError` for other lines, and if the number of nodes in line `p` is not possible.
    """
    letter, count, begun = form[0], len(form.split()), False
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split()
        if begun and len(words) == count and words[0] == letter:
            yield number, words
        elif not words or words[0][0] == "c":
            continue
        elif words[0] == "p":
            if begun:
                raise InputFormatError("a second line p; expected one", source=name, line=number)
            _check_announced(name, number, head, words, len(text))
            begun = True
            yield number, words
        elif words[0] != letter or len(words) != count:
            expected = form if words[0] == letter else f"c, {head} or {letter} at the beginning of the line"
            raise _unlike(name, number, expected, words)
        else:
            raise InputFormatError(f"{form} before the line {head}", source=name, line=number)
    if not begun:
        raise InputFormatError(f"there is no line {head}", source=name, line=1)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 16


def _check_announced(name: str, number: int, head: str, words: list[str], room: int) -> None:
    """Raise `InputFormatError` if a line `p` is invalid, or announces too many nodes for `room` characters."""
    begin = sum(map(str.islower, head.split()))
    numbers = words[begin:]
    if (
        words[:begin] != head.split()[:begin]
        or not all(map(_is_number, numbers))
        or len(words) != len(head.split())
    ):
        raise _unlike(name, number, head, words)
    most = min(MOST_NODES, max(room, FREE_NODES))
    if int(numbers[0]) > most:
        raise InputFormatError(
            f"{int(numbers[0]):,} nodes are announced; expected at most {most:,} in a file of {room:,} characters",
            source=name,
            line=number,
        )


def _range(nodes: int) -> str:
    return f"a node from 1 to {nodes:,}, which the line p announces"


def _unlike(name: str, number: int, expected: str, words: list[str]) -> InputFormatError:
    return InputFormatError(
        f"expected {expected}, not {shortened(' '.join(words), 40)}", source=name, line=number
    )
