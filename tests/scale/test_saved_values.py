"""Values come back from their bytes as they were, and bytes that are damaged or made up raise one error."""

import sys
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, Flag, auto
from fractions import Fraction
from hashlib import sha256
from math import inf, nan
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from attrs import define, frozen
from hypothesis import given, settings
from hypothesis import strategies as st
from sortedcontainers import SortedDict, SortedList, SortedSet

from searchkit import SearchProblem
from searchkit.errors import SavingError
from searchkit.plugin import specs
from searchkit.plugin.registry import registry
from searchkit.scale.saved.arrays import plain
from searchkit.scale.saved.columns import SHARE
from searchkit.scale.saved.decoding import Decoder, decode
from searchkit.scale.saved.encoding import encode
from searchkit.scale.saved.vocabulary import Vocabulary


class Colour(Enum):
    """An enum."""

    RED, GREEN = "red", ("green", 2)


class Side(Flag):
    """An enum whose members add up to others."""

    LEFT, RIGHT = auto(), auto()


class Place(NamedTuple):
    """A named tuple."""

    x: int
    y: Any = 0


@frozen(cache_hash=True)
class Packed:
    """A class of attrs that keeps its hash."""

    parts: frozenset[Any]


@dataclass(frozen=True)
class Data:
    """A data class."""

    name: str
    beside: Any = None


@define(eq=False)
class Node:
    """A node of a tree that is compared by identity."""

    name: Any
    parent: "Node | None" = None
    children: Any = ()


@define(eq=False)
class Bare:
    """A class without attributes."""


@frozen
class Mark:
    """One whose instances are equal."""


class Plain:
    """A class with slots and a dictionary, and its own idea of equality."""

    __slots__ = ("__dict__", "one")

    def __init__(self, one: Any, two: Any):
        self.one, self.two = one, two

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plain) and (self.one, self.two) == (other.one, other.two)

    def __hash__(self) -> int:
        return hash((self.one, self.two))


class Hashed:
    """A class that keeps its hash in an attribute."""

    def __init__(self, name: str):
        self.name, self._hash = name, hash(name)

    def __hash__(self) -> int:
        return self._hash


class Tower(list[Any]):
    """A list with methods of its own."""


class Unpicklable:
    """A class with a method that must not run while a file is read."""

    def __init__(self) -> None:
        raise AssertionError("it was called")

    def __setattr__(self, name: str, value: object) -> None:
        raise AssertionError("it was called")


class Problem(SearchProblem[Any, Any]):
    """A problem of this module, so that its classes are known."""

    def initial_states(self) -> Any:
        return [0]

    def successors(self, state: Any) -> Any:
        return []

    def is_goal(self, state: Any) -> bool:
        return False


KNOWN = Vocabulary(Problem(), registry().engine("bfs"))
ATOMS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text(st.characters(), max_size=4)
    | st.binary(max_size=4)
    | st.fractions()
    | st.decimals(allow_nan=False)
    | st.sampled_from([*Colour, Side.LEFT, Side.LEFT | Side.RIGHT, Side(0)])
)
VALUES = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=4).map(tuple)
        | st.frozensets(inner, max_size=3)
        | st.builds(Place, inner, inner)
        | st.builds(Packed, st.frozensets(inner, max_size=2))
        | st.builds(Data, st.text(max_size=2), inner)
        | st.builds(Plain, inner, inner)
    ),
    max_leaves=12,
)
"""Values that can be states."""
CONTAINERS: st.SearchStrategy[Any] = st.recursive(
    VALUES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(Tower)
        | st.builds(deque, st.lists(inner, max_size=4), st.none() | st.integers(4, 9))
        | st.dictionaries(VALUES, inner, max_size=4)
        | st.dictionaries(VALUES, inner, max_size=4).map(OrderedDict)
        | st.dictionaries(VALUES, inner, max_size=4).map(lambda items: defaultdict(list, items))
        | st.sets(VALUES, max_size=4)
        | st.lists(VALUES, max_size=4).map(Counter)
        | st.sets(st.integers(), max_size=4).map(SortedSet)
        | st.lists(st.integers(), max_size=4).map(SortedList)
        | st.dictionaries(st.integers(), inner, max_size=4).map(SortedDict)
    ),
    max_leaves=8,
)


