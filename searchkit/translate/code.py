"""Values in registers and memory, their conversion, and the joins of control flow."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from searchkit.translate import mutables
from searchkit.translate.emitter import FUEL, HEADER, OVERFLOW, Edge, Emitter, Hints, float_text
from searchkit.translate.lookups import index_among, mask
from searchkit.translate.sequences import in_memory
from searchkit.translate.source import row_of
from searchkit.translate.values import (
    UNBOUND,
    WORD_MAX,
    WORD_MIN,
    Array,
    Bool,
    Closure,
    DeadCodeError,
    Float,
    Int,
    Known,
    Lazy,
    Maybe,
    Members,
    Method,
    Mutable,
    OneOf,
    Opaque,
    Partial,
    TranslationError,
    Tuple,
    Value,
    bounds,
    collections_in,
    described,
    general,
    is_nothing,
    join,
    join_all,
    marked,
    mask_words,
    type_of,
    unite,
    widened,
)

if TYPE_CHECKING:
    from searchkit.translate.translator import Translator


class StaleError(Exception):
    """Something new was learnt that makes what was generated useless: generate it again."""


NOT_CARRIED = Lazy | Closure | Method | Partial | Opaque | Known | Mutable
"""What a loop carries only if it turns out to be another one after the body: a list that is changed stays the same."""


class Code(Emitter):
    """One function while it is generated, with what the names are at each place."""

    def __init__(self, hints: Hints):
        super().__init__(hints)
        self.paths: dict[int, Any] = {}
        """The number of a frame → the calls that led to it."""

    # -- control flow

    def branch(self, condition: Value, yes: Callable[[], None], no: Callable[[], None]) -> None:
        """Generate both ways of a condition, `Bool` or `Known`."""
        if isinstance(condition, Known):
            (yes if condition.obj else no)()
            return
        assert isinstance(condition, Bool)
        mark = self.frames
        (one, other), env = self.fork(condition.ssa), self.env
        edges = self.arm(one, env, yes) + self.arm(other, env, no)
        self.merge(edges, mark)

    def merge(self, edges: Sequence[Edge], mark: int | None = None) -> None:
        """Continue where any of these edges leads. Names of frames after `mark` are gone."""
        if not edges:
            raise DeadCodeError
        mark = self.frames if mark is None else mark
        envs = [{key: v for key, v in env.items() if key[0] <= mark} for _, env in edges]
        if len(edges) == 1:
            self.current, self.env = edges[0][0], envs[0]
            return
        blocks = [block for block, _ in edges]
        merged: dict[Any, Value] = {}
        phis: list[tuple[Any, Value, list[list[str]]]] = []
        for key in dict.fromkeys(key for env in envs for key in env):
            values = [env.get(key, UNBOUND) for env in envs]
            if all(self.identical(values[0], value) for value in values[1:]):
                merged[key] = values[0]
                continue
            joined = self._joined(values)
            if isinstance(joined, Opaque):
                merged[key] = joined
                continue
            leaves = []
            for number, value in enumerate(values):
                with self.at(blocks[number]):
                    leaves.append(self.converted(value, joined))
                    blocks[number] = self.current
            phis.append((key, joined, leaves))
        for block in blocks:
            self.blocks[block].append(f"br label %b{len(self.blocks)}")
        self.current, self.env = self.new_block(), merged
        for key, joined, leaves in phis:
            registers = []
            for place, kind in enumerate(joined.kinds):
                ways = ", ".join(
                    f"[ {row[place]}, %b{block} ]" for row, block in zip(leaves, blocks, strict=True)
                )
                registers.append(self.op(f"phi {kind} {ways}"))
                if kind == "ptr":
                    homes = [self.one_of.get(row[place], {row[place]}) for row in leaves]
                    self.one_of[registers[-1]] = set().union(*homes)
            merged[key] = joined.rebuilt(iter(registers))

    def _joined(self, values: Sequence[Value]) -> Value:
        is_same = all(value is values[0] for value in values)
        if not is_same and any(isinstance(value, Lazy | Closure | Method | Partial) for value in values):
            return Opaque("a function or iterator that is not the same on all ways")
        joined = join_all(type_of(value) for value in values)
        assert joined is not None
        return joined

    def identical(self, one: Value, other: Value) -> bool:
        """Whether two values are the same registers."""
        if one is other:
            return True
        if type(one) is not type(other) or isinstance(one, Lazy | Closure | Method | Partial):
            return False
        return one.static() == other.static() and one.leaves == other.leaves

    @property
    def whole(self) -> "Translator":
        """Return itself, as what it is a part of."""
        return cast("Translator", self)

    def loop_until(
        self, key: Any, head: Callable[[], Value], body: Callable[[], None], *, fuel: bool = False
    ) -> None:
        """Generate a loop: while the head holds, the body.

        Names that change in the body are carried from one iteration to the next in memory of the frame. What they are
        is assumed from what was seen before (`Hints.types`), and checked at the end of the body.

        Args:
            key: which loop this is.
            head: generates the condition.
            body: generates the rest.
            fuel: whether the number of iterations has to be limited.

        """
        mark = self.frames
        carried: dict[Any, Value] = {}
        for name, value in self.env.items():
            place = key, self.stable_name(name)
            if place in self.hints.types:  # perhaps from another iteration of an unrolled loop around
                self.learn(place, join(self.hints.types[place], type_of(value)))
                carried[name] = self.hints.types[place]
        for name in self.carried:
            if name in self.env and name not in carried:
                kind = type_of(self.env[name])
                if not isinstance(kind, NOT_CARRIED):
                    carried[name] = kind
        for name in carried:
            self._note_copies(key, name, self.env[name], self.env)
        homes = {name: self.memory(self.words(kind)) for name, kind in carried.items()}
        for name, kind in carried.items():
            self.store(homes[name], kind, self.env[name])
        start, env = self.new_block(), dict(self.env)
        self.jump(start)
        self.current, self.env = start, env
        for name, kind in carried.items():
            env[name] = self.load(homes[name], kind, of_name=True)
        if fuel:
            self.burn_fuel()
        entry = dict(env)
        condition = head()
        exits = []
        if isinstance(condition, Known):
            if not condition.obj:
                return
        else:
            inside, leave = self.fork(self.boolean(condition))
            exits = [(leave, dict(self.env))]
            self.current = inside
        for block, after in self.arm(self.current, self.env, body):
            self.current, self.env = block, after
            self._close_loop(key, entry, carried, homes, mark)
            self.jump(start)
        self.merge(exits, mark)

    def stable_name(self, name: Any) -> Any:
        """Return a name of the environment as it is called each time the code is generated."""
        return self.paths[name[0]], name[1]

    def burn_fuel(self) -> None:
        """Count an iteration of a loop that may be endless; stop when there were too many."""
        left = self.op("load i64, ptr @fuel")
        self.line(f"store i64 {self.op(f'sub i64 {left}, 1')}, ptr @fuel")
        self.fail_if(Bool(self.op(f"icmp slt i64 {left}, 0")), FUEL)

    def counted(self, size: Value, body: Callable[[Int], None]) -> None:
        """Generate a loop of `size` iterations that changes no names."""
        at, limit, most = self.alloca("i64"), self.integer(size), max(1, bounds(size)[1])
        self.line(f"store i64 0, ptr {at}")
        head = self.new_block()
        self.jump(head)
        self.current = head
        now = self.op(f"load i64, ptr {at}")
        inside, leave = self.fork(self.op(f"icmp slt i64 {now}, {limit}"))
        env = self.env

        def one() -> None:
            self.line(f"store i64 {self.op(f'add i64 {now}, 1')}, ptr {at}")
            body(Int(0, most - 1, now))
            self.jump(head)

        self.arm(inside, env, one)
        self.current, self.env = leave, env

    def _close_loop(
        self,
        key: Any,
        entry: dict[Any, Value],
        carried: dict[Any, Value],
        homes: dict[Any, str],
        mark: int,
    ) -> None:
        stores = []
        for name, before in entry.items():
            if name[0] > mark:
                continue
            now = self.env.get(name)
            if now is None or self.identical(before, now):
                continue
            old = carried.get(name, type_of(before))
            place = key, self.stable_name(name)
            if isinstance(now, Lazy | Closure | Method | Partial):
                self.learn(place, Opaque("a function or iterator that changes in a loop"))
                continue
            new = join(old, type_of(now))
            if name not in carried or new.static() != old.static():
                was_bound = old.static() != UNBOUND.static()
                rounds = self.hints.rounds[place] = self.hints.rounds.get(place, 0) + was_bound
                self.learn(place, general(widened(old, new, self.hints.growth) if rounds > 1 else new))
                continue
            stores.append((name, old, now))
            self._note_copies(key, name, now, entry)
        in_memory = sum(kind.kinds.count("ptr") for _, kind, _ in stores)
        if in_memory > 1:  # all are read before one is written
            stores = [(name, kind, self.detached(value, kind)) for name, kind, value in stores]
        for name, kind, value in stores:
            self.store(homes[name], kind, value)

    def origins(self, value: Value) -> set[str]:
        """Return where the lists, sets and dicts that a value consists of may be in memory."""
        homes = [self.one_of.get(each.ptr, {each.ptr}) for each in collections_in(value)]
        return set().union(*homes)

    def _note_copies(self, key: Any, name: Any, value: Value, names: Iterable[Any]) -> None:
        """Note what a loop copies to the place of a name although it has another name, or is in a collection."""
        if not (homes := self.origins(value)):
            return
        same = [each for each in names if self.origins(self.env.get(each, UNBOUND)) & homes]
        if len(same) > 1 or any(each.inner for each in collections_in(value)):
            for each in same:
                place, kind = (key, self.stable_name(each)), type_of(self.env[each])
                self.learn(place, marked(join(self.hints.types.get(place, kind), kind), lambda _: True))

    def detached(self, value: Value, kind: Value) -> Value:
        """Return a copy of a value, as one of another type: what is in memory is written anew."""
        copy = self.memory(self.words(kind))
        self.store(copy, kind, value)
        return marked(self.load(copy, kind, of_name=True), lambda _: False)

    def learn(self, key: Any, kind: Value) -> None:
        """Note a type; if it is new, the code has to be generated again."""
        known = self.hints.types.get(key)
        if known is None or known.static() != kind.static():
            self.hints.types[key] = kind
            self.hints.stale = True

    # -- memory

    def element(self, ptr: str, index: Value | str, capacity: int, words: int) -> str:
        """Return the address of an element of an array; an index beyond its end gives another element."""
        if isinstance(index, Known):
            return self.word(ptr, min(max(0, int(index.obj)), max(0, capacity - 1)) * words)
        ssa = index if isinstance(index, str) else self.integer(index)
        if capacity & (capacity - 1):
            masked = self.op(f"call i64 @llvm.umin.i64(i64 {ssa}, i64 {capacity - 1})")
        else:
            masked = self.op(f"and i64 {ssa}, {max(0, capacity - 1)}")
        offset = masked if words == 1 else self.op(f"mul nuw nsw i64 {masked}, {words}")
        return self.op(f"getelementptr i64, ptr {ptr}, i64 {offset}")

    def words(self, kind: Value) -> int:
        """Return how many words a value of a type takes in memory."""
        match kind:
            case Int():
                return kind.width // 64
            case Float() | Bool() | OneOf():
                return 1
            case Tuple(items):
                return sum(map(self.words, items))
            case Maybe(value):
                return 1 + self.words(value)
            case Array(element, capacity):
                return len(kind.length.kinds) + capacity * self.words(element)
            case Members(objs):
                return mask_words(objs)
            case Mutable(cls):
                site = kind.site.root()
                size = sum(self.words(part) for part in (site.element, site.value) if part is not None)
                # Entries of a set or dict are alive or not, and two words of an index belong to each.
                return 1 + site.capacity * size if cls is list else HEADER + site.capacity * (3 + size)
        return 0

    def store(self, ptr: str, kind: Value, value: Value) -> None:
        """Write a value of a type into memory: what it is made of, one after the other, and no addresses."""
        self._write(ptr, self.converted_to(value, kind))

    def _write(self, ptr: str, value: Value) -> None:
        match value:
            case Tuple(items):
                at = 0
                for item in items:
                    self._write(self.word(ptr, at), item)
                    at += self.words(item)
            case Maybe(inner, none):
                self.stored("i1", none, ptr)
                self._write(self.word(ptr, 1), inner)
            case Array(element, capacity):
                head = len(value.length.kinds)
                if head:
                    self.stored("i64", self.integer(value.length), ptr)
                self.move(self.word(ptr, head), value.ptr, capacity * self.words(element))
            case Mutable():
                self.move(ptr, value.ptr, self.words(value))
            case _:
                for place, (kind, leaf) in enumerate(zip(value.kinds, value.leaves, strict=True)):
                    self.stored(kind, leaf, self.word(ptr, place))

    def load(self, ptr: str, kind: Value, *, of_name: bool = False) -> Value:
        """Read a value of a type from memory; lists and sequences are not copied.

        Args:
            ptr: the address.
            kind: the type.
            of_name: whether it is the value of a name, and not an element of a list, set or dict.

        """
        match kind:
            case Tuple(items, cls):
                parts, at = [], 0
                for item in items:
                    parts.append(self.load(self.word(ptr, at), item, of_name=of_name))
                    at += self.words(item)
                return Tuple(parts, cls)
            case Maybe(value):
                none = self.loaded("i1", ptr, was_written=of_name)
                return Maybe(self.load(self.word(ptr, 1), value, of_name=of_name), none, kind.unbound)
            case Array(_, capacity):
                if isinstance(kind.length, Known):
                    return kind.rebuilt(iter([ptr]))
                length = self.loaded("i64", ptr, was_written=of_name)
                if not of_name:
                    length = self.op(f"call i64 @llvm.umin.i64(i64 {length}, i64 {capacity})")
                return kind.rebuilt(iter([self.word(ptr, 1), length]))
            case Mutable():
                return Mutable(kind.cls, kind.site, ptr, not of_name, of_name and kind.shared)
        places = [self.word(ptr, place) for place, _ in enumerate(kind.kinds)]
        return kind.rebuilt(
            self.loaded(each, where, was_written=of_name)
            for each, where in zip(kind.kinds, places, strict=True)
        )

    # -- conversion between types

    def converted(self, value: Value, kind: Value) -> list[str]:
        """Return the registers of a value as one of another type, which includes it."""
        if isinstance(value, Maybe) and value.unbound and not isinstance(kind, Maybe):
            return self.converted(value.value, kind)
        if is_nothing(value):
            return self.zeros(kind)
        match kind:
            case Known() | Opaque() | Lazy() | Closure() | Method() | Partial():
                return []
            case Int():
                return [self.resized(value, kind.width)]
            case Float():
                return [self.floating(value)]
            case Bool():
                return [self.boolean(value)]
            case OneOf(objs):
                return [index_among(self.whole, value, objs)]
            case Tuple():
                return [
                    leaf
                    for part, item in zip(kind.items, self.parts_of(value), strict=True)
                    for leaf in self.converted(item, part)
                ]
            case Maybe():
                none, inner = self.maybe_parts(value, kind)
                return [none, *self.converted(inner, kind.value)]
            case Array():
                found = in_memory(self.whole, value, kind)
                return [found.ptr, *([self.integer(found.length)] if kind.length.kinds else [])]
            case Members(objs):
                return mask(self.whole, value, objs)
            case Mutable():
                if kind.cls in (set, frozenset) and not isinstance(value, Mutable):
                    return [mutables.copy_of(self.whole, kind, value).ptr]
                if isinstance(value, Mutable):
                    if value.site.root() is not kind.site.root():
                        unite(value.site, kind.site)
                        self.hints.stale = True
                    return [value.ptr]
        raise TranslationError(f"{described(value)} where {described(kind)} is expected")

    def converted_to(self, value: Value, kind: Value) -> Value:
        """Return a value as one of another type, which includes it."""
        return kind.rebuilt(iter(self.converted(value, kind)))

    def zeros(self, kind: Value) -> list[str]:
        """Return registers for a value that is not there."""
        out = []
        for each in kind.kinds:
            if each == "ptr":
                out.append(self.memory(max(1, self.words(kind))))
            else:
                out.append({"double": "0.0", "i1": "false"}.get(each, "0"))
        return out

    def maybe_parts(self, value: Value, kind: Maybe) -> tuple[str, Value]:
        """Return whether a value is None (or not bound), and the value if it is not."""
        if isinstance(value, Maybe) and value.unbound == kind.unbound:
            return value.none, value.value
        if not kind.unbound:
            if isinstance(value, OneOf) and value.objs == (None,):
                value = Known(None)
            if isinstance(value, Known) and value.obj is None:
                return "true", kind.value.rebuilt(iter(self.zeros(kind.value)))
            if isinstance(value, OneOf) and None in value.objs:
                rest = tuple(obj for obj in value.objs if obj is not None)
                where = [obj is None for obj in value.objs]
                none = self.boolean(self.value_at(where, value.ssa))
                filled = self.value_at([rest[0] if obj is None else obj for obj in value.objs], value.ssa)
                return none, filled
        return "false", value

    def parts(self, value: Value) -> list[Value] | None:
        """Return the parts of a tuple or object with fields that are known one by one; else None."""
        if isinstance(value, Tuple):
            return value.items
        row = row_of(value.obj) if isinstance(value, Known) else None
        return None if row is None else [Known(part) for part in row]

    def parts_of(self, value: Value) -> list[Value]:
        """Return the parts of a tuple or object with fields, which may be one of some."""
        rows = [row_of(obj) for obj in value.objs] if isinstance(value, OneOf) else []
        if isinstance(value, OneOf) and None not in rows and len(set(map(len, rows))) == 1:  # type: ignore[arg-type]
            return [self.value_at(column, value.ssa) for column in zip(*rows, strict=True)]
        found = self.parts(value)
        if found is None:
            raise TranslationError(f"{described(value)} where a tuple or object with fields is expected")
        return found

    def integer(self, value: Value) -> str:
        """Return a number as a register of 64 bits; one that does not fit is an overflow."""
        return self.resized(self.narrowed(value), 64)

    def narrowed(self, value: Value) -> Value:
        """Return an integer in 64 bits; one that does not fit is an overflow."""
        if not isinstance(value, Int) or value.width == 64:
            return value
        if value.lo > WORD_MAX or value.hi < WORD_MIN:
            self.fail(OVERFLOW)
        low, width = self.op(f"trunc i{value.width} {value.ssa} to i64"), value.width
        back = self.op(f"sext i64 {low} to i{width}")
        self.fail_if(Bool(self.op(f"icmp ne i{width} {back}, {value.ssa}")), OVERFLOW)
        return Int(max(value.lo, WORD_MIN), min(value.hi, WORD_MAX), low)

    def resized(self, value: Value, width: int) -> str:
        """Return a number as a register of some width, which holds it."""
        match value:
            case Known(obj) if isinstance(obj, int):
                return str(int(obj))
            case Bool(ssa):
                return self.op(f"zext i1 {ssa} to i{width}")
            case OneOf(objs, _) if all(isinstance(obj, int) for obj in objs):
                return self.resized(self.value_at([int(obj) for obj in objs], value.ssa), width)
            case Int(_, _, ssa):
                if value.width < width:
                    return self.op(f"sext i{value.width} {ssa} to i{width}")
                return ssa if value.width == width else self.op(f"trunc i{value.width} {ssa} to i{width}")
        raise TranslationError(f"{described(value)} where an integer is expected")

    def floating(self, value: Value) -> str:
        """Return a number as a double. An integer that no double stands for is an overflow."""
        match value:
            case Known(obj) if isinstance(obj, int | float):
                return float_text(float(obj))
            case Float(ssa):
                return ssa
            case OneOf(objs, ssa) if all(isinstance(obj, int | float) for obj in objs):
                found = self.value_at([float(obj) for obj in objs], ssa)
                return self.floating(found)
        lo, hi = bounds(value)
        ssa = self.integer(value)
        if lo < -(1 << 53) or hi > 1 << 53:
            if isinstance(value, Int) and value.width > 64:
                raise TranslationError("a float made of an integer of more than 64 bits")
            size = self.op(f"call i64 @llvm.abs.i64(i64 {ssa}, i1 false)")
            self.fail_if(Bool(self.op(f"icmp ugt i64 {size}, {1 << 53}")), OVERFLOW)
        return self.op(f"sitofp i64 {ssa} to double")

    def boolean(self, value: Value) -> str:
        """Return a truth value as a register."""
        match value:
            case Known(obj):
                return "true" if obj else "false"
            case Bool(ssa):
                return ssa
            case OneOf(objs, ssa):
                return self.boolean(self.value_at([bool(obj) for obj in objs], ssa))
            case Int():
                return self.op(f"icmp ne i{value.width} {value.ssa}, 0")
        raise TranslationError(f"{described(value)} where a truth value is expected")
