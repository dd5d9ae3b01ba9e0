"""Statements: assignments, branches, loops, exceptions."""

import ast
import copy
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from searchkit.translate import mutables
from searchkit.translate.arithmetic import SYMBOLS, compare_numbers, kind_of_number
from searchkit.translate.expressions import closure, condition, evaluate
from searchkit.translate.prelude import NotTranslatedError
from searchkit.translate.rewriting import branches
from searchkit.translate.sequences import access, slice_of
from searchkit.translate.source import (
    assigned_names,
    check_allowed,
    is_of_python,
    is_used_again,
    local_names,
    makes_iterator,
    names_of_iteration,
    place_of,
)
from searchkit.translate.values import (
    UNBOUND,
    Known,
    Lazy,
    Maybe,
    Mutable,
    OneOf,
    Opaque,
    TranslationError,
    Tuple,
    Value,
)

if TYPE_CHECKING:
    from searchkit.translate.translator import Translator

NONE = Known(None)
REUSABLE = ("range", "entries")
"""Kinds of `Lazy` that can be iterated over again."""


def run(t: "Translator", body: list[ast.stmt]) -> None:
    """Generate statements. Raises `DeadCodeError` where control does not get to the end."""
    frame = t.frame
    for statement in body:
        t.node, t.line_number = statement, statement.lineno
        try:
            RULES.get(type(statement), _other)(t, statement)
        except TranslationError as error:
            if not (error.place or is_of_python(frame.filename)):
                error.place = place_of(frame.filename, t.line_number)
            raise


def _other(t: "Translator", node: ast.stmt) -> None:
    raise TranslationError(f"{type(node).__name__.lower()} is outside of what can be translated")


def _with(t: "Translator", node: ast.With) -> None:
    made = node.items[0].context_expr
    check_allowed(getattr(evaluate(t, getattr(made, "func", made)), "obj", None))
    _other(t, node)


def _outer(t: "Translator", node: ast.Global | ast.Nonlocal) -> None:
    raise TranslationError(f"{t.frame.node.name} sets {node.names[0]}, a name outside it")


def _assert(t: "Translator", node: ast.Assert) -> None:
    test = condition(t, node.test)
    t.fail_if(t.invert(test), t.RAISED, AssertionError)
    t.refine(node.test, True)


def _expression(t: "Translator", node: ast.Expr) -> None:
    value = node.value
    if isinstance(value, ast.Constant):
        return
    if isinstance(value, ast.Yield):
        t.give(evaluate(t, value.value) if value.value is not None else NONE)
    elif isinstance(value, ast.YieldFrom):
        t.foreach(evaluate(t, value.value, stream=True), t.give)
    else:
        evaluate(t, value)


def _return(t: "Translator", node: ast.Return) -> None:
    frame = t.frame
    if frame.on_yield is None:
        value = NONE if node.value is None else evaluate(t, node.value, stream=frame.stream)
        t.env[frame.id, "$return"] = value
    t.leave(frame.returns)


def _raise(t: "Translator", node: ast.Raise) -> None:
    kind: Any = Exception
    if node.exc is not None:
        made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        value = evaluate(t, made)
        kind = getattr(value, "obj", Exception)
        if kind is NotTranslatedError and isinstance(node.exc, ast.Call):
            raise TranslationError(evaluate(t, node.exc.args[0]).obj)  # type: ignore[attr-defined]
    t.fail(t.RAISED, kind if isinstance(kind, type) else type(kind))


def _import(t: "Translator", node: ast.Import | ast.ImportFrom) -> None:
    code, names = compile(ast.Module([node], []), t.frame.filename, "exec"), dict[str, Any]()
    t.computed(exec, code, dict(t.frame.globals), names)
    for name, obj in names.items():
        t.put(name, Known(obj))


def _function(t: "Translator", node: ast.FunctionDef) -> None:
    if node.decorator_list:
        raise TranslationError("a decorated function within a function")
    t.put(node.name, closure(t, node))


def _assign(t: "Translator", node: ast.Assign) -> None:
    value = evaluate(t, node.value)
    target = node.targets[0]
    is_iterator = makes_iterator(node.value) or (isinstance(value, Lazy) and value.kind not in REUSABLE)
    if is_iterator and isinstance(target, ast.Name) and is_used_again(t.frame.node, node):
        raise TranslationError(f"the iterator {target.id} is used more than once; make it a list or tuple")
    exchanges = any(isinstance(each, ast.Subscript) for each in ast.walk(target))
    if exchanges and isinstance(node.value, ast.Tuple) and isinstance(value, Tuple):
        items = [t.detached(v, v) if isinstance(v, Mutable) and v.inner else v for v in value.items]
        value = Tuple(items, value.cls)
    for target in node.targets:
        assign(t, target, value)


