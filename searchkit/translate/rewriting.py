"""Rewriting of syntax into simpler syntax: formatted texts, comprehensions, `match`, functions that return lists."""

import ast
import copy
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from searchkit.translate.source import Function, Part, own_nodes
from searchkit.translate.values import TranslationError

BUILTINS = {"bool", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"}
"""Classes whose pattern with one part, such as `int(x)`, stands for the value itself."""
CONVERSIONS: dict[int, Callable[[Any], str]] = {ord("s"): str, ord("r"): repr, ord("a"): ascii}


def _known(obj: Any) -> ast.expr:
    return ast.Constant(obj)


def _call(function: Any, *args: ast.expr) -> ast.expr:
    return ast.Call(_known(function), list(args), [])


def _placed(node: Any, origin: Any) -> Any:
    """Return a new node with the place of another one."""
    return ast.fix_missing_locations(ast.copy_location(node, origin))


@cache
def joined(node: ast.JoinedStr) -> ast.expr:
    """Return a formatted text as the sum of its parts."""
    whole: ast.expr = ast.Constant("")
    for part in node.values:
        piece = part
        if isinstance(part, ast.FormattedValue):
            piece = part.value if part.conversion < 0 else _call(CONVERSIONS[part.conversion], part.value)
            if part.conversion < 0 or part.format_spec is not None:
                piece = _call(format, piece, *([part.format_spec] if part.format_spec else []))
        whole = ast.BinOp(whole, ast.Add(), piece)
    return _placed(whole, node)  # type: ignore[no-any-return]


# -- generators


def _part(statement: ast.stmt, *parameters: str) -> Part:
    args = ast.arguments([], [ast.arg(each) for each in parameters], None, [], [], None, [])
    return _placed(Part("a generator", args, [statement], []), statement)  # type: ignore[no-any-return]


SOURCE = "implicit0"
"""What the first loop of a comprehension is over, as `inspect` calls it."""
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@cache
def comprehended(node: Comprehension) -> Part:
    """Return a comprehension as a generator, whose argument is what the first loop is over."""
    item = ast.Tuple([node.key, node.value], ast.Load()) if isinstance(node, ast.DictComp) else node.elt
    body = _placed(ast.Expr(ast.Yield(item)), getattr(node, "elt", node))
    for number, loop in reversed(list(enumerate(node.generators))):
        for test in reversed(loop.ifs):
            body = _placed(ast.If(test, [body], []), test)
        source = loop.iter if number else ast.Name(SOURCE, ast.Load())
        body = _placed(ast.For(loop.target, source, [body], []), loop.target)
    return _part(body, SOURCE)


@cache
def is_one_loop(node: ast.FunctionDef) -> bool:
    """Whether a generator is a comprehension with one loop, which yields one element, or none, at a time."""
    loops = [each for each in ast.walk(node) if isinstance(each, ast.For)]
    return isinstance(node, Part) and node.body == loops


@cache
def chosen(node: ast.IfExp) -> Part:
    """Return an expression of which only the elements are needed as a generator: one of two kinds, perhaps."""
    ways = [_placed(ast.Expr(ast.YieldFrom(way)), way) for way in (node.body, node.orelse)]
    return _part(_placed(ast.If(node.test, [ways[0]], [ways[1]]), node))


# -- match


@cache
def branches(node: ast.Match) -> list[ast.stmt]:
    """Return `match` as `if`: a name for the subject, then a test for each case."""
    name = f"$match {node.lineno} {node.col_offset}"
    rest: list[ast.stmt] = [ast.Pass()]
    for case in reversed(node.cases):
        tests: list[ast.expr] = []
        bindings: list[ast.stmt] = []
        _unfold(case.pattern, ast.Name(name, ast.Load()), tests, bindings)
        body = case.body if case.guard is None else [ast.If(case.guard, case.body, rest)]
        rest = [ast.If(_all(tests), [*bindings, *body], rest)]
    whole = [ast.Assign([ast.Name(name, ast.Store())], node.subject), *rest]
    return [_placed(each, node) for each in whole]


def _all(tests: list[ast.expr]) -> ast.expr:
    return ast.BoolOp(ast.And(), tests) if len(tests) > 1 else tests[0] if tests else ast.Constant(True)


def _unfold(pattern: ast.pattern, subject: ast.expr, tests: list[ast.expr], bindings: list[ast.stmt]) -> None:
    """Add what has to hold for a pattern to match, and what it then binds."""

    def bind(name: str | None, value: ast.expr) -> None:
        if name is not None:
            bindings.append(ast.Assign([ast.Name(name, ast.Store())], value))

    match pattern:
        case ast.MatchValue(value):
            tests.append(ast.Compare(subject, [ast.Eq()], [value]))
        case ast.MatchSingleton(value):
            tests.append(ast.Compare(subject, [ast.Is()], [ast.Constant(value)]))
        case ast.MatchAs(inner, name):
            if inner is not None:
                _unfold(inner, subject, tests, bindings)
            bind(name, subject)
        case ast.MatchOr(patterns):
            ways: list[list[ast.expr]] = [[] for _ in patterns]
            before = len(bindings)
            for each, way in zip(patterns, ways, strict=True):
                _unfold(each, subject, way, bindings)
            if len(bindings) > before:
                raise TranslationError("a pattern of alternatives that bind names")
            tests.append(ast.BoolOp(ast.Or(), list(map(_all, ways))))
        case ast.MatchSequence(patterns):
            stars = [place for place, each in enumerate(patterns) if isinstance(each, ast.MatchStar)]
            size, star = len(patterns), stars[0] if stars else len(patterns)
            how, least = ast.GtE() if stars else ast.Eq(), ast.Constant(size - len(stars))
            tests.append(_call(isinstance, subject, _known((tuple, list))))
            tests.append(ast.Compare(_call(len, subject), [how], [least]))
            for place, each in enumerate(patterns):
                if isinstance(each, ast.MatchStar):
                    end = ast.Constant(place + 1 - size or None)
                    bind(each.name, _call(list, _item(subject, ast.Slice(ast.Constant(place), end))))
                else:
                    where = ast.Constant(place if place < star else place - size)
                    _unfold(each, _item(subject, where), tests, bindings)
        case ast.MatchClass(cls, parts, names, named):
            tests.append(_call(isinstance, subject, cls))
            if isinstance(cls, ast.Name) and cls.id in BUILTINS:
                places: Iterable[ast.expr] = [subject] * len(parts)
            else:
                order = ast.Attribute(cls, "__match_args__", ast.Load())
                labels = [_item(order, ast.Constant(place)) for place in range(len(parts))]
                labels += map(ast.Constant, names)
                places = [_call(getattr, subject, label) for label in labels]
            for each, place_of_it in zip([*parts, *named], places, strict=False):
                _unfold(each, place_of_it, tests, bindings)
        case _:
            raise TranslationError(f"a pattern of the kind {type(pattern).__name__}")


def _item(owner: ast.expr, index: ast.expr) -> ast.expr:
    return ast.Subscript(owner, index, ast.Load())


# -- functions that return new lists


NEW = ast.List | ast.ListComp | ast.GeneratorExp
"""What is made anew where it is returned."""


@cache
def as_generator(node: ast.FunctionDef) -> ast.FunctionDef | None:
    """Return a function that returns new lists, of which only the elements are needed, as a generator; None for others.

    It yields what it returns. If it fills a list that is all it returns from then on, it yields what it puts into it.
    """
    name = next((each.id for each in results(node) if isinstance(each, ast.Name)), "")
    names = [_empty_list(each) for each in node.body]
    if name in names:
        whole = ast.Module(node.body[names.index(name) :], [])
        fills = sum(_filling(each, name) is not None for each in own_nodes(whole)) + len(results(whole))
        uses = sum(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))
        if uses != fills + 1 or any(getattr(each, "id", "") != name for each in results(whole)):
            name = ""
    if name not in names and not any(isinstance(each, NEW) for each in results(node)):
        return None
    made = _Yielding(name if name in names else "").generic_visit(copy.deepcopy(node))
    assert isinstance(made, ast.FunctionDef)
    made.body.append(_placed(ast.Raise(_known(TypeError)), node.body[-1]))  # None is iterated over
    made.args, made.made_from = node.args, node  # type: ignore[attr-defined]
    return made


