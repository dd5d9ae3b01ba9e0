"""Expressions: from a node of the syntax tree to a value."""

import ast
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from searchkit.translate import mutables
from searchkit.translate.arithmetic import as_int, kind_of_number, negative
from searchkit.translate.operators import both, combine_with_items, compare, invert, truth
from searchkit.translate.rewriting import Comprehension, chosen, comprehended, joined
from searchkit.translate.source import as_function
from searchkit.translate.values import (
    TEXT,
    Bool,
    Closure,
    Known,
    Lazy,
    Maybe,
    Members,
    Mutable,
    Opaque,
    TranslationError,
    Tuple,
    Value,
)

if TYPE_CHECKING:
    from searchkit.translate.translator import Translator

NONE = Known(None)


def evaluate(t: "Translator", node: ast.expr, *, stream: bool = False) -> Value:
    """Return the value of an expression.

    Args:
        t: the translator.
        node: the expression.
        stream: whether the value is only iterated over, once: then lists are not stored.

    """
    t.node, t.line_number = node, node.lineno
    if stream:
        if isinstance(node, ast.ListComp):
            return generated(t, node)
        if isinstance(node, ast.List):
            return items(t, node.elts)
        if isinstance(node, ast.IfExp):
            return Lazy("generator", (Closure(chosen(node), t.frame), [], {}))
        if isinstance(node, ast.Call):
            return t.evaluate_call(node, stream=True)
    rule = RULES.get(type(node))
    if rule is None:
        raise TranslationError(f"{type(node).__name__} is outside of what can be translated")
    return rule(t, node)


def _has_star(nodes: list[ast.expr]) -> bool:
    return any(isinstance(node, ast.Starred) for node in nodes)


def _walrus(t: "Translator", node: ast.NamedExpr) -> Value:
    value = evaluate(t, node.value)
    t.env[t.frame.scope.id, node.target.id] = value
    return value


def _text(t: "Translator", node: ast.JoinedStr) -> Value:
    """Return a formatted text: most are actions, which are never read, so that only their parts are evaluated."""
    if t.makes_text():
        return evaluate(t, joined(node))
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            evaluate(t, part.value)
    return TEXT


def items(t: "Translator", nodes: list[ast.expr]) -> Value:
    """Return the tuple of some expressions, which may have stars."""
    if not _has_star(nodes):
        return t.tuple_of([evaluate(t, each) for each in nodes])
    whole: Value = Known(())
    run: list[Value] = []
    for each in nodes:
        if isinstance(each, ast.Starred):
            whole = t.binary("Add", whole, t.tuple_of(run)) if run else whole
            run = []
            source = evaluate(t, each.value, stream=True)
            whole = t.binary("Add", whole, t.collected(source))
        else:
            run.append(evaluate(t, each))
    return t.binary("Add", whole, t.tuple_of(run)) if run else whole


def _list(t: "Translator", node: ast.List) -> Value:
    key = t.key("list", node)
    return mutables.list_of(t, items(t, node.elts), key)


def _set(t: "Translator", node: ast.Set) -> Value:
    found, key = items(t, node.elts), t.key("set", node)
    if isinstance(found, Known) and key not in t.hints.dynamic:
        return literal(t, key, frozenset(found.obj))
    return mutables.set_of(t, found, key)


def _dict(t: "Translator", node: ast.Dict) -> Value:
    keys = [None if key is None else evaluate(t, key) for key in node.keys]
    values = [evaluate(t, value) for value in node.values]
    place = t.key("dict", node)
    if keys and all(isinstance(each, Known) for each in [*keys, *values]) and place not in t.hints.dynamic:
        pairs = zip(keys, values, strict=True)
        return literal(t, place, {key.obj: value.obj for key, value in pairs})  # type: ignore[attr-defined, union-attr]
    made = mutables.new(t, dict, place, len(keys))
    for key, value in zip(keys, values, strict=True):
        if key is None:
            t.call_method(made, "update", [value], {})
        else:
            mutables.put(t, made, key, value)
    return made


def literal(t: "Translator", key: Any, obj: Any) -> Known:
    """Return a set or dict as a constant; if it is changed, the code is generated again without that."""
    t.hints.literals[id(obj)] = obj, key
    return Known(obj)


def closure(t: "Translator", node: ast.Lambda | ast.FunctionDef) -> Closure:
    """Return a function that is defined here; its defaults are evaluated now."""
    for default in [*node.args.defaults, *node.args.kw_defaults]:
        if default is not None:
            t.env[t.frame.id, f"$default {id(default)}"] = evaluate(t, default)
    return Closure(as_function(node), t.frame)


def _conditional(t: "Translator", node: ast.IfExp) -> Value:
    value = condition(t, node.test)

    def way(expression: ast.expr, holds: bool) -> Value:
        t.refine(node.test, holds)
        return evaluate(t, expression)

    return t.either(value, lambda: way(node.body, True), lambda: way(node.orelse, False))


