"""Abstract values: what the translator knows of each value, and which registers of LLVM hold the rest.

A value without its registers (`Value.static`) is its type. `join` is the least type of two, as in abstract
interpretation (Cousot and Cousot 1977); integers are intervals, and what Python could compute already is a constant
(partial evaluation).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any

from attrs import evolve, field, frozen

WORD_MIN, WORD_MAX = -(1 << 63), (1 << 63) - 1
WIDTHS = (64, 128, 256)
"""Bits of the integers in machine code; a wider one is an overflow."""
MAX_MASK = 512
"""The most members of the universe of a set that is a bit mask."""
MAX_PARTS = 8
"""A constant tuple of so many parts is a `Tuple`; a longer one is an `Array`."""


class TranslationError(Exception):
    """Something is outside the subset. The message is the reason; the translator adds the file and the line."""

    place = ""
    """The file and the line, if they are known where it is raised."""
    function = ""
    """The function of Python's library that it is about, if it is about one."""


class DeadCodeError(Exception):
    """Control can't come here: what follows on this path is not generated."""


class Value:
    """What is known of a value."""

    @property
    def registers(self) -> list[tuple[str, str]]:
        """LLVM's type of each register that holds what is not known, and its name, which is "" in a type."""
        return []

    @property
    def kinds(self) -> list[str]:
        """The LLVM types of the registers."""
        return [kind for kind, _ in self.registers]

    @property
    def leaves(self) -> list[str]:
        """The names of the registers; [] in a type."""
        return [name for _, name in self.registers if name]

    def rebuilt(self, leaves: Iterator[str]) -> "Value":
        """Return this type with other registers."""
        return self

    def static(self) -> Any:
        """Return what two values of equal types have in common: hashable."""
        return (type(self), id(self))


class Exactly:
    """A constant as part of a type: equal to one that can't be told apart."""

    __slots__ = ("obj",)

    def __init__(self, obj: Any):
        self.obj = obj

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Exactly):
            return False
        return self.obj is other.obj or constant_key(self.obj, exact=True) == constant_key(
            other.obj, exact=True
        )

    def __hash__(self) -> int:
        return hash(type(self.obj))


VALUE_TYPES = (bool, int, float, complex, str, bytes, frozenset, range, type(None))
"""Types whose equal objects are interchangeable."""


def constant_key(obj: Any, *, exact: bool = False) -> Any:
    """Return a hashable that tells objects apart that differ in type or value; those inside frozensets by value only.

    If `exact`, objects of other than `VALUE_TYPES` are compared by identity: their `__eq__` may ignore a difference.
    """
    if isinstance(obj, tuple):
        return (type(obj), *(constant_key(part, exact=exact) for part in obj))
    if exact and type(obj) not in VALUE_TYPES:
        return (id(obj),)
    try:
        hash(obj)
    except TypeError:
        return (id(obj),)
    return (type(obj), repr(obj) if isinstance(obj, float | complex) else obj)


@frozen(eq=False)
class Known(Value):
    """An object of Python that is the same in every state."""

    obj: Any

    def static(self) -> Any:
        return (Known, Exactly(self.obj))


class Scalar(Value):
    """A value in one register."""

    ssa: str
    kind = "i64"
    """The type of the register."""

    @property
    def registers(self) -> list[tuple[str, str]]:
        return [(self.kind, self.ssa)]

    def rebuilt(self, leaves: Iterator[str]) -> Value:
        return evolve(self, ssa=next(leaves))  # type: ignore[misc]

    def static(self) -> Any:
        return (type(self),)


@frozen(eq=False)
class Int(Scalar):
    """An integer within an interval."""

    lo: int
    hi: int
    ssa: str = ""

    @property
    def width(self) -> int:
        """The bits of its register."""
        return width_of(self.lo, self.hi)

    @property
    def kind(self) -> str:  # type: ignore[override]
        return f"i{self.width}"

    def static(self) -> Any:
        return (Int, self.lo, self.hi)


