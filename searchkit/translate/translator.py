"""The translator: from functions of Python to functions in LLVM's assembly.

It is an abstract interpreter: it runs the syntax tree over values of which it knows something (`values`), computes what
can be computed now, and emits instructions for the rest. Calls are generated in place. What it has to assume about
loops and about what lists hold is checked at the end; if it was wrong, it generates the code again with what it has
learnt, until nothing changes.
"""

import builtins
import itertools
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import EnumMeta
from types import FunctionType
from typing import Any

from attrs import evolve

from searchkit.translate import (
    calls,
    expressions,
    iteration,
    library,
    mutables,
    operators,
    prelude,
    sequences,
    statements,
)
from searchkit.translate.arithmetic import as_int
from searchkit.translate.calls import Frame
from searchkit.translate.code import Code, StaleError
from searchkit.translate.emitter import LAYOUT, RAISED, Hints
from searchkit.translate.lookups import MAX_KEYS, key_index, tabulate
from searchkit.translate.recursion import Recursive
from searchkit.translate.source import local_names
from searchkit.translate.values import (
    Array,
    Bool,
    Closure,
    DeadCodeError,
    Int,
    Known,
    Lazy,
    Maybe,
    Mutable,
    OneOf,
    Opaque,
    TranslationError,
    Tuple,
    Value,
    described,
    is_nothing,
)


