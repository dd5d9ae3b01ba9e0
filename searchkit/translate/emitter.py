"""Emission of LLVM's assembly: instructions, blocks, failures, memory and tables.

Generated code is memory-safe by construction, whatever the translator believes about a value: each variable index is
limited to the size of what it indexes, what is loaded is frozen, shifts and divisions can't be undefined, and memory
belongs to the frame of one function that nothing outlives. A value outside the layout, an overflow or an exception sets
the flag and leaves the function; the kernel stops before it uses what was returned.
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import thread_time
from typing import Any

from searchkit.translate.values import (
    Bool,
    DeadCodeError,
    Float,
    Int,
    Known,
    OneOf,
    Site,
    TranslationError,
    Tuple,
    Value,
    constant_key,
    is_int,
    width_of,
)

Edge = tuple[int, dict[Any, Value]]
"""A block that control leaves, and what the names are there."""
MAX_LINES = 60_000
"""Lines of assembly of one function; LLVM takes about a second for them."""
MAX_UNROLLED_LINES = 4_000
"""LLVM takes about half a second for more lines than these; then loops are not unrolled."""
UNROLLED = 12
MAX_TABLE = 4_000_000
"""Entries of a table."""
DEFAULT_CAPACITY = 32
"""How many elements a list or set that is made at run time has room for, at first."""
MAX_CAPACITY = 1 << 16
HEADER = 2
"""Words before the entries of a set or dict."""
MAX_FRAME = 1 << 20
"""Bytes of memory of one call of a generated function."""
LAYOUT, CAPACITY, OVERFLOW, RAISED, FUEL, BRANCHING, ORDER = range(1, 8)
"""Why generated code stopped: what the flag says, with the line of the source."""
STACK = 1 << 21
"""Bytes of memory that functions which call themselves may take together."""
LOOP_FUEL = 1_000_000
"""How many iterations of `while` one call may make: then Python takes over, which can be interrupted."""


class LengthError(TranslationError):
    """The machine code grows too large."""


class Numbers(tuple[Any, ...]):
    """The entries of a large table: told apart from others by identity, not by their values."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


class Hints:
    """What was found out about the program while code was generated; kept until nothing new is found.

    Args:
        seconds: how long translation may take.
        earlier: hints for another layout, whose tables are used again.
        unrolled: loops over so many known elements are unrolled.

    """

    def __init__(self, seconds: float, earlier: "Hints | None" = None, unrolled: int = UNROLLED):
        self.types: dict[Any, Value] = {}
        self.rounds: dict[Any, int] = {}
        self.sites: dict[Any, Site] = {}
        self.caches: dict[int, Any] = {}
        self.tabulated: dict[Any, str] = {}
        self.tables: dict[Any, tuple[str, str, int]] = {} if earlier is None else earlier.tables
        self.table_lines: list[str] = [] if earlier is None else earlier.table_lines
        self.seconds = seconds
        self.deadline = thread_time() + seconds
        self.stale = False
        self.growth = 1
        self.literals: dict[int, tuple[Any, Any]] = {}
        """Sets and dicts that the code writes with all their members, and where."""
        self.recursive: set[Any] = set()
        """The functions that call themselves so often that they are functions of machine code."""
        self.functions = 0
        self.dynamic: set[Any] = set()
        self.makes_texts: bool = earlier is not None and earlier.makes_texts
        """Whether texts are made of others and of numbers: not before something else than an action needs them."""
        self.left_out: set[Any] = set() if earlier is None else earlier.left_out
        """Where one was left out."""
        self.unrolled = unrolled
        self.made: dict[tuple[str, int], tuple[Any, Any]] = {} if earlier is None else earlier.made

    def anew(self, unrolled: int) -> "Hints":
        """Return hints for another try, within what is left of the time."""
        found = Hints(self.seconds, self, unrolled)
        found.growth, found.deadline = self.growth, self.deadline
        return found

    @property
    def usual_capacity(self) -> int:
        """How many elements there is room for where nothing is known about their number."""
        return DEFAULT_CAPACITY * self.growth

    @property
    def most_lines(self) -> int:
        """Instructions of a function; more are a `LengthError`."""
        return MAX_UNROLLED_LINES if self.unrolled == UNROLLED else MAX_LINES

    def kept(self, what: str, objs: Any, make: Callable[[], Any]) -> Any:
        """Return what is made of known objects: once if they are many, because it is asked for again."""
        if len(objs) < 256:
            return make()
        if (what, id(objs)) not in self.made:
            self.made[what, id(objs)] = objs, make()
        return self.made[what, id(objs)][1]


