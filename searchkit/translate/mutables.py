"""Lists, deques, heaps, sets and dicts that are made at run time: blocks of memory of fixed capacity.

What goes into them and how much is found out by generating the code again until nothing new is found (`Site`). A list
is its length and its elements. A set or dict is a table of entries in the order of insertion, found by open addressing
(Knuth, The Art of Computer Programming 3, 6.4): the number of entries, how many are alive, the entries, an index.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from searchkit.translate.arithmetic import compare_numbers
from searchkit.translate.emitter import CAPACITY, HEADER, MAX_CAPACITY, RAISED
from searchkit.translate.lookups import are_distinct, check_key
from searchkit.translate.rewriting import is_one_loop
from searchkit.translate.sequences import copy_run, element_at, is_sequence, length_of_list, sequence, wrapped
from searchkit.translate.values import (
    Array,
    Bool,
    Int,
    Known,
    Lazy,
    Maybe,
    Members,
    Mutable,
    OneOf,
    Opaque,
    Site,
    TranslationError,
    Tuple,
    Value,
    bounds,
    collections_in,
    described,
    general,
    join,
    marked,
    type_of,
    widened,
)

if TYPE_CHECKING:
    from searchkit.translate.translator import Translator

NONE, LAST = Known(None), Known(-1)
RUNTIME = """
define private i64 @find(ptr %block, ptr %key, i64 %words, i64 %stride, i64 %capacity, i1 %add) {
start:
  br label %hash
hash:
  %i = phi i64 [ 0, %start ], [ %i1, %hashing ]
  %h = phi i64 [ 0, %start ], [ %h3, %hashing ]
  %more = icmp ult i64 %i, %words
  br i1 %more, label %hashing, label %hashed
hashing:
  %wp = getelementptr i64, ptr %key, i64 %i
  %w = load i64, ptr %wp
  %h1 = xor i64 %h, %w
  %h2 = mul i64 %h1, -7046029254386353131
  %hs = lshr i64 %h2, 29
  %h3 = xor i64 %h2, %hs
  %i1 = add i64 %i, 1
  br label %hash
hashed:
  %size = mul i64 %capacity, %stride
  %entries = getelementptr i64, ptr %block, i64 2
  %index = getelementptr i64, ptr %entries, i64 %size
  %slots = shl i64 %capacity, 1
  %last = sub i64 %slots, 1
  br label %probe
probe:
  %n = phi i64 [ 0, %hashed ], [ %n1, %next ]
  %full = icmp uge i64 %n, %slots
  br i1 %full, label %none, label %look
look:
  %s0 = add i64 %h, %n
  %s = and i64 %s0, %last
  %sp = getelementptr i64, ptr %index, i64 %s
  %e = load i64, ptr %sp
  %empty = icmp eq i64 %e, 0
  br i1 %empty, label %absent, label %there
there:
  %e1 = sub i64 %e, 1
  %cl = sub i64 %capacity, 1
  %em = and i64 %e1, %cl
  %eo = mul i64 %em, %stride
  %ep = getelementptr i64, ptr %entries, i64 %eo
  %kp = getelementptr i64, ptr %ep, i64 1
  %size8 = shl i64 %words, 3
  %differ = call i32 @memcmp(ptr %key, ptr %kp, i64 %size8)
  %equal = icmp eq i32 %differ, 0
  br i1 %equal, label %same, label %next
next:
  %n1 = add i64 %n, 1
  br label %probe
same:
  %alive = load i64, ptr %ep
  %is = icmp ne i64 %alive, 0
  br i1 %is, label %found, label %absent
found:
  ret i64 %em
absent:
  br i1 %add, label %insert, label %none
insert:
  %count = load i64, ptr %block
  %room = icmp ult i64 %count, %capacity
  br i1 %room, label %write, label %toomany
write:
  %no = mul i64 %count, %stride
  %np = getelementptr i64, ptr %entries, i64 %no
  store i64 1, ptr %np
  %nk = getelementptr i64, ptr %np, i64 1
  %bytes = shl i64 %words, 3
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %nk, ptr align 8 %key, i64 %bytes, i1 false)
  %c1 = add i64 %count, 1
  store i64 %c1, ptr %block
  store i64 %c1, ptr %sp
  %lp = getelementptr i64, ptr %block, i64 1
  %l = load i64, ptr %lp
  %l1 = add i64 %l, 1
  store i64 %l1, ptr %lp
  ret i64 %count
