"""Recursion whose depth depends on the state: real functions that call themselves.

A function that is generated in place within itself too often becomes a function of machine code. Its arguments, and the
names of the functions around it that it uses, are registers; its result is written into memory of its caller. It
returns whether it failed, and takes its share of a limited stack (`STACK`), whatever the depth.
"""

import ast
from typing import TYPE_CHECKING, Any

from attrs import define

from searchkit.translate.emitter import FUEL
from searchkit.translate.source import is_generator
from searchkit.translate.statements import run
from searchkit.translate.values import (
    Bool,
    Closure,
    DeadCodeError,
    Known,
    Lazy,
    Method,
    Mutable,
    Opaque,
    Partial,
    TranslationError,
    Tuple,
    Value,
    general,
    join,
    type_of,
    widened,
)

if TYPE_CHECKING:
    from searchkit.translate.translator import Translator

MAX_RECURSION = 12
"""How often a function is generated in place within itself."""
WIDENED_AFTER = 2
"""After so many changes of a type it is widened, so that they end."""


class Argument(tuple[int, ...]):
    """The result of a function that returns the list, set or dict which it got: the number of that argument."""


@define(eq=False)
class Recursive:
    """A function of machine code while it is generated."""

    name: str
    key: Any
    called: Closure
    outer: list[Any]
    """The names of the functions around that it uses, with their frames."""


def needs_function(t: "Translator", node: ast.FunctionDef, path: tuple[Any, ...]) -> bool:
    """Whether a call has to be a call of machine code. Raises `StaleError` when that is found out."""
    if node in t.hints.recursive:
        return True
    if sum(each is node for each in path) > MAX_RECURSION:
        origin = getattr(node, "made_from", node)
        if is_generator(origin):
            raise TranslationError("a generator that calls itself as deep as the state says")
        t.hints.recursive.add(origin)
        t.again()
    return False


def call_function(t: "Translator", called: Closure, bound: dict[str, Value]) -> Value:
    """Return the value of a call of a function that calls itself."""
    for each in reversed(t.recursive):
        if each.called.node is called.node and each.called.frame is called.frame:
            return _call(t, each, bound)
    t.hints.functions += 1
    outer, closures = _outer_names(t, called)
    made = Recursive(f"@recursive{t.hints.functions}", t.key("recursive", called.node), called, outer)
    kinds = _argument_kinds(t, made, bound)
    t.recursive.append(made)
    try:
        _define(t, made, bound, kinds, closures)
    finally:
        t.recursive.pop()
    return _call(t, made, bound)


def _outer_names(t: "Translator", called: Closure) -> tuple[list[Any], dict[Any, Value]]:
    """Return the names around that a function uses: values, and functions with theirs."""
    values: dict[Any, None] = {}
    closures: dict[Any, Value] = {}
    waiting = [called]
    while waiting:
        inside = waiting.pop()
        for name in {each.id for each in ast.walk(inside.node) if isinstance(each, ast.Name)}:
            frame = inside.frame
            while frame is not None and (frame.id, name) not in t.env:
                frame = frame.parent
            key = None if frame is None else (frame.id, name)
            if key is None or key in values or key in closures:
                continue
            found = t.env[key]
            if isinstance(found, Closure):
                closures[key] = found
                waiting.append(found)
            else:
                values[key] = None
    return sorted(values), closures


def _values(t: "Translator", made: Recursive, bound: dict[str, Value]) -> list[Value]:
    return [*bound.values(), *(t.env[key] for key in made.outer)]


def _argument_kinds(t: "Translator", made: Recursive, bound: dict[str, Value]) -> list[Value]:
    """Return the types of the arguments; generate again if a call has others."""
    kinds, changed = [], False
    for number, value in enumerate(_values(t, made, bound)):
        if isinstance(value, Lazy | Closure | Method | Partial | Opaque):
            raise TranslationError("a function or iterator that is passed to a function that calls itself")
        changed |= _joined_hint(t, (made.key, number), type_of(value))
        kinds.append(t.hints.types[made.key, number])
    if changed:
        t.again()
    return kinds


