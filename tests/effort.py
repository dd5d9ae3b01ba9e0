"""How many examples a property is tried on: a share of what it asks for in the suite, and more in `./run fuzz`.

`max_examples` of a test is what one thorough look takes. The suite takes a twentieth of it, and the same examples in
each run, so that a change that was green stays green. What chance can find is looked for by `./run fuzz`, which tries
more examples, and others each time. Tests that do not call Hypothesis themselves ask for their share: by the fixture
`share`, or, for an argument `seed`, by `@pytest.mark.seeds(11)`. Of a test with many costly cases that are alike, the
suite runs one in n: `@pytest.mark.one_in(3)`; and it leaves out a test marked `long`, whose parts other tests try, and
what `tests/long.py` names. Of a property that is tried for each engine or each kind of problem, and costs more
there, `@pytest.mark.fewest(3)` says how few examples of each case will do.
`./run test --long` runs what the suite leaves out, and nothing else; CI runs both. `./run fuzz` runs all.
"""

from collections import Counter
from collections.abc import Callable
from math import inf
from random import Random
from time import time
from typing import Any

import pytest
from hypothesis import settings

from tests.long import is_long

SHARE = 0.05
"""Of the examples that a property asks for, how many the suite tries."""
FEWEST = 5
"""A property that asks for no more examples than this is tried on all of them."""
SEEDS = 1
"""With how many seeds the suite runs a test that asks for more: each of its cases is run at least once."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option by which `./run fuzz` tries more."""
    parser.addoption(
        "--effort",
        type=float,
        default=SHARE,
        help=f"examples of each property, as a share of its max_examples (default: {SHARE})",
    )
    parser.addoption(
        "--until", type=float, help="begin no test after this time, in random order (for ./run fuzz)"
    )
    parser.addoption(
        "--long", action="store_true", help="run the tests that the suite leaves out, and no others"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Set the number of examples of each property, and mark all tests that do more with more effort."""
    effort = config.getoption("--effort")
    beyond = _beyond(items)
    if config.getoption("--long"):
        left_out = [item for item in items if item not in beyond]
    else:
        left_out = [item for item in items if item in beyond and effort < 1]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]
    if config.getoption("--until"):
        Random(config.getoption("--hypothesis-seed")).shuffle(items)
    done = set[int]()
    for item in items:
        if item.get_closest_marker("seeds") or "share" in getattr(item, "fixturenames", ()):
            item.add_marker("thorough")
        function = getattr(item, "obj", None)
        held = getattr(function, "_hypothesis_internal_use_settings", None)
        if held is None or not hasattr(function, "hypothesis"):
            continue
        item.add_marker("thorough")
        function = getattr(function, "__func__", function)  # of a method: it is the class's
        if id(function) not in done:  # a test with parameters is several items
            done.add(id(function))
            fewest = item.get_closest_marker("fewest")
            set_effort(function, effort, FEWEST if fewest is None else fewest.args[0])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what is left when the time is over."""
    if time() > (item.config.getoption("--until") or inf):
        pytest.skip("the time is over")


def _beyond(items: list[pytest.Item]) -> set[pytest.Item]:
    """Return what the suite leaves out: what is long, and of tests marked `one_in(n)` all but each n-th case."""
    beyond, seen = set(), Counter[str]()
    for item in items:
        path = item.path.relative_to(item.config.rootpath).as_posix()
        marker, test = item.get_closest_marker("one_in"), f"{path}::{item.name.partition('[')[0]}"
        is_one = marker is None or seen[test] % marker.args[0] == 0
        seen[test] += marker is not None
        if item.get_closest_marker("long") or not is_one or is_long(path, item.name):
            beyond.add(item)
        if item.get_closest_marker("long") or marker is not None:
            item.add_marker("thorough")
    return beyond


def set_effort(function: Any, effort: float, fewest: int = FEWEST) -> None:
    """Set the examples of one property (a function decorated with `given`)."""
    held = function._hypothesis_internal_use_settings
    asked = vars(function).setdefault("asked_examples", held.max_examples)
    function._hypothesis_internal_use_settings = settings(held, max_examples=examples(asked, effort, fewest))


def examples(asked: int, effort: float, fewest: int = FEWEST) -> int:
    """Return how many examples to try of those that a property asks for."""
    return max(min(asked, fewest), round(asked * effort))


@pytest.fixture
def share(request: pytest.FixtureRequest) -> Callable[[int], int]:
    """Return what says how many examples a check is given of those that it asks for."""
    effort = request.config.getoption("--effort")
    return lambda asked: examples(asked, effort)


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> int:
    """Return the seed of a check: another one in `./run fuzz`."""
    return int(request.config.getoption("--hypothesis-seed") or 0)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marks."""
    config.addinivalue_line("markers", "thorough: set by tests/effort.py for what does more with more effort")
    config.addinivalue_line(
        "markers", "long: run with --long, or with an effort of 1 or more, as by ./run fuzz"
    )
    config.addinivalue_line(
        "markers", "one_in(n): of the cases of this test, the suite runs one in n, and --long the others"
    )
    config.addinivalue_line(
        "markers",
        "fewest(n): with little effort, try n examples of this property, or its share if that is more",
    )
    config.addinivalue_line(
        "markers", "seeds(number): run with each seed from 0; the suite takes the first few"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test its seeds."""
    marker = metafunc.definition.get_closest_marker("seeds")
    if marker is not None:
        (number,) = marker.args
        metafunc.parametrize("seed", range(number if metafunc.config.getoption("--effort") >= 1 else SEEDS))
