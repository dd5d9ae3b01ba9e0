"""Random problems as Python source: every kind of statement, container and value that can be translated.

A `Writer` writes one program. It asks a function for numbers, so that Hypothesis or `random` can choose them, and it
knows the type of each name, so that most programs run without an exception. Each program has a bounded state space:
what is yielded is brought into the range of the field that it is for.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hypothesis import strategies as st

HEAD = """\
from collections import Counter, deque
from dataclasses import dataclass, replace
from enum import Enum
from itertools import accumulate, combinations, dropwhile, groupby, islice, pairwise, product, takewhile
from typing import Any, NamedTuple


class Colour(Enum):
    RED = 1
    BLUE = 2
    GREEN = 3


COLOURS = tuple(Colour)
NEXT = {Colour.RED: Colour.BLUE, Colour.BLUE: Colour.GREEN, Colour.GREEN: Colour.RED}
TABLE = (3, -1, 4, 1, -5, 9, 2)
GRID = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
EDGES = {0: (1, 2), 1: (3,), 2: (0, 1, 3), 3: ()}
WORDS = ("ab", "ba", "abc", "", "cab")
WEIGHTS = {"a": 2, "b": -3, "c": 5}
"""
EDGE = ("2**63 - 1", "-(2**63)", "2**62", "-(2**62)", "2**31", "10**9", "-(10**18)")
ERRORS = ("IndexError", "KeyError", "ZeroDivisionError", "ValueError", "(IndexError, KeyError)", "Exception")
INT, BOOL, TEXT, ENUM, MAYBE = "int", "bool", "text", "enum", "maybe"
ROW, NEST, SET, LIST, BAG, DICT, ROWS = "row", "nest", "set", "list", "bag", "dict", "rows"
"""Types: a tuple of ints, a tuple of pairs, a frozenset of ints; local: a list, set, dict of ints, a list of lists."""


class Writer:
    """Writes one program.

    Args:
        pick: returns a number from 0 up to, and without, its argument.

    """

    def __init__(self, pick: Callable[[int], int]):
        self.pick = pick
        self.lines: list[str] = []
        self.indent = 0
        self.names: dict[str, list[str]] = {}
        self.count = 0
        self.loops = 0
        self.fuel = 0
        self.helpers: list[tuple[str, str]] = []
        self.fields: list[tuple[str, str, int]] = []
        self.form = ""

    # -- choices

    def one(self, *options: str) -> str:
        """Return one of some texts."""
        return options[self.pick(len(options))]

    def chance(self, percent: int) -> bool:
        """Return True so often; what is simpler is False."""
        return self.pick(100) >= 100 - percent

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append("    " * self.indent + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Write a line and what is indented below it; names that are bound there are known only there."""
        self.line(head)
        self.indent += 1
        before = {kind: list(names) for kind, names in self.names.items()}
        written = len(self.lines)
        yield
        if len(self.lines) == written:
            self.line("pass")
        self.indent -= 1
        if not self.chance(3):  # else a name that is bound in one branch only is used after it
            self.names = before

    def new(self, kind: str) -> str:
        """Return a name to bind: mostly a new one."""
        known = [name for name in self.known(kind) if name.isidentifier() and name not in "abpsvwxyz"]
        if known and self.chance(30):
            return known[self.pick(len(known))]
        self.count += 1
        return f"{kind[0]}{self.count}"

    def bind(self, kind: str, name: str) -> None:
        """Note that a name has a type from now on."""
        for names in self.names.values():
            while name in names:
                names.remove(name)
        self.names.setdefault(kind, []).append(name)

    def known(self, kind: str) -> list[str]:
        """Return the expressions without operators of a type."""
        return self.names.get(kind, [])

    # -- expressions

    def integer(self, depth: int = 2) -> str:
        """Return an expression of an integer."""
        names = self.known(INT)
        if depth <= 0 or self.chance(30):
            if names and self.chance(80):
                return names[self.pick(len(names))]
            if self.chance(4):
                return f"({EDGE[self.pick(len(EDGE))]})"
            return str(self.pick(9)) if self.chance(70) else f"-{self.pick(4) + 1}"
        a = self.integer(depth - 1)
        choice = self.pick(34)
        b = self.integer(depth - 1) if choice < 18 else ""
        if choice < 6:
            return f"({a} {self.one('+', '-', '*', '+', '-', '^')} {b})"
        if choice < 9:
            divisor = self.one(*[str(self.pick(7) + 1), f"-{self.pick(4) + 1}", f"({b} or 3)"] * 3, f"({b})")
            return f"({a} {self.one('//', '%')} {divisor})"
        if choice < 11:
            return f"({a} {self.one('&', '|')} {b})"
        if choice == 11:
            return f"({a} {self.one('<<', '>>')} {self.one(str(self.pick(70)), f'({b} % 6)', f'(abs({b}) % 80)')})"
        if choice == 12:
            return f"{self.one('min', 'max')}({a}, {b}, {self.integer(0)})"
        if choice == 13:
            return f"({a} if {self.boolean(1)} else {b})"
        if choice == 14:
            return f"({a} {self.one('or', 'and')} {b})"
        if choice == 15:
            return f"divmod({a}, {self.one('3', '-2', b)})[{self.pick(2)}]"
        if choice == 16:
            return f"({a} ** {self.pick(4)})"
        if choice == 17 and self.helpers:
            name, kind = self.helpers[self.pick(len(self.helpers))]
            return self.called(name, kind, a, b)
        if choice == 18:
            return f"{self.one('abs', '-', '~', 'int', '+')}({a})"
        if choice == 19:
            return f"int({self.boolean(1)})"
        if choice == 20:
            return f"({a}).{self.one('bit_length()', 'bit_count()')}"
        if choice == 21:
            return f"({a} - 1)"
        if choice in (22, 23):
            if self.chance(70):
                return f"(*{self.iterable(1)}, 4)[{self.one('0', '-1')}]"
            return f"{self.iterable(1)}[{self.integer(1)}]"
        if choice == 24:
            return f"len({self.one(self.row(1), self.text(1), self.members(1))})"
        if choice in (25, 26):
            source = self.iterable(1)
            test = self.one("", " if v > 1", f" if {self.boolean(1)}", " if v % 2")
            body = self.one("v", "v * v", f"v + {a}", "1")
            head = self.one("sum", "sum", "max", "min")
            default = "" if head == "sum" and self.chance(60) else ", 5" if head == "sum" else ", default=7"
            inside = f"({body} for v in {source}{test})"
            return f"{head}({inside}{default})" if default else f"{head}{inside}"
        if choice == 27:
            key = self.one("lambda v: -v", "lambda v: v % 3", "abs", f"lambda v: (v * {self.pick(5)}) % 4")
            return f"{self.one('min', 'max')}({self.iterable(1)}, key={key}, default={self.pick(3)})"
        if choice == 28:
            return f"{self.iterable(1)}.{self.one(*['count'] * 7, 'index')}({a})"
        if choice == 29:
            dicts = self.known(DICT)
            owner = dicts[self.pick(len(dicts))] if dicts else "WEIGHTS"
            key = a if dicts else self.character()
            if dicts and self.chance(70):
                return f"({owner}[{key}] if {key} in {owner} else {self.integer(0)})"
            return self.one(f"{owner}[{key}]", f"{owner}.get({key}, {self.integer(0)})", f"len({owner})")
        if choice == 30:
            return f"GRID[{self.integer(1)} % 3][{a} % 3]"
        if choice == 31:
            return f"len(EDGES[{a} % 4])"
        if choice == 32 and self.known(MAYBE):
            name = self.known(MAYBE)[0]
            return self.one(f"({name} or {a})", f"({name} if {name} is not None else {a})")
        if choice == 33:
            return f"next((v for v in {self.iterable(1)} if {self.boolean(0)}), {a})"
        return f"({a} + 1)"

    def called(self, name: str, kind: str, a: str, b: str) -> str:
        """Return a call of a helper."""
        if kind == "default":
            return self.one(
                f"{name}({a})", f"{name}({a}, {b})", f"{name}({a}, c={b})", f"{name}(b={b}, a={a})"
            )
        if kind == "row":
            return f"{name}({self.row(1)}, {a})"
        return f"{name}({a}, {b})"

    def boolean(self, depth: int = 2) -> str:
        """Return an expression of a truth value."""
        names = self.known(BOOL)
        if names and self.chance(25):
            return names[self.pick(len(names))]
        if depth <= 0:
            return f"{self.integer(0)} {self.one('<', '==', '!=', '>=')} {self.integer(0)}"
        choice = self.pick(17)
        if choice < 5:
            return (
                f"({self.integer(depth - 1)} {self.one('<', '<=', '==', '!=', '>', '>=')} {self.integer(1)})"
            )
        if choice == 5:
            return f"({self.integer(1)} <= {self.integer(1)} {self.one('<', '!=', '<=')} {self.integer(1)})"
        if choice == 6:
            return f"({self.boolean(depth - 1)} {self.one('and', 'or', '!=', '^')} {self.boolean(depth - 1)})"
        if choice == 7:
            return f"(not {self.boolean(depth - 1)})"
        if choice == 8:
            return f"({self.integer(1)} {self.one('in', 'not in')} {self.one(self.iterable(1), self.members(1))})"
        if choice == 9:
            return f"({self.row(1)} {self.one('==', '!=', '<', '<=')} {self.row(1)})"
        if choice == 10:
            return f"({self.text(1)} {self.one('==', '!=', '<')} {self.text(1)})"
        if choice == 11:
            return (
                f"{self.one('any', 'all')}({self.one('v > 1', self.boolean(0))} for v in {self.iterable(1)})"
            )
        if choice == 12:
            return f"({self.members(1)} {self.one('<=', '==', '>=', '<')} {self.members(1)})"
        if choice == 13:
            return f"({self.character()} in {self.text(1)})"
        if choice == 14:
            return f"({self.colour()} {self.one('is', '==', 'is not')} {self.colour()})"
        if choice == 15 and self.known(MAYBE):
            return f"({self.known(MAYBE)[0]} {self.one('is None', 'is not None', '== 2')})"
        if choice == 16:
            return f"{self.text(1)}.{self.one('startswith', 'endswith')}({self.character()})"
        return f"bool({self.one(self.integer(1), self.row(1), self.members(1))})"

    def slice(self) -> str:
        """Return what is between brackets for a part of a sequence."""
        start, stop = (self.one("", str(self.pick(6)), f"-{self.pick(6)}", self.integer(0)) for _ in "ab")
        step = self.one("", "", "", ":-1", ":2", ":-2")
        return f"[{start}:{stop}{step}]"

    def row(self, depth: int = 2) -> str:
        """Return an expression of a tuple of integers."""
        names = self.known(ROW)
        if names and self.chance(55):
            return names[self.pick(len(names))]
        choice = self.pick(13)
        if depth <= 0 or choice < 2:
            return f"({', '.join(self.integer(0) for _ in range(self.pick(3) + 1))},)"
        a = self.row(depth - 1)
        if choice < 4:
            return f"{a}{self.slice()}"
        if choice < 6:
            return f"({a} + {self.row(depth - 1)})"
        if choice == 6:
            return f"({a} * {self.one('2', '3', '0', f'({self.integer(0)} % 3)')})"
        if choice == 7:
            key = self.one(
                "",
                "",
                ", reverse=True",
                ", key=lambda v: v % 2",
                ", key=lambda v: -v",
                ", key=abs, reverse=True",
            )
            return f"tuple(sorted({self.one(self.iterable(1), self.members(1))}{key}))"
        if choice == 8:
            return f"tuple(reversed({a}))"
        if choice == 9:
            body = self.one("v + 1", "v", "v % 3", f"v if v > 1 else {self.integer(0)}", "-v")
            return f"tuple({body} for v in {self.iterable(1)}{self.one('', f' if {self.boolean(1)}')})"
        if choice == 10:
            return f"tuple(v - w for v, w in zip({a}, {self.iterable(1)}))"
        if choice == 11:
            return f"tuple(i * v for i, v in enumerate({a}{self.one('', ', 1', ', start=-1')}))"
        return f"tuple(map(lambda v: v {self.one('+', '%')} 3, {self.iterable(1)}))"

    def iterable(self, depth: int = 1) -> str:
        """Return an expression of a sequence of integers: a tuple or a list."""
        lists = self.known(LIST)
        if lists and self.chance(40):
            return lists[self.pick(len(lists))]
        return self.one(self.row(depth), self.row(depth), "TABLE")

    def members(self, depth: int = 1) -> str:
        """Return an expression of a set of integers."""
        names = self.known(SET) + self.known(BAG)
        if names and self.chance(60):
            return names[self.pick(len(names))]
        if depth <= 0 or self.chance(40):
            return f"frozenset({self.iterable(0)})"
        return f"({self.members(depth - 1)} {self.one('|', '&', '-', '^')} {{{self.integer(0)}, {self.integer(0)}}})"

    def character(self) -> str:
        """Return an expression of a text of one character."""
        return self.one('"a"', '"b"', '"c"')

    def text(self, depth: int = 1) -> str:
        """Return an expression of a text."""
        names = self.known(TEXT)
        if names and self.chance(60):
            return names[self.pick(len(names))]
        if depth <= 0 or self.chance(50):
            return self.one('"ab"', f"WORDS[{self.integer(0)} % 5]", '"c"')
        return self.one(
            f"({self.text(0)} + {self.text(0)})",
            f"{self.text(0)}{self.slice()}",
            f'"".join(sorted({self.text(0)}))',
            f'({self.text(0)}).replace("a", "b")',
            f'({self.text(0)}).replace("a", "cb", {self.pick(3)}).{self.one("strip", "lstrip", "rstrip")}("a")',
            f"({self.text(0)} * ({self.integer(0)} % 3))",
        )

    def colour(self) -> str:
        """Return an expression of a member of an enumeration."""
        names = self.known(ENUM)
        if names and self.chance(60):
            return names[self.pick(len(names))]
        return self.one(
            "Colour.RED", f"COLOURS[{self.integer(0)} % 3]", f"NEXT[{self.one(*names, 'Colour.BLUE')}]"
        )

    def value(self, kind: str, depth: int = 2) -> str:
        """Return an expression of a type."""
        if kind == INT:
            return self.integer(depth)
        if kind == BOOL:
            return self.boolean(depth)
        if kind == TEXT:
            return self.text(1)
        if kind == ENUM:
            return self.colour()
        if kind == MAYBE:
            return self.one(
                "None", f"({self.integer(1)} % 4)", f"(None if {self.boolean(1)} else {self.integer(1)} % 3)"
            )
        if kind == ROW:
            return self.row(depth)
        if kind == SET:
            return self.members(depth)
        if kind == NEST:
            names = self.known(NEST)
            made = f"(({self.integer(1)}, {self.integer(0)}), ({self.integer(0)}, {self.integer(1)}))"
            return self.one(*names, made, f"tuple(sorted({self.one(*names, made)}))")
        if kind == LIST:
            return self.one(
                "[]",
                f"[{self.integer(1)}, {self.integer(0)}]",
                f"list({self.row(1)})",
                f"[v + 1 for v in {self.iterable(1)}]",
                f"[{self.integer(0)}] * {self.pick(4)}",
                f"sorted({self.members(1)})",
            )
        if kind == BAG:
            return self.one("set()", f"set({self.row(1)})", f"{{v % 3 for v in {self.iterable(1)}}}")
        if kind == DICT:
            return self.one(
                "{}",
                f"{{{self.integer(0)}: {self.integer(0)}}}",
                f"{{v: v + 1 for v in {self.iterable(1)}}}",
                f"dict(enumerate({self.iterable(1)}))",
                f"Counter({self.iterable(1)})",
            )
        return "[list(row) for row in GRID]"

    # -- statements

    def statement(self, depth: int) -> None:
        """Write a statement."""
        rules = [
            *[self.assignment] * 5,
            self.augmented,
            self.unpacking,
            *[self.branch] * 2,
            *[self.loop] * 2,
            self.repetition,
            self.attempt,
            self.matching,
            *[self.change] * 4,
            self.closure,
            self.leaving,
        ]
        rule: Callable[[int], None] = rules[self.pick(len(rules))]
        if depth <= 0:
            rule = self.one_of(self.assignment, self.augmented, self.change, self.leaving)
        rule(depth)

    def one_of(self, *rules: Callable[[int], None]) -> Callable[[int], None]:
        """Return one of some rules."""
        return rules[self.pick(len(rules))]

    def body(self, depth: int, most: int = 3) -> None:
        """Write some statements."""
        for _ in range(1 + self.pick(most)):
            self.statement(depth)

    def assignment(self, depth: int) -> None:
        """Write `name = value`."""
        kinds = (INT, INT, INT, BOOL, ROW, ROW, TEXT, SET, ENUM, MAYBE, LIST, LIST, BAG, DICT, NEST, ROWS)
        kind = kinds[self.pick(len(kinds))]
        value = self.value(kind)
        if kind == INT and self.loops and not self.chance(10):
            value = f"{value} % {self.one('7', '13', '-5', '97')}"
        if kind in (ROW, LIST) and self.loops:
            value = f"({value})[:4]"
        if kind == TEXT and self.loops:
            value = f"({value})[:3]"
        name = self.new(kind)
        self.line(f"{name} = {value}")
        self.bind(kind, name)

    def augmented(self, depth: int) -> None:
        """Write `name += value`."""
        names = self.known(INT)
        own = [name for name in names if name.isidentifier()]
        if own:
            name = own[self.pick(len(own))]
            operation = self.one("+", "-", "*", "//", "%", "&", "|", "^", "<<" if not self.loops else "-")
            value = self.integer(1) if operation not in ("<<", "*") else str(self.pick(4))
            self.line(f"{name} {operation}= {value}")
            if self.loops:
                self.line(f"{name} %= 50")

    def unpacking(self, depth: int) -> None:
        """Write an assignment to several names."""
        a, b, c = (self.new(INT) for _ in "abc")
        if len({a, b, c}) < 3:
            return
        choice = self.pick(5)
        if choice == 0:
            self.line(f"{a}, {b} = {self.integer(1)}, {self.integer(1)}")
        elif choice == 1:
            self.line(f"({a}, {b}), {c} = ({self.integer(0)}, {self.integer(1)}), {self.integer(0)}")
            self.bind(INT, c)
        elif choice == 2:
            rest = self.new(LIST)
            self.line(f"{a}, {self.one(f'*{rest}, {b}', f'{b}, *{rest}')} = [*{self.iterable(1)}, 4, 2]")
            self.bind(LIST, rest)
        elif choice == 3:
            self.line(f"{a}, {b} = divmod({self.integer(1)}, {self.pick(5) + 1})")
        else:
            self.line(f"{a} = {b} = {self.integer(1)}")
        self.bind(INT, a)
        self.bind(INT, b)

    def branch(self, depth: int) -> None:
        """Write `if`, `elif`, `else`."""
        test = self.boolean()
        if self.chance(8):
            name = self.new(INT)
            test = f"({name} := {self.integer(1)}) > {self.pick(4)}"
            self.bind(INT, name)
        with self.block(f"if {test}:"):
            self.body(depth - 1)
        if self.chance(25):
            with self.block(f"elif {self.boolean(1)}:"):
                self.body(depth - 1, 2)
        if self.chance(45):
            with self.block("else:"):
                self.body(depth - 1, 2)

    def loop(self, depth: int) -> None:
        """Write `for`."""
        v, w = self.new(INT), self.new(INT)
        if v == w:
            w += "w"
        heads: list[tuple[str, list[tuple[str, str]]]] = [
            (f"for {v} in range({self.one('3', '4', f'{self.integer(0)} % 5')}):", [(INT, v)]),
            (
                f"for {v} in range({self.pick(5)}, {self.integer(0)} % 7 - 2, {self.one('1', '2', '-1', '-3')}):",
                [(INT, v)],
            ),
            (f"for {v} in {self.row(1)}:", [(INT, v)]),
            (f"for {v} in reversed({self.row(1)}):", [(INT, v)]),
            (f"for {v} in sorted({self.members(1)}):", [(INT, v)]),
            (f"for {v}, {w} in enumerate({self.iterable(1)}):", [(INT, v), (INT, w)]),
            (f"for {v}, {w} in zip({self.iterable(1)}, {self.iterable(1)}):", [(INT, v), (INT, w)]),
            (f"for {v} in {self.one('take', 'drop')}while(lambda n: n < 3, {self.row(1)}):", [(INT, v)]),
            (f"for {v} in islice(accumulate({self.row(1)}), {self.pick(3)}, None, 2):", [(INT, v)]),
            (f"for {v}, {w} in ((n, sum(m)) for n, m in groupby({self.row(1)})):", [(INT, v), (INT, w)]),
            (f"for {v}, {w} in pairwise({self.row(1)}):", [(INT, v), (INT, w)]),
            (f"for {v}, {w} in combinations({self.row(1)}[:4], 2):", [(INT, v), (INT, w)]),
            (f"for {v}, {w} in product((0, 1), {self.row(1)}[:3]):", [(INT, v), (INT, w)]),
            (f"for {v} in EDGES[{self.integer(0)} % 4]:", [(INT, v)]),
            (f"for {v}, {w} in {self.value(NEST)}:", [(INT, v), (INT, w)]),
            (f"for t{self.count} in {self.text(1)}:", [(TEXT, f"t{self.count}")]),
        ]
        if dicts := self.known(DICT):
            name = dicts[self.pick(len(dicts))]
            heads += [
                (f"for {v}, {w} in {name}.items():", [(INT, v), (INT, w)]),
                (f"for {v} in {self.one(f'list({name})', f'{name}.values()')}:", [(INT, v)]),
            ]
        if lists := self.known(LIST):
            heads += [(f"for {v} in {lists[self.pick(len(lists))]}{self.one('[:]', '[:4]')}:", [(INT, v)])]
        head, bound = heads[self.pick(len(heads))]
        self.loops += 1
        with self.block(head):
            for kind, name in bound:
                self.bind(kind, name)
            self.body(depth - 1)
        self.loops -= 1
        if self.chance(20):
            with self.block("else:"):
                self.body(depth - 1, 1)

    def repetition(self, depth: int) -> None:
        """Write `while`."""
        self.fuel += 1
        name = f"fuel{self.fuel}"
        self.line(f"{name} = {self.pick(5)}")
        self.loops += 1
        with self.block(f"while {name} > 0 and {self.boolean(1)}:" if self.chance(60) else f"while {name}:"):
            self.line(f"{name} -= 1")
            self.body(depth - 1)
        self.loops -= 1
        if self.chance(25):
            with self.block("else:"):
                self.body(depth - 1, 1)

    def attempt(self, depth: int) -> None:
        """Write `try`."""
        with self.block("try:"):
            self.body(depth - 1)
            self.line(f"i{self.count + 1} = {self.one('TABLE', self.iterable(1))}[{self.integer(1)}]")
            self.count += 1
        with self.block(f"except {ERRORS[self.pick(len(ERRORS))]}:"):
            self.body(depth - 1, 2)
        if self.chance(20):
            with self.block("else:"):
                self.body(depth - 1, 1)

    def matching(self, depth: int) -> None:
        """Write `match`."""
        a, b = self.new(INT), self.new(INT)
        if a == b:
            b += "b"
        if self.chance(50):
            self.line(f"match {self.integer(1)}:")
            cases = ["case 0:", f"case {self.pick(3)} | 4:", f"case {a} if {a} > 2:"]
        else:
            self.line(f"match {self.row(1)}:")
            cases = [f"case ({a}, {b}):", "case ():", f"case ({a},):", f"case ({a}, 1, {b}):"]
            if self.chance(10):
                cases[2] = f"case ({a}, *_):"
        self.indent += 1
        for case in cases:
            with self.block(case):
                if a in case:
                    self.bind(INT, a)
                if b in case:
                    self.bind(INT, b)
                self.body(depth - 1, 1)
        if self.chance(60):
            with self.block("case _:"):
                self.body(depth - 1, 1)
        self.indent -= 1

    def change(self, depth: int) -> None:
        """Write a change of a list, set or dict."""
        kinds = [kind for kind in (LIST, LIST, BAG, DICT, ROWS) if self.known(kind)]
        if not kinds:
            self.assignment(depth)
            return
        kind = kinds[self.pick(len(kinds))]
        names = self.known(kind)
        name = names[self.pick(len(names))]
        a, b = self.integer(1), self.integer(0)
        if kind in (LIST, ROWS) and self.chance(12):  # a second name of one list
            other = self.new(LIST)
            text = f"{other} = {name}" if kind == LIST else f"{other} = {name}[{b} % 3]"
            self.bind(LIST, other)
        elif kind == LIST:
            guard = f"if len({name}) < 6: " if self.loops else ""
            text = self.one(
                f"{guard}{name}.append({a})",
                f"{guard}{name}.insert({b}, {a})",
                f"if {name}: {name}.pop()",
                f"if {name}: {name}.pop({self.one('0', '-1', b)})",
                f"{name}.sort({self.one('', 'reverse=True', 'key=lambda v: v % 3')})",
                f"{name}.reverse()",
                f"if len({name}) > 1: {name}[0], {name}[-1] = {name}[-1], {name}[0]",
                f"if {name}: {name}[{b} % len({name})] = {a}",
                f"{guard}{name} += {self.row(1)}[:2]",
                f"{guard}{name} = {self.one(f'{name} + [{a}]', f'[{a}] + {name}', f'{name}[1:]')}",
                f"if len({name}) > {b} >= 0: {name}[{b}] = {a}",
                f"if {a} in {name}: {name}.remove({a})",
                f"{guard}{name}.extend({self.row(1)}[:3])",
                f"{name} = {name}{self.slice()}",
                f"if {name}: {name}[0] += {a}",
                f"{name}.clear()",
                f"if {name}: del {name}[{self.one('0', '-1', b)}]",
                f"{name} = {name}.copy()",
                f"{name}[1:2] = {self.row(0)}[:1]",
            )
        elif kind == BAG:
            text = self.one(
                f"{name}.add({a} % 9)",
                f"{name}.discard({a})",
                f"{name} |= {{{a} % 8}}",
                f"{name}.update({self.row(1)})",
                f"{name} -= {{{a}}}",
                f"{name} &= {self.members(1)}",
                f"if {a} in {name}: {name}.remove({a})",
                f"{name}.remove({a})",
            )
        elif kind == DICT:
            text = self.one(
                f"{name}[{a} % 9] = {b}",
                f"{name}.setdefault({a} % 5, {b})",
                f"{name}.pop({a}, None)",
                f"{name}[{b}] = {name}.get({b}, 0) + 1",
                f"if {a} in {name}: del {name}[{a}]",
                f"{name}[{b}] += 1",
                f"{name}.update({{{b}: {a}}})",
            )
        else:
            text = self.one(
                f"{name}[{b} % 3][{a} % 3] = {b}",
                f"{name}[{b} % 3].append({a})",
                f"{name}[0], {name}[1] = {name}[1], {name}[0]",
                f"{name}[{b} % 3] = {name}[{b} % 3][::-1]",
                f"{name}[{b} % 3].sort()",
                f"{name}[1][0] += 1",
            )
        self.line(text)

    def closure(self, depth: int) -> None:
        """Write a function within a function, or a lambda."""
        self.count += 1
        name = f"f{self.count}"
        if self.chance(50):
            self.line(
                f"{name} = lambda v, w={self.pick(4)}: v {self.one('+', '-', '*')} w + {self.integer(1)}"
            )
        else:
            names, loops = {kind: list(names) for kind, names in self.names.items()}, self.loops
            with self.block(f"def {name}(v, w={self.pick(4)}):"):
                for kind in (BAG, DICT, LIST, ROWS):
                    self.names[kind] = []
                for kind in self.names:
                    self.names[kind] = [each for each in self.names[kind] if not each.isidentifier()]
                self.names.setdefault(INT, []).extend(["v", "w"])
                self.loops = 0
                if self.chance(60):
                    with self.block(f"if {self.boolean(1)}:"):
                        self.line(f"return {self.integer(1)}")
                self.line(f"return {self.integer(2)}")
            self.names, self.loops = names, loops
        found = self.new(INT)
        self.line(
            f"{found} = {name}({self.integer(1)}{self.one('', f', {self.integer(0)}', f', w={self.integer(0)}')})"
        )
        self.bind(INT, found)

    def leaving(self, depth: int) -> None:
        """Write what leaves a loop or the function, under a condition."""
        how = ["return"] + (["break", "continue"] if self.loops else [])
        text = how[self.pick(len(how))]
        if text == "return":
            text = self.returning()
        self.line(f"if {self.boolean(1)}: {text}")

    def returning(self) -> str:
        """Return a `return` of the function that is written."""
        if self.result == "return False":
            return f"return {self.boolean(1)}"
        if self.result in ("return 0", "return 1"):
            return f"{self.result} + abs({self.integer(1)}) % 3"
        return self.result

    result = "return"

    # -- the program

    def state_fields(self) -> None:
        """Choose the fields of a state."""
        kinds = (INT, INT, ROW, ROW, BOOL, TEXT, SET, ENUM, MAYBE, NEST, "fixed")
        for place in range(1 + self.pick(3)):
            self.fields.append(("xyz"[place], kinds[self.pick(len(kinds))], 2 + self.pick(3)))
        self.form = (
            self.one("tuple", "named", "dataclass")
            if len(self.fields) > 1
            else self.one("bare" if self.fields[0][1] != MAYBE else "named", "dataclass", "named")
        )

    def state_class(self) -> None:
        """Write the class of states."""
        if self.form in ("named", "dataclass"):
            if self.form == "dataclass":
                self.line("@dataclass(frozen=True)")
            with self.block("class State(NamedTuple):" if self.form == "named" else "class State:"):
                for name, _, _ in self.fields:
                    self.line(f"{name}: Any")
            self.line("")

    def fresh(self) -> None:
        """Forget the names of another function."""
        self.names, self.loops = {}, 0

    def take_state(self) -> None:
        """Write what makes the fields of the state known as names."""
        names = [name for name, _, _ in self.fields]
        if self.form == "bare":
            self.line(f"{names[0]} = s")
        elif self.form == "tuple" or (self.form == "named" and self.chance(40)):
            self.line(f"{', '.join(names)}{',' if len(names) == 1 else ''} = s")
        else:
            names = [f"s.{name}" for name in names]
        for name, (_, kind, _) in zip(names, self.fields, strict=True):
            self.bind({"fixed": ROW}.get(kind, kind), name)

    def bounded(self, name: str, kind: str, size: int) -> str:
        """Return an expression for a field: any, brought into its range."""
        if kind == INT:
            return f"({self.one('', f'{name} + ')}{self.integer()}) % {size * 3}"
        if kind == BOOL:
            return self.boolean()
        if kind == TEXT:
            return f"({self.text()})[:{size}]"
        if kind == ENUM:
            return self.colour()
        if kind == MAYBE:
            return self.value(MAYBE)
        if kind == ROW:
            return f"tuple(v % {size + 1} for v in {self.iterable()}[:{size}])"
        if kind == "fixed":
            return f"tuple(v % {size + 1} for v in ({self.row()} + (0, 0, 0, 0))[:{size}])"
        if kind == SET:
            return f"frozenset(v % {size * 2} for v in {self.members()})"
        return f"tuple((v % {size + 1}, w % 3) for v, w in {self.value(NEST)})"

    def made(self, parts: list[str]) -> str:
        """Return the expression of a state."""
        if self.form == "bare":
            return parts[0]
        if self.form == "tuple":
            return f"({', '.join(parts)})"
        if self.form == "dataclass" and self.chance(20):
            place = self.pick(len(parts))
            return f"replace(s, {self.fields[place][0]}={parts[place]})"
        return f"State({', '.join(parts)})"

    def successor(self, action: str) -> str:
        """Return the pair of an action and a state: some fields are those of the state."""
        parts = []
        changed = self.pick(len(self.fields))
        for place, (name, kind, size) in enumerate(self.fields):
            own = {"bare": "s", "tuple": f"s[{place}]"}.get(self.form, f"s.{name}")
            parts.append(self.bounded(own, kind, size) if place == changed or self.chance(30) else own)
        return f'("{action}", {self.made(parts)})'

    def start(self) -> str:
        """Return the source of a state without names."""
        parts = [self.constant(kind, size) for _, kind, size in self.fields]
        if self.form == "bare":
            return parts[0]
        return f"({', '.join(parts)})" if self.form == "tuple" else f"State({', '.join(parts)})"

    def constant(self, kind: str, size: int) -> str:
        """Return the source of a value of a field."""

        def row(length: int) -> str:
            return repr(tuple(self.pick(size + 1) for _ in range(length)))

        if kind == INT:
            return str(self.pick(3 * size))
        if kind == BOOL:
            return self.one("False", "True")
        if kind == TEXT:
            return repr("".join(self.one("a", "b", "c") for _ in range(self.pick(size + 1))))
        if kind == ENUM:
            return self.one("Colour.RED", "Colour.BLUE", "Colour.GREEN")
        if kind == MAYBE:
            return self.one("None", "1", "0", "2")
        if kind == SET:
            return f"frozenset({row(self.pick(4))})"
        if kind == NEST:
            return f"({row(2)}, {row(2)})"
        return row(size if kind == "fixed" else self.pick(size + 1))

    def helper(self) -> None:
        """Write a function that other functions call."""
        self.fresh()
        name, kind = f"helper{len(self.helpers)}", self.one("default", "row", "plain")
        heads = {
            "default": "a, b=2, *, c=1" if self.chance(40) else "a, b=2, c=1",
            "row": "p, a",
            "plain": "a, b",
        }
        with self.block(f"def {name}({heads[kind]}):"):
            for each in heads[kind].replace("=2", "").replace("=1", "").replace("*, ", "").split(", "):
                self.bind(ROW if each == "p" else INT, each)
            self.result = "return 0"
            self.body(1, 2)
            self.line(f"return {self.integer()}")
        self.line("")
        self.fresh()
        self.helpers.append(
            (
                name,
                "default"
                if kind == "default" and "*" not in heads[kind]
                else kind
                if kind != "default"
                else "plain2",
            )
        )
        if self.helpers[-1][1] == "plain2":
            self.helpers[-1] = (name, "default")

    def method(self, head: str, result: Callable[[], None], depth: int = 2, most: int = 3) -> None:
        """Write a method."""
        self.fresh()
        with self.block(head):
            self.take_state()
            self.bind(INT, "self.size")
            self.bind(ROW, "self.row")
            self.body(depth, most)
            result()
        self.line("")

    def program(self) -> str:
        """Return the source of a module with the class `P`."""
        self.state_fields()
        self.state_class()
        for _ in range(self.pick(3)):
            self.helper()
        with self.block("class P:"):
            with self.block("def __init__(self):"):
                self.line("self.size = 3")
                self.line("self.row = (2, 0, 1)")
            self.line("")
            with self.block("def initial_states(self):"):
                self.line(f"return [{', '.join(self.start() for _ in range(1 + self.pick(10)))}]")
            self.line("")
            self.result = "return False"
            if self.chance(30):
                self.method("def is_goal(self, s):", lambda: self.line(f"return {self.boolean()}"), 1, 1)
            else:
                self.fresh()
                with self.block("def is_goal(self, s):"):
                    self.line("return False")
                self.line("")
            self.successors()
            if self.chance(35):
                self.result = "return 1"
                self.method(
                    "def cost(self, s, action, t):",
                    lambda: self.line(f"return 1 + abs({self.integer()}) % 3"),
                    1,
                    2,
                )
            if self.chance(35):
                self.result = "return 0"
                self.method(
                    "def heuristic(self, s):", lambda: self.line(f"return abs({self.integer()}) % 3"), 1, 2
                )
        return HEAD + "\n\n" + "\n".join(self.lines) + "\n"

    def successors(self) -> None:
        """Write the method that yields or returns successors."""
        if self.chance(25):
            self.result = "return found"

            def listed() -> None:
                self.line(f"found.append({self.successor('b')})")
                if self.chance(40):
                    with self.block(f"if {self.boolean()}:"):
                        self.line(f"found.append({self.successor('c')})")
                self.line("return found")

            self.fresh()
            with self.block("def successors(self, s):"):
                self.line("found = []")
                self.take_state()
                self.body(2, 4)
                listed()
            self.line("")
            return
        self.result = "return"

        def yields() -> None:
            for action in "ab"[: 1 + self.pick(2)]:
                self.line(f"yield {self.successor(action)}")
            if self.chance(30):
                with self.block(f"for k in range({1 + self.pick(3)}):"):
                    self.bind(INT, "k")
                    self.line(f"yield {self.successor('c')}")

        self.method("def successors(self, s):", yields, 2, 4)


def programs() -> st.SearchStrategy[str]:
    """Return a strategy of the sources of programs."""
    return st.randoms(use_true_random=False).map(lambda chance: Writer(chance.randrange).program())


def random_program(seed: int) -> str:
    """Return the source of the program of a seed."""
    return Writer(random.Random(seed).randrange).program()
