"""The identity of a problem: equal for equal problems in every process, different for different ones."""

import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import pytest
from attrs import define

from searchkit import SearchProblem, available_problems, load, problem_from
from searchkit.errors import InvalidProblemError
from searchkit.saving.identity import identity


class Roads(SearchProblem[str, str]):
    """A map in a dictionary, and what its heuristic keeps."""

    def __init__(self, roads: dict[str, Any], towns: Any = frozenset({"A", "B", "C"})):
        self.roads, self.towns = roads, towns

    def initial_states(self) -> list[str]:
        return ["A"]

    def successors(self, state: str) -> list[tuple[str, str]]:
        return [(to, to) for to in self.roads[state]]

    def is_goal(self, state: str) -> bool:
        return state == "B"

    @cached_property
    def count(self) -> int:
        """The number of towns."""
        return len(self.roads)


class Named(Roads):
    """A problem that says what it is."""

    def __init__(self, name: object, roads: dict[str, Any]):
        super().__init__(roads)
        self.name, self.cache = name, object()

    def file_identity(self) -> object:
        """Return its name."""
        return self.name


@define
class Town:
    """An attribute that is an instance."""

    name: str
    beside: Any = None


def line(last: int, step: int = 1) -> SearchProblem[int, int]:
    """Return a problem made of functions with free variables."""
    return problem_from([0], lambda n: [(step, n + step)], lambda n: n == last)


DIFFERENT: list[Callable[[], Any]] = [
    lambda: Roads({"A": ["B"], "B": []}),
    lambda: Roads({"A": ["B"], "B": ["A"]}),
    lambda: Roads({"A": ("B",), "B": []}),
    lambda: Roads({"B": [], "A": ["B"]}),  # the order of successors, perhaps
    lambda: Roads({}, {1, 2}),
    lambda: Roads({}, frozenset({1, 2})),
    lambda: Roads({}, {"1", "2"}),
    lambda: Roads({}, (1, 2)),
    lambda: Roads({}, (1.0, 2)),
    lambda: Roads({}, (True, 2)),
    lambda: Roads({}, Fraction(1, 2)),
    lambda: Roads({}, np.array([1, 2])),
    lambda: Roads({}, np.array([1, 2], dtype=np.int8)),
    lambda: Roads({}, np.array([1, 3])),
    lambda: Roads({}, Town("A")),
    lambda: Roads({}, Town("A", Town("B"))),
    lambda: Named("one", {}),
    lambda: Named("two", {}),
    lambda: line(5),
    lambda: line(6),
    lambda: line(5, 2),
    lambda: problem_from([0], lambda n: [(1, n + 1)], lambda n: n == 5, heuristic=abs),
    lambda: problem_from([0], lambda n: [(1, n + 1)], lambda n: n == 5, heuristic={0: 1}.__getitem__),
    lambda: problem_from([0], lambda n: [(1, n + 1)], lambda n: n == 5, heuristic={0: 2}.__getitem__),
    lambda: problem_from([0], lambda n: [(1, n + 1)], lambda n: n < 5),
    *(lambda name=name: load(name) for name in ("crossing", "queens")),
    lambda: load("queens", n=5),
]


def short(make: Callable[[], Any]) -> str:
    """Return the identity as one word."""
    found = identity(make())
    return f"{found.digest}{found.code}"


def test_equal_problems_have_equal_identities_in_every_process() -> None:
    """And others have different ones; sets are iterated over in another order in another process."""
    found = list(map(short, DIFFERENT))
    assert list(map(short, DIFFERENT)) == found
    assert len(set(found)) == len(DIFFERENT)
    script = "from tests.saving.test_identity import *; print(*map(short, DIFFERENT))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONHASHSEED": "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout.split() == found


def test_a_search_does_not_change_the_identity() -> None:
    """What a property keeps of a computation, and what `file_identity` leaves out, is not part of it."""
    roads, named = Roads({"A": []}), Named("one", {})
    before = identity(roads), identity(named)
    assert roads.count == 1
    named.roads["A"] = []
    assert (identity(roads), identity(named)) == before


