"""What the strategies of problems draw, with ten seeds of a hundred draws: `python -m benchmarks shares`.

Measures every strategy of every installed plugin, and the digraphs in each of their modes. The tests require the same
shares with fewer draws (tests/testing/test_shares.py).
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, get_args

from hypothesis.strategies import SearchStrategy
from rich.console import Console
from rich.table import Table

from searchkit import available_problems
from searchkit.testing import Shares, measure_draws
from searchkit.testing.shares.measure import DRAWS, EXPECTED, excused, strategies_of
from searchkit.testing.strategies import weighted_digraphs
from searchkit.testing.strategies.digraphs import Costs, Heuristic

SEEDS = 10

Measured = tuple[str, Callable[[], SearchStrategy[Any]], tuple[str, ...]]


def strategies() -> Iterator[Measured]:
    """Yield the name of each strategy, what makes it, and the shares that nobody expects of it."""
    for spec in available_problems().values():
        for name, make in strategies_of(spec).items():
            yield f"{spec.name}: {name}", make, excused(spec)
    kind: Costs
    for kind in get_args(Costs):
        yield f"digraphs, {kind}", partial(weighted_digraphs, kind), ()
    for heuristic in (False, *get_args(Heuristic)):
        # A heuristic overestimates only at a state that leads to a goal: there always is one that can be reached.
        always = ("unsolvable",) if heuristic == "inadmissible" else ()
        yield (
            f"digraphs, {heuristic or 'no'} heuristic",
            partial(weighted_digraphs, heuristic=heuristic),
            always,
        )


def shown(rows: Sequence[tuple[str, Shares, tuple[str, ...]]]) -> Table:
    """Return the table: a share that is missed is marked, one that nobody expects is in brackets."""
    table = Table(title="What is drawn")
    for heading in (
        "strategy",
        "draws",
        *(f"{name} ≥ {least:.0%}" for name, (least, _, _) in EXPECTED.items()),
    ):
        table.add_column(heading)
    for name, shares, besides in rows:
        cells = [
            f"({share.measured:.0%})"
            if share.name in besides
            else f"{share.measured:.0%}" + ("" if share.met else " missed")
            for share in shares.shares
        ]
        table.add_row(name, str(shares.draws), *cells)
    return table


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if a share is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"seeds from 0 on (default {SEEDS})")
    parser.add_argument("--draws", type=int, default=DRAWS, help=f"problems of each seed (default {DRAWS})")
    parser.add_argument("--strategies", default="", help="only strategies whose name holds this text")
    chosen = parser.parse_args(arguments)
    rows = []
    for name, make, besides in strategies():
        if chosen.strategies in name:
            print(name, file=sys.stderr)
            shares = measure_draws(make(), draws=chosen.draws, seeds=range(chosen.seeds))
            rows.append((name, shares, besides))
    Console(width=160).print(shown(rows))
    return int(any(shares.missed(besides) for _, shares, besides in rows))


if __name__ == "__main__":
    sys.exit(main())
