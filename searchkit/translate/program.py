"""The functions of a problem as one module of assembly: expand, is_goal, heuristic over packed states."""

import contextlib
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from searchkit.problem import has_cost, has_heuristic
from searchkit.translate.arithmetic import kind_of_number
from searchkit.translate.code import StaleError
from searchkit.translate.emitter import BRANCHING, LAYOUT, LOOP_FUEL, STACK, Hints, LengthError
from searchkit.translate.layout import (
    BoolField,
    ChoiceField,
    Field,
    IntField,
    Layout,
    MaybeField,
    SequenceField,
    SetField,
    TupleField,
)
from searchkit.translate.lookups import key_index, mask
from searchkit.translate.mutables import RUNTIME
from searchkit.translate.sequences import sequence
from searchkit.translate.source import place_of
from searchkit.translate.translator import Translator
from searchkit.translate.values import (
    Array,
    Bool,
    DeadCodeError,
    Int,
    Known,
    Maybe,
    Members,
    OneOf,
    TranslationError,
    Tuple,
    Value,
    bounds,
    described,
    general,
    join_all,
    type_of,
)

ARRAY1 = "{ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}"
"""An array of Numba: the address of its data is field 4."""
ARRAY2 = "{ptr, ptr, i64, i64, ptr, [2 x i64], [2 x i64]}"
RECURSION_LIMIT = 5_000
"""The translator calls itself some dozen times for each call of the problem's code that is generated in place."""
MAX_ROUNDS = 60
"""How often the code may be generated again."""
INTRINSICS = """
@flag = internal global i64 0
@stopped = internal global [4 x i64] zeroinitializer
@fuel = internal global i64 0
@stack = internal global i64 0
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare double @pow(double, double)
declare double @atan2(double, double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.fma.f64(double, double, double)
declare double @llvm.fabs.f64(double)
declare double @llvm.trunc.f64(double)
declare double @llvm.floor.f64(double)
declare double @llvm.ceil.f64(double)
declare double @llvm.roundeven.f64(double)
declare i64 @llvm.fptosi.sat.i64.f64(double)
""" + "".join(
    f"declare i{width} @llvm.smin.i{width}(i{width}, i{width})\n"
    f"declare i{width} @llvm.smax.i{width}(i{width}, i{width})\n"
    f"declare i{width} @llvm.abs.i{width}(i{width}, i1)\n"
    f"declare i{width} @llvm.ctpop.i{width}(i{width})\n"
    f"declare i{width} @llvm.ctlz.i{width}(i{width}, i1)\n"
    f"declare {{i{width}, i1}} @llvm.sadd.with.overflow.i{width}(i{width}, i{width})\n"
    f"declare {{i{width}, i1}} @llvm.ssub.with.overflow.i{width}(i{width}, i{width})\n"
    f"declare {{i{width}, i1}} @llvm.smul.with.overflow.i{width}(i{width}, i{width})\n"
    for width in (64, 128, 256)
)
INTRINSICS += "".join(f"declare double @{name}(double)\n" for name in ("sin", "cos", "tan", "atan", "exp"))
CHECK = """
define i64 @check(ptr %state, ptr %out, ptr %costs, ptr %goal, ptr %value, i64 %expands) noinline optnone {{
  %a = insertvalue {A} zeroinitializer, ptr %state, 4
  %b = insertvalue {B} zeroinitializer, ptr %out, 4
  %c = insertvalue {A} zeroinitializer, ptr %costs, 4
  %w = load i64, ptr %state
  %g = call i1 @goal({A} zeroinitializer, {S})
  %z = zext i1 %g to i64
  store i64 %z, ptr %goal
  {H}
  %e = icmp ne i64 %expands, 0
  br i1 %e, label %yes, label %no
yes:
  %n = call i64 @expand({A} zeroinitializer, {S}, {B} %b, {A} %c)
  ret i64 %n
no:
  ret i64 0
}}
define void @check_all(ptr %states, i64 %count, ptr %out, ptr %costs, ptr %goal, ptr %value) {{
  br label %loop
loop:
  %i = phi i64 [0, %0], [%next, %body]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %body, label %done
body:
  %at = mul i64 %i, {W}
  %state = getelementptr i64, ptr %states, i64 %at
  %n = call i64 @check(ptr %state, ptr %out, ptr %costs, ptr %goal, ptr %value, i64 1)
  %next = add i64 %i, 1
  br label %loop
done:
  ret void
}}
define ptr @flagged() {{
  ret ptr @flag
}}
define ptr @stopped_at() {{
  ret ptr @stopped
}}
"""
"""Calls all three functions for one state, or for many: for the comparison with Python."""


