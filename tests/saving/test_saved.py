"""Saved searches: what they may hold, whatever is in a file, and problems whose code has changed."""

import os
import pickle
import subprocess
import sys
from collections import Counter, OrderedDict, deque, namedtuple
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, Flag, IntEnum
from fractions import Fraction
from functools import reduce
from hashlib import sha256
from pathlib import Path
from random import Random
from runpy import run_path
from types import ModuleType
from typing import Any, NamedTuple

import attrs
import numpy as np
import pytest
from sortedcontainers import SortedDict, SortedList, SortedSet

from searchkit import Limits, Search, SearchProblem, Status, saved_header, solve
from searchkit.errors import SavingError, SearchkitError, UnknownNameError
from searchkit.saving.file import make

ROOT = Path(__file__).parents[2]
ran: list[str] = []
"""What a class of this module has run."""


class Colour(Enum):
    """A state."""

    RED = 1
    GREEN = (2, 3)


class Level(IntEnum):
    """A number with a name."""

    LOW = 1


class Sides(Flag):
    """Members that can be combined."""

    LEFT = 1
    RIGHT = 2


class Cell(NamedTuple):
    """A named tuple."""

    x: int
    y: int = 0


Pair = namedtuple("Pair", "a b")  # as users write it


@dataclass(frozen=True)
class Data:
    """Compared by its attributes."""

    name: str
    cell: Cell

    def __post_init__(self) -> None:
        ran.append(self.name)


@attrs.frozen(cache_hash=True)
class Hashed:
    """Its hash differs in another process."""

    name: str


class Slotted:
    """An object that is compared by what its own `__getstate__` returns."""

    __slots__ = ("hash", "name")

    def __init__(self, name: str):
        self.name, self.hash = name, hash(name)

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Slotted) and other.name == self.name

    def __getstate__(self) -> str:
        return self.name

    def __setstate__(self, name: str) -> None:
        self.name, self.hash = name, hash(name)


class Text(str):
    """A text of a class."""


class Bag(dict[Any, Any]):
    """A dictionary of a class."""


class Node:
    """An object that is compared by identity, and refers to others."""

    def __init__(self, parent: "Node | None" = None):
        self.parent = parent
        self.children: list[Node] = []
        if parent is not None:
            parent.children.append(self)


class Deleted:
    """An object that runs code when it is gone."""

    def __del__(self) -> None:
        """Do nothing."""


class Line(SearchProblem[Any, str]):
    """Numbers as states of any class."""

    def __init__(self, wrap: Any = int, last: int = 9):
        self.wrap, self.last = wrap, last

    def initial_states(self) -> list[Any]:
        return [self.wrap(0)]

    def is_goal(self, state: Any) -> bool:
        return bool(state == self.wrap(self.last))

    def successors(self, state: Any) -> list[tuple[str, Any]]:
        number = next(n for n in range(self.last + 1) if self.wrap(n) == state)
        return [("up", self.wrap(n)) for n in (number + 1, number + 2) if n <= self.last]


def named(number: int) -> Data:
    """Return a state for a number."""
    return Data(str(number), Cell(number))


def cells(number: int) -> frozenset[Cell]:
    """Return a state for a number."""
    return frozenset({Cell(number), Cell(number, number)})


def slotted(number: int) -> Slotted:
    """Return a state for a number."""
    return Slotted(str(number))


def through(value: Any, folder: Path) -> Any:
    """Save a search that holds a value, and return what it holds when it is loaded."""
    search: Search[Any, Any] = Search(Line(), "bfs", backend="python")
    search.tree.details["value"] = value
    search.save(folder / "value.search")
    return Search.load(folder / "value.search", Line()).tree.details["value"]


VALUES = [
    None, True, 2**80, -1.5, "ü", b"x", 1 + 2j, range(2, 9, 3), (1, (2,), ()), frozenset({(1, 2)}), {1: [{2}]},
    Fraction(1, 3), Decimal("1.10"), deque([1], maxlen=3), OrderedDict(b=1, a=2), Counter("aab"),
    SortedDict({2: 1, 1: 2}), SortedList([2, 1]), SortedSet([2, 1]), Colour.RED,
    Colour.GREEN, Level.LOW, Sides.LEFT | Sides.RIGHT, Cell(1), Pair(1, Cell(2, 3)), Data("a", Cell(1)), Hashed("a"),
    Slotted("a"), Text("a"), np.int64(3), np.float32(0.5), np.bool_(True), Bag(a=1),
]  # fmt: skip