class Emitter:
    """One function while it is generated."""

    def __init__(self, hints: Hints):
        self.hints = hints
        self.blocks: list[list[str]] = []
        self.allocas: list[str] = []
        self.registers = self.lines = self.frame_bytes = 0
        self.env: dict[Any, Value] = {}
        self.one_of: dict[str, set[str]] = {}
        """Register → the addresses of which it is one."""
        self.current = 0
        self.frame: Any = None
        self.frames = 0
        """How many frames there were so far: the number of the next one."""
        self.line_number = 0
        self.node: Any = None
        """The node of the syntax tree that code is generated for."""
        self.handlers: list[tuple[Callable[[Any], bool], list[Edge]]] = []
        self.exits: dict[int, int] = {}
        self.unrolled = 1
        self.depth = 0
        """How many branches and loops control is in, plus how many ways have left them early and have not met yet."""
        self.carried: set[Any] = set()
        """The names that the loops around may change."""
        self.zero = "ret void"
        self.state_words: list[str] = []
        """The registers of the packed state that the function is called for."""
        self.functions: list[str] = []
        """The assembly of the functions that it calls."""

    # -- text

    def line(self, text: str) -> None:
        """Add an instruction to the current block."""
        self.blocks[self.current].append(text)
        self.lines += 1
        if self.lines > self.hints.most_lines:
            raise LengthError("the machine code grows too large (loops over constants are unrolled)")
        if not self.lines % 256:
            self.check_deadline()

    def op(self, text: str) -> str:
        """Add an instruction that gives a value; return its register."""
        self.registers += 1
        name = f"%t{self.registers}"
        self.line(f"{name} = {text}")
        return name

    def new_block(self) -> int:
        """Return a new block of instructions."""
        self.blocks.append([])
        return len(self.blocks) - 1

    def jump(self, block: int) -> None:
        """End the current block."""
        self.line(f"br label %b{block}")

    def fork(self, condition: str) -> tuple[int, int]:
        """End the current block by a branch; return the blocks where the condition holds, and where it does not."""
        yes, no = self.new_block(), self.new_block()
        self.line(f"br i1 {condition}, label %b{yes}, label %b{no}")
        return yes, no

    def edge(self) -> Edge:
        """Return where control is now."""
        return self.current, self.env

    def check_deadline(self) -> None:
        """Raise `TranslationError` if translation has taken too long."""
        if thread_time() > self.hints.deadline:
            raise TranslationError("translating it takes too long")

    @contextmanager
    def at(self, block: int) -> Iterator[None]:
        """Emit into another block for a while; the current one may have changed after it."""
        before = self.current
        self.current = block
        yield
        self.current = before

    def arm(
        self, block: int, env: dict[Any, Value], generate: Callable[[], None], *, always: bool = False
    ) -> list[Edge]:
        """Generate one way of a branch; return the edge at its end, or none if control does not get there.

        Args:
            block: where it begins.
            env: what the names are there.
            generate: generates it.
            always: whether it is the only way. Whoever leaves it early counts as a branch until the ways meet.

        """
        frame, unrolled = self.frame, self.unrolled
        self.depth += not always
        self.current, self.env = block, dict(env)
        try:
            generate()
            return [self.edge()]
        except DeadCodeError:
            return []
        finally:
            self.frame, self.unrolled = frame, unrolled
            self.depth -= not always

    @contextmanager
    def separate(self) -> Iterator[None]:
        """Generate another function for a while."""
        names = (
            "blocks", "allocas", "registers", "frame_bytes", "env", "current", "frame", "handlers",
            "exits", "unrolled", "depth", "zero", "state_words", "carried", "one_of",
        )  # fmt: skip
        before = {name: getattr(self, name) for name in names}
        self.blocks, self.allocas, self.registers, self.frame_bytes = [], [], 0, 0
        self.env, self.handlers, self.exits, self.unrolled, self.depth = {}, [], {}, 1, 0
        self.carried, self.one_of = set(), {}
        try:
            yield
        finally:
            for name, value in before.items():
                setattr(self, name, value)

    def assembled(self, head: str, start: int) -> str:
        """Return the function in LLVM's assembly; `start` is the block that it begins with."""
        self.blocks[0] = [*self.allocas, f"br label %b{start}"]
        lines = []
        for number, block in enumerate(self.blocks):
            lines.append(f"b{number}:")
            lines.extend(f"  {each}" for each in block or ["unreachable"])
        return "\n".join([f"{head} {{", *lines, "}"])

    # -- failures

    def fail_if(self, condition: Value, why: int, exception: type[BaseException] | None = None) -> None:
        """Leave where a condition holds: to the `except` that catches the exception, or with the flag set."""
        if isinstance(condition, Known):
            if condition.obj:
                self.fail(why, exception)
            return
        assert isinstance(condition, Bool)
        env = self.env
        if exception is not None and any(catches(exception) for catches, _ in self.handlers):
            bad, good = self.fork(condition.ssa)
            self.current = bad
            with suppress(DeadCodeError):
                self.fail(why, exception)
        else:
            bad, good = self.exit_of(self.line_number * 8 + why), self.new_block()
            self.line(f"br i1 {condition.ssa}, label %b{bad}, label %b{good}")
        self.current, self.env = good, env

    def fail(self, why: int, exception: type[BaseException] | None = None) -> None:
        """Leave: see `fail_if`."""
        if exception is not None:
            for catches, edges in reversed(self.handlers):
                if catches(exception):
                    edges.append((self.current, dict(self.env)))
                    raise DeadCodeError
        self.jump(self.exit_of(self.line_number * 8 + why))
        raise DeadCodeError

    def exit_of(self, code: int) -> int:
        """Return the block that leaves the function with the flag set to a code; 0 if it is set already."""
        if code not in self.exits:
            self.exits[code] = self.new_block()
            with self.at(self.exits[code]):
                if code:
                    self.line(f"store i64 {code}, ptr @flag")
                for number, word in enumerate(self.state_words):
                    self.line(f"store i64 {word}, ptr getelementptr (i64, ptr @stopped, i64 {number})")
                self.line(self.zero)
        return self.exits[code]

    # -- memory

    def alloca(self, kind: str, words: int = 0) -> str:
        """Return memory of the frame of the function: one register, or an array of words."""
        self.registers += 1
        name = f"%m{self.registers}"
        self.frame_bytes += 8 * words or 8
        if self.frame_bytes > MAX_FRAME:
            raise TranslationError("lists and tuples that are made for one state need more than a megabyte")
        self.allocas.append(f"{name} = alloca {f'[{words} x i64]' if words else kind}, align 8")
        return name

    def memory(self, words: int) -> str:
        """Return an array of words in the frame of the function."""
        return self.alloca("", max(1, words))

    def word(self, ptr: str, offset: int) -> str:
        """Return the address of a word at a constant offset."""
        return ptr if offset == 0 else self.op(f"getelementptr i64, ptr {ptr}, i64 {offset}")

    def move(self, target: str, source: str, words: int) -> None:
        """Copy words; the two do not overlap, or are the same."""
        if words:
            where = f"ptr align 8 {target}, ptr align 8 {source}"
            self.line(f"call void @llvm.memmove.p0.p0.i64({where}, i64 {8 * words}, i1 false)")

    def loaded(self, kind: str, ptr: str, *, was_written: bool = False) -> str:
        """Load a register; what was never written is some number, and not undefined."""
        if kind == "i1":
            return self.op(f"trunc i64 {self.loaded('i64', ptr, was_written=was_written)} to i1")
        found = self.op(f"load {kind}, ptr {ptr}, align 8")
        return found if was_written else self.op(f"freeze {kind} {found}")

    def stored(self, kind: str, ssa: str, ptr: str) -> None:
        """Store a register, a truth value as a word."""
        if kind == "i1":
            kind, ssa = "i64", self.op(f"zext i1 {ssa} to i64")
        self.line(f"store {kind} {ssa}, ptr {ptr}, align 8")

    # -- tables

    def table(self, values: Sequence[Any], ssa: str) -> str:
        """Return the entry of a table of numbers; beyond its end, another entry."""
        numbers = values if isinstance(values, Numbers) else tuple(values)
        if len(numbers) > MAX_TABLE:
            raise TranslationError(f"a table of {len(numbers)} entries")
        name, kind, size = self.table_of(numbers)
        index = self.op(f"and i64 {ssa}, {size - 1}")
        address = self.op(f"getelementptr {kind}, ptr {name}, i64 {index}")
        found = self.op(f"load {kind}, ptr {address}")
        if kind in ("double", "i64") or int(kind[1:]) > 64:
            return found
        return self.op(f"sext {kind} {found} to i64")

    def table_of(self, numbers: tuple[Any, ...], least: int = 8) -> tuple[str, str, int]:
        """Return the name, the type (of at least so many bits) and the size of a table of numbers."""
        key = (type(numbers[0]), least, numbers)
        if key in self.hints.tables:
            return self.hints.tables[key]
        size = 1 << (len(numbers) - 1).bit_length()
        name = f"@table{len(self.hints.table_lines)}"
        if isinstance(numbers[0], float):
            kind = "double"
            entries = [float_text(x) for x in numbers] + ["0.0"] * (size - len(numbers))
        else:
            lo, hi = min(numbers), max(numbers)
            widths = (8, 16, 32, 64, 128, 256)
            bits = next(w for w in widths if w >= least and -(1 << (w - 1)) <= lo and hi < 1 << (w - 1))
            kind = f"i{bits}"
            entries = [str(int(x)) for x in numbers if bits > 8] + ["0"] * (size - len(numbers))
        if kind == "i8":
            text = bytes([x & 255 for x in numbers] if lo < 0 else numbers).ljust(size, b"\0").hex("\\")
            body = f'[{size} x i8] c"\\{text}"'
        else:
            body = f"[{size} x {kind}] [{', '.join(f'{kind} {entry}' for entry in entries)}]"
        self.hints.table_lines.append(f"{name} = private unnamed_addr constant {body}, align 8")
        self.hints.tables[key] = name, kind, size
        return name, kind, size

    def value_at(self, objs: Sequence[Any], ssa: str) -> Value:
        """Return the object at an index of a list of known objects, as a value."""
        if not objs:
            self.fail(RAISED, IndexError)
        what, *parts = self.hints.kept("form", objs, lambda: _form(objs))
        if what == "known":
            return Known(parts[0])
        if what == "bool":
            return Bool(self.op(f"trunc i64 {self.table_or_line(parts[0], ssa)} to i1"))
        if what == "int":
            lo, hi, numbers = parts
            if width_of(lo, hi) == 64:
                return Int(lo, hi, self.table_or_line(numbers, ssa))
            found, width = self.table(numbers, ssa), width_of(lo, hi)
            kind = self.table_of(numbers)[1]
            return Int(lo, hi, found if kind == f"i{width}" else self.op(f"sext {kind} {found} to i{width}"))
        if what == "float":
            return Float(self.table(parts[0], ssa))
        if what == "tuple":
            return Tuple([self.value_at(column, ssa) for column in parts[0]], type(objs[0]))
        distinct, where = parts
        return OneOf(distinct, self.table_or_line(where, ssa))

    def table_or_line(self, numbers: Sequence[int], ssa: str) -> str:
        """Return the entry of a table, which may be a line: n, n + 1 and so on."""
        first = numbers[0]
        if (
            len(numbers) > 1
            and numbers[-1] == first + len(numbers) - 1
            and all(number == first + place for place, number in enumerate(numbers))
        ):
            return ssa if first == 0 else self.op(f"add i64 {ssa}, {first}")
        return self.table(numbers, ssa)