class Program:
    """The assembly of a problem.

    Args:
        problem: the problem.
        layout: the layout of its states.
        branching: the most successors of a state.
        hints: what was learnt before.

    Raises:
        TranslationError: with the file and the line.

    """

    def __init__(self, problem: Any, layout: Layout, branching: int, hints: Hints):
        self.problem, self.layout, self.branching, self.hints = problem, layout, branching, hints
        self.has_cost, self.has_heuristic = has_cost(problem), has_heuristic(problem)
        self.whole = True
        """Whether all costs and heuristic values are integers."""
        self.rounds = 0
        """How often code was generated: until nothing new was learnt."""
        kinds = [_Expand, _Goal, *([_Guess] if self.has_heuristic else [])]
        limit = sys.getrecursionlimit()
        try:
            parts = [self._generate(kind) for kind in kinds]
        finally:
            if sys.getrecursionlimit() != limit:
                sys.setrecursionlimit(limit)
        wide = layout.words > 1
        state = f"{ARRAY1} %a" if wide else "i64 %w"
        value = ""
        if self.has_heuristic:
            value = (
                f"%x = call double @guess({ARRAY1} zeroinitializer, {state})\n  store double %x, ptr %value"
            )
        check = CHECK.format(A=ARRAY1, B=ARRAY2 if wide else ARRAY1, S=state, H=value, W=layout.words)
        code = "\n".join(parts)
        used = set(re.findall(r"@table\d+", code))
        tables = [line for line in hints.table_lines if line.partition(" ")[0] in used]
        self.text = "\n".join([INTRINSICS, *tables, RUNTIME if "@find(" in code else "", code, check])

    def _generate(self, kind: "type[_Function]") -> str:
        """Return a function, generated again until nothing new is learnt."""
        hints = self.hints
        for _ in range(MAX_ROUNDS):
            hints.stale = False
            self.rounds += 1
            function = kind(self)
            try:
                text = function.text()
            except StaleError:
                continue
            except LengthError:
                raise
            except TranslationError as error:
                if hints.stale:
                    continue
                filename, where = function.frame.filename, function.entry
                if error.place or filename:
                    where = f"{error.place or place_of(filename, function.line_number)}: "
                raise TranslationError(f"{where}{error}") from None
            except RecursionError:
                if sys.getrecursionlimit() >= RECURSION_LIMIT:
                    raise TranslationError("recursion whose depth depends on the state") from None
                sys.setrecursionlimit(RECURSION_LIMIT)
                continue
            if not hints.stale:
                return text
        raise TranslationError("no end of what its lists and loops may hold is found")