def test_values(tmp_path: Path) -> None:
    """They come back as they were, of the same class, without a call of a constructor."""
    ran.clear()
    for value, (one, other) in zip(
        VALUES, through([[value, value] for value in VALUES], tmp_path), strict=True
    ):
        assert one == value
        assert type(one) is type(value)
        assert one is other or isinstance(value, int | float)
        assert getattr(one, "maxlen", None) == getattr(value, "maxlen", None)
    assert ran == []


def test_objects_that_refer_to_each_other(tmp_path: Path) -> None:
    """Circles, and chains that are not too long."""
    node = root = Node()
    for _ in range(100):
        node = Node(node)
    read = through(root, tmp_path)
    for _ in range(100):
        (child,) = read.children
        assert child.parent is read
        read = child


def nested(depth: int) -> Any:
    """Return tuples, each in the next one."""
    return reduce(lambda inner, _: (inner,), range(depth), ())


class Local:
    """Has a class that a module does not show."""

    @staticmethod
    def made() -> Any:
        """Return an instance of a local class."""

        class Inner:
            pass

        return Inner()


@pytest.mark.parametrize(
    "value",
    [
        print,
        lambda: 1,
        Colour,
        os,
        Local.made(),
        Deleted(),
        iter([1]),
        SortedList(key=len),
        Random(1),
        nested(9**5),
    ],
)
def test_values_that_can_not_be_saved(value: Any, tmp_path: Path) -> None:
    """The error names the type."""
    with pytest.raises(SavingError, match="the search can't be saved: "):
        through({"a": [value]}, tmp_path)


CLASSES = [int, str, Cell, named, cells, slotted, Hashed, np.int64, Fraction]


def test_states_of_any_class_in_another_process(tmp_path: Path) -> None:
    """The hashes of texts differ there."""
    for number, wrap in enumerate(CLASSES):
        search: Search[Any, Any] = Search(Line(wrap), "dijkstra")
        search.run(Limits(expansions=4))
        search.save(tmp_path / str(number))
    script = (
        "from tests.saving.test_saved import *\n"
        "for number, wrap in enumerate(CLASSES):\n"
        f"    search = Search.load(Path({str(tmp_path)!r}) / str(number), Line(wrap))\n"
        "    print(search.statistics.expanded, search.run().cost, search.statistics.expanded)"
    )
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True, text=True, check=True, timeout=60, cwd=ROOT,
    )  # fmt: skip
    for wrap, line in zip(CLASSES, done.stdout.splitlines(), strict=True):
        expected = solve(Line(wrap), "dijkstra")
        assert line.split() == ["4", str(expected.cost), str(expected.statistics.expanded)]


def saved(folder: Path, expansions: int = 2) -> Path:
    """Return the file of a small search."""
    search: Search[Any, Any] = Search(Line(), "bfs", backend="python")
    search.run(Limits(expansions=expansions))
    search.save(folder / "a.search", label={"who": "me"})
    return folder / "a.search"


def with_contents(file: Path, contents: bytes) -> None:
    """Replace what follows the header, with valid checksums."""
    first, line, _ = file.read_bytes().split(b"\n", 2)
    rest = line + b"\n" + contents
    file.write_bytes(first[:-64] + sha256(rest).hexdigest().encode() + b"\n" + rest)


class Runs:
    """What a pickle calls when it is read."""

    def __init__(self, function: Any, *arguments: Any):
        self.called = function, arguments

    def __reduce__(self) -> Any:
        return self.called