def _form(objs: Sequence[Any]) -> tuple[Any, ...]:
    """Return as what some known objects are looked up: as numbers, part by part, or by their place among them."""
    first = objs[0]
    keys = (constant_key(obj, exact=True) for obj in objs)
    if all(key == constant_key(first, exact=True) for key in keys):
        return "known", first
    kinds = set(map(type, objs))
    if kinds == {bool}:
        return "bool", Numbers(map(int, objs))
    if kinds == {int} and is_int(lo := min(objs)) and is_int(hi := max(objs)):
        return "int", lo, hi, Numbers(objs)
    if kinds <= {float, int} and all(isinstance(obj, float) or abs(obj) <= 1 << 53 for obj in objs):
        return "float", Numbers(map(float, objs))
    is_short = len(kinds) == 1 and isinstance(first, tuple) and 0 < len(first) <= 6
    if is_short and all(len(obj) == len(first) for obj in objs):
        return "tuple", [list(column) for column in zip(*objs, strict=True)]
    places: dict[Any, int] = {}
    where = Numbers(places.setdefault(constant_key(obj, exact=True), len(places)) for obj in objs)
    found = dict(zip(reversed(where), reversed(objs), strict=True))
    return "one", tuple(found[place] for place in range(len(places))), where


def float_text(number: float) -> str:
    """Return a double as LLVM's assembly writes it exactly."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"