def through(values: list[Any], known: Any = ()) -> list[Any]:
    """Return values that were written and read; no more were counted than when they were written."""
    written = encode(values, KNOWN, known)
    decoder = Decoder(written, KNOWN, known, "here")
    found = decoder.read()
    assert written.values >= SHARE * len(written) + 4096 - decoder.reader.left
    return found


def exactly(value: Any) -> Any:
    """Return something that is equal only for values of the same types, in the same order where there is one."""
    if isinstance(value, dict):
        return type(value), [(exactly(key), exactly(part)) for key, part in value.items()]
    if isinstance(value, set | frozenset):
        return type(value), sorted(map(repr, map(exactly, value)))
    if isinstance(value, tuple | list | deque | SortedList):
        return type(value), getattr(value, "maxlen", None), list(map(exactly, value))
    if isinstance(value, Packed | Data | Plain):
        names = (
            ("parts",)
            if isinstance(value, Packed)
            else ("name", "beside")
            if isinstance(value, Data)
            else ("one", "two")
        )
        return type(value), [exactly(getattr(value, name)) for name in names]
    return type(value), repr(value)


def nested(value: Any, depth: int) -> Any:
    """Return a value in so many tuples of one element."""
    for _ in range(depth):
        value = (value,)
    return value


@pytest.mark.parametrize("depth", [1, 9, 200])
def test_values_that_take_few_bytes_come_back(depth: int) -> None:
    """A file may hold few values for each of its bytes: what was written keeps to that, however alike it is."""
    values = [nested(number % 100, depth) for number in range(1000)]
    written = encode(values, KNOWN)
    assert through(values) == values
    assert written.values <= SHARE * len(written) + 4096
    assert len(written) < 12 * 1000 + (depth > 9) * 500 * depth, (
        "those of few levels take no more than they have to"
    )


def test_objects_without_contents_come_back() -> None:
    """Lists without elements, and instances without attributes: each takes no byte of its own."""
    values = [
        [Bare() for _ in range(9999)],
        [[] for _ in range(9999)],
        nested([Bare() for _ in range(999)], 300),
    ]
    bare, empty, deep = through(values)
    assert through([[Mark() for _ in range(9999)]]) == [[Mark()] * 9999]
    assert [type(one) for one in bare] == [Bare] * 9999
    assert empty == values[1]
    assert type(deep) is tuple


@given(st.lists(CONTAINERS, max_size=4))
@settings(max_examples=60)
@pytest.mark.fewest(4)
def test_every_value_comes_back(values: list[Any]) -> None:
    """Of the same types, with the same parts in the same order."""
    assert exactly(through(values)) == exactly(values)


def test_numbers_are_exact() -> None:
    """Also those that compare equal and are not the same."""
    values = [
        0,
        0.0,
        -0.0,
        False,
        inf,
        -inf,
        2**64,
        -(2**200),
        1e-320,
        Fraction(1, 3),
        Decimal("1.50"),
        127,
        -128,
        128,
    ]
    found = through(values)
    assert list(map(repr, found)) == list(map(repr, values))
    assert str(through([nan])[0]) == "nan"
    assert through([(1, 1.0, True)])[0] == (1, 1.0, True)
    assert list(map(type, through([(1, 1.0, True)])[0])) == [int, float, bool]


def test_what_is_one_object_stays_one() -> None:
    """Also objects that hold themselves, and those that both sides have."""
    shared, root, problem = (1, 2), Node("root"), Problem()
    root.children = [Node(name, root, shared) for name in "ab"]
    ring: list[Any] = [shared]
    ring.append({"ring": ring})
    first, second, third, fourth = through([root, ring, [shared, problem], root.children[0]], [problem])
    assert [child.parent is first for child in first.children] == [True, True]
    assert second[1]["ring"] is second
    assert second[0] is third[0] is first.children[0].children
    assert third[1] is problem
    assert fourth is first.children[0]


