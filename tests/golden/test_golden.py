"""Every shipped example by every engine gives what is recorded, in Python and as machine code."""

import json

import pytest

from searchkit import load
from tests.golden.rows import examples, key, recorded, recorded_of, result_row, rows_of

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


def first_of_each_kernel() -> dict[str, str]:
    """Return for each engine with a kernel the first example that the kernel searches."""
    found: dict[str, str] = {}
    for example in EXAMPLES:
        for name, row in recorded_of(example).items():
            if row[-1] and "=" not in name:
                found.setdefault(name.split()[1], example)
    return found


@pytest.mark.long
@pytest.mark.parametrize(("engine", "example"), sorted(first_of_each_kernel().items()))
def test_each_kernel(engine: str, example: str) -> None:
    """The row of Python holds for machine code, too: status, cost, bound, counters, path and warnings."""
    row = result_row(load(example), example, engine, "compiled", {})
    assert json.loads(json.dumps(row)) == recorded()[key(example, engine, {})][:-1]