class _Function(Translator):
    """One function of a problem over a packed state."""

    name, result, nothing = "", "i64", "0"
    arguments: tuple[str, ...] = ()

    def __init__(self, program: Program):
        super().__init__(program.hints, program.layout)
        self.program, self.problem = program, program.problem
        self.zero = f"ret {self.result} {self.nothing}"
        self.entry = ""
        """The file and the line of the method."""

    def text(self) -> str:
        """Return the function in LLVM's assembly."""
        self.new_block()
        start = self.current = self.new_block()
        self.line(f"store i64 {LOOP_FUEL}, ptr @fuel")
        self.line(f"store i64 {STACK}, ptr @stack")
        wide = self.layout.words > 1
        if wide:
            data = self.op(f"extractvalue {ARRAY1} %state, 4")
            words = [
                self.op(f"load i64, ptr {self.word(data, number)}") for number in range(self.layout.words)
            ]
        else:
            words = ["%state"]
        self.state_words = words
        with contextlib.suppress(DeadCodeError):
            self.body(unpacked(self, self.layout, words))
        state = ARRAY1 if wide else "i64"
        array = ARRAY2 if wide else ARRAY1
        others = "".join(f", {(array if each == '%out' else ARRAY1)} {each}" for each in self.arguments)
        head = f"define {self.result} @{self.name}({ARRAY1} %table, {state} %state{others})"
        return "\n".join([*self.functions, self.assembled(head, start)])

    def body(self, state: Value) -> None:
        """Generate the function of a state, and its return."""
        raise NotImplementedError

    def member(self, name: str) -> Value:
        """Return a method of the problem."""
        found = getattr(self.problem, name)
        code = getattr(found, "__code__", None)
        self.entry = f"{place_of(code.co_filename, code.co_firstlineno)}: " if code is not None else ""
        return Known(found)


class _Expand(_Function):
    name, arguments = "expand", ("%out", "%costs")

    def body(self, state: Value) -> None:
        words = self.layout.words
        out = self.op(f"extractvalue {ARRAY2 if words > 1 else ARRAY1} %out, 4")
        costs = self.op(f"extractvalue {ARRAY1} %costs, 4")
        count = self.alloca("i64")
        self.line(f"store i64 0, ptr {count}")
        branching = self.program.branching

        def give(pair: Value) -> None:
            action, successor = self.items_of(pair, 2)
            packed = packed_words(self, self.layout, successor)
            if self.layout.placeholder is not None:
                self._refuse_placeholder(packed)
            cost = "1.0"
            if self.program.has_cost:
                found = self.call(self.member("cost"), [state, action, successor], {})
                cost = self._number(found)
            number = self.op(f"load i64, ptr {count}")
            self.fail_if(Bool(self.op(f"icmp uge i64 {number}, {branching}")), BRANCHING)
            first = self.op(f"mul i64 {number}, {words}") if words > 1 else number
            for place, word in enumerate(packed):
                at = self.op(f"add i64 {first}, {place}") if place else first
                self.line(f"store i64 {word}, ptr {self.op(f'getelementptr i64, ptr {out}, i64 {at}')}")
            where = self.op(f"getelementptr double, ptr {costs}, i64 {number}")
            self.line(f"store double {cost}, ptr {where}")
            self.line(f"store i64 {self.op(f'add i64 {number}, 1')}, ptr {count}")

        self.foreach(call_lazily(self, self.member("successors"), [state]), give)
        self.line(f"ret i64 {self.op(f'load i64, ptr {count}')}")

    def _refuse_placeholder(self, packed: list[str]) -> None:
        """Stop at the number that kernels take for no state."""
        all_ones = packed[0]
        for word in packed[1:]:
            all_ones = self.op(f"and i64 {all_ones}, {word}")
        self.fail_if(Bool(self.op(f"icmp eq i64 {all_ones}, -1")), LAYOUT)

    def _number(self, found: Value) -> str:
        return number_text(self, found, "cost")


class _Goal(_Function):
    name, result, nothing = "goal", "i1", "false"

    def body(self, state: Value) -> None:
        found = self.call(self.member("is_goal"), [state], {})
        self.line(f"ret i1 {self.boolean(self.truth(found))}")


class _Guess(_Function):
    name, result, nothing = "guess", "double", "0.0"

    def body(self, state: Value) -> None:
        found = self.call(self.member("heuristic"), [state], {})
        self.line(f"ret double {number_text(self, found, 'heuristic')}")


