"""The syntax trees of functions, and what is seen in them without running them."""

import ast
import builtins
import inspect
import linecache
import types
from collections import ChainMap
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import PurePath
from typing import Any

from searchkit.translate.values import TranslationError

FORBIDDEN = {
    print: "prints",
    open: "opens a file",
    input: "reads the keyboard",
    exec: "runs exec()",
    eval: "runs eval()",
    globals: "uses globals()",
    vars: "uses vars()",
    locals: "uses locals()",
    setattr: "sets an attribute",
    hash: "asks for a hash, which differs between processes",
    id: "asks for an address, which differs between processes",
}
"""Functions of Python that machine code can't call."""
IMPURE_MODULES = {
    "_io", "_random", "datetime", "io", "logging", "os", "posix", "random", "secrets", "socket", "sys", "threading",
    "time", "uuid",
}  # fmt: skip
"""Modules whose functions depend on something else than their arguments, or change something."""
MUTATORS = {
    "__delitem__", "__setitem__", "add", "append", "appendleft", "clear", "difference_update", "discard", "extend",
    "insert", "intersection_update", "pop", "popitem", "popleft", "remove", "reverse", "rotate", "setdefault", "sort",
    "subtract", "symmetric_difference_update", "update",
}  # fmt: skip
"""Methods that change their object."""
PYTHON = str(PurePath(ast.__file__).parent)
"""The folder of Python's library."""
PRELUDE = str(PurePath(__file__).with_name("prelude.py"))
"""What is translated in place of functions that are not written in Python."""
Function = ast.FunctionDef | ast.Lambda


class Part(ast.FunctionDef):
    """A part of a function as a generator, such as a comprehension: what `:=` binds there is a name of the function."""


@lru_cache(64)
def _tree(source: str) -> ast.Module:
    return ast.parse(source)


def syntax_of(code: types.CodeType) -> ast.FunctionDef:
    """Return the syntax tree of a function. Raises `TranslationError` if its source is not there."""
    try:
        return as_function(_find("".join(linecache.getlines(code.co_filename)), code))
    except SyntaxError:
        raise TranslationError(f"the source of {code.co_name} has changed") from None


@lru_cache(1024)
def _find(source: str, code: types.CodeType) -> Function:
    found = [
        node
        for node in ast.walk(_tree(source))
        if isinstance(node, Function)
        and getattr(node, "name", "<lambda>") == code.co_name
        and min(each.lineno for each in [node, *getattr(node, "decorator_list", [])]) == code.co_firstlineno
    ]
    if len(found) > 1:
        found = [node for node in found if isinstance(node, ast.Lambda) and _matches(node, code)]
    if not found:
        raise TranslationError(f"the source of {code.co_name} can't be found")
    return found[-1]  # the innermost: a lambda within another one lies in the body of both


def _matches(node: ast.Lambda, code: types.CodeType) -> bool:
    """Whether a lambda is that of a code object: the positions of its instructions lie within its body."""
    spots = [(line, column) for line, _, column, _ in code.co_positions() if line and column]
    body = node.body
    inside = [
        (body.lineno, body.col_offset) <= spot <= (body.end_lineno or 0, body.end_col_offset or 0)
        for spot in spots
    ]
    return bool(inside) and sum(inside) * 2 > len(inside)


@cache
def as_function(node: Function) -> ast.FunctionDef:
    """Return a lambda as a function that returns its value."""
    if isinstance(node, ast.FunctionDef):
        return node
    returned = ast.copy_location(ast.Return(node.body), node.body)
    return ast.copy_location(ast.FunctionDef("<lambda>", node.args, [returned], []), node)