def _joined_hint(t: "Translator", place: Any, kind: Value) -> bool:
    """Note a type at a place; return whether it is new there."""
    old = t.hints.types.get(place)
    new = kind if old is None else join(old, kind)
    if isinstance(new, Opaque):
        raise TranslationError(f"{new.what}, in a function that calls itself")
    if old is not None and new.static() == old.static():
        return False
    rounds = t.hints.rounds[place] = t.hints.rounds.get(place, 0) + 1
    if old is not None:
        new = general(widened(old, new, t.hints.growth) if rounds > WIDENED_AFTER else new)
    t.learn(place, new)
    return True


def _define(
    t: "Translator",
    made: Recursive,
    bound: dict[str, Value],
    kinds: list[Value],
    closures: dict[Any, Value],
) -> None:
    """Generate the function."""
    place = t.node, t.line_number
    frame = t.new_frame(made.called)
    with t.separate():
        t.frame, t.zero, t.state_words = frame, "ret i1 true", []
        t.new_block()
        start = t.current = t.new_block()
        t.env = {**closures}
        parameters, number = ["ptr %result"], 0
        names = [*((frame.id, name) for name in bound), *made.outer]
        for name, kind in zip(names, kinds, strict=True):
            registers = []
            for each in kind.kinds:
                registers.append(f"%a{number}")
                parameters.append(f"{each} %a{number}")
                number += 1
            t.env[name] = kind.rebuilt(iter(registers))
        t.burn_fuel()
        left = t.op("load i64, ptr @stack")
        t.line("")  # what this function takes of the stack, known at its end
        entry, share = t.blocks[t.current], len(t.blocks[t.current]) - 1
        t.line("store i64 %left, ptr @stack")
        t.fail_if(Bool(t.op("icmp slt i64 %left, 0")), FUEL)

        def body() -> None:
            run(t, made.called.node.body)
            t.env[frame.id, "$return"] = Known(None)

        edges = t.arm(t.current, t.env, body)
        t.frame = frame
        try:
            t.merge(edges + frame.returns)
        except DeadCodeError:
            pass
        else:
            _return(t, made, t.env[frame.id, "$return"], names, kinds)
            t.line(f"store i64 {left}, ptr @stack")
            t.line("ret i1 false")
        size = t.frame_bytes + 8 * t.registers + 256
        entry[share] = f"%left = sub i64 {left}, {size}"
        t.functions.append(
            t.assembled(f"define private i1 {made.name}({', '.join(parameters)}) noinline", start)
        )
    t.node, t.line_number = place


def _return(t: "Translator", made: Recursive, found: Value, names: list[Any], kinds: list[Value]) -> None:
    if isinstance(found, Lazy | Closure | Method | Partial | Opaque):
        raise TranslationError("a function or iterator as the result of a function that calls itself")
    for number, name in enumerate(names):
        if isinstance(found, Mutable) and t.identical(found, t.env[name]):
            t.learn((made.key, "result"), Known(Argument([number])))
            return
    given = {id(kind.site.root()) for kind in kinds if isinstance(kind, Mutable)}
    if any(id(site.root()) in given for site in _sites(found)):
        raise TranslationError("a function that calls itself and returns a list that it got as an argument")
    _joined_hint(t, (made.key, "result"), type_of(found))
    t.store("%result", t.hints.types[made.key, "result"], found)


def _sites(value: Value) -> list[Any]:
    if isinstance(value, Mutable):
        return [value.site]
    if isinstance(value, Tuple):
        return [site for item in value.items for site in _sites(item)]
    return _sites(value.value) if hasattr(value, "value") else []


def _call(t: "Translator", made: Recursive, bound: dict[str, Value]) -> Value:
    kinds = _argument_kinds(t, made, bound)
    kind = t.hints.types.get((made.key, "result"))
    if kind is None:
        if made in t.recursive:  # as far as is known now, control does not return from there
            raise DeadCodeError
        raise TranslationError("recursion without an end")
    leaves = [f"ptr {t.memory(t.words(kind))}"]
    for value, each in zip(_values(t, made, bound), kinds, strict=True):
        for register, leaf in zip(each.kinds, t.converted(value, each), strict=True):
            leaves.append(f"{register} {leaf}")
    failed, good = t.fork(t.op(f"call i1 {made.name}({', '.join(leaves)})"))
    t.current = failed
    t.jump(t.exit_of(0))
    t.current = good
    if isinstance(kind, Known) and isinstance(kind.obj, Argument):
        return _values(t, made, bound)[kind.obj[0]]
    return t.load(leaves[0][4:], kind)