def number_text(t: Any, value: Value, what: str) -> str:
    """Return a cost or heuristic value as a double."""
    if isinstance(value, Maybe):
        value = t.some(value)
    kind = kind_of_number(value)
    if not kind:
        raise TranslationError(f"the {what} is {described(value)}, and not a number")
    if kind == "float":
        t.program.whole = False
    return t.floating(value)  # type: ignore[no-any-return]


def call_lazily(t: Any, function: Value, args: list[Value]) -> Value:
    """Return the result of a function that is only iterated over."""
    from searchkit.translate.calls import call

    return call(t, function, args, {}, stream=True)


# -- packed states


def unpacked(t: Any, layout: Layout, words: list[str]) -> Value:
    """Return the state that the words of a packed state stand for."""
    places = iter(layout.places)

    def take() -> str:
        at, bits = next(places)
        if not bits:
            return "0"
        number, shift = divmod(at, 64)
        found = t.op(f"lshr i64 {words[number]}, {shift}") if shift else words[number]
        if shift + bits > 64:
            rest = t.op(f"shl i64 {words[number + 1]}, {64 - shift}")
            found = t.op(f"or i64 {found}, {rest}")
        elif shift + bits == 64:
            return str(found)
        return str(t.op(f"and i64 {found}, {signed_mask(bits)}")) if bits < 64 else str(found)

    def make(part: Field) -> Value:
        if isinstance(part, IntField):
            return _unpacked_integer(t, part, take)
        if isinstance(part, BoolField):
            return Bool(t.op(f"trunc i64 {take()} to i1"))
        if isinstance(part, ChoiceField):
            place = take()
            return Known(part.objs[0]) if len(part.objs) == 1 else t.value_at(part.objs, place)
        if isinstance(part, MaybeField):
            none = t.op(f"trunc i64 {take()} to i1")
            value = make(part.value)
            return Maybe(_general_value(t, value), none)
        if isinstance(part, TupleField):
            return Tuple([make(each) for each in part.parts], part.cls)
        if isinstance(part, SetField):
            masks = [take() for _ in part.chunks()]
            return Members(part.objs, masks) if part.objs else Known(frozenset())
        assert isinstance(part, SequenceField)
        length = take()
        items = [make(part.element) for _ in range(part.most)]
        if not items:
            return Known(part.cls())
        found = _board(t, items, part.cls)
        if part.length_bits:
            size = t.op(f"add i64 {length}, {part.least}")
            size = t.op(f"call i64 @llvm.umin.i64(i64 {size}, i64 {part.most})")
            return Array(found.element, found.capacity, Int(part.least, part.most, size), part.cls, found.ptr)
        return found

    state = make(layout.root)
    if isinstance(state, Tuple):
        return Tuple(state.items, state.cls, packed=words)
    if isinstance(state, Array):
        return Array(state.element, state.capacity, state.length, state.cls, state.ptr, packed=words)
    return state


def _board(t: Any, items: list[Value], cls: Any) -> Array:
    """Put the elements into memory, with room for a power of two of them."""
    element = general(join_all(map(type_of, items)) or Int(0, 0))
    words = t.words(element)
    capacity = 1 << (len(items) - 1).bit_length()
    ptr = t.memory(capacity * words)
    for place, item in enumerate(items):
        t.store(t.word(ptr, place * words), element, item)
    return Array(element, capacity, Known(len(items)), cls, ptr)


def _general_value(t: Any, value: Value) -> Value:
    kind = general(type_of(value))
    return kind.rebuilt(iter(t.converted(value, kind)))


def signed_mask(bits: int) -> int:
    """Return a mask of some bits as LLVM writes it."""
    mask = (1 << bits) - 1
    return mask - (1 << 64) if mask >> 63 else mask