def _annotated(t: "Translator", node: ast.AnnAssign) -> None:
    if node.value is not None:
        assign(t, node.target, evaluate(t, node.value))


def _augmented(t: "Translator", node: ast.AugAssign) -> None:
    target = copy.copy(node.target)
    target.ctx = ast.Load()
    old = evaluate(t, target)
    value = evaluate(t, node.value)
    t.node, t.line_number = node, node.lineno
    name = type(node.op).__name__
    method = IN_PLACE.get(name)
    if isinstance(old, Known) and method is not None:
        t.thaw(old.obj)
    if isinstance(old, Opaque) and method is not None and not kind_of_number(value):
        t.call_method(old, method, [value], {})
    if not isinstance(old, Mutable) or old.cls is frozenset:
        assign(t, node.target, t.binary(name, old, value))
    elif method is not None and old.cls in (list, set, dict):
        t.call_method(old, method, [value], {})
    else:
        raise TranslationError(f"the operator {SYMBOLS[name]}= changes a {old.cls.__name__} in place")


IN_PLACE = {"Add": "extend", "BitOr": "update", "Sub": "difference_update", "BitAnd": "intersection_update"}
"""Operators that change a list or set in place → the methods that do the same."""


def _delete(t: "Translator", node: ast.Delete) -> None:
    for target in node.targets:
        if not isinstance(target, ast.Subscript):
            raise TranslationError("del of a name or attribute")
        _change_item(t, target, "__delitem__")


def assign(t: "Translator", target: ast.expr, value: Value) -> None:
    """Bind a name, unpack into several, or change an element."""
    match target:
        case ast.Name(name):
            t.put(name, value)
        case ast.Tuple(targets) | ast.List(targets):
            unpack(t, targets, value)
        case ast.Subscript():
            _change_item(t, target, "__setitem__", value)
        case _:
            raise TranslationError(f"{t.frame.node.name} sets the attribute {getattr(target, 'attr', '')}")


def _change_item(t: "Translator", target: ast.Subscript, method: str, *value: Value) -> None:
    """`a[i] = b`, `a[i:j:k] = b`, `del a[i]`: as methods of a."""
    owner, index = evaluate(t, target.value), evaluate(t, target.slice)
    t.node, t.line_number = target, target.lineno
    t.call(t.attribute(owner, method), [index, *value], {})


def unpack(t: "Translator", targets: list[ast.expr], value: Value) -> None:
    """Bind several names to the parts of a value."""
    star = next((place for place, each in enumerate(targets) if isinstance(each, ast.Starred)), None)
    if star is None:
        for target, item in zip(targets, t.items_of(value, len(targets)), strict=True):
            assign(t, target, item)
        return
    found = t.collected(value)
    size, _get = access(t, found)  # type: ignore[misc]
    after = len(targets) - star - 1
    t.fail_if(compare_numbers(t, "Lt", size, Known(star + after)), t.RAISED, ValueError)
    rest = slice_of(t, found, Known(star), Known(-after) if after else NONE, NONE)
    for place, target in enumerate(targets):
        if isinstance(target, ast.Starred):
            assign(t, target.value, mutables.list_of(t, rest, t.key("star", target)))
        else:
            assign(t, target, t.subscript(found, Known(place if place < star else place - len(targets))))


# -- branches


def _if(t: "Translator", node: ast.If) -> None:
    """Generate both ways of a test; on each, what the test says about names is known."""

    def way(holds: bool, body: list[ast.stmt]) -> None:
        refine(t, node.test, holds)
        run(t, body)

    t.branch(condition(t, node.test), lambda: way(True, node.body), lambda: way(False, node.orelse))


def refine(t: "Translator", test: ast.expr, way: bool) -> None:
    """Narrow what may be None by a test that holds (or does not)."""
    match test:
        case ast.UnaryOp(ast.Not(), operand):
            refine(t, operand, not way)
        case ast.BoolOp(operation, parts) if isinstance(operation, ast.And) == way:
            for part in parts:
                refine(t, part, way)
        case ast.NamedExpr(ast.Name(name)) | ast.Name(name) if way:
            _refine_none(t, name, is_none=False)
        case ast.Compare(
            ast.NamedExpr(ast.Name(name)) | ast.Name(name),
            [ast.Is() | ast.Eq() | ast.IsNot() | ast.NotEq() as operation],
            [ast.Constant(None)],
        ):
            _refine_none(t, name, is_none=isinstance(operation, ast.Is | ast.Eq) == way)