def width_of(lo: int, hi: int) -> int:
    """Return the least width of a register that holds an interval; the greatest there is, if none does."""
    for width in WIDTHS:
        if -(1 << (width - 1)) <= lo and hi < 1 << (width - 1):
            return width
    return WIDTHS[-1]


@frozen(eq=False)
class Float(Scalar):
    """A double."""

    ssa: str = ""
    kind = "double"


@frozen(eq=False)
class Bool(Scalar):
    """A truth value."""

    ssa: str = ""
    kind = "i1"


@frozen(eq=False)
class OneOf(Scalar):
    """One of some known objects: an index into them."""

    objs: tuple[Any, ...]
    ssa: str = ""

    def static(self) -> Any:
        return (OneOf, tuple(map(Exactly, self.objs)))


@frozen(eq=False)
class Tuple(Value):
    """A tuple, a named tuple or an object with fields, each part by itself."""

    items: list[Value]
    cls: Any = tuple

    @property
    def registers(self) -> list[tuple[str, str]]:
        return [register for item in self.items for register in item.registers]

    def rebuilt(self, leaves: Iterator[str]) -> Value:
        return Tuple([item.rebuilt(leaves) for item in self.items], self.cls)

    def static(self) -> Any:
        return (Tuple, self.cls, *(item.static() for item in self.items))


@frozen(eq=False)
class Maybe(Value):
    """A value, or None (or not bound, if `unbound`)."""

    value: Value
    none: str = ""
    unbound: bool = False

    @property
    def registers(self) -> list[tuple[str, str]]:
        return [("i1", self.none), *self.value.registers]

    def rebuilt(self, leaves: Iterator[str]) -> Value:
        none = next(leaves)
        return Maybe(self.value.rebuilt(leaves), none, self.unbound)

    def static(self) -> Any:
        return (Maybe, self.unbound, self.value.static())


UNBOUND = Maybe(OneOf((), "0"), "true", unbound=True)
"""What a name is before it is bound: one of no objects."""


def is_nothing(value: Value) -> bool:
    """Whether a value is one of no objects: what has it is never reached."""
    return isinstance(value, OneOf) and not value.objs


@frozen(eq=False)
class Array(Value):
    """A tuple, text or bytes of equal elements in memory, which nothing changes."""

    element: Value
    """The type of its elements."""
    capacity: int
    length: Value
    """An `Int`, or `Known` if it is fixed."""
    cls: Any = tuple
    ptr: str = ""
    """The address of the first element."""
    capped: bool = False
    """Whether a longer one is an error: its growth in a loop was ended."""

    @property
    def registers(self) -> list[tuple[str, str]]:
        return [("ptr", self.ptr), *self.length.registers]

    def rebuilt(self, leaves: Iterator[str]) -> Value:
        ptr = next(leaves)
        length = self.length.rebuilt(leaves)
        return Array(self.element, self.capacity, length, self.cls, ptr, self.capped)

    def static(self) -> Any:
        return (Array, self.element.static(), self.capacity, self.length.static(), self.cls, self.capped)


@frozen(eq=False)
class Members(Value):
    """A frozenset, or a set that is not changed, over a universe of known objects: a bit mask."""

    objs: tuple[Any, ...]
    words: list[str] = field(factory=list)
    cls: Any = frozenset

    @property
    def registers(self) -> list[tuple[str, str]]:
        return [("i64", word) for word in self.words or [""] * mask_words(self.objs)]

    def rebuilt(self, leaves: Iterator[str]) -> Value:
        return Members(self.objs, [next(leaves) for _ in range(mask_words(self.objs))], self.cls)

    def static(self) -> Any:
        return (Members, tuple(map(Exactly, self.objs)))


