"""The rows of the golden file: how they are made, read and written."""

import gzip
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from searchkit import Limits, Search, SearchProblem, available_engines, available_problems, load, solve
from searchkit.errors import MissingCapabilityError, SearchkitError

FILE = Path(__file__).with_name("golden.json.gz")
EXPANSIONS, BRANCHING = 1_000, {"crossing": 2, "eight_queens": 300}
"""Where a search is cut off, and where that of an example is whose states have many successors, up to thousands."""
LARGE = {"warehouse", "random32"}
"""Examples of robots whose first states have too many successors for engines that expand them whole."""
TIES = ("fifo", "low-h")
"""The values of the option `ties` that are recorded besides the default."""

Row = list[Any]
"""Status, cost, lower bound, expanded, generated, number of actions, first and last action, warnings, and whether
machine code that is written by hand can search it, too."""


def examples() -> Iterator[str]:
    """Yield the name of each shipped example that has rows."""
    for spec in available_problems().values():
        yield from (example.name for example in spec.examples if example.name not in LARGE)


def searches() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each engine with the options for which there are rows.

    Engines on disk are left out: where they are cut off depends on how many workers there are.
    """
    for name, spec in available_engines().items():
        if spec.machine_code_only:
            continue
        yield name, {}
        if any(option.name == "ties" for option in spec.options):
            for value in TIES:
                yield name, {"ties": value}


def key(example: str, engine: str, options: Mapping[str, str]) -> str:
    """Return the name of a row."""
    return " ".join([example, engine, *(f"{name}={value}" for name, value in options.items())])


def result_row(
    problem: SearchProblem[Any, Any], example: str, engine: str, backend: str, options: Any
) -> Row:
    """Return what a search gives: of a search that raises, the name of its error. Without the last column.

    Raises `MissingCapabilityError` if the engine, by this backend, does not fit the problem.
    """
    try:
        result = solve(
            problem,
            engine,
            backend=backend,
            limits=Limits(expansions=BRANCHING.get(example, EXPANSIONS)),
            **options,
        ).to_dict()
    except MissingCapabilityError:
        raise
    except SearchkitError as error:
        return [type(error).__name__]
    counters, actions = result["statistics"], result["actions"]
    return [
        *(result["status"], result["cost"], result["lower_bound"]),
        *(counters["expanded"], counters["generated"], len(actions)),
        *(actions[:1] + actions[-1:] or [None, None]),
        result["warnings"],
    ]


def has_machine_code(problem: SearchProblem[Any, Any], engine: str, options: Any) -> bool:
    """Whether a search can be machine code that is written by hand, as far as is known before it runs."""
    if available_engines()[engine].kernel_needs_view and not hasattr(problem, "compiled"):
        return False
    try:
        Search(problem, engine, backend="compiled", **options)
    except MissingCapabilityError:
        return False
    return True


def rows_of(example: str, with_options: bool) -> dict[str, Row]:
    """Return the rows of an example with the default options, or with others, as its searches in Python are now."""
    problem, rows = load(example), {}
    for engine, options in searches():
        if bool(options) != with_options:
            continue
        try:
            row = result_row(problem, example, engine, "python", options)
        except MissingCapabilityError:
            continue
        compiled = has_machine_code(problem, engine, options)
        rows[key(example, engine, options)] = json.loads(json.dumps([*row, compiled]))
    return rows


@cache
def recorded() -> dict[str, Row]:
    """Return the rows of the file."""
    return dict(json.loads(gzip.decompress(FILE.read_bytes())))


def recorded_of(example: str) -> dict[str, Row]:
    """Return the rows of one example in the file."""
    return {name: row for name, row in recorded().items() if name.split()[0] == example}


def write(rows: Mapping[str, Row]) -> None:
    """Write the file. The same rows give the same bytes."""
    text = json.dumps(rows, indent=0, sort_keys=True)
    FILE.write_bytes(gzip.compress(text.encode(), mtime=0))
