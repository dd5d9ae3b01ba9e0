"""Paths that were read from a table, and tables that are made once for each problem."""

from collections.abc import Callable, Iterable, MutableMapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from searchkit.compiled import is_usable
from searchkit.plugin import InputFormatError, MissingCapabilityError
from searchkit.tree import SearchTree
from searchkit_graph.precomputed.network import Network

Table = TypeVar("Table")
LARGE = 2_000
"""With more states than this, tables are made in machine code if possible: it saves more time than importing Numba
takes."""
MOST_IN_PYTHON = 50_000
"""The most states with which tables are made in Python, which takes minutes."""


class Answerable(Protocol):
    """A problem whose states have numbers."""

    def number(self, state: Any) -> int:
        """Return the number of a state."""
        ...

    def steps(self, numbers: Sequence[int], edges: Sequence[int]) -> tuple[list[Any], list[Any]]:
        """Return the states with these numbers, and of all but the last the action at a place in its successors."""
        ...

    def goal_states(self) -> Sequence[Any]:
        """Return the goals."""
        ...


class Way(NamedTuple):
    """A path."""

    states: list[int]
    edges: list[int]
    """Which edge of each state but the last leads to the next one: 0 for its first."""
    values: list[int]
    """The value of the way to each state."""


def way_along(network: Network, states: list[int], what: str) -> Way:
    """Return the path along some states; of several edges between two of them, it takes the shortest.

    Raises `InputFormatError`, which names `what`, if there is no edge between two of them.
    """
    edges, values = [], [0]
    for tail, head in pairwise(states):
        lengths = [
            (network.value(length), number)
            for number, (other, length) in enumerate(network.edges(tail))
            if other == head
        ]
        if not lengths:
            raise damaged(what)
        value, edge = min(lengths)
        edges.append(edge)
        values.append(values[-1] + value)
    return Way(states, edges, values)


def enter_way(
    problem: Any,
    tree: SearchTree[Any, Any],
    network: Network,
    way: Way,
    starts: Iterable[int],
    goals: Iterable[int],
    value: int,
    what: str,
) -> None:
    """Enter the states of a path into a tree.

    Raises `InputFormatError`, which names `what`, if it does not lead from one of the starts to one of the goals, or
    does not have that value.
    """
    numbers, edges, values = way
    is_path = numbers[0] in starts and numbers[-1] in goals and len(set(numbers)) == len(numbers)
    if not is_path or values[-1] != value:
        raise damaged(what)
    states, actions = problem.steps(numbers, edges)
    costs = map(network.cost, values[1:])
    tree.reached.update(zip(states[1:], zip(costs, states, actions, strict=False), strict=True))
    tree.lower_bound = network.cost(value)
    tree.finish(states[-1])


def damaged(what: str) -> InputFormatError:
    """Return the error of a table that contradicts itself: that of a file may, if it was changed after its check."""
    return InputFormatError(f"the {what} are damaged; make them anew with searchkit precompute")


def table_of(
    kept: MutableMapping[Any, Any],
    key: Any,
    path: Path | None,
    network: Callable[[], Network],
    make: Callable[[Network], Table],
    read: Callable[[Path, Network, Callable[[Network], Table]], Table],
) -> Table:
    """Return the table of a network: at the first use, read from its file, or computed.

    Args:
        kept: where tables are kept for later searches.
        key: under what.
        path: the file, which may not exist; None for none.
        network: makes the network.
        make: makes the table.
        read: reads it; called with the path, the network and `make`.

    """
    if key not in kept:
        graph = network()
        kept[key] = make(graph) if path is None or not path.exists() else read(path, graph, make)
    table: Table = kept[key]
    return table


def is_fast(network: Network, what: str) -> bool:
    """Whether a table is made in machine code.

    Raises `MissingCapabilityError`, which names `what`, for a large network without Numba.
    """
    if network.size > LARGE and is_usable():
        return True
    if network.size > MOST_IN_PYTHON:
        raise MissingCapabilityError(
            f"making {what} of {network.size:,} states takes too long without machine code; install it with: "
            "pip install 'statespace-searchkit[fast]'"
        )
    return False