def test_a_list_in_a_dictionary_that_is_also_its_part() -> None:
    """Parts of one group of objects may be written by an earlier group."""
    inner: dict[Any, Any] = {}
    outer = {"inner": inner, "list": [inner, {1}]}
    assert through([outer, inner, [outer]]) == [outer, inner, [outer]]


def test_long_chains_do_not_recurse() -> None:
    """Of nodes, and of tuples, whose hashes are computed."""
    node = Node(0)
    for name in range(1_500):
        node = Node(name, node)
    found, length = through([node])[0], 0
    while found.parent is not None:
        found, length = found.parent, length + 1
    assert length == 1_500
    nested: Any = ()
    for name in range(2_000):
        nested = (name, nested)
    found = through([{nested: 1}])[0]
    assert hash(next(iter(found))) == hash(nested)


def test_a_kept_hash_is_not_written() -> None:
    """The class of attrs computes it again; of another class that keeps it, no instance can be written."""
    packed = Packed(frozenset({"a", "b"}))
    assert hash(packed) == hash(through([packed])[0])
    with pytest.raises(SavingError, match=r"keeps its hash in '_hash'.*encode_state"):
        encode([Hashed("a")], KNOWN)


@pytest.mark.parametrize(
    "value",
    [
        iter([1]),
        (n for n in [1]),
        1j,
        object,
        len,
        SortedDict(abs, {1: 2}),
        Random(1),
        range(3),
        b"".join,
        memoryview(b""),
    ],
)
def test_what_has_no_form_is_named(value: Any) -> None:
    """With its class, and the methods of the problem that help."""
    with pytest.raises(SavingError, match=r"has no form in files.*encode_state and decode_state"):
        encode([{"frontier": [(1, value)]}], KNOWN)


def test_a_tuple_that_holds_itself() -> None:
    """It can only be made by C code, or by a class that changes what can't change."""
    data = Data("a")
    object.__setattr__(data, "beside", (data,))
    with pytest.raises(SavingError, match="contains itself"):
        encode([data], KNOWN)


def test_only_classes_of_the_problem_and_the_engine_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name in the file imports nothing; and no method of the class runs.

    What another module of the problem's package has imported is not a class of the problem.
    """
    elsewhere = ModuleType(f"{__name__.partition('.')[0]}.elsewhere")
    monkeypatch.setitem(sys.modules, elsewhere.__name__, elsewhere)
    elsewhere.Example = specs.Example  # type: ignore[attr-defined]
    known = Vocabulary(Problem(), registry().engine("bfs"))
    data = encode([Node("a")], known)
    ours = f"{__name__}:Node".encode()
    assert ours in data
    for name in (
        f"{__name__}:Nope",
        "subprocess:Popen",
        "builtins:eval",
        "os:_wrap_close",
        "searchkit.plugin.specs:Example",
    ):
        place = data.index(ours) - 1
        made_up = data[:place] + bytes([len(name)]) + name.encode() + data[place + 1 + len(ours) :]
        with pytest.raises(SavingError, match=f"it holds instances of {name}, which neither"):
            decode(made_up, known)
    bare = object.__new__(Unpicklable)
    object.__setattr__(bare, "name", "x")
    assert vars(through([bare])[0]) == {"name": "x"}


def test_the_bytes_depend_on_the_values_alone() -> None:
    """So that two files of one search can be compared."""
    digests = {
        sha256(encode([[(n, "a") for n in range(50)], {"x": 1.5}], KNOWN)).hexdigest() for _ in range(3)
    }
    assert len(digests) == 1


@pytest.mark.parametrize("kind", ["O", "U1", "c16", np.longdouble])
def test_arrays_hold_plain_numbers(kind: Any) -> None:
    """Others have no form that is the same on every machine."""
    assert len(plain(np.zeros(2, np.uint64))[1]) == 16
    with pytest.raises(TypeError, match="expected plain numbers"):
        plain(np.zeros(2, kind))