def test_the_last_class_that_shares_a_method_does_not_change_the_identity(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In Python 3.13, attrs gives all its classes one method `__replace__`, with the name that it has in the last."""
    before = identity(Roads({}))
    monkeypatch.setattr(Roads.is_goal, "__qualname__", "Other.is_goal")
    monkeypatch.setattr(Roads.is_goal, "__module__", "searchkit")
    assert identity(Roads({})) == before


def test_a_kind_that_a_plugin_writes_is_named() -> None:
    """So that a message can say what a file belongs to; a subclass is another problem."""
    found = identity(load("crossing"))
    assert found.kind in available_problems()
    assert str(found) == f"{found.kind} {found.digest[:12]} {found.code[:12]}"
    kind: Any = type(load("queens"))
    other = type("Other", (kind,), {"heuristic": lambda self, state: 0})
    assert identity(other(8)).digest != identity(kind(8)).digest


def within(one: Any) -> Any:
    """Return a problem whose class is made in a function."""

    class Within(Roads):
        def is_goal(self, state: str) -> bool:
            return state == one

    return Within({})


@pytest.mark.parametrize(("one", "other"), [("A", "B"), ({"A"}, {"B"}), (Town("A"), Town("B"))])
def test_a_class_that_is_made_in_a_function_is_compared_with_its_variables(one: Any, other: Any) -> None:
    """A search for one goal is not resumed as one for another goal."""
    assert identity(within(one)) == identity(within(one))
    assert identity(within(one)).code != identity(within(other)).code


@pytest.mark.parametrize("value", [(n for n in [1]), Lock()])
def test_what_can_not_be_compared_is_an_error(value: object) -> None:
    """The error names the attribute and the method that helps."""
    problem = Roads({}, [value])
    with pytest.raises(InvalidProblemError, match=r"Roads can't be named .*'towns' .*file_identity\(\)"):
        identity(problem)


def test_a_value_inside_itself_and_one_that_is_too_deep() -> None:
    """A circle ends; depth beyond what Python follows is an error."""
    circle: list[Any] = []
    circle.append(circle)
    assert identity(Roads({}, circle)) == identity(Roads({}, circle))
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(InvalidProblemError, match="nested too deeply"):
        identity(Roads({}, deep))


PROBLEM = '''
import math
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from searchkit import SearchProblem

@dataclass
class Place:
    x: int
    y: int = 0

GOAL = Place(9)
GRAPH = {"A": ["B"]}
GRAPH["B"] = []
CACHE = {}
STEP = 1

def rule(n):
    return n < 99

class Called:
    def __init__(self, function):
        self.function = function

    def __call__(self, n):
        return self.function(n)

@Called
def even(n):
    return n % 2 == 0

RULES = {"small": rule}

def helper(n):
    return n

@lru_cache
def cached(n):
    return helper(n) + STEP

class Base(SearchProblem):
    memo = []

    def initial_states(self):
        CACHE[0] = self.memo.append(1)
        return [0]

    @cached_property
    def last(self):
        return GOAL.x

class P(Base):
    within = partial(max, 7)

    def is_goal(self, n):
        """Whether it is the last number."""
        return n == self.last and RULES["small"](n) and not even(n)

    def successors(self, n):
        return [("up", self.next(n))]

    @staticmethod
    def next(n, by=0, memo={}, *, more=0):
        memo[n] = cached(n) + by + more if GRAPH else math.inf
        return memo[n]

def unused():
    return 1
'''


def made(path: Path, source: str) -> Any:
    """Return the problem of a file."""
    path.write_text(source)
    spec = spec_from_file_location("made_for_a_test", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["made_for_a_test"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.P()


@pytest.mark.parametrize(
    ("old", "new", "differs"),
    [
        ("STEP = 1", "STEP = 2", True),
        ("return n\n", "return n + 0\n", True),
        ("return GOAL.x", "return GOAL.y", True),
        ("Place(9)", "Place(8)", True),
        ('["B"]', '["C"]', True),
        ("% 2", "% 4", True),
        ("self.function(n)", "self.function(-n)", True),
        ("max, 7", "max, 8", True),
        ("n < 99", "n < 98", True),
        ("by=0", "by=1", True),
        ("more=0", "more=1", True),
        ('GRAPH["B"] = []', 'GRAPH["B"] = ["A"]', True),
        ("n == self.last", "n is self.last", True),
        ("return 1\n", "return 2\n", False),
        ("the last number", "the end", False),
        ("import math", "import math, os", False),
        ("STEP = 1", "STEP = 1; function = 5", False),
    ],
)
def test_the_code_is_part_of_the_identity(old: str, new: str, differs: bool, tmp_path: Path) -> None:
    """What the class calls in its module, and constants; not documentation, nor what is in caches or is not used."""
    before = made(tmp_path / "before.py", PROBLEM)
    one = identity(before)
    list(before.successors(before.initial_states()[0]))
    assert before.last == 9
    assert identity(before) == one, "a search does not change it"
    assert old in PROBLEM
    other = identity(made(tmp_path / "after.py", PROBLEM.replace(old, new)))
    assert other.digest == one.digest
    assert (other.code != one.code) is differs


def test_code_in_a_file_beside_that_of_the_problem_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A function that the problem imports from there; not one that it does not use."""
    monkeypatch.syspath_prepend(str(tmp_path))
    source = "from rules_for_a_test import helper\n" + PROBLEM.replace("def helper", "def other")
    found = []
    for used, unused in ((1, 1), (2, 1), (1, 2)):
        rules = f"def helper(n):\n    return {used}\n\n\ndef other(n):\n    return {unused}\n"
        (tmp_path / "rules_for_a_test.py").write_text(rules + "#" * used)
        sys.modules.pop("rules_for_a_test", None)
        found.append(identity(made(tmp_path / "problem.py", source)))
    assert found[0] == found[2]
    assert found[0].code != found[1].code