def results(node: ast.AST) -> list[ast.expr]:
    """Return what a function returns."""
    found = [each for each in own_nodes(node) if isinstance(each, ast.Return)]
    return [_placed(_known(None), each) if each.value is None else each.value for each in found]


def _empty_list(statement: ast.AST) -> str | None:
    """Return the name to which a statement binds an empty list."""
    match statement:
        case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), _, value):
            match value:
                case ast.List([]) | ast.Call(ast.Name("list"), [], []):
                    return name
    return None


def _filling(node: ast.AST, name: str) -> ast.expr | None:
    """Return what a generator does where a statement fills a list; None for other statements."""
    match node:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(owner), "append"), [item], [])) if owner == name:
            return ast.Yield(item)
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(owner), "extend"), [items], [])) if owner == name:
            return ast.YieldFrom(items)
        case ast.AugAssign(ast.Name(owner), ast.Add(), items) if owner == name:
            return ast.YieldFrom(items)
    return None


class _Yielding(ast.NodeTransformer):
    """Replaces what fills and returns a list, or returns another new one."""

    def __init__(self, name: str):
        self.name = name

    def visit(self, node: ast.AST) -> Any:
        """Return what a node is replaced by."""
        if isinstance(node, Function):
            return node
        filling = _filling(node, self.name)
        if filling is not None:
            return _placed(ast.Expr(filling), node)
        if self.name and _empty_list(node) == self.name:
            return _placed(ast.Pass(), node)
        if isinstance(node, ast.Return):
            end = _placed(ast.Return(), node)
            if getattr(node.value, "id", None) == self.name:
                return end
            value = _known(None) if node.value is None else node.value
            return [_placed(ast.Expr(ast.YieldFrom(value)), node), end]
        return self.generic_visit(node)
