"""Arithmetic as Python does it: integers with intervals, floors for negative numbers, an overflow is an error.

An integer takes 64 bits, or 128 or 256 where its interval says so (bit boards). Where the interval of a result exceeds
the register, the instruction that tells of an overflow is used.
"""

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from searchkit.translate.emitter import OVERFLOW, RAISED
from searchkit.translate.machine import has_symbol
from searchkit.translate.values import (
    WORD_MAX,
    WORD_MIN,
    Bool,
    Float,
    Int,
    Known,
    OneOf,
    TranslationError,
    Value,
    bounds,
    width_of,
)

if TYPE_CHECKING:
    from searchkit.translate.translator import Translator

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "Pow": operator.pow,
    "LShift": operator.lshift,
    "RShift": operator.rshift,
    "BitAnd": operator.and_,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
}
"""Name of a node of the syntax tree → what it does."""
SYMBOLS = dict(zip(OPERATORS, ["+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^"], strict=True))
SIGNED = {"Lt": "slt", "LtE": "sle", "Gt": "sgt", "GtE": "sge", "Eq": "eq", "NotEq": "ne"}
ORDERED = {"Lt": "olt", "LtE": "ole", "Gt": "ogt", "GtE": "oge", "Eq": "oeq", "NotEq": "une"}
MAX_SHIFT = 250
"""A shift by more bits is an overflow."""


def kind_of_number(value: Value) -> str:
    """Return "int" or "float" for a number; "" for anything else. A truth value is an integer."""
    if isinstance(value, Known):
        obj = value.obj
        return "int" if isinstance(obj, int) else "float" if isinstance(obj, float) else ""
    if isinstance(value, OneOf):
        if all(isinstance(obj, int) for obj in value.objs):
            return "int"
        return "float" if all(isinstance(obj, int | float) for obj in value.objs) else ""
    if isinstance(value, Int | Bool):
        return "int"
    return "float" if isinstance(value, Float) else ""


def is_truth_value(value: Value) -> bool:
    """Whether a value is True or False."""
    return isinstance(value, Bool) or (isinstance(value, Known) and isinstance(value.obj, bool))


def as_int(t: "Translator", value: Value) -> Value:
    """Return a number that is an integer as `Int` or `Known`."""
    if isinstance(value, Int | Known):
        return value
    lo, hi = bounds(value)
    return Int(lo, hi, t.resized(value, width_of(lo, hi)))


def arithmetic(t: "Translator", name: str, one: Value, other: Value) -> Value:
    """Return the result of an operator (the name of its node) on two numbers."""
    kinds = {kind_of_number(one), kind_of_number(other)}
    if name == "Div" or (name == "Pow" and "float" in kinds) or "float" in kinds:
        return _float_arithmetic(t, name, one, other)
    if name in ("BitAnd", "BitOr", "BitXor") and is_truth_value(one) and is_truth_value(other):
        return Bool(t.op(f"{name[3:].lower()} i1 {t.boolean(one)}, {t.boolean(other)}"))
    one, other = as_int(t, one), as_int(t, other)
    return INTEGER[name](t, name, one, other)


def _float_arithmetic(t: "Translator", name: str, one: Value, other: Value) -> Value:
    a, b = t.floating(one), t.floating(other)
    if name in ("Add", "Sub", "Mult"):
        return Float(t.op(f"{ {'Add': 'fadd', 'Sub': 'fsub', 'Mult': 'fmul'}[name] } double {a}, {b}"))
    if name == "Div":
        t.fail_if(Bool(t.op(f"fcmp oeq double {b}, 0.0")), RAISED, ZeroDivisionError)
        return Float(t.op(f"fdiv double {a}, {b}"))
    if name == "Pow":
        is_whole = isinstance(other, Known) and float(other.obj).is_integer()
        least = "0.0" if not is_whole else "-1.0e308"  # a root of a negative number is complex
        t.fail_if(Bool(t.op(f"fcmp ult double {a}, {least}")), OVERFLOW)
        return by_library(t, "pow", [one, other])
    raise TranslationError(f"the operator {SYMBOLS[name]} of floats")