def _unpacked_integer(t: Any, part: IntField, take: Callable[[], str]) -> Value:
    chunks = [take() for _ in part.chunks()]
    top = part.lo + (1 << part.bits) - 1
    if part.lo == part.hi:
        return Known(part.lo)
    if len(chunks) == 1 and part.bits < 64:
        ssa = t.op(f"add i64 {chunks[0]}, {part.lo}") if part.lo else chunks[0]
        return Int(part.lo, top, ssa)
    number = Int(min(0, part.lo), max(top, top - part.lo))
    total = "0"
    for place, chunk in enumerate(chunks):
        wide = t.op(f"zext i64 {chunk} to i{number.width}")
        shifted = t.op(f"shl i{number.width} {wide}, {64 * place}") if place else wide
        total = t.op(f"or i{number.width} {total}, {shifted}")
    if part.lo:
        total = t.op(f"add i{number.width} {total}, {part.lo}")
    return Int(min(0, part.lo), max(top, top - part.lo), total)


def packed_words(t: Any, layout: Layout, state: Value) -> list[str]:
    """Return the words of a state. What the layout has no room for sets the flag."""
    words = ["0"] * layout.words
    places = iter(layout.places)

    def put(ssa: str, there: str) -> None:
        at, bits = next(places)
        if not bits or ssa == "0":
            return
        if there != "true":
            ssa = t.op(f"select i1 {there}, i64 {ssa}, i64 0")
        number, shift = divmod(at, 64)
        low = t.op(f"shl i64 {ssa}, {shift}") if shift else ssa
        words[number] = low if words[number] == "0" else t.op(f"or i64 {words[number]}, {low}")
        if shift + bits > 64:
            high = t.op(f"lshr i64 {ssa}, {64 - shift}")
            words[number + 1] = (
                high if words[number + 1] == "0" else t.op(f"or i64 {words[number + 1]}, {high}")
            )

    def both(one: str, other: str) -> str:
        if "true" in (one, other):
            return other if one == "true" else one
        return str(t.op(f"and i1 {one}, {other}"))

    def skip(part: Field) -> None:
        for _ in part.chunks():
            put("0", "true")

    def write(part: Field, value: Value, there: str) -> None:
        """Write a part if it is there; else zeros, and nothing is checked."""

        def stop_if(bad: str) -> None:
            bad = both(there, bad)
            t.fail_if(Known(True) if bad == "true" else Bool(bad), LAYOUT)

        if isinstance(value, Maybe) and value.unbound:
            value = t.bound(value)
        if isinstance(value, Maybe) and not isinstance(part, MaybeField | ChoiceField):
            stop_if(value.none)
            value = value.value
        if isinstance(part, IntField):
            for word in _integer_words(t, part, value, stop_if):
                put(word, there)
        elif isinstance(part, BoolField):
            if not (isinstance(value, Bool) or (isinstance(value, Known) and isinstance(value.obj, bool))):
                raise TranslationError(f"{described(value)} where states had a truth value")
            put(t.op(f"zext i1 {t.boolean(value)} to i64"), there)
        elif isinstance(part, ChoiceField):
            put(_choice(t, part, value, stop_if), there)
        elif isinstance(part, MaybeField):
            write_maybe(part, value, there)
        elif isinstance(part, TupleField):
            for each, item in zip(part.parts, _parts(t, part, value), strict=True):
                write(each, item, there)
        elif isinstance(part, SetField):
            for word, _ in zip(mask(t, value, part.objs), part.chunks(), strict=False):
                put(word, there)
        else:
            assert isinstance(part, SequenceField)
            write_sequence(part, value, there, stop_if)

    def write_maybe(part: MaybeField, value: Value, there: str) -> None:
        if isinstance(value, Known) and value.obj is None:
            put("1", there)
            skip(part.value)
            return
        kind = Maybe(general(type_of(value.value if isinstance(value, Maybe) else value)))
        if isinstance(value, OneOf) and None in value.objs:
            kind = Maybe(general(type_of(t.maybe_parts(value, kind)[1])))
        none, inner = t.maybe_parts(value, kind)
        put(t.op(f"zext i1 {none} to i64"), there)
        some = t.op(f"xor i1 {none}, true")
        write(part.value, inner, both(there, some))

    def write_sequence(part: SequenceField, value: Value, there: str, stop_if: Callable[[str], None]) -> None:
        cls_of = getattr(value, "cls", type(getattr(value, "obj", None)))
        if isinstance(value, OneOf):
            value = sequence(t, value)
            cls_of = value.cls
        if cls_of is not part.cls:
            raise TranslationError(f"{described(value)} where states had a {part.cls.__name__}")
        if isinstance(value, Tuple) and len(value.items) <= 4 and part.least == part.most == len(value.items):
            put("0", there)
            for item in value.items:
                write(part.element, item, there)
            return
        found = sequence(t, value)
        size = found.length
        low, high = bounds(size)
        if low < part.least or high > part.most:
            ssa = t.integer(size)
            below = t.op(f"icmp slt i64 {ssa}, {part.least}")
            above = t.op(f"icmp sgt i64 {ssa}, {part.most}")
            stop_if(t.op(f"or i1 {below}, {above}"))
        put(t.op(f"sub i64 {t.integer(size)}, {part.least}") if part.length_bits else "0", there)
        for place in range(part.most):
            if place >= min(found.capacity, high):
                skip(part.element)
                continue
            within = there
            if not isinstance(size, Known) and place >= part.least:
                within = both(there, t.op(f"icmp sgt i64 {t.integer(size)}, {place}"))
            write(part.element, t.element_at(found, Known(place)), within)

    write(layout.root, state, "true")
    return words


