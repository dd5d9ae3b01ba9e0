"""Every shipped example by every engine gives what is recorded, in Python and as machine code."""

import json

import pytest

from searchkit import load
from tests.golden.rows import examples, key, recorded, recorded_of, result_row, rows_of, searches

EXAMPLES = [pytest.param(kind, name, id=name) for kind, name in examples()]


@pytest.mark.parametrize(("kind", "example"), EXAMPLES)
def test_python(kind: str, example: str) -> None:
    """`python -m tests.golden` shows all differences at once."""
    assert rows_of(kind, example) == recorded_of(example)


@pytest.mark.long
@pytest.mark.parametrize(("kind", "example"), EXAMPLES)
def test_machine_code(kind: str, example: str) -> None:
    """The row of Python holds for machine code, too: status, cost, bound, counters, path and warnings."""
    problem = load(example)
    compiled = {name: row[:-1] for name, row in recorded_of(example).items() if row[-1]}
    found = {
        key(example, engine, options): json.loads(
            json.dumps(result_row(problem, kind, engine, "compiled", options))
        )
        for engine, options in searches()
        if key(example, engine, options) in compiled
    }
    assert found == compiled


def first_of_each_kernel() -> dict[str, tuple[str, str]]:
    """Return for each engine with a kernel the first example that the kernel searches."""
    found: dict[str, tuple[str, str]] = {}
    for kind, example in examples():
        for engine, options in searches():
            row = recorded().get(key(example, engine, options))
            if not options and row is not None and row[-1]:
                found.setdefault(engine, (kind, example))
    return found


KERNELS = [pytest.param(name, *place, id=name) for name, place in sorted(first_of_each_kernel().items())]


@pytest.mark.parametrize(("engine", "kind", "example"), KERNELS)
def test_each_kernel(engine: str, kind: str, example: str) -> None:
    """Each kernel on one example: all of them take long to compile, and are for `--long`."""
    row = result_row(load(example), kind, engine, "compiled", {})
    assert json.loads(json.dumps(row)) == recorded()[key(example, engine, {})][:-1]