none:
  ret i64 -1
toomany:
  ret i64 -2
}
"""
"""Where a key is in a table; it may be added. The number of an entry; −1 if it is not there, −2 if there is no room."""


MAX_RESERVED = 256
"""There is room for so many elements that an iterable may have; for more only if it has them."""
MAX_RESERVATIONS = 4
"""A list that outgrows its room so often while code is generated is one that grows in a loop."""
LARGE_ELEMENT = 16
"""A list, set or dict of elements of so many words has room for a quarter at first."""


def new(t: "Translator", cls: Any, key: Any, capacity: int = 0) -> Mutable:
    """Return an empty list, set or dict.

    Args:
        t: the function that is generated.
        cls: the class.
        key: which place of the program makes it.
        capacity: how many elements it gets at most, if no more are appended; 0 if that is not known.

    """
    site = t.hints.sites.get(key)
    if site is None:
        site = t.hints.sites[key] = Site()
    root = site.root()
    if root.element is not None and not root.is_large and t.words(root.element) >= LARGE_ELEMENT:
        root.is_large, root.capacity = True, 0
    if capacity:
        _reserve(t, root, capacity)
    else:
        _reserve_more(t, root)
    if root.capacity > MAX_CAPACITY:
        raise TranslationError(f"a {cls.__name__} of more than {MAX_CAPACITY} elements is made for one state")
    made = Mutable(cls, site)
    made = Mutable(cls, site, t.memory(t.words(made)))
    clear(t, made)
    return made


def _reserve(t: "Translator", site: Site, capacity: int) -> None:
    """Give what a site makes room for so many elements; for as many as usual, if it grows each time in a loop."""
    if site.reservations > MAX_RESERVATIONS:
        capacity = min(capacity, t.hints.usual_capacity)
    if capacity > site.capacity:
        site.capacity, site.reservations = 1 << (capacity - 1).bit_length(), site.reservations + 1
        t.hints.stale = True


def _reserve_more(t: "Translator", site: Site) -> None:
    """Give what a site makes room for elements whose number is not known."""
    _reserve(t, site, t.hints.usual_capacity // (4 if site.is_large else 1))


def growing(add: Callable[..., None]) -> Callable[..., None]:
    """Return a function that adds to a list, set or dict as one that is called any number of times."""

    def added(t: "Translator", value: Mutable, *args: Value) -> None:
        _reserve_more(t, value.site.root())
        add(t, value, *args)

    return added


def most_elements(value: Value) -> int:
    """Return how many elements an iterable has at most; 0 if that is not known, or they are many."""
    found = 0
    match value:
        case Tuple(items):
            found = len(items)
        case Known(obj) if hasattr(obj, "__len__"):
            found = len(obj)
        case Members(objs):
            found = len(objs)
        case Array():
            found = bounds(value.length)[1]
        case Mutable():
            found = value.site.root().capacity
        case OneOf(objs) if objs and all(hasattr(obj, "__len__") for obj in objs):
            found = max(map(len, objs))
        case Lazy("enumerate" | "reversed", (source, *_)):
            found = most_elements(source)
        case Lazy("zip", sources):
            found = min(map(most_elements, sources), default=0)
        case Lazy("generator", (called, [source], _)) if is_one_loop(called.node):
            found = most_elements(source)
    return found if found <= MAX_RESERVED else 0


def clear(t: "Translator", value: Mutable) -> None:
    """Remove all elements."""
    change(t, value, moves=True)
    t.line(f"store i64 0, ptr {value.ptr}")
    if value.cls is not list:
        t.line(f"store i64 0, ptr {t.word(value.ptr, 1)}")
        capacity = value.site.root().capacity
        index = t.word(value.ptr, HEADER + capacity * stride(t, value))
        t.line(f"call void @llvm.memset.p0.i64(ptr align 8 {index}, i8 0, i64 {16 * capacity}, i1 false)")


def stride(t: "Translator", value: Mutable) -> int:
    """Return the words of an entry of a set or dict: whether it is alive, the key, the value."""
    site = value.site.root()
    return 1 + sum(t.words(kind) for kind in (site.element, site.value) if kind is not None)


def admit(t: "Translator", site: Site, value: Value, part: str = "element") -> Value:
    """Note that a value is put into what a site makes; return the type of what is stored there."""
    site = site.root()
    known = getattr(site, part)
    kind = general(type_of(value))
    joined = kind if known is None else join(known, kind)
    if known is None or joined.static() != known.static():
        site.rounds += 1
        joined = (
            general(widened(known, joined, t.hints.growth))
            if known is not None and site.rounds > 2
            else general(joined)
        )
        setattr(site, part, joined)
        t.hints.stale = True
    return joined


def share(t: "Translator", value: Value) -> None:
    """Note that copies of these lists, sets and dicts are elements of another one, under all their names."""
    homes = t.origins(value)
    if homes:
        for name, held in t.env.items():
            t.env[name] = marked(held, lambda each: each.shared or bool(t.origins(each) & homes))


def change(t: "Translator", value: Mutable, *, moves: bool = False) -> None:
    """Prepare a change, which may overwrite or move elements. Names of other copies, and of these, can't be used then.

    Raises `TranslationError` if the change would have to be one of a copy, too.
    """
    name, site = value.cls.__name__, value.site.root()
    if value.shared:
        raise TranslationError(
            f"a {name} is changed that has another name, or is in another collection; change a copy"
        )
    parts = (
        [part for kind in (site.element, site.value) if kind for part in collections_in(kind)]
        if moves
        else []
    )
    moved = {part.site.root() for part in parts}
    for key, held in t.env.items():
        for each in collections_in(held):
            root = each.site.root()
            if (each.shared and root is site) or (each.inner and root in moved):
                t.env[key] = Opaque("a collection that was changed, or moved, under another name")


# -- lists


def append(t: "Translator", value: Mutable, element: Value) -> None:
    """Add an element at the end of a list that has room for it."""
    change(t, value)
    share(t, element)
    kind = admit(t, value.site, element)
    capacity = value.site.root().capacity
    count = t.loaded("i64", value.ptr)
    t.fail_if(Bool(t.op(f"icmp uge i64 {count}, {capacity}")), CAPACITY)
    t.store(t.element(t.word(value.ptr, 1), count, capacity, t.words(kind)), kind, element)
    t.line(f"store i64 {t.op(f'add i64 {count}, 1')}, ptr {value.ptr}")


def list_of(t: "Translator", source: Value, key: Any) -> Mutable:
    """Return a new list with the elements of an iterable."""
    if isinstance(source, Tuple):
        made = new(t, list, key, len(source.items))
        for item in source.items:
            append(t, made, item)
        return made
    if is_sequence(source) and not isinstance(source, OneOf):
        found = sequence(t, source)
        made, size = new(t, list, key, found.capacity), found.length
        if found.capacity:
            kind, room = admit(t, made.site, found.element), made.site.root().capacity
            if bounds(size)[1] > room:
                t.fail_if(compare_numbers(t, "Gt", size, Known(room)), CAPACITY)
                size = Int(0, room, t.integer(size))
            whole = Array(kind, room, size, list, t.word(made.ptr, 1))
            copy_run(t, whole, Known(0), found, Known(0), size)
            t.stored("i64", t.integer(size), made.ptr)
        return made
    made = new(t, list, key, most_elements(source))
    t.foreach(source, lambda element: append(t, made, element))
    return made


def address(t: "Translator", value: Mutable, index: Value) -> tuple[str, Value]:
    """Return the address of an element of a list at an index within it, and the type of the element."""
    kind = value.site.root().element
    if kind is None:
        t.fail(RAISED, IndexError)
    assert kind is not None
    return t.element(t.word(value.ptr, 1), index, value.site.root().capacity, t.words(kind)), kind


def set_item(t: "Translator", value: Mutable, index: Value, element: Value) -> None:
    """Set `value[index]` of a list."""
    change(t, value, moves=True)
    share(t, element)
    index = wrapped(t, index, length_of_list(t, value))
    admit(t, value.site, element)
    where, kind = address(t, value, index)
    if isinstance(kind, Mutable):
        element = t.detached(element, kind)
    t.store(where, kind, element)


def pop(t: "Translator", value: Mutable, index: Value = LAST) -> Value:
    """Remove and return an element of a list."""
    change(t, value, moves=True)
    where, kind = address(t, value, index := wrapped(t, index, size := length_of_list(t, value)))
    found = t.stable(t.load(where, kind), always=True)
    at = t.op(f"call i64 @llvm.umin.i64(i64 {t.integer(index)}, i64 {size.hi - 1})")
    rest = t.op(f"sub i64 {t.op(f'sub i64 {size.ssa}, 1')}, {at}")
    bytes_ = t.op(f"mul i64 {t.op(f'call i64 @llvm.smax.i64(i64 {rest}, i64 0)')}, {8 * t.words(kind)}")
    target = t.op(
        f"getelementptr i64, ptr {t.word(value.ptr, 1)}, i64 {t.op(f'mul i64 {at}, {t.words(kind)}')}"
    )
    where = f"ptr align 8 {target}, ptr align 8 {t.word(target, t.words(kind))}"
    t.line(f"call void @llvm.memmove.p0.p0.i64({where}, i64 {bytes_}, i1 false)")
    t.line(f"store i64 {t.op(f'sub i64 {size.ssa}, 1')}, ptr {value.ptr}")
    return found


# -- sets and dicts


def locate(t: "Translator", value: Mutable, key: Value, *, add: bool) -> str:
    """Return the register with the number of an entry, −1 if the key is not there."""
    kind = admit(t, value.site, key) if add else value.site.root().element
    if kind is None:
        return "-1"
    if not add:
        joined = join(kind, general(type_of(key)))
        if isinstance(joined, Opaque):
            if isinstance(kind, Tuple) and isinstance(key, Tuple) and issubclass(kind.cls, tuple):
                raise TranslationError("tuples and named tuples as keys of one set or dict")
            return "-1"
        if joined.static() != kind.static():
            kind = admit(t, value.site, key)
    room = t.memory(t.words(kind))
    _store_key(t, room, kind, key)
    capacity = value.site.root().capacity
    found = t.op(
        f"call i64 @find(ptr {value.ptr}, ptr {room}, i64 {t.words(kind)}, i64 {stride(t, value)}, i64 {capacity}, "
        f"i1 {'true' if add else 'false'})"
    )
    if add:
        t.fail_if(Bool(t.op(f"icmp eq i64 {found}, -2")), CAPACITY)
    return found


def _store_key(t: "Translator", room: str, kind: Value, key: Value) -> None:
    """Write a key so that equal keys are equal words: where nothing is written, it is 0."""
    if isinstance(kind, Mutable | Opaque):
        raise TranslationError(f"{'a list' if isinstance(kind, Mutable) else described(kind)} as a key")
    if isinstance(kind, OneOf) and not are_distinct(t, kind.objs):
        raise TranslationError("objects as keys of which some are equal")
    if isinstance(kind, Tuple):
        check_key(kind.cls)
        for part, item in zip(kind.items, t.parts_of(key), strict=True):
            _store_key(t, room, part, item)
            room = t.word(room, t.words(part))
        return
    if not isinstance(kind, Array | Maybe):
        t.store(room, kind, key)
        return
    t.line(f"call void @llvm.memset.p0.i64(ptr align 8 {room}, i8 0, i64 {8 * t.words(kind)}, i1 false)")
    if isinstance(kind, Maybe):
        none, inner = t.maybe_parts(key, kind)
        t.stored("i1", none, room)
        t.branch(Bool(none), lambda: None, lambda: _store_key(t, t.word(room, 1), kind.value, inner))
        return
    found, head, words = sequence(t, key), len(kind.length.kinds), t.words(kind.element)
    if head:
        t.stored("i64", t.integer(found.length), room)

    def copy(i: Int) -> None:
        where = t.element(t.word(room, head), i, kind.capacity, words)
        _store_key(t, where, kind.element, element_at(t, found, i))

    if found.capacity and kind.capacity:
        t.counted(found.length, copy)


def entry(t: "Translator", value: Mutable, number: str) -> str:
    """Return the address of an entry."""
    return t.element(t.word(value.ptr, HEADER), number, value.site.root().capacity, stride(t, value))


def count(t: "Translator", value: Mutable) -> Int:
    """Return how many elements a set or dict has."""
    capacity = value.site.root().capacity
    live = t.loaded("i64", t.word(value.ptr, 1))
    return Int(0, capacity, t.op(f"call i64 @llvm.umin.i64(i64 {live}, i64 {capacity})"))


def has(t: "Translator", value: Mutable, key: Value) -> Value:
    """Return whether a set or dict has a key."""
    found = locate(t, value, key, add=False)
    return Known(False) if found == "-1" else Bool(t.op(f"icmp sge i64 {found}, 0"))


def discard(t: "Translator", value: Mutable, key: Value) -> Bool:
    """Remove a key; return whether it was there."""
    change(t, value)
    found = locate(t, value, key, add=False)
    if found == "-1":
        return Bool("false")
    is_there = t.op(f"icmp sge i64 {found}, 0")
    alive = entry(t, value, found)
    old = t.loaded("i64", alive)
    t.line(f"store i64 {t.op(f'select i1 {is_there}, i64 0, i64 {old}')}, ptr {alive}")
    live = t.word(value.ptr, 1)
    left = t.op(f"sub i64 {t.loaded('i64', live)}, {t.op(f'zext i1 {is_there} to i64')}")
    t.line(f"store i64 {left}, ptr {live}")
    return Bool(is_there)


def put(t: "Translator", value: Mutable, key: Value, item: Value) -> None:
    """Set `value[key]` of a dict."""
    change(t, value, moves=True)
    share(t, item)
    admit(t, value.site, key)
    kind = admit(t, value.site, item, "value")
    number = locate(t, value, key, add=True)
    element = value.site.root().element
    assert element is not None
    t.store(t.word(entry(t, value, number), 1 + t.words(element)), kind, item)


def value_of(t: "Translator", value: Mutable, number: str) -> Value:
    """Return the value of an entry of a dict."""
    site = value.site.root()
    if site.element is None or site.value is None:
        t.fail(RAISED, KeyError)
    assert site.element is not None
    assert site.value is not None
    return t.stable(t.load(t.word(entry(t, value, number), 1 + t.words(site.element)), site.value))


def get(t: "Translator", value: Mutable, key: Value) -> Value:
    """Return `value[key]` of a dict; `KeyError` if it is not there."""
    number = locate(t, value, key, add=False)
    if number == "-1":
        t.fail(RAISED, KeyError)
    t.fail_if(Bool(t.op(f"icmp slt i64 {number}, 0")), RAISED, KeyError)
    return value_of(t, value, number)


def get_or(t: "Translator", value: Mutable, key: Value, default: Value = NONE) -> Value:
    """Return `value.get(key, default)`."""
    number = locate(t, value, key, add=False)
    if number == "-1" or value.site.root().value is None:
        return default
    is_there = Bool(t.op(f"icmp sge i64 {number}, 0"))
    return t.either(is_there, lambda: value_of(t, value, number), lambda: default)


def each_entry(t: "Translator", value: Mutable, body: Callable[[Value, str], None]) -> None:
    """Generate the body for each key in the order of insertion, with the number of its entry.

    A change of the size in the body is a `RuntimeError`, as in a loop of Python.
    """
    kind, capacity = value.site.root().element, value.site.root().capacity
    if kind is None:
        return
    entries = t.loaded("i64", value.ptr)
    used = Int(0, capacity, t.op(f"call i64 @llvm.umin.i64(i64 {entries}, i64 {capacity})"))
    size = t.integer(count(t, value))

    def check() -> None:
        now = t.integer(count(t, value))
        t.fail_if(Bool(t.op(f"icmp ne i64 {now}, {size}")), RAISED, RuntimeError)

    def one(i: Value) -> None:
        check()
        at = entry(t, value, t.integer(i))
        alive = Bool(t.op(f"icmp ne i64 {t.loaded('i64', at)}, 0"))
        t.branch(alive, lambda: body(t.stable(t.load(t.word(at, 1), kind)), t.integer(i)), lambda: None)

    t.repeat(used, one)
    check()


def copy_of(t: "Translator", kind: Mutable, members: Value) -> Mutable:
    """Return a new set like another one, with some members."""
    _reserve(t, kind.site.root(), most_elements(members))
    made = Mutable(kind.cls, kind.site, t.memory(t.words(kind)))
    clear(t, made)
    t.foreach(members, lambda element: add(t, made, element))
    return made


def set_of(t: "Translator", source: Value, key: Any, cls: Any = set) -> Value:
    """Return a new set with the elements of an iterable."""
    made = new(t, cls, key, most_elements(source))
    t.foreach(source, lambda element: add(t, made, element))
    return made


def add(t: "Translator", value: Mutable, element: Value) -> None:
    """Add an element to a set."""
    change(t, value)
    locate(t, value, element, add=True)