def _integer_words(t: Any, part: IntField, value: Value, stop_if: Callable[[str], None]) -> Iterator[str]:
    """Yield the words of an integer."""
    if kind_of_number(value) != "int" or isinstance(value, Bool) or type(getattr(value, "obj", 0)) is bool:
        raise TranslationError(f"{described(value)} where states had an integer")
    low, high = bounds(value)
    if isinstance(value, Known) and not part.lo <= value.obj <= part.hi:
        stop_if("true")
        value, low, high = Known(part.lo), part.lo, part.lo
    wide = Int(min(low, part.lo), max(high, part.hi + 1))
    width = wide.width
    ssa = t.resized(value, width)
    if low < part.lo or high > part.hi:
        below = t.op(f"icmp slt i{width} {ssa}, {part.lo}")
        above = t.op(f"icmp sgt i{width} {ssa}, {part.hi}")
        stop_if(t.op(f"or i1 {below}, {above}"))
    number = t.op(f"sub i{width} {ssa}, {part.lo}") if part.lo else ssa
    for place, _ in enumerate(part.chunks()):
        if width == 64:
            yield number
        else:
            shifted = t.op(f"lshr i{width} {number}, {64 * place}") if place else number
            yield t.op(f"trunc i{width} {shifted} to i64")


def _choice(t: Any, part: ChoiceField, value: Value, stop_if: Callable[[str], None]) -> str:
    """Return the number of one of some objects."""
    if isinstance(value, Known | OneOf):
        objs = value.objs if isinstance(value, OneOf) else (value.obj,)
        where = [part.codes.get((type(obj), obj), -1) for obj in objs]
        place = t.table_or_line(where, value.ssa) if isinstance(value, OneOf) else str(where[0])
        may_miss = -1 in where
    else:
        place, may_miss = key_index(t, part.objs, value)
    if may_miss:
        stop_if("true" if place == "-1" else t.op(f"icmp slt i64 {place}, 0"))
    return str(place)


def _parts(t: Any, part: TupleField, value: Value) -> list[Value]:
    objs = value.objs if isinstance(value, OneOf) else (getattr(value, "obj", None),)
    classes = {value.cls} if isinstance(value, Array | Tuple) else set(map(type, objs))
    if classes != {part.cls}:
        raise TranslationError(f"{described(value)} where states had a {part.cls.__name__}")
    if isinstance(value, Array) or part.cls is tuple:
        return t.items_of(value, len(part.parts))  # type: ignore[no-any-return]
    return t.parts_of(value)  # type: ignore[no-any-return]
