"""The functions of a problem as one module of assembly: expand, is_goal, heuristic over packed states."""

import contextlib
import re
import sys
from typing import Any

from searchkit.problem import has_cost, has_heuristic
from searchkit.translate.arithmetic import kind_of_number
from searchkit.translate.calls import call
from searchkit.translate.code import StaleError
from searchkit.translate.emitter import BRANCHING, LAYOUT, LOOP_FUEL, STACK, Hints, LengthError
from searchkit.translate.layout import Layout
from searchkit.translate.mutables import RUNTIME
from searchkit.translate.packing import packed_words, unpacked
from searchkit.translate.source import place_of
from searchkit.translate.translator import Translator
from searchkit.translate.values import (
    Bool,
    DeadCodeError,
    Known,
    Maybe,
    TranslationError,
    Value,
    described,
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
declare i32 @memcmp(ptr, ptr, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare double @pow(double, double)
declare double @atan2(double, double)
declare double @llvm.sqrt.f64(double)
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
define i64 @check(
  ptr %states, i64 %count, ptr %out, ptr %costs, ptr %goal, ptr %value, i64 %expands
) noinline optnone {{
  %b = insertvalue {B} zeroinitializer, ptr %out, 4
  %c = insertvalue {A} zeroinitializer, ptr %costs, 4
  br label %loop
loop:
  %i = phi i64 [0, %0], [%next, %end]
  %at = mul i64 %i, {W}
  %state = getelementptr i64, ptr %states, i64 %at
  %a = insertvalue {A} zeroinitializer, ptr %state, 4
  %w = load i64, ptr %state
  %g = call i1 @goal({A} zeroinitializer, {S})
  %z = zext i1 %g to i64
  store i64 %z, ptr %goal
  {H}
  %e = icmp ne i64 %expands, 0
  br i1 %e, label %yes, label %end
yes:
  %y = call i64 @expand({A} zeroinitializer, {S}, {B} %b, {A} %c)
  br label %end
end:
  %n = phi i64 [0, %loop], [%y, %yes]
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %loop, label %done
done:
  ret i64 %n
}}
define ptr @flagged() {{
  ret ptr @flag
}}
define ptr @stopped_at() {{
  ret ptr @stopped
}}
"""
"""Calls all three functions for some states, and returns how many successors the last one has."""


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
                where = f"{error.place}: " if error.place else function.entry
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
        super().__init__(program.hints)
        self.program, self.problem, self.layout = program, program.problem, program.layout
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
                cost = number_text(self, found, "cost")
            number = self.op(f"load i64, ptr {count}")
            self.fail_if(Bool(self.op(f"icmp uge i64 {number}, {branching}")), BRANCHING)
            first = self.op(f"mul i64 {number}, {words}") if words > 1 else number
            for place, word in enumerate(packed):
                at = self.op(f"add i64 {first}, {place}") if place else first
                self.line(f"store i64 {word}, ptr {self.op(f'getelementptr i64, ptr {out}, i64 {at}')}")
            where = self.op(f"getelementptr double, ptr {costs}, i64 {number}")
            self.line(f"store double {cost}, ptr {where}")
            self.line(f"store i64 {self.op(f'add i64 {number}, 1')}, ptr {count}")

        self.foreach(call(self, self.member("successors"), [state], {}, stream=True), give)
        self.line(f"ret i64 {self.op(f'load i64, ptr {count}')}")

    def _refuse_placeholder(self, packed: list[str]) -> None:
        """Stop at the number that kernels take for no state."""
        all_ones = packed[0]
        for word in packed[1:]:
            all_ones = self.op(f"and i64 {all_ones}, {word}")
        self.fail_if(Bool(self.op(f"icmp eq i64 {all_ones}, -1")), LAYOUT)


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


def number_text(t: _Function, value: Value, what: str) -> str:
    """Return a cost or heuristic value as a double."""
    if isinstance(value, Maybe):
        value = t.some(value)
    kind = kind_of_number(value)
    if not kind:
        advice = "multiply fractions by a common denominator"
        raise TranslationError(f"the {what} is {described(value)}, and not an int or a float; {advice}")
    if kind == "float":
        t.program.whole = False
    return t.floating(value)