def condition(t: "Translator", node: ast.expr) -> Value:
    """Return the truth of an expression."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return invert(t, condition(t, node.operand))
    if isinstance(node, ast.BoolOp):
        return _junction(t, node.values, node, test=True)
    return truth(t, evaluate(t, node))


def _junction(t: "Translator", nodes: list[ast.expr], whole: ast.BoolOp, *, test: bool) -> Value:
    """Evaluate `and` or `or`: the value of the operand that decides, or only its truth for a test."""
    is_and = isinstance(whole.op, ast.And)
    value = condition(t, nodes[0]) if test else evaluate(t, nodes[0])
    if len(nodes) == 1 or isinstance(value, Opaque):
        return value
    holds = truth(t, value)
    if isinstance(holds, Known):
        return _junction(t, nodes[1:], whole, test=test) if bool(holds.obj) == is_and else value
    short = Known(not is_and) if test or isinstance(value, Bool) else value

    def more() -> Value:
        t.refine(nodes[0], is_and)
        return _junction(t, nodes[1:], whole, test=test)

    return t.either(holds, more, lambda: short) if is_and else t.either(holds, lambda: short, more)


def _unary(t: "Translator", node: ast.UnaryOp) -> Value:
    if isinstance(node.op, ast.Not):
        return condition(t, node)
    value = evaluate(t, node.operand)
    if isinstance(value, Maybe):
        value = t.some(value)
    if isinstance(value, Known):
        operation: Callable[[Any], Any] = {
            ast.USub: lambda x: -x,
            ast.UAdd: lambda x: +x,
            ast.Invert: lambda x: ~x,
        }[type(node.op)]
        return t.computed(operation, value.obj)
    if isinstance(value, Mutable) and value.cls is Counter:
        return t.call_method(value, "__pos__" if isinstance(node.op, ast.UAdd) else "__neg__", [], {})
    if not kind_of_number(value):
        raise TranslationError("a sign before something that is not a number")
    if isinstance(node.op, ast.USub):
        return negative(t, value)
    return t.binary("Sub", Known(-1), value) if isinstance(node.op, ast.Invert) else as_int(t, value)


def _binary(t: "Translator", node: ast.BinOp) -> Value:
    name = type(node.op).__name__
    is_repeated = name == "Mult" and isinstance(node.left, ast.List)
    one = evaluate(t, node.left, stream=is_repeated)
    is_combined = isinstance(one, Members) and isinstance(node.right, ast.Set)
    other = items(t, node.right.elts) if is_combined else evaluate(t, node.right)  # type: ignore[attr-defined]
    t.node, t.line_number = node, node.lineno
    if is_combined:
        return combine_with_items(t, name, one, other)  # type: ignore[arg-type]
    found = t.binary(name, one, other)
    if is_repeated and any(isinstance(item, Mutable) for item in t.parts(one) or []):
        raise TranslationError("a list that holds the same list several times")
    return mutables.list_of(t, found, t.key("repeated", node)) if is_repeated else found


def _compare(t: "Translator", node: ast.Compare) -> Value:
    return _chain(t, evaluate(t, node.left), node, 0)


def _chain(t: "Translator", left: Value, node: ast.Compare, place: int) -> Value:
    """Compare in a chain, as in `a < b < c`: c is evaluated only if a < b holds."""
    name = type(node.ops[place]).__name__
    right_node = node.comparators[place]
    is_search = name in ("In", "NotIn")
    if is_search and isinstance(right_node, ast.Set):
        right = items(t, right_node.elts)
    else:
        right = evaluate(t, right_node, stream=is_search)
    t.node, t.line_number = node, node.lineno
    found = compare(t, name, left, right)
    if place + 1 == len(node.ops):
        return found
    following = node.comparators[place + 1]
    if isinstance(following, ast.Constant | ast.Name | ast.Attribute):
        is_false = isinstance(found, Known) and not found.obj
        return found if is_false else both(t, found, _chain(t, right, node, place + 1))
    return t.either(found, lambda: _chain(t, right, node, place + 1), lambda: Known(False))


def _subscript(t: "Translator", node: ast.Subscript) -> Value:
    owner, index = evaluate(t, node.value), evaluate(t, node.slice)
    t.node, t.line_number = node, node.lineno
    return t.subscript(owner, index)


def _slice(t: "Translator", node: ast.Slice) -> Value:
    ends = [NONE if end is None else evaluate(t, end) for end in (node.lower, node.upper, node.step)]
    if all(isinstance(end, Known) for end in ends):
        return Known(slice(*(end.obj for end in ends)))  # type: ignore[attr-defined]
    return Tuple(ends, slice)


def generated(t: "Translator", node: Comprehension) -> Lazy:
    """Return the elements of a comprehension."""
    source = evaluate(t, node.generators[0].iter, stream=True)
    return Lazy("generator", (Closure(comprehended(node), t.frame), [source], {}))


RULES: dict[type, Callable[[Any, Any], Value]] = {
    ast.Attribute: lambda t, node: t.attribute(evaluate(t, node.value), node.attr),
    ast.BinOp: _binary,
    ast.BoolOp: lambda t, node: _junction(t, node.values, node, test=False),
    ast.Call: lambda t, node: t.evaluate_call(node),
    ast.Compare: _compare,
    ast.Constant: lambda t, node: Known(node.value),
    ast.Dict: _dict,
    ast.DictComp: lambda t, node: t.call(Known(dict), [generated(t, node)], {}),
    ast.GeneratorExp: generated,
    ast.IfExp: _conditional,
    ast.JoinedStr: _text,
    ast.Lambda: closure,
    ast.List: _list,
    ast.ListComp: lambda t, node: mutables.list_of(t, generated(t, node), t.key("list", node)),
    ast.Name: lambda t, node: t.get(node.id),
    ast.NamedExpr: _walrus,
    ast.Set: _set,
    ast.SetComp: lambda t, node: t.call(Known(set), [generated(t, node)], {}),
    ast.Slice: _slice,
    ast.Subscript: _subscript,
    ast.Tuple: lambda t, node: items(t, node.elts),
    ast.UnaryOp: _unary,
}
"""The kind of an expression → what generates its code."""
