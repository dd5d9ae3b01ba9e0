"""Every shipped example by every engine gives what is recorded, in Python and as machine code."""

import json

import pytest

from searchkit import load
from tests.golden.rows import examples, key, recorded, recorded_of, result_row, rows_of, searches

EXAMPLES = list(examples())


@pytest.mark.parametrize("example", EXAMPLES)
def test_python(example: str) -> None:
    """`python -m tests.golden` shows all differences at once."""
    rows = recorded_of(example)
    assert rows_of(example, with_options=False) == {name: rows[name] for name in rows if "=" not in name}


@pytest.mark.long
@pytest.mark.parametrize("example", EXAMPLES)
def test_ties(example: str) -> None:
    """The orders of equal priorities that are not the default."""
    rows = recorded_of(example)
    assert rows_of(example, with_options=True) == {name: rows[name] for name in rows if "=" in name}


@pytest.mark.long
@pytest.mark.parametrize("example", EXAMPLES)
def test_machine_code(example: str) -> None:
    """The row of Python holds for machine code, too: status, cost, bound, counters, path and warnings."""
    problem = load(example)
    compiled = {name: row[:-1] for name, row in recorded_of(example).items() if row[-1]}
    found = {
        key(example, engine, options): json.loads(
            json.dumps(result_row(problem, example, engine, "compiled", options))
        )
        for engine, options in searches()
        if key(example, engine, options) in compiled
    }
    assert found == compiled


def first_of_each_kernel() -> dict[str, str]:
    """Return for each engine with a kernel the first example that the kernel searches."""
    found: dict[str, str] = {}
    for example in examples():
        for engine, options in searches():
            row = recorded().get(key(example, engine, options))
            if not options and row is not None and row[-1]:
                found.setdefault(engine, example)
    return found


@pytest.mark.parametrize(("engine", "example"), sorted(first_of_each_kernel().items()))
def test_each_kernel(engine: str, example: str) -> None:
    """Each kernel on one example: all of them take long to compile, and are for `--long`."""
    row = result_row(load(example), example, engine, "compiled", {})
    assert json.loads(json.dumps(row)) == recorded()[key(example, engine, {})][:-1]