def mask_words(objs: Sequence[Any]) -> int:
    """Return how many words a bit mask takes."""
    return max(1, -(-len(objs) // 64))


class Site:
    """A place in the program that makes lists, sets or dicts: what was put into them so far, and how many at most.

    The code is generated again until nothing more is found.
    """

    def __init__(self) -> None:
        self.element: Value | None = None
        self.value: Value | None = None
        self.capacity = self.reservations = 0
        self.is_large = False
        """Whether an element takes much memory."""
        self.rounds = 0
        self.joined: Site | None = None

    def root(self) -> "Site":
        """Return the site that stands for all that this one was joined with."""
        return self if self.joined is None else self.joined.root()


@frozen(eq=False)
class Mutable(Value):
    """A list, deque, set or dict that is made at run time and may be changed: a block of memory."""

    cls: Any
    site: Site
    ptr: str = ""
    inner: bool = False
    """Whether it is an element of another one, in whose memory it lies."""
    shared: bool = False
    """Whether there is a copy of it where Python has the same object: then it may not be changed."""

    @property
    def registers(self) -> list[tuple[str, str]]:
        return [("ptr", self.ptr)]

    def rebuilt(self, leaves: Iterator[str]) -> Value:
        return Mutable(self.cls, self.site, next(leaves), self.inner, self.shared)

    def static(self) -> Any:
        return (Mutable, self.cls, id(self.site.root()), self.shared)


@frozen(eq=False)
class Lazy(Value):
    """What is iterated over without being stored, such as a range or a generator."""

    kind: str
    args: tuple[Any, ...]


@frozen(eq=False)
class Closure(Value):
    """A function of the problem: its syntax, and where its names are."""

    node: Any
    frame: Any = None
    """The frame of the function around, if it is defined within another one, or a lambda there."""
    function: Any = None
    """The function of Python, if there is one."""


@frozen(eq=False)
class Method(Value):
    """A method of a value, not called yet."""

    owner: Value
    name: str


@frozen(eq=False)
class Partial(Value):
    """A function with some arguments given."""

    function: Value
    args: list[Value]
    kwargs: dict[str, Value] = field(factory=dict)


@frozen(eq=False)
class Opaque(Value):
    """A value that machine code does not make, such as a formatted text. Using it is an error, ignoring it is none."""

    what: str
    is_text: bool = False
    """Whether it can't be changed; ignoring a change of another one is an error, too."""

    def static(self) -> Any:
        return (Opaque, self.is_text)


TEXT = Opaque("a formatted or joined text", is_text=True)


def collections_in(value: Value) -> Iterator[Mutable]:
    """Yield the lists, sets and dicts that a value consists of."""
    match value:
        case Mutable():
            yield value
        case Maybe(inner):
            yield from collections_in(inner)
        case Tuple(items):
            for item in items:
                yield from collections_in(item)


def marked(value: Value, shared: Callable[[Mutable], bool]) -> Value:
    """Return a value whose lists, sets and dicts are shared or not."""
    match value:
        case Mutable(cls, site, ptr, inner):
            return Mutable(cls, site, ptr, inner, shared(value))
        case Maybe(part, none, unbound):
            return Maybe(marked(part, shared), none, unbound)
        case Tuple(items, cls):
            return Tuple([marked(item, shared) for item in items], cls)
    return value


def type_of(value: Value) -> Value:
    """Return a value without its registers."""
    return value.rebuilt(repeat(""))


def is_int(obj: Any) -> bool:
    """Whether a constant is an integer that machine code can hold, and not a truth value."""
    return isinstance(obj, int) and not isinstance(obj, bool) and -(1 << 255) <= obj < 1 << 255


def general(value: Value) -> Value:
    """Return a type that is no constant, as elements in memory have: 3 is an integer from 3 to 3."""
    if isinstance(value, Known):
        obj = value.obj
        if isinstance(obj, bool):
            return Bool()
        if is_int(obj):
            return Int(int(obj), int(obj))
        if isinstance(obj, float):
            return Float()
        if type(obj) is tuple and len(obj) <= MAX_PARTS:
            return Tuple([general(Known(item)) for item in obj])
        if isinstance(obj, tuple) and hasattr(type(obj), "_fields"):
            return Tuple([general(Known(item)) for item in obj], type(obj))
        return OneOf((obj,))
    if isinstance(value, Tuple):
        return Tuple([general(item) for item in value.items], value.cls)
    if isinstance(value, Maybe):
        return Maybe(general(value.value), "", value.unbound)
    if isinstance(value, Array):
        length = type_of(value.length)
        return Array(general(value.element), value.capacity, length, value.cls, capped=value.capped)
    return type_of(value)


def union(one: tuple[Any, ...], other: tuple[Any, ...], *, exact: bool = False) -> tuple[Any, ...]:
    """Return all objects of two universes, those of the first one first; see `constant_key`."""
    seen = {constant_key(obj, exact=exact) for obj in one}
    return one + tuple(obj for obj in other if constant_key(obj, exact=exact) not in seen)


def join_all(types: Iterable[Value]) -> Value | None:
    """Return the least type of all; None if there are none."""
    joined: Value | None = None
    for each in types:
        joined = each if joined is None else join(joined, each)
    return joined


def as_sequence_type(value: Value) -> Array | None:
    """Return a tuple, text or constant as the type of a sequence in memory; None if it is none."""
    if isinstance(value, Array):
        return value
    if isinstance(value, Tuple) and value.cls is tuple:
        element = join_all(map(type_of, value.items)) or Int(0, 0)
        return Array(general(element), len(value.items), Known(len(value.items)))
    if isinstance(value, Known) and type(value.obj) in (tuple, list, str, bytes):
        element = join_all(Known(item) for item in value.obj) or Int(0, 0)
        cls = tuple if isinstance(value.obj, list) else type(value.obj)
        return Array(general(element), len(value.obj), Known(len(value.obj)), cls)
    if isinstance(value, OneOf) and all(type(obj) in (tuple, list, str, bytes) for obj in value.objs):
        joined = join_all(as_sequence_type(Known(obj)) or Opaque("") for obj in value.objs)
        return joined if isinstance(joined, Array) else None
    return None


def join(one: Value, other: Value) -> Value:
    """Return the least type that holds the values of both; an `Opaque` if there is none."""
    if one.static() == other.static() or is_nothing(other):
        return one
    if is_nothing(one):
        return other
    if isinstance(one, Opaque) or isinstance(other, Opaque):
        opaque, rest = (one, other) if isinstance(one, Opaque) else (other, one)
        may_change = any(collections_in(rest)) or (isinstance(rest, Opaque) and not rest.is_text)
        return Opaque(opaque.what, opaque.is_text and not may_change)  # type: ignore[attr-defined]
    if isinstance(one, Maybe) or isinstance(other, Maybe):
        return _join_maybe(one, other)
    if isinstance(one, Known):
        return _join_constant(one, other)
    if isinstance(other, Known):
        return _join_constant(other, one)
    return _join_types(one, other)


def _join_maybe(one: Value, other: Value) -> Value:
    unbound = any(isinstance(value, Maybe) and value.unbound for value in (one, other))
    inner = [
        value.value if isinstance(value, Maybe) and value.unbound == unbound else value
        for value in (one, other)
    ]
    if not unbound:
        inner = [value for value in inner if not (isinstance(value, Known) and value.obj is None)] or inner
    joined = join_all(inner)
    assert joined is not None
    if isinstance(joined, Maybe) and not unbound:  # of None among other objects
        return joined
    return joined if isinstance(joined, Opaque) else Maybe(general(joined), "", unbound)


def ordered(objs: Iterable[Any]) -> list[Any]:
    """Return objects in an order that is the same in every process."""
    objs = list(objs)
    try:
        return sorted(objs)
    except TypeError:
        return sorted(objs, key=repr)


def _join_constant(constant: Known, other: Value) -> Value:
    """Join a constant with a value, which may be a constant, too: by their kinds, or as one of some objects."""
    both = isinstance(other, Known)
    orders = (constant, other), (other, constant)
    for this, that in orders:
        is_truth = both and isinstance(that.obj, bool)  # type: ignore[attr-defined]
        if getattr(this, "obj", this) is None and not is_truth and not isinstance(general(that), OneOf):
            return Maybe(general(that))
    if (
        isinstance(other, Mutable)
        and other.cls in (set, frozenset)
        and isinstance(constant.obj, frozenset | set)
    ):
        site = other.site.root()
        known = [] if site.element is None else [site.element]
        site.element = join_all([*known, *(general(Known(member)) for member in ordered(constant.obj))])
        return type_of(other)
    for this, that in orders:
        choice = _kind_of_constant(that)
        if (
            isinstance(this, Known)
            and isinstance(choice, OneOf)
            and not (is_int(this.obj) and None in choice.objs)
        ):
            return OneOf(union(choice.objs, (this.obj,), exact=True))
    most = len(other.items) if isinstance(other, Tuple) else MAX_PARTS
    joined = join(_kind_of_constant(constant, most), _kind_of_constant(other))
    return OneOf((constant.obj, other.obj)) if both and isinstance(joined, Opaque) else joined  # type: ignore[attr-defined]


def _kind_of_constant(value: Value, most: int = MAX_PARTS) -> Value:
    """Return a constant as a tuple of up to so many parts, sequence, set or number; another value as it is."""
    if not isinstance(value, Known):
        return value
    obj = value.obj
    if isinstance(obj, tuple) and (len(obj) <= most or type(obj) is not tuple):
        return Tuple([Known(part) for part in obj], type(obj))
    if isinstance(obj, frozenset | set) and len(obj) <= MAX_MASK:
        return Members(tuple(ordered(obj)))
    return as_sequence_type(value) if type(obj) is tuple else general(value)  # type: ignore[return-value]


def _join_types(one: Value, other: Value) -> Value:
    match one, other:
        case Int(), Int():
            return Int(min(one.lo, other.lo), max(one.hi, other.hi))
        case ((Int() | Float()), (Int() | Float())):
            return Float()
        case (Int(lo, hi), OneOf(objs)) | (OneOf(objs), Int(lo, hi)) if None in objs:
            rest = [obj for obj in objs if obj is not None]
            if all(map(is_int, rest)):
                return Maybe(Int(min([lo, *rest]), max([hi, *rest])))
        case OneOf(), OneOf():
            return OneOf(union(one.objs, other.objs, exact=True))
        case (OneOf((None,)), inner) | (inner, OneOf((None,))):
            return Maybe(general(inner))
        case Members(), Members():
            return Members(union(one.objs, other.objs))
        case Tuple(mine, cls), Tuple(its, other_cls) if cls is other_cls and len(mine) == len(its):
            return Tuple([join(type_of(x), type_of(y)) for x, y in zip(mine, its, strict=True)], cls)
        case (OneOf(objs), rest) | (rest, OneOf(objs)) if (
            isinstance(rest, Members | Mutable)
            and objs
            and all(isinstance(obj, set | frozenset) for obj in objs)
        ):
            return join_all([rest, *map(Known, objs)])  # type: ignore[return-value]
        case (Members() as members, Mutable(kind)) | (Mutable(kind), Members() as members) if kind in (
            set,
            frozenset,
        ):
            return type_of(members)
        case Mutable(cls), Mutable(other_cls) if cls is other_cls:
            unite(one.site, other.site)
            return Mutable(cls, one.site, "", one.inner or other.inner, one.shared or other.shared)
    first, second = as_sequence_type(one), as_sequence_type(other)
    if first is None or second is None or first.cls is not second.cls:
        return Opaque(f"a value of two kinds ({described(one)} or {described(other)})")
    some = [each.element for each in (first, second) if each.capacity] or [first.element]
    element = join(some[0], some[-1])
    if isinstance(element, Opaque):
        return element
    caps = [each.capacity for each in (first, second) if each.capped]
    capacity = max(caps) if caps else max(first.capacity, second.capacity)
    lengths = [(0, capacity)] if caps else [bounds(each.length) for each in (first, second)]
    length: Value = Int(min(lo for lo, _ in lengths), max(hi for _, hi in lengths))
    if isinstance(first.length, Known) and len(set(lengths)) == 1 and not caps:
        length = first.length
    return Array(general(element), capacity, length, first.cls, capped=bool(caps))


def unite(one: Site, other: Site) -> None:
    """Make two sites one: what they make is the same variable's."""
    one, other = one.root(), other.root()
    if one is other:
        return
    other.joined = one
    one.capacity = max(one.capacity, other.capacity)
    one.element = join_all(each for each in (one.element, other.element) if each is not None)
    one.value = join_all(each for each in (one.value, other.value) if each is not None)


def bounds(value: Value) -> tuple[int, int]:
    """Return the interval of a number that is an integer or a truth value."""
    if isinstance(value, Known) and isinstance(value.obj, int):
        return int(value.obj), int(value.obj)
    if isinstance(value, Int):
        return value.lo, value.hi
    if isinstance(value, Bool):
        return 0, 1
    if isinstance(value, OneOf) and all(isinstance(obj, int) for obj in value.objs):
        return int(min(value.objs)), int(max(value.objs))
    return WORD_MIN, WORD_MAX


def widened(old: Value, new: Value, growth: int = 1) -> Value:
    """Return a type that includes `new`; an end of an interval that still moves becomes the end of a register.

    Widening ends the search for a fixed point (Cousot and Cousot 1977).
    """
    if isinstance(new, Int):
        lo, hi = bounds(old) if isinstance(old, Int | Known) else (new.lo, new.hi)
        if width_of(new.lo, new.hi) > 64:
            edge = 1 << (width_of(new.lo, new.hi) - 1)
            return Int(new.lo if new.lo >= lo else -edge, new.hi if new.hi <= hi else edge - 1)
        least = new.lo if new.lo >= lo else 0 if new.lo >= 0 else WORD_MIN
        return Int(least, new.hi if new.hi <= hi else WORD_MAX)
    if isinstance(new, Tuple):
        olds: list[Value] = []
        if isinstance(old, Tuple):
            olds = old.items
        elif isinstance(old, Known) and isinstance(old.obj, tuple):
            olds = [Known(obj) for obj in old.obj]
        if len(olds) == len(new.items):
            return Tuple([widened(x, y, growth) for x, y in zip(olds, new.items, strict=True)], new.cls)
    if isinstance(new, Maybe):
        return Maybe(
            widened(old.value if isinstance(old, Maybe) else old, new.value, growth), "", new.unbound
        )
    if isinstance(new, Array) and isinstance(old, Array):
        element = widened(old.element, new.element, growth)
        if new.capped or new.capacity <= old.capacity:
            return Array(element, new.capacity, new.length, new.cls, capped=new.capped)
        capacity = max(16, 1 << new.capacity.bit_length()) * growth
        return Array(element, capacity, Int(0, capacity), new.cls, capped=True)
    return new


def described(value: Value) -> str:
    """Return what a value is, in the user's terms."""
    match value:
        case Known(obj) | OneOf((obj,)):
            return f"{obj!r}"[:60]
        case OneOf(objs) if objs:
            return f"one of {len(objs)} values such as {objs[0]!r}"[:80]
        case Maybe(inner):
            return f"{described(inner)} or None"
        case Opaque(what):
            return what
        case Method(owner, name):
            return f"the method {name} of {described(owner)}"
        case Tuple() | Array() | Mutable():
            return f"a {value.cls.__name__}"
    return DESCRIBED.get(type(value), "a function")


DESCRIBED: dict[Any, str] = {
    Int: "an integer", Float: "a float", Bool: "a truth value", Members: "a set", Lazy: "an iterator"
}  # fmt: skip