def _of_width(t: "Translator", lo: int, hi: int, ssa: str, width: int) -> Value:
    """Return what a register of some width holds as an integer within an interval."""
    needed = width_of(lo, hi)
    return Int(lo, hi, ssa if needed == width else t.op(f"trunc i{width} {ssa} to i{needed}"))


def _result(t: "Translator", name: str, one: Value, other: Value, lo: int, hi: int) -> Value:
    """Add, subtract or multiply, with a test for overflow where the interval [lo, hi] does not fit."""
    edges = [bounds(one), bounds(other)]
    width = max(width_of(*edge) for edge in edges)
    needed = width_of(lo, hi)
    at_edge = any(lower <= WORD_MIN // 4 or upper >= WORD_MAX // 4 for lower, upper in edges)
    if needed > width and not at_edge:
        width = needed
    least, most = -(1 << (width - 1)), (1 << (width - 1)) - 1
    a, b = t.resized(one, width), t.resized(other, width)
    verb = {"Add": "add", "Sub": "sub", "Mult": "mul"}[name]
    if width > 64 and name == "Mult" and (width > 128 or lo < least or hi > most):
        return _multiply(t, name, t.narrowed(one), t.narrowed(other))
    if least <= lo and hi <= most:
        return _of_width(t, lo, hi, t.op(f"{verb} i{width} {a}, {b}"), width)
    if lo > most or hi < least:
        t.fail(OVERFLOW)
    pair = t.op(f"call {{i{width}, i1}} @llvm.s{verb}.with.overflow.i{width}(i{width} {a}, i{width} {b})")
    t.fail_if(Bool(t.op(f"extractvalue {{i{width}, i1}} {pair}, 1")), OVERFLOW)
    return Int(max(lo, least), min(hi, most), t.op(f"extractvalue {{i{width}, i1}} {pair}, 0"))


def _add(t: "Translator", name: str, one: Value, other: Value) -> Value:
    (a, b), (c, d) = bounds(one), bounds(other)
    if isinstance(other, Known) and other.obj == 0:
        return one
    if name == "Add" and isinstance(one, Known) and one.obj == 0:
        return other
    lo, hi = (a + c, b + d) if name == "Add" else (a - d, b - c)
    return _result(t, name, one, other, lo, hi)


def _multiply(t: "Translator", name: str, one: Value, other: Value) -> Value:
    (a, b), (c, d) = bounds(one), bounds(other)
    for this, that in ((one, other), (other, one)):
        if isinstance(this, Known) and this.obj in (0, 1):
            return Known(0) if this.obj == 0 else that
    products = (a * c, a * d, b * c, b * d)
    return _result(t, name, one, other, min(products), max(products))


def _divide(t: "Translator", name: str, one: Value, other: Value) -> Value:
    (a, b), (c, d) = bounds(one), bounds(other)
    divisor = other.obj if isinstance(other, Known) else None
    if divisor == -1:
        return Known(0) if name == "Mod" else _add(t, "Sub", Known(0), one)
    if divisor is not None and divisor > 0 and divisor & (divisor - 1) == 0:
        if name == "Mod":
            return _and(t, "BitAnd", one, Known(divisor - 1))
        return _shift_right(t, "RShift", one, Known(divisor.bit_length() - 1))
    if max(width_of(a, b), width_of(c, d)) > 64:
        return _divide(t, name, t.narrowed(one), t.narrowed(other))
    x, y = t.integer(one), t.integer(other)
    if divisor is None:
        t.fail_if(Bool(t.op(f"icmp eq i64 {y}, 0")), RAISED, ZeroDivisionError)
        if a == WORD_MIN and c <= -1:
            is_least = t.op(f"icmp eq i64 {x}, {WORD_MIN}")
            t.fail_if(Bool(t.op(f"and i1 {is_least}, {t.op(f'icmp eq i64 {y}, -1')}")), OVERFLOW)
        small = t.op(f"icmp ule i64 {t.op(f'add i64 {y}, 1')}, 1")  # 0 or −1: the processor may trap
        safe = t.op(f"select i1 {small}, i64 1, i64 {y}")
    elif divisor == 0:
        t.fail(RAISED, ZeroDivisionError)
    else:
        safe = y
    if a >= 0 and c >= 0:
        quotient = t.op(f"udiv i64 {x}, {safe}")
        remainder = t.op(f"urem i64 {x}, {safe}") if name == "Mod" else ""
    else:
        cut, rest = t.op(f"sdiv i64 {x}, {safe}"), t.op(f"srem i64 {x}, {safe}")
        differs = t.op(f"icmp slt i64 {t.op(f'xor i64 {rest}, {safe}')}, 0")
        down = t.op(f"and i1 {differs}, {t.op(f'icmp ne i64 {rest}, 0')}")
        quotient = t.op(f"sub i64 {cut}, {t.op(f'zext i1 {down} to i64')}")
        remainder = t.op(f"add i64 {rest}, {t.op(f'select i1 {down}, i64 {safe}, i64 0')}")
        if divisor is None:
            is_minus = t.op(f"icmp eq i64 {y}, -1")
            quotient = t.op(f"select i1 {is_minus}, i64 {t.op(f'sub i64 0, {x}')}, i64 {quotient}")
            remainder = t.op(f"select i1 {is_minus}, i64 0, i64 {remainder}")
    if name == "Mod":
        if c > 0:
            return Int(a, b, remainder) if a >= 0 and b < c else Int(0, d - 1, remainder)
        return Int(min(0, c + 1), max(0, d - 1), remainder)
    if c > 0 or d < 0:
        ends = (a // c, a // d, b // c, b // d)
        return Int(max(WORD_MIN, min(ends)), min(WORD_MAX, max(ends)), quotient)
    size = max(abs(a), abs(b))
    return Int(max(WORD_MIN, -size), min(WORD_MAX, size), quotient)


def _bits(*numbers: int) -> int:
    return max(number.bit_length() if number >= 0 else (~number).bit_length() for number in numbers)


def _logic(t: "Translator", name: str, one: Value, other: Value, lo: int, hi: int) -> Value:
    width = max(width_of(*bounds(one)), width_of(*bounds(other)))
    verb = {"BitAnd": "and", "BitOr": "or", "BitXor": "xor"}[name]
    found = t.op(f"{verb} i{width} {t.resized(one, width)}, {t.resized(other, width)}")
    return _of_width(t, lo, hi, found, width)


def _and(t: "Translator", name: str, one: Value, other: Value) -> Value:
    (a, b), (c, d) = bounds(one), bounds(other)
    if a >= 0 and c >= 0:
        return _logic(t, name, one, other, 0, min(b, d))
    if a >= 0 or c >= 0:
        return _logic(t, name, one, other, 0, b if a >= 0 else d)
    size = 1 << _bits(a, b, c, d)
    return _logic(t, name, one, other, -size, size - 1)


def _or(t: "Translator", name: str, one: Value, other: Value) -> Value:
    (a, b), (c, d) = bounds(one), bounds(other)
    size = 1 << _bits(a, b, c, d)
    if a >= 0 and c >= 0:
        return _logic(t, name, one, other, max(a, c) if name == "BitOr" else 0, size - 1)
    return _logic(t, name, one, other, -size, size - 1)


def _shift_left(t: "Translator", name: str, one: Value, other: Value) -> Value:
    (a, b), (c, d) = bounds(one), bounds(other)
    if isinstance(other, Known) and c in range(63):
        return _multiply(t, "Mult", one, Known(1 << c))
    if c < 0:
        t.fail_if(Bool(t.op(f"icmp slt i64 {t.integer(other)}, 0")), RAISED, ValueError)
        c, d = 0, max(0, d)
    ends = [end << count for end in (a, b) for count in (c, min(d, MAX_SHIFT))]
    lo, hi = min(ends), max(ends)
    width = width_of(min(lo, a), max(hi, b))
    if d <= MAX_SHIFT and -(1 << (width - 1)) <= lo and hi < 1 << (width - 1):
        count = t.op(f"and i{width} {t.resized(other, width)}, {width - 1}")
        return Int(lo, hi, t.op(f"shl i{width} {t.resized(one, width)}, {count}"))
    count = t.integer(other)
    t.fail_if(Bool(t.op(f"icmp ugt i64 {count}, 62")), OVERFLOW)
    power = t.op(f"shl i64 1, {t.op(f'and i64 {count}, 63')}")
    return _multiply(t, "Mult", t.narrowed(one), Int(1, 1 << 62, power))


def _shift_right(t: "Translator", name: str, one: Value, other: Value) -> Value:
    (a, b), (c, d) = bounds(one), bounds(other)
    if c < 0:
        t.fail_if(Bool(t.op(f"icmp slt i64 {t.integer(other)}, 0")), RAISED, ValueError)
        c = 0
    width = width_of(a, b)
    if width == 64:
        count = t.op(f"call i64 @llvm.umin.i64(i64 {t.integer(other)}, i64 63)")
    else:
        count = t.op(f"call i64 @llvm.umin.i64(i64 {t.integer(other)}, i64 {width - 1})")
        count = t.op(f"zext i64 {count} to i{width}")
    far = min(d, 300)
    ends = (a >> c, a >> far, b >> c, b >> far)
    found = t.op(f"ashr i{width} {t.resized(one, width)}, {count}")
    return _of_width(t, min(ends), max(ends), found, width)


def _power(t: "Translator", name: str, one: Value, other: Value) -> Value:
    if isinstance(one, Known) and one.obj == 2:
        return _shift_left(t, "LShift", Known(1), other)
    if isinstance(other, Known) and 0 <= other.obj <= 8:
        found: Value = Known(1)
        for _ in range(other.obj):
            found = _multiply(t, "Mult", found, one)
        return found
    raise TranslationError("a power whose exponent depends on the state")


INTEGER: dict[str, Callable[["Translator", str, Value, Value], Value]] = {
    "Add": _add,
    "Sub": _add,
    "Mult": _multiply,
    "FloorDiv": _divide,
    "Mod": _divide,
    "BitAnd": _and,
    "BitOr": _or,
    "BitXor": _or,
    "LShift": _shift_left,
    "RShift": _shift_right,
    "Pow": _power,
}


def compare_numbers(t: "Translator", name: str, one: Value, other: Value) -> Value:
    """Return how two numbers compare."""
    if "float" in (kind_of_number(one), kind_of_number(other)):
        return Bool(t.op(f"fcmp {ORDERED[name]} double {t.floating(one)}, {t.floating(other)}"))
    (a, b), (c, d) = bounds(one), bounds(other)
    always = {"Lt": b < c, "LtE": b <= c, "Gt": a > d, "GtE": a >= d, "NotEq": b < c or a > d, "Eq": False}
    never = {"Lt": a >= d, "LtE": a > d, "Gt": b <= c, "GtE": b < c, "NotEq": False, "Eq": b < c or a > d}
    if always[name] or never[name]:
        return Known(always[name])
    width = max(width_of(a, b), width_of(c, d))
    return Bool(t.op(f"icmp {SIGNED[name]} i{width} {t.resized(one, width)}, {t.resized(other, width)}"))


def negative(t: "Translator", value: Value) -> Value:
    """Return −x."""
    if kind_of_number(value) == "float":
        return Float(t.op(f"fneg double {t.floating(value)}"))
    return arithmetic(t, "Sub", Known(0), value)


def absolute(t: "Translator", value: Value) -> Value:
    """Return |x|."""
    if kind_of_number(value) == "float":
        return Float(t.op(f"call double @llvm.fabs.f64(double {t.floating(value)})"))
    number = as_int(t, value)
    lo, hi = bounds(number)
    if lo >= 0:
        return number
    width = width_of(lo, hi)
    ssa, least = t.resized(number, width), -(1 << (width - 1))
    if lo == least:
        t.fail_if(Bool(t.op(f"icmp eq i{width} {ssa}, {least}")), OVERFLOW)
        lo += 1
    found = t.op(f"call i{width} @llvm.abs.i{width}(i{width} {ssa}, i1 false)")
    return Int(0 if hi >= 0 else -hi, max(-lo, hi), found)


def extreme(t: "Translator", name: str, one: Value, other: Value) -> Value:
    """Return the smaller of two numbers ("Lt") or the larger ("Gt"); the first one if they are equal."""
    if "float" in (kind_of_number(one), kind_of_number(other)):
        x, y = t.floating(one), t.floating(other)
        better = t.op(f"fcmp {ORDERED[name]} double {y}, {x}")
        return Float(t.op(f"select i1 {better}, double {y}, double {x}"))
    (a, b), (c, d) = bounds(one), bounds(other)
    if (b <= c) if name == "Lt" else (a >= d):
        return as_int(t, one)
    if (d < a) if name == "Lt" else (c > b):
        return as_int(t, other)
    lo, hi = (min(a, c), min(b, d)) if name == "Lt" else (max(a, c), max(b, d))
    width = max(width_of(a, b), width_of(c, d))
    verb = {"Lt": "smin", "Gt": "smax"}[name]
    x, y = t.resized(one, width), t.resized(other, width)
    found = t.op(f"call i{width} @llvm.{verb}.i{width}(i{width} {x}, i{width} {y})")
    return _of_width(t, lo, hi, found, width)


def by_library(t: "Translator", name: str, args: Sequence[Value]) -> Value:
    """Return what a function of C's library returns, which Python calls, too. It must be finite.

    LLVM must not replace it by what it knows of it: `pow(x, 0.5)` is not rounded as `sqrt(x)` is.
    """
    if not has_symbol(name):
        raise TranslationError(f"{name}, which the C library of this machine does not have")
    texts = ", ".join(f"double {t.floating(arg)}" for arg in args)
    found = t.op(f"call double @{name}({texts}) nobuiltin")
    size = t.op(f"call double @llvm.fabs.f64(double {found})")
    t.fail_if(Bool(t.op(f"fcmp uge double {size}, 1.0e308")), OVERFLOW)
    return Float(found)


def square_root(t: "Translator", value: Value) -> Value:
    """Return `math.sqrt`: IEEE 754 says how it is rounded."""
    ssa = t.floating(value)
    t.fail_if(Bool(t.op(f"fcmp olt double {ssa}, 0.0")), RAISED, ValueError)
    return Float(t.op(f"call double @llvm.sqrt.f64(double {ssa})"))


def to_integer(t: "Translator", value: Value, way: str = "trunc") -> Value:
    """Return a float as an integer: cut off, or rounded down ("floor"), up ("ceil") or to even ("roundeven")."""
    if kind_of_number(value) == "int":
        return as_int(t, value)
    ssa = t.op(f"call double @llvm.{way}.f64(double {t.floating(value)})")
    size = t.op(f"call double @llvm.fabs.f64(double {ssa})")
    t.fail_if(Bool(t.op(f"fcmp uge double {size}, {float(1 << 62):e}")), OVERFLOW)
    return Int(-(1 << 62), 1 << 62, t.op(f"call i64 @llvm.fptosi.sat.i64.f64(double {ssa})"))