class Translator(Code):
    """Generates one function."""

    RAISED, LAYOUT = RAISED, LAYOUT
    refine = statements.refine
    assign = statements.assign
    foreach = iteration.foreach
    repeat = iteration.repeat
    evaluate = expressions.evaluate
    evaluate_call = calls.evaluate_call
    inline = calls.inline
    call = calls.call
    call_method = library.call_method
    attribute = calls.attribute
    with_fields = calls.with_fields
    binary = operators.binary
    compare = operators.compare
    equal = operators.equal
    truth = operators.truth
    invert = operators.invert
    both = operators.both
    compensated_sums = sys.version_info >= (3, 12)

    def __init__(self, hints: Hints):
        super().__init__(hints)
        self.defaults: dict[int, Value] = {}
        """The place that makes a `defaultdict` → what makes a value for a missing key."""
        self.recursive: list[Recursive] = []
        """The functions that call themselves and are generated now, the innermost last."""
        self.frame = Frame(0, {}, {}, None, (), "")
        self.paths: dict[int, Any] = {0: ()}

    # -- names

    def new_frame(self, called: Closure) -> Frame:
        """Return the frame of a call at the current node."""
        self.frames += 1
        function, parent, node = called.function, called.frame, called.node
        if function is not None:
            names, filename = function.__globals__, function.__code__.co_filename
            cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        else:
            names, filename, cells = parent.globals, parent.filename, parent.cells
        path = (*self.frame.path, id(self.node), node)
        frame = Frame(self.frames, names, cells, parent, path, filename, node)
        self.paths[frame.id] = path
        return frame

    def get(self, name: str) -> Value:
        """Return the value of a name."""
        frame: Frame | None = self.frame
        while frame is not None:
            value = self.env.get((frame.id, name))
            if value is not None:
                if isinstance(value, Maybe) and value.unbound:
                    value = self.bound(value)
                    self.env[frame.id, name] = value
                return value
            if name in local_names(frame.node):
                self.fail(RAISED, UnboundLocalError if frame is self.frame else NameError)
            if name in frame.cells:
                try:
                    return Known(frame.cells[name].cell_contents)
                except ValueError:
                    break
            if frame.parent is None:
                if name in frame.globals:
                    return Known(frame.globals[name])
                break
            frame = frame.parent
        if hasattr(builtins, name):
            return Known(getattr(builtins, name))
        raise TranslationError(f"the name {name} has no value here")

    def put(self, name: str, value: Value) -> None:
        """Bind a name."""
        self.env[self.frame.id, name] = value

    def key(self, role: str, node: Any = None) -> Any:
        """Return which place of the program this is, the same each time the code is generated."""
        return (self.frame.path, id(self.node if node is None else node), role)

    # -- control

    @contextmanager
    def temporary(self) -> Iterator[Any]:
        """Return a name for a value that control carries along, for a while."""
        frame = self.frame
        frame.temporaries += 1
        yield frame.id, f"$temporary {frame.temporaries}"
        frame.temporaries -= 1

    def either(self, test: Value, yes: Callable[[], Value], no: Callable[[], Value]) -> Value:
        """Return one of two values."""
        with self.temporary() as name:

            def way(make: Callable[[], Value]) -> None:
                self.env[name] = make()

            self.branch(test, lambda: way(yes), lambda: way(no))
            return self.env.pop(name)

    def reduce(self, source: Value, start: Value, step: Callable[[Value, Value], Value]) -> Value:
        """Return the last of start, step(start, first element) and so on."""
        with self.temporary() as name:
            self.env[name] = start

            def one(item: Value) -> None:
                self.env[name] = step(self.env[name], item)

            self.foreach(source, one)
            return self.env.pop(name)

    def give(self, value: Value) -> None:
        """Yield a value: generate the body of the loop of the caller."""
        frame, handlers = self.frame, self.handlers
        if frame.on_yield is None:
            raise TranslationError("yield here")
        self.frame, self.handlers = frame.caller, handlers[: frame.handlers]
        try:
            frame.on_yield(value)
        finally:
            self.frame, self.handlers = frame, handlers

    def leave(self, edges: list[Any]) -> None:
        """Leave a loop or call early."""
        edges.append((self.current, self.env))
        self.depth += 1
        raise DeadCodeError

    def meet(self, end: list[Any], left: list[Any], mark: int | None = None) -> None:
        """Continue after a loop or call, which has an end and may have been left early."""
        self.depth -= len(left)
        self.merge(end + left, mark)

    def any_of(self, source: Value, test: Callable[[Value], Value]) -> Value:
        """Return whether a test holds for one element."""
        found: list[Any] = []
        with self.temporary() as name:

            def hit() -> None:
                self.env[name] = Known(True)
                found.append((self.current, self.env))
                raise DeadCodeError

            def search() -> None:
                self.foreach(source, lambda item: self.branch(test(item), hit, lambda: None))
                self.env[name] = Known(False)

            self.merge(self.arm(self.current, self.env, search) + found)
            return self.env.pop(name)

    def all_of(self, source: Value, test: Callable[[Value], Value]) -> Value:
        """Return whether a test holds for all elements."""
        return self.invert(self.any_of(source, lambda item: self.invert(test(item))))

    # -- values

    def as_number(self, value: Value) -> Value:
        """Return a truth value as 0 or 1."""
        return Known(int(value.obj)) if isinstance(value, Known) else Int(0, 1, self.integer(value))

    def length(self, value: Value) -> Value:
        """Return the length of a value."""
        if isinstance(value, Mutable) and value.cls is not list:
            return mutables.count(self, value)
        if isinstance(value, Lazy):
            return iteration.indexed(self, value)[0]
        if isinstance(value, Tuple) and not issubclass(value.cls, tuple):
            return self.call(Known(value.cls.__len__), [value], {})
        return sequences.length(self, value)

    def subscript(self, owner: Value, index: Value) -> Value:
        """Return `owner[index]`."""
        if isinstance(owner, Maybe):
            owner = self.some(owner)
        if isinstance(index, Maybe):
            index = self.some(index)
        ends = sequences.ends_of_slice(index)
        if ends is not None:
            return self._slice(owner, ends)
        if isinstance(owner, Known) and isinstance(index, Known) and not self._is_cache(owner):
            return self.computed(lambda a, b: a[b], owner.obj, index.obj)
        if isinstance(owner, Known) and isinstance(owner.obj, dict):
            if self._is_cache(owner):
                value = self.env.get((0, f"$cache {id(owner.obj)}"))
                if value is None:
                    raise TranslationError("a cache that is read before it is written")
                return value
            return self.look_up(owner, index, None)
        if isinstance(owner, Mutable) and issubclass(owner.cls, dict):
            if owner.cls is Counter:
                return mutables.get_or(self, owner, index, Known(0))
            factory = self.defaults.get(id(owner.site.root()), Known(None))
            if not isinstance(factory, Known) or factory.obj is not None:
                self.call(Known(prelude.add_missing), [owner, index, factory], {})
            return mutables.get(self, owner, index)
        if isinstance(owner, Known) and hasattr(owner.obj, "tolist"):
            found: Value = Known(owner.obj.tolist())
            for part in index.items if isinstance(index, Tuple) else [index]:
                found = self.subscript(found, part)
            return found
        if isinstance(owner, Tuple) and not issubclass(owner.cls, tuple):
            return self.call(Known(owner.cls.__getitem__), [owner, index], {})
        if isinstance(owner, OneOf) and all(type(obj) is dict for obj in owner.objs):
            return self.look_up(owner, index, None)
        code = getattr(type(owner.obj), "__getitem__", None) if isinstance(owner, Known) else None
        if isinstance(code, FunctionType):
            return self.call(Known(code), [owner, index], {})
        is_enum = isinstance(owner, Known) and isinstance(owner.obj, EnumMeta)
        if is_enum or (isinstance(owner, OneOf) and not sequences.is_sequence(owner)):
            return tabulate(self, lambda obj, key: obj[key], [owner, index], "a subscript")
        if isinstance(owner, Opaque):
            return owner
        return sequences.item(self, owner, index)

    def _is_cache(self, value: Known) -> bool:
        return id(value.obj) in self.hints.caches

    def _slice(self, owner: Value, ends: list[Value]) -> Value:
        """Return a part of a sequence: a new one, if it is a list."""
        if isinstance(owner, Tuple) and not issubclass(owner.cls, tuple):
            raise TranslationError(f"a slice of a {owner.cls.__name__}")
        ends = [self.some(end) if isinstance(end, Maybe) else end for end in ends]
        ends = [end if isinstance(end, Known) else as_int(self, end) for end in ends]
        found = sequences.slice_of(self, owner, *ends)
        is_list = isinstance(owner, Mutable) or (isinstance(owner, Known) and type(owner.obj) is list)
        is_copy = all(isinstance(end, Known) and end.obj is None for end in ends)
        if is_list and (is_copy or not isinstance(found, Known) or found.obj == ()):
            return mutables.list_of(self, found, self.key("slice"))
        return found

    def look_up(self, owner: Known | OneOf, key: Value, default: Value | None) -> Value:
        """Return `owner.get(key, default)` of a known dict, or one of some; without a default, `KeyError`."""
        tables = owner.objs if isinstance(owner, OneOf) else (owner.obj,)
        table, is_one = tables[0], len(tables) == 1
        if default is None and is_one:
            factory = getattr(table, "default_factory", None) or (int if isinstance(table, Counter) else None)
            default = None if factory is None else Known(factory())
        if is_one:
            keys = self.keys_of(table)
        else:
            keys = self.hints.kept("all keys", tables, lambda: list(dict.fromkeys(itertools.chain(*tables))))
        if not is_one and len(keys) * len(tables) > MAX_KEYS:
            raise TranslationError("one of many large dicts")
        place, may_miss = key_index(self, keys, key) if keys else ("-1", True)
        if place == "-1" and default is not None:
            return default
        if place == "-1":
            self.fail(RAISED, KeyError)
        there: Value = Bool(self.op(f"icmp sge i64 {place}, 0")) if may_miss else Known(True)
        at, rows = place, self.hints.kept("values", table, lambda: list(table.values()))
        if isinstance(owner, OneOf):
            at = self.op(f"add i64 {self.op(f'mul i64 {owner.ssa}, {len(keys)}')}, {place}")
            there = self.both(there, self.value_at([key in each for each in tables for key in keys], at))
            spare = next((value for each in tables for value in each.values()), None)
            rows = [each.get(key, spare) for each in tables for key in keys]
        elif may_miss and isinstance(default, Known):
            return self.value_at([default.obj, *rows], self.op(f"add i64 {place}, 1"))
        if default is not None:
            return self.either(there, lambda: self.value_at(rows, at), lambda: default)
        self.fail_if(self.invert(there), RAISED, KeyError)
        return self.value_at(rows, at)

    def keys_of(self, table: Any) -> list[Any]:
        """Return the elements of a known collection: the same list each time."""
        return self.hints.kept("keys", table, lambda: list(table))  # type: ignore[no-any-return]

    def thaw(self, obj: Any) -> None:
        """Make a set or dict that the code writes with all its members at run time, because it is changed."""
        if id(obj) in self.hints.literals:
            self.hints.dynamic.add(self.hints.literals[id(obj)][1])
            self.again()

    def note_cache(self, obj: dict[Any, Any]) -> None:
        """Note that a dict is filled during the search: it is a cache, and counts as empty."""
        if id(obj) not in self.hints.caches:
            self.hints.caches[id(obj)] = obj
            self.again()

    def again(self) -> None:
        """Generate the code again, with what was learnt."""
        self.hints.stale = True
        raise StaleError

    def computed(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Value:
        """Return what a function of Python returns now."""
        try:
            return Known(function(*args, **kwargs))
        except TranslationError:
            raise
        except Exception as error:
            self.fail(RAISED, type(error))
        raise AssertionError

    def some(self, value: Maybe) -> Value:
        """Return a value that may be None where it can't be used if it is."""
        if value.unbound:
            return self.bound(value)
        self.fail_if(Bool(value.none), RAISED, TypeError)
        return value.value

    def bound(self, value: Maybe) -> Value:
        """Return the value of a name that may not be bound."""
        never = is_nothing(value.value)
        self.fail_if(Known(True) if never else Bool(value.none), RAISED, UnboundLocalError)
        return value.value

    def tuple_of(self, items: list[Value]) -> Value:
        """Return a tuple of values."""
        if all(isinstance(item, Known) for item in items):
            return Known(tuple(item.obj for item in items))  # type: ignore[attr-defined]
        return Tuple(list(items))

    def items_of(self, value: Value, count: int) -> list[Value]:
        """Return the parts of a value that has to have so many."""
        if isinstance(value, Maybe):
            value = self.some(value)
        if isinstance(value, Lazy) or (isinstance(value, Known) and not hasattr(value.obj, "__getitem__")):
            value = self.collected(value)
        pair = sequences.access(self, value)
        if pair is None:
            raise TranslationError(f"unpacking of {described(value)}")
        size, get = pair
        different = self.compare("NotEq", size, Known(count))
        self.fail_if(different, RAISED, ValueError)
        return [get(Known(place)) for place in range(count)]

    def all_items(self, value: Value) -> list[Value]:
        """Return the parts of a value whose length is known."""
        found = self.collected(value)
        pair = sequences.access(self, found)
        if pair is None or not isinstance(pair[0], Known):
            raise TranslationError("* with a number of arguments that depends on the state")
        return [pair[1](Known(place)) for place in range(pair[0].obj)]

    def makes_text(self) -> bool:
        """Whether a text is made of others or of numbers; if not, that is noted."""
        if not self.hints.makes_texts:
            self.hints.left_out.add(self.key("text"))
        return self.hints.makes_texts

    def collected(self, value: Value) -> Value:
        """Return the elements of anything that can be iterated over, as a tuple."""
        match value:
            case Known(obj) if not hasattr(obj, "__next__"):
                return Known(tuple(obj))
            case Tuple():
                return value if value.cls is tuple else Tuple(value.items)
            case Array():
                return Array(value.element, value.capacity, value.length, tuple, value.ptr)
            case Maybe():
                return self.collected(self.some(value))
            case OneOf(objs, ssa) if not sequences.is_sequence(value):
                return self.value_at([tuple(obj) for obj in objs], ssa)
            case OneOf():
                return self.collected(sequences.sequence(self, value))
            case Mutable(kind) if kind is list:
                whole = evolve(sequences.sequence(self, value), cls=tuple)
                return self.detached(whole, whole) if whole.capacity else Known(())
        key = self.key("collected")
        if key not in self.hints.dynamic:
            items: list[Value] = []
            depth = self.depth

            def keep(item: Value) -> None:
                if self.depth != depth:
                    self.hints.dynamic.add(key)
                    self.again()
                items.append(item)

            self.foreach(value, keep)
            return self.tuple_of(items)
        made = mutables.new(self, list, key)
        self.foreach(value, lambda item: mutables.append(self, made, item))
        found = sequences.sequence(self, made)
        return Array(found.element, found.capacity, found.length, tuple, found.ptr)

    def stable(self, value: Value, *, always: bool = False) -> Value:
        """Return a value that does not change with the list it was read from."""
        match value:
            case Array():
                return self.detached(value, value)
            case Tuple(items, cls):
                return Tuple([self.stable(item, always=always) for item in items], cls)
            case Maybe(inner, none):
                return Maybe(self.stable(inner, always=always), none, value.unbound)
            case Mutable() if always:
                return self.detached(value, value)
        return value

    @contextmanager
    def carrying(self, names: set[Any]) -> Iterator[None]:
        """Tell loops which names they may change."""
        before = self.carried
        self.carried = before | names
        yield
        self.carried = before
