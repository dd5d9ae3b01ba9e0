"""Which planted defects are found: `found.json` is the record, `python -m tests.mutants.found` writes it anew.

The record was made when the checks were known to be strong. `test_found.py` fails if a later state of the project finds
fewer. An entry may leave the record only with the mechanism that it was planted in.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import Phase

from searchkit.testing import CheckFailure, check_heuristic, check_problem, reports, strategies
from tests.mutants import heuristics, memory, power, problems
from tests.mutants.engines import MUTANTS
from tests.mutants.ladders import installed, ladders
from tests.mutants.power import first_fault

RECORD = Path(__file__).with_name("found.json")
SEEDS = 3

Find = Callable[[int], bool]
"""Whether the check of a defect with this seed fails."""


def _by_promise(engine: Any, promise: str) -> Find:
    return lambda seed: first_fault(engine, promises=[promise], seed=seed) is not None


def _by_any(engine: Any) -> Find:
    return lambda seed: first_fault(engine, seed=seed) is not None


def _problem(name: str, promises: tuple[str, ...]) -> Find:
    def find(seed: int) -> bool:
        with installed():
            try:
                check_problem(ladders(getattr(problems, name)), seed=seed)
            except CheckFailure as failure:
                return set(promises) <= {check.name for check in failure.report.failures}
        return False

    return find


def _heuristic(mutant: heuristics.Mutant) -> Find:
    def find(seed: int) -> bool:
        strategy = getattr(strategies, mutant.strategy)(size=7)
        try:
            check_heuristic(strategy, mutant.heuristic, promises=[mutant.promise], seed=seed)
        except CheckFailure:
            return True
        return False

    return find


DEFECTS: Mapping[str, Mapping[str, Find]] = {
    "check_engine, defaults": {
        f"{planted.defect}, {planted.form}": _by_any(planted.search) for planted in power.PLANTED
    },
    "check_engine, by promise": {
        **{mutant.name: _by_promise(mutant.engine, mutant.promise) for mutant in MUTANTS},
        **{name: _by_promise(*mutant) for name, mutant in memory.MUTANTS.items()},
    },
    "check_problem": {name: _problem(name, promises) for name, promises in problems.MUTANTS.items()},
    "check_heuristic": {mutant.name: _heuristic(mutant) for mutant in heuristics.MUTANTS},
}
"""Check → name of the defect → how it is found."""


def is_found(check: str, name: str, seed: int) -> bool:
    """Whether a check finds a defect with a seed; the case is not made smaller, which takes most of the time."""
    with patch.object(reports, "PHASES", (Phase.generate,)):
        return DEFECTS[check][name](seed)


def record() -> Mapping[str, Mapping[str, int]]:
    """Return the record: check → name of the defect → the number of seeds, from 0 on, with which it is found."""
    found: Mapping[str, Mapping[str, int]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    counts = {
        check: {name: sum(is_found(check, name, seed) for seed in range(SEEDS)) for name in defects}
        for check, defects in DEFECTS.items()
    }
    RECORD.write_text(json.dumps(counts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
