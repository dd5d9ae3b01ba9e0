"""How many planted defects `check_engine` finds, and with how many seeds: `python -m benchmarks power`.

Each wrong search is checked with the defaults, once for each seed, and counts as found if a promise fails. The second
table is a property test of an A* with a multiplied heuristic, on `mazes()` with 100 examples.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from attrs import field, frozen

from benchmarks.kit import RESULTS, document, keep
from benchmarks.pages import power_lines
from searchkit.testing.engines import EXAMPLES, judge
from searchkit.testing.strategies import mazes
from searchkit.testing.trials import Trial, contender_for
from tests.helpers import drawn
from tests.mutants.power import CORRECT, FUNCTION, PLANTED, WEIGHTS, Planted, first_fault

SEEDS = 20
MAZES = 100
"""Examples of the property test."""
MAZES_SEEDS = 10
"""Of twenty seeds, those with which the property test has to find a weight from 1.5 up; many mazes are small."""


@frozen
class Row:
    """One wrong search: with how many seeds it was caught."""

    table: str
    """`defects`, `mazes` or `correct`."""
    name: str
    form: str
    caught: int
    seeds: int
    to_reach: float
    """The part of the seeds with which it has to be caught."""
    examples: float
    """The median of the problems that were tried until it was."""
    promises: dict[str, int] = field(factory=dict)
    """The promise that failed first → with how many seeds."""

    @property
    def reached(self) -> bool:
        """Whether it was caught as often as it has to be; of a correct search, never."""
        return not self.caught if self.table == "correct" else self.caught >= self.to_reach * self.seeds


def defect(planted: Planted, seeds: int, examples: int = EXAMPLES) -> Row:
    """Check one wrong search with each seed."""
    found = [first_fault(planted.search, examples=examples, seed=seed) for seed in range(seeds)]
    return _row("defects", planted.defect, planted.form, [one for one in found if one], seeds, planted.seeds)


def correct(search: Any, seeds: int) -> Row:
    """Check one correct search with each seed."""
    contender = contender_for(search)
    found = [first_fault(search, seed=seed) for seed in range(seeds)]
    form = FUNCTION if contender.form == FUNCTION else "engine"
    return _row("correct", contender.spec.name.strip(", "), form, [one for one in found if one], seeds, 0)


def weight_on_mazes(planted: Planted, seeds: int) -> Row:
    """Test one weight on the mazes of each seed."""
    found = [fault for seed in range(seeds) if (fault := _on_mazes(planted, seed))]
    to_reach = 0 if planted.defect == WEIGHTS[0] else MAZES_SEEDS
    return _row("mazes", planted.defect, planted.form, found, seeds, to_reach)


def _on_mazes(planted: Planted, seed: int) -> tuple[str, int] | None:
    contender = contender_for(planted.search)
    for number, maze in enumerate(drawn(mazes(), MAZES, seed), 1):
        found = judge(Trial(contender, maze), ["optimal"]).get("optimal")
        if found is not None and found.outcome == "fails":
            return "optimal", number
    return None


def _row(table: str, name: str, form: str, found: list[tuple[str, int]], seeds: int, of_twenty: int) -> Row:
    tried = median(number for _, number in found) if found else 0
    promises = dict(Counter(promise for promise, _ in found).most_common())
    return Row(table, name, form, len(found), seeds, of_twenty / SEEDS, tried, promises)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables, and keep them if all of it was measured; return 1 if a defect is caught too rarely."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"seeds from 0 on (default {SEEDS})")
    parser.add_argument(
        "--mutants", default="", help="only defects whose name holds this text; nothing is kept"
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder for the figures")
    chosen = parser.parse_args(arguments)
    rows = []
    for planted in PLANTED:
        if chosen.mutants in planted.defect:
            rows.append(_told(defect(planted, chosen.seeds)))
    for planted in PLANTED:
        if planted.defect in WEIGHTS and planted.form == FUNCTION and chosen.mutants in planted.defect:
            rows.append(_told(weight_on_mazes(planted, chosen.seeds)))
    if not chosen.mutants:
        rows += [_told(correct(search, chosen.seeds)) for search in CORRECT]
        data = document(rows, examples=EXAMPLES)
        keep("power", data, chosen.results)
        print("\n".join(power_lines(data)))
    return int(not all(row.reached for row in rows))


def _told(row: Row) -> Row:
    print(f"{row.table}: {row.name}, {row.form}: {row.caught} of {row.seeds}", file=sys.stderr)
    return row


if __name__ == "__main__":
    sys.exit(main())