@pytest.mark.parametrize(
    "hostile",
    [
        Runs(os.system, "echo harm > harm"),
        Runs(eval, "ran.append('harm')"),
        Runs(getattr, ran, "append"),
        Runs(print, "harm"),
        Runs(Data, "harm", Cell(1)),
        Runs(Deleted),
        Runs(make, "os:system", "echo harm > harm"),
        Runs(make, "builtins:eval", "ran.append('harm')"),
        Runs(make, "subprocess:Popen", ("echo harm > harm",)),
        Runs(make, "collections:UserDict", {}),
        Runs(make, "tests.saving.test_saved:ran", ["harm"]),
        Runs(make, "tests.saving.test_saved:Deleted", {}),
        Runs(make, "tests.saving.test_saved:Line.is_goal", {}),
        Runs(make, "tests.saving.test_saved:Colour", "BLUE"),
        Runs(make, "numpy", ("|O", (1,), b"12345678", False)),
        Runs(make, "nothing", None),
        Runs(make, 5, None),
        Cell(1),
        {"tree": {}},
        [],
    ],
)
def test_no_code_of_a_file_runs(hostile: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions, and classes that are not those of the problem, are refused; constructors are not called."""
    monkeypatch.chdir(tmp_path)
    ran.clear()
    file = saved(tmp_path)
    for contents in (hostile, {"a": hostile}):
        for before in (b"", pickle.dumps({})):
            with_contents(file, before + pickle.dumps(contents, 5))
            with pytest.raises(SearchkitError):
                Search.load(file, Line())
    assert ran == []
    assert not (tmp_path / "harm").exists()


def test_a_class_of_a_package_of_the_library_is_refused(tmp_path: Path) -> None:
    """Though the module of the problem imports it."""
    file = saved(tmp_path)
    with_contents(file, pickle.dumps(Runs(make, f"{ThreadPoolExecutor.__module__}:ThreadPoolExecutor")))
    with pytest.raises(SearchkitError, match="ThreadPoolExecutor' is not a class of the problem"):
        Search.load(file, Line())


def test_numpy_that_another_thread_is_importing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search was lost as its checkpoint was written while machine code was being prepared."""
    monkeypatch.setitem(sys.modules, "numpy", ModuleType("numpy"))
    assert Search.load(saved(tmp_path), Line()).run().cost == solve(Line(), "bfs").cost


def test_random_bytes_are_errors(tmp_path: Path) -> None:
    """Whatever pickles they happen to be."""
    file, random = saved(tmp_path), Random(3)
    contents = file.read_bytes().split(b"\n", 2)[2]
    for _ in range(300):
        changed = bytearray(contents)
        for _ in range(random.randrange(1, 4)):
            changed[random.randrange(len(changed))] = random.randrange(256)
        with_contents(file, bytes(changed))
        with suppress(SearchkitError):
            Search.load(file, Line())


def test_what_a_file_says_of_itself(tmp_path: Path) -> None:
    """Its header can be read without the problem; files of other versions are refused."""
    file = saved(tmp_path)
    header = saved_header(file)
    assert (header.engine, header.backend, header.ended, header.label) == (
        "bfs",
        "python",
        False,
        {"who": "me"},
    )
    assert header.statistics["expanded"] == 2
    for problem, engine, what in [
        (Line(last=8), None, "another problem"),
        (Line(), "dijkstra", "another engine"),
    ]:
        with pytest.raises(SavingError, match=what):
            Search.load(file, problem, engine)
    with pytest.raises(UnknownNameError):
        Search.load(file, Line(), "none")
    file.write_bytes(file.read_bytes().replace(b"searchkit search ", b"searchkit search 9", 1))
    with pytest.raises(SavingError, match="was saved by searchkit 9"):
        Search.load(file, Line())


PROGRAM = """
from searchkit import SearchProblem


class P(SearchProblem):
    def initial_states(self):
        return [0]

    def is_goal(self, state):
        return state == {goal}

    def successors(self, state):
        return {moves}
"""
BEFORE = PROGRAM.format(goal=300, moves='[("+", state + 1)] if state < 100 else []')


@pytest.mark.parametrize(
    ("goal", "moves", "status", "cost", "said"),
    [
        (300, '[("+", state + 1), ("*", 2 * state)] if state < 400 else []', Status.SOLVED, 151, "changed"),
        (300, '[("+", state + 1)] if state < 200 else []', Status.CUTOFF, None, "the code of the problem"),
        (90, "[]", Status.CUTOFF, None, "no longer has the path that was found"),
    ],
)
def test_the_code_of_the_problem_changed_before_it_was_resumed(
    goal: int, moves: str, status: Status, cost: int | None, said: str, tmp_path: Path
) -> None:
    """The search is refused, or proves nothing: 151 was called optimal, and 12 is."""
    source, file = tmp_path / "p.py", tmp_path / "a"
    source.write_text(BEFORE)
    search: Any = Search(run_path(str(source))["P"](), "bfs")
    search.run(Limits(expansions=90))
    search.save(file)
    assert Search.load(file, run_path(str(source))["P"]()).run().status is Status.UNSOLVABLE
    source.write_text(PROGRAM.format(goal=goal, moves=moves))
    with pytest.raises(SavingError, match=r"the code of the problem has changed.*changed_problem=True"):
        Search.load(file, run_path(str(source))["P"]())
    search = Search.load(file, run_path(str(source))["P"](), changed_problem=True)
    search.save(file)
    for resumed in (search, Search.load(file, run_path(str(source))["P"]())):
        result = resumed.run()
        assert (result.status, result.cost, result.optimal, result.lower_bound) == (status, cost, False, 0)
        assert said in f"{result.cutoff} {result.warnings}"
        assert result.assumes == ""
    assert solve(run_path(str(source))["P"]()).cost in (12, None)