@cache
def own_nodes(node: ast.AST) -> list[ast.AST]:
    """Return the nodes of a function, without those of functions inside it."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = list(getattr(node, "body", [node]))
    while waiting:
        each = waiting.pop()
        found.append(each)
        if not isinstance(each, Function):
            waiting.extend(ast.iter_child_nodes(each))
    return found


@cache
def is_generator(node: ast.FunctionDef) -> bool:
    """Whether a function has a `yield`."""
    return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in own_nodes(node))


ONE_SHOT = {
    "accumulate", "chain", "combinations", "combinations_with_replacement", "compress", "dropwhile", "enumerate",
    "filter", "filterfalse", "groupby", "islice", "iter", "map", "pairwise", "permutations", "product", "reversed",
    "starmap", "takewhile", "zip", "zip_longest",
}  # fmt: skip
"""Functions that return an iterator, which can be used once."""


def makes_iterator(node: ast.expr) -> bool:
    """Whether an expression is an iterator, which can be used once."""
    function = node.func if isinstance(node, ast.Call) else None
    name = getattr(function, "id", getattr(function, "attr", ""))
    return isinstance(node, ast.GeneratorExp) or name in ONE_SHOT


@cache
def is_used_again(function: ast.AST, binding: ast.Assign) -> bool:
    """Whether the name that a statement binds is read in several places then, or in a loop that does not bind it."""
    name = getattr(binding.targets[0], "id", "")

    def reads(nodes: list[Any], after: int = 0) -> int:
        names = [each for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name)]
        return sum(
            each.id == name and isinstance(each.ctx, ast.Load) and each.lineno > after for each in names
        )

    loops = [each for each in ast.walk(function) if isinstance(each, ast.For | ast.While)]
    around = [loop for loop in loops if binding in ast.walk(loop)]
    behind = [loop for loop in loops if loop not in around and loop.lineno > binding.lineno]
    first = 0 if around else (binding.end_lineno or 0)
    return reads([function], first) > 1 or any(reads(loop.body) for loop in behind)


@cache
def assigned_names(node: ast.AST) -> frozenset[str]:
    """Return the names that a statement may bind."""
    return frozenset(
        each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    )


@cache
def names_of_iteration(function: ast.AST, loop: ast.For | ast.While) -> frozenset[str]:
    """Return the names that each iteration of a loop binds before it reads them, and that nothing else reads."""
    inside = [each for statement in loop.body for each in ast.walk(statement)]
    within, kept = set(map(id, inside)), [each for each in inside if isinstance(each, Function)]
    others = [each for each in ast.walk(function) if id(each) not in within]
    read = _read_names([*others, *(each for node in kept for each in ast.walk(node))])
    target = set(assigned_names(loop.target)) if isinstance(loop, ast.For) else set[str]()
    return assigned_names(loop) - read - _read_before_bound(loop.body, target)


def _read_before_bound(block: list[ast.stmt], bound: set[str]) -> set[str]:
    """Return the names that statements may read before they bind them; add to `bound` what they surely bind."""
    found = set[str]()
    for statement in block:
        match statement:
            case ast.If(test):
                found |= _read_names(ast.walk(test)) - bound
                ends = []
                for way in (statement.body, statement.orelse):
                    ends.append(set(bound))
                    found |= _read_before_bound(way, ends[-1])
                    if way and isinstance(way[-1], ast.Break | ast.Continue | ast.Raise | ast.Return):
                        ends.pop()
                bound |= set.intersection(*ends) if ends else set()
            case ast.For(target, source):
                found |= _read_names(ast.walk(source)) - bound
                found |= _read_before_bound(statement.body, {*bound, *assigned_names(target)})
                found |= _read_before_bound(statement.orelse, set(bound))
            case _:
                found |= _read_names(ast.walk(statement)) - bound
                if isinstance(statement, ast.Assign):
                    bound |= {name for target in statement.targets for name in assigned_names(target)}
    return found


def _read_names(nodes: Iterable[ast.AST]) -> set[str]:
    found = set()
    for node in nodes:
        name = node.target if isinstance(node, ast.AugAssign) else node
        if isinstance(name, ast.Name) and (name is not node or not isinstance(name.ctx, ast.Store)):
            found.add(name.id)
    return found


@cache
def local_names(node: ast.AST) -> frozenset[str]:
    """Return the names that a function binds itself; its arguments are bound when it is called."""
    if not isinstance(node, ast.FunctionDef) or isinstance(node, Part):
        return frozenset()
    found, nodes = set[str](), own_nodes(node)
    inner = {
        id(part) for each in nodes if isinstance(each, ast.comprehension) for part in ast.walk(each.target)
    }
    for each in nodes:
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load) and id(each) not in inner:
            found.add(each.id)
        elif isinstance(each, ast.FunctionDef | ast.MatchAs | ast.MatchStar | ast.ExceptHandler):
            found.add(each.name or "")
        elif isinstance(each, ast.Import | ast.ImportFrom):
            found.update((alias.asname or alias.name).partition(".")[0] for alias in each.names)
    return frozenset(found)


def place_of(filename: str, line: int) -> str:
    """Return a place in the source as it is printed."""
    return f"{PurePath(filename).name}:{line}"


def is_of_python(filename: str) -> bool:
    """Whether a file is part of Python's library: a reason names the line that calls it."""
    return filename == PRELUDE or (filename.startswith(PYTHON) and "site-packages" not in filename)