def _refine_none(t: "Translator", name: str, *, is_none: bool) -> None:
    value = t.env.get((t.frame.id, name))
    if isinstance(value, Maybe) and not value.unbound:
        t.env[t.frame.id, name] = NONE if is_none else value.value
    elif isinstance(value, OneOf) and None in value.objs:
        spare = next((obj for obj in value.objs if obj is not None), None)
        some = [spare if obj is None else obj for obj in value.objs]
        t.env[t.frame.id, name] = NONE if is_none else t.value_at(some, value.ssa)


# -- loops


def _for(t: "Translator", node: ast.For) -> None:
    source = evaluate(t, node.iter, stream=True)
    t.node, t.line_number = node, node.lineno
    _loop(t, node, lambda one: t.foreach(source, one), lambda item: assign(t, node.target, item))


def _loop(
    t: "Translator",
    node: ast.For | ast.While,
    iterate: Callable[[Callable[[Value], None]], None],
    begin: Callable[[Value], None],
) -> None:
    breaks: list[Any] = []
    frame, mark = t.frame, t.frames
    gone = {(frame.id, name) for name in names_of_iteration(frame.node, node)}

    def without(edges: list[Any]) -> list[Any]:
        return [
            (block, {name: value for name, value in env.items() if name not in gone}) for block, env in edges
        ]

    def one(item: Value) -> None:
        continues: list[Any] = []
        before, t.frame = t.frame, frame
        frame.loops.append((breaks, continues))

        def body() -> None:
            begin(item)
            run(t, node.body)

        try:
            edges = t.arm(t.current, t.env, body, always=True)
        finally:
            frame.loops.pop()
        t.frame = before
        t.meet(without(edges), without(continues))

    def whole() -> None:
        names = {(frame.id, name) for name in assigned_names(node) & local_names(frame.node)} - gone
        t.env = dict.fromkeys(names, UNBOUND) | without([t.edge()])[0][1]
        with t.carrying(names):
            iterate(one)
        t.frame = frame
        run(t, node.orelse)

    edges = t.arm(t.current, t.env, whole, always=True)
    t.frame = frame
    t.meet(edges, without(breaks), mark)


def _while(t: "Translator", node: ast.While) -> None:
    def iterate(one: Callable[[Value], None]) -> None:
        def head() -> Value:
            return condition(t, node.test)

        def body() -> None:
            refine(t, node.test, True)
            one(NONE)

        t.loop_until(t.key("while", node), head, body, fuel=True)

    _loop(t, node, iterate, lambda item: None)


# -- exceptions


def _try(t: "Translator", node: ast.Try) -> None:
    """Generate an exception that is caught as a jump: whatever may raise knows what it raises."""
    if node.finalbody:
        raise TranslationError("finally is outside of what can be translated")
    caught: list[tuple[ast.ExceptHandler, list[Any]]] = [(handler, []) for handler in node.handlers]
    kinds = [_caught(t, handler) for handler in node.handlers]
    depth, frame, mark = len(t.handlers), t.frame, t.frames

    def protected() -> None:
        for kind, (_, edges) in reversed(list(zip(kinds, caught, strict=True))):
            t.handlers.append((lambda raised, kind=kind: issubclass(raised, kind), edges))  # type: ignore[misc]
        run(t, node.body)
        del t.handlers[depth:]
        run(t, node.orelse)

    edges = t.arm(t.current, t.env, protected)
    del t.handlers[depth:]
    for handler, raised in caught:
        if raised:

            def handle(handler: ast.ExceptHandler = handler, raised: list[Any] = raised) -> None:
                t.merge(raised, mark)
                t.frame = frame
                run(t, handler.body)

            edges += t.arm(t.current, t.env, handle)
    t.frame = frame
    t.merge(edges, mark)


def _caught(t: "Translator", handler: ast.ExceptHandler) -> Any:
    if handler.type is None:
        return Exception
    value = evaluate(t, handler.type)
    if not isinstance(value, Known):
        raise TranslationError("an exception that depends on the state")
    return value.obj


RULES: dict[type, Callable[[Any, Any], None]] = {
    ast.AnnAssign: _annotated,
    ast.Assert: _assert,
    ast.Assign: _assign,
    ast.AugAssign: _augmented,
    ast.Break: lambda t, node: t.leave(t.frame.loops[-1][0]),
    ast.Continue: lambda t, node: t.leave(t.frame.loops[-1][1]),
    ast.Delete: _delete,
    ast.Expr: _expression,
    ast.For: _for,
    ast.FunctionDef: _function,
    ast.Global: _outer,
    ast.Nonlocal: _outer,
    ast.If: _if,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.Match: lambda t, node: run(t, branches(node)),
    ast.Pass: lambda t, node: None,
    ast.Raise: _raise,
    ast.Return: _return,
    ast.Try: _try,
    ast.While: _while,
    ast.With: _with,
}
"""The kind of a statement → what generates its code."""