def is_pure(function: types.FunctionType, owner: Any, seen: set[types.CodeType] | None = None) -> bool:
    """Whether a function, and each that it calls, only computes a result.

    Args:
        function: the function.
        owner: its first argument: calls of its methods are followed.
        seen: functions that were looked at.

    """
    seen = set() if seen is None else seen
    if function.__code__ in seen:
        return True
    seen.add(function.__code__)
    node = syntax_of(function.__code__)
    cells = inspect.getclosurevars(function).nonlocals
    names = ChainMap({}, cells, function.__globals__, vars(builtins))  # type: ignore[arg-type]
    for each in own_nodes(node):
        used: Any = None
        match each:
            case ast.Global() | ast.Nonlocal() | ast.Import() | ast.ImportFrom():
                return False
            case ast.Await() | ast.AsyncFor() | ast.AsyncWith():
                return False
            case ast.Attribute(_, _, ast.Store() | ast.Del()):
                return False
            case ast.Subscript(changed, _, ast.Store() | ast.Del()) if not _is_own(node, changed):
                return False
            case ast.Call(ast.Attribute(changed, name)) if name in MUTATORS and not _is_own(node, changed):
                return False
            case ast.Name(name, ast.Load()):
                used = names.get(name)
            case ast.Attribute(_, name):
                used = inspect.getattr_static(type(owner), name, None)
                used = used.fget if isinstance(used, property) else used
        if forbidden(used) or (isinstance(used, types.FunctionType) and not is_pure(used, owner, seen)):
            return False
    return True


def _is_own(node: ast.FunctionDef, changed: ast.expr) -> bool:
    """Whether what a function changes may be made by itself."""
    while isinstance(changed, ast.Subscript | ast.Attribute):
        changed = changed.value
    return not isinstance(changed, ast.Name) or changed.id in local_names(node)


def forbidden(obj: Any) -> str:
    """Return what a known object does that machine code can't, "" if it can be used."""
    try:
        if obj in FORBIDDEN:
            return FORBIDDEN[obj]
    except TypeError:
        return ""
    module = obj.__name__ if inspect.ismodule(obj) else getattr(obj, "__module__", None)
    if isinstance(obj, types.BuiltinMethodType | types.MethodType) and not inspect.ismodule(obj.__self__):
        module = type(obj.__self__).__module__
    if (
        isinstance(module, str)
        and module.split(".")[0] in IMPURE_MODULES
        and (inspect.ismodule(obj) or callable(obj))
    ):
        return f"uses the module {module}"
    return ""


def check_allowed(obj: Any) -> None:
    """Raise `TranslationError` if a known object does what machine code can't."""
    what = forbidden(obj)
    if what:
        raise TranslationError(f"the problem's code {what}")


def field_names(cls: Any) -> list[str]:
    """Return the fields of a named tuple, dataclass or attrs class, or what a plain class stores; [] if it has none."""
    if hasattr(cls, "_fields") and issubclass(cls, tuple):
        return list(cls._fields)
    if "__dataclass_fields__" in vars(cls):
        return [name for name, each in cls.__dataclass_fields__.items() if each.init]
    if "__attrs_attrs__" in vars(cls):
        return [each.name for each in cls.__attrs_attrs__]
    return stored_fields(cls)


def row_of(obj: Any) -> tuple[Any, ...] | None:
    """Return the parts of a known tuple or object with fields; None if it is none."""
    if isinstance(obj, tuple):
        return obj
    names = field_names(type(obj))
    return tuple(getattr(obj, name) for name in names) if names else None


def stored_fields(cls: Any) -> list[str]:
    """Return the attributes of a class whose `__init__` only stores its arguments, in their order; else []."""
    init = vars(cls).get("__init__")
    if not isinstance(init, types.FunctionType):
        return []
    try:
        node = syntax_of(init.__code__)
    except TranslationError:
        return []
    names = [each.arg for each in node.args.args]
    if node.args.vararg or node.args.kwonlyargs:
        return []
    found: dict[str, str] = {}
    for statement in node.body:
        match statement:
            case ast.Expr(ast.Constant()):
                continue
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                pass
            case ast.Assign([target], value):
                targets, values = [target], [value]
            case _:
                return []
        for pair in zip(targets, values, strict=True):
            match pair:
                case ast.Attribute(ast.Name(owner), name), ast.Name(given) if owner == names[0]:
                    found[given] = name
                case _:
                    return []
    return [found[name] for name in names[1:]] if all(name in found for name in names[1:]) else []
