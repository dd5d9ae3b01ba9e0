"""Calls: functions of the problem are generated in place; what can be computed now, Python computes."""

import ast
import inspect
import itertools
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from enum import EnumMeta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field

from searchkit.translate.expressions import evaluate, literal
from searchkit.translate.library import FUNCTIONS, call_library, call_method
from searchkit.translate.lookups import MAX_DOMAIN, can_tabulate, is_hashable, tabulate
from searchkit.translate.operators import is_set
from searchkit.translate.prelude import product_of, transposed
from searchkit.translate.recursion import call_function, needs_function
from searchkit.translate.rewriting import as_generator, results
from searchkit.translate.sequences import class_of
from searchkit.translate.source import (
    MUTATORS,
    Part,
    check_allowed,
    field_names,
    is_generator,
    is_pure,
    syntax_of,
)
from searchkit.translate.statements import run
from searchkit.translate.values import (
    Closure,
    Known,
    Lazy,
    Maybe,
    Method,
    Mutable,
    OneOf,
    Opaque,
    Partial,
    TranslationError,
    Tuple,
    Value,
    described,
)

if TYPE_CHECKING:
    from searchkit.translate.translator import Translator

FRESH = {list, set, dict, deque, sorted, defaultdict, Counter, OrderedDict}
"""Functions whose result may be changed: it is made anew at run time."""
MAX_DEPTH = 60
"""Nested calls that are generated in place, and comprehensions in them."""
IMMUTABLE = (int, float, str, bytes, tuple, frozenset, type(None), range, types.FunctionType)


@define(eq=False)
class Frame:
    """The names of one call."""

    id: int
    globals: dict[str, Any]
    cells: dict[str, Any]
    parent: Any
    path: tuple[Any, ...]
    filename: str
    node: Any = None
    stream: bool = False
    on_yield: Callable[[Value], None] | None = None
    caller: Any = None
    handlers: int = 0
    """How many of the handlers are those of the caller."""
    loops: list[tuple[list[Any], list[Any]]] = field(factory=list)
    returns: list[Any] = field(factory=list)
    temporaries: int = 0

    @property
    def scope(self) -> "Frame":
        """The frame of the function that this is a part of."""
        return self.parent.scope if isinstance(self.node, Part) else self


def evaluate_call(t: "Translator", node: ast.Call, *, stream: bool = False) -> Value:
    """Return the value of a call."""
    called = evaluate(t, node.func)
    if isinstance(called, Known) and called.obj is super and not node.args:
        return _super(t)
    streamed = STREAMED.get(called.obj) if isinstance(called, Known) and is_hashable(called.obj) else None
    if len(node.args) > 1 and getattr(called, "obj", None) in (min, max):
        streamed = None
    args: list[Value] = []
    for place, arg in enumerate(node.args):
        if isinstance(arg, ast.Starred):
            items = t.collected(evaluate(t, arg.value, stream=True))
            if len(node.args) == 1 and not node.keywords:
                found = _call_with_star(t, called, items)
                if found is not None:
                    return found
            args.extend(t.all_items(items))
        else:
            args.append(evaluate(t, arg, stream=place == streamed))
    kwargs: dict[str, Value] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            kwargs.update(_named(t, keyword.value))
        else:
            kwargs[keyword.arg] = evaluate(t, keyword.value)
    t.node, t.line_number = node, node.lineno
    return call(t, called, args, kwargs, stream=stream)


def _named(t: "Translator", node: ast.expr) -> dict[str, Value]:
    """Return the arguments of `**node`."""
    if not isinstance(node, ast.Dict):
        table = evaluate(t, node)
        if not isinstance(table, Known):
            raise TranslationError("** with a dict that depends on the state")
        return {name: Known(obj) for name, obj in table.obj.items()}
    found: dict[str, Value] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        name = Known(None) if key is None else evaluate(t, key)
        if not isinstance(name, Known) or not isinstance(name.obj, str):
            raise TranslationError("** with names that depend on the state")
        found[name.obj] = evaluate(t, value)
    return found


def _super(t: "Translator") -> Value:
    """`super()`: the methods that a class inherits, of an object that is known."""
    cls, owner = t.get("__class__"), t.get(t.frame.scope.node.args.args[0].arg)
    if not isinstance(owner, Known):
        raise TranslationError("super() of an object that is part of the state")
    return t.computed(super, cls.obj, owner.obj)  # type: ignore[attr-defined]


WITH_STAR = {min: min, max: max, zip: transposed, itertools.product: product_of}
"""A function → what it is of all elements of one argument."""
FLATTENED = ("union", "difference", "update", "difference_update")
"""Methods of sets that take the elements of all arguments."""


def _call_with_star(t: "Translator", called: Value, items: Value) -> Value | None:
    """Return `f(*items)` of functions for which the number of items need not be known; None for others."""
    if isinstance(t.length(items), Known):
        return None
    if isinstance(called, Known) and is_hashable(called.obj) and called.obj in WITH_STAR:
        return call(t, Known(WITH_STAR[called.obj]), [items], {})
    is_set_method = isinstance(called, Method) and is_set(called.owner) and called.name in FLATTENED
    if is_set_method or getattr(called, "obj", None) is itertools.chain:
        flat = call(t, Known(itertools.chain.from_iterable), [items], {})
        return call_method(t, called.owner, called.name, [flat], {}) if isinstance(called, Method) else flat
    return None


STREAMED: dict[Any, int] = {
    **dict.fromkeys((sum, any, all, min, max, tuple, set, frozenset, sorted, list, enumerate, next, iter), 0),
    **dict.fromkeys((map, filter), 1),
}
"""Functions that only iterate over an argument, once, and which one that is."""


def call(
    t: "Translator", called: Value, args: list[Value], kwargs: dict[str, Value], *, stream: bool = False
) -> Value:
    """Return the value of a function for some arguments."""
    match called:
        case Known(obj):
            return _call_known(t, obj, args, kwargs, stream)
        case Closure():
            return _inline_or_lazy(t, called, args, kwargs, stream)
        case Method(owner, name):
            return call_method(t, owner, name, args, kwargs)
        case Partial(function, given, named):
            return call(t, function, [*given, *args], {**named, **kwargs}, stream=stream)
        case Opaque() if called.is_text:
            return called
    raise TranslationError(f"a call of {described(called)}")


def _call_known(
    t: "Translator", obj: Any, args: list[Value], kwargs: dict[str, Value], stream: bool
) -> Value:
    check_allowed(obj)
    if isinstance(obj, types.MethodType):
        return _call_known(t, obj.__func__, [Known(obj.__self__), *args], kwargs, stream)
    if hasattr(obj, "cache_info"):
        obj = getattr(obj, "__wrapped__", obj)
    all_known = all(isinstance(arg, Known) for arg in [*args, *kwargs.values()])
    if is_hashable(obj) and obj in FUNCTIONS:
        known = [arg.obj for arg in args if isinstance(arg, Known)]
        if any(isinstance(each, Iterator) for each in known):
            raise TranslationError("an iterator that is used up by the search")
        named = {name: value.obj for name, value in kwargs.items() if isinstance(value, Known)}
        if all_known and obj not in FRESH:
            return t.computed(_result, obj, known, named)
        return call_library(t, obj, args, kwargs)
    if isinstance(obj, types.FunctionType):
        if all_known and args and not _touches_cache(t, args):
            found = _computed(t, obj, args, kwargs)
            if found is not None:
                return found
        return _inline_or_lazy(t, Closure(syntax_of(obj.__code__), None, obj), args, kwargs, stream)
    if (
        isinstance(obj, types.BuiltinMethodType | types.MethodWrapperType)
        and not inspect.ismodule(obj.__self__)
        and not isinstance(obj.__self__, type)
    ):
        return call_method(t, Known(obj.__self__), obj.__name__, args, kwargs)
    if isinstance(obj, types.MethodDescriptorType) and args:
        return call_method(t, args[0], obj.__name__, args[1:], kwargs)
    if isinstance(obj, type) and not isinstance(obj, EnumMeta):
        return construct(t, obj, args, kwargs)
    method = vars(type(obj)).get("__call__")
    if isinstance(method, types.FunctionType):
        return _call_known(t, method, [Known(obj), *args], kwargs, stream)
    names = list(kwargs)
    return tabulate(
        t,
        lambda *values: obj(*values[: len(args)], **dict(zip(names, values[len(args) :], strict=True))),
        [*args, *kwargs.values()],
        getattr(obj, "__name__", "a call"),
    )


def _result(function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """Return what a function returns: the elements of an iterator."""
    found = function(*args, **kwargs)
    if not hasattr(found, "__next__"):
        return found
    elements = tuple(itertools.islice(found, MAX_DOMAIN + 1))
    if len(elements) > MAX_DOMAIN:
        raise TranslationError(f"an iterator of more than {MAX_DOMAIN} elements")
    return elements


def _touches_cache(t: "Translator", args: list[Value]) -> bool:
    """Whether an argument is filled during the search, or may be changed by the function."""
    return any(
        isinstance(arg, Known) and (id(arg.obj) in t.hints.caches or id(arg.obj) in t.hints.literals)
        for arg in args
    )


def _computed(
    t: "Translator", function: types.FunctionType, args: list[Value], kwargs: dict[str, Value]
) -> Value | None:
    """Call a pure function now; None if its result may be changed later."""
    try:
        owner = args[0].obj if isinstance(args[0], Known) else None
        if is_generator(syntax_of(function.__code__)) or not is_pure(function, owner):
            return None
        result = function(*(arg.obj for arg in args), **{name: value.obj for name, value in kwargs.items()})  # type: ignore[attr-defined]
    except Exception:  # machine code says which exception that is, if control gets there
        return None
    return Known(result) if isinstance(result, IMMUTABLE) else None


def _inline_or_lazy(
    t: "Translator", called: Closure, args: list[Value], kwargs: dict[str, Value], stream: bool
) -> Value:
    node, function, key = called.node, called.function, t.key("call")
    made = as_generator(node) if stream and node not in t.hints.recursive else None
    if made is not None or is_generator(node):
        return Lazy("generator", (evolve(called, node=made or node), args, kwargs))
    if key in t.hints.tabulated and function is not None:
        return tabulate(t, lambda *values: function(*values), args, function.__name__)
    try:
        return inline(t, called, args, kwargs, stream=stream and len(results(node)) == 1)
    except TranslationError:
        if function is None or kwargs or not can_tabulate(args) or not is_pure(function, None):
            raise
        t.hints.tabulated[key] = function.__name__
        t.again()
        raise


def inline(
    t: "Translator",
    called: Closure,
    args: list[Value],
    kwargs: dict[str, Value],
    on_yield: Callable[[Value], None] | None = None,
    *,
    stream: bool = False,
) -> Value:
    """Generate the body of a function here, with another body at each `yield`; return its value."""
    caller, handlers, place = t.frame, t.handlers, (t.node, t.line_number)
    if needs_function(t, called.node, caller.path):
        found = call_function(t, called, _bind(t, called, args, kwargs))
        if on_yield is not None:
            t.foreach(found, on_yield)
        return found
    if len(caller.path) > MAX_DEPTH:
        raise TranslationError("calls of functions that are nested too deeply")
    frame = t.new_frame(called)
    frame.stream, frame.caller, frame.handlers = stream, caller, len(handlers)
    frame.on_yield = on_yield
    for name, value in _bind(t, called, args, kwargs).items():
        t.env[frame.id, name] = value
    t.frame = frame

    def body() -> None:
        run(t, called.node.body)
        t.env[frame.id, "$return"] = Known(None)

    try:
        edges = t.arm(t.current, t.env, body, always=True)
    finally:
        t.frame, t.handlers = caller, handlers
        t.node, t.line_number = place
    t.meet(edges, frame.returns)
    found = t.env.pop((frame.id, "$return"), Known(None))
    if not isinstance(found, Lazy | Closure | Partial):
        for key in [key for key in t.env if key[0] == frame.id]:
            del t.env[key]
    return found


@lru_cache(1024)
def _signature(node: ast.FunctionDef) -> inspect.Signature:
    """Return the parameters of a function; their defaults are expressions."""
    spec, kinds = node.args, inspect.Parameter
    plain = [*spec.posonlyargs, *spec.args]
    defaults = dict(zip(plain[len(plain) - len(spec.defaults) :], spec.defaults, strict=True))
    defaults.update({arg: each for arg, each in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if each})
    groups: dict[Any, list[ast.arg | None]] = {
        kinds.POSITIONAL_ONLY: [*spec.posonlyargs],
        kinds.POSITIONAL_OR_KEYWORD: [*spec.args],
        kinds.VAR_POSITIONAL: [spec.vararg],
        kinds.KEYWORD_ONLY: [*spec.kwonlyargs],
        kinds.VAR_KEYWORD: [spec.kwarg],
    }
    return inspect.Signature(
        [
            kinds(arg.arg, kind, default=defaults.get(arg, kinds.empty))
            for kind, args in groups.items()
            for arg in args
            if arg is not None
        ]
    )


def _bind(t: "Translator", called: Closure, args: list[Value], kwargs: dict[str, Value]) -> dict[str, Value]:
    """Return the values of the parameters, in their order."""
    signature = _signature(called.node)
    try:
        given = signature.bind(*args, **kwargs).arguments
    except TypeError as error:
        name = called.node.name.strip("_")
        raise TranslationError(f"{name}() with such arguments ({error})") from None
    bound: dict[str, Value] = {}
    for name, parameter in signature.parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            bound[name] = t.tuple_of(list(given.get(name, ())))
        elif parameter.kind is parameter.VAR_KEYWORD:
            is_literal = name not in given and (key := t.key("named")) not in t.hints.dynamic
            bound[name] = (
                literal(t, key, {}) if is_literal else call_library(t, dict, [], given.get(name, {}))
            )
        elif name in given:
            bound[name] = given[name]
        else:
            bound[name] = _default(t, called, name, parameter.default)
    return bound


def _default(t: "Translator", called: Closure, name: str, node: ast.expr) -> Value:
    """Return the value that a default had when its function was made."""
    if called.function is not None:
        signature = inspect.signature(called.function, follow_wrapped=False)
        found: Value = Known(signature.parameters[name].default)
    else:
        kept = t.env.get((called.frame.id, f"$default {id(node)}"))
        before, t.frame = t.frame, called.frame
        found = evaluate(t, node) if kept is None else kept
        found = t.bound(found) if isinstance(found, Maybe) and found.unbound else found
        t.frame = before
    if isinstance(found, Mutable) or isinstance(getattr(found, "obj", None), list | set):
        raise TranslationError(
            f"the default of {name} is a {class_of(found).__name__}, which calls may change"
        )
    return found


# -- objects with fields


def construct(t: "Translator", cls: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """Return a new object of a class with fields."""
    names = field_names(cls)
    if not names:
        if can_tabulate([*args, *kwargs.values()]) and not kwargs:
            return tabulate(t, cls, args, cls.__name__)
        base = next(
            (base for base in (dict, list, set, frozenset, tuple, str, int) if issubclass(cls, base)), None
        )
        how = f"which is a {base.__name__}" if base else "whose __init__ does more than store its arguments"
        raise TranslationError(f"an object of the class {cls.__name__}, {how}")
    if hasattr(cls, "__post_init__") or hasattr(cls, "__attrs_post_init__"):
        raise TranslationError(f"{cls.__name__}.__post_init__")
    if "__new__" in vars(cls) and not hasattr(cls, "_fields"):
        raise TranslationError(f"{cls.__name__}.__new__")
    signature = inspect.signature(cls)
    if len(signature.parameters) != len(names):
        raise TranslationError(f"{cls.__name__}, whose fields are not its arguments")
    try:
        given = signature.bind(*args, **kwargs).arguments
    except TypeError:
        t.fail(t.RAISED, TypeError)
    return Tuple([given.get(name, Known(each.default)) for name, each in signature.parameters.items()], cls)


def with_fields(t: "Translator", value: Value, changes: dict[str, Value]) -> Value:
    """Return an object with other values of some fields."""
    items, cls = t.parts_of(value), class_of(value)
    return Tuple([changes.get(name, item) for name, item in zip(field_names(cls), items, strict=True)], cls)


def attribute(t: "Translator", owner: Value, name: str) -> Value:
    """Return `owner.name`."""
    if isinstance(owner, Maybe):
        owner = t.some(owner)
    if isinstance(owner, Known):
        check_allowed(owner.obj)
        if name in MUTATORS:
            t.thaw(owner.obj)
        if isinstance(owner.obj, list | dict | set) and name in MUTATORS:
            return Method(owner, name)
        is_builtin = isinstance(owner.obj, dict | str | tuple | list | set | frozenset | bytes | int)
        if (
            is_builtin
            and type(owner.obj).__module__ == "builtins"
            and callable(getattr(owner.obj, name, None))
        ):
            return Method(owner, name)
        try:
            return Known(getattr(owner.obj, name))
        except AttributeError:
            t.fail(t.RAISED, AttributeError)
    if isinstance(owner, Tuple) and owner.cls is not tuple:
        return _field(t, owner, name)
    if isinstance(owner, OneOf):
        return _attribute_of_one(t, owner, name)
    return Method(owner, name)


def _field(t: "Translator", owner: Tuple, name: str) -> Value:
    names = field_names(owner.cls)
    if name in names:
        return owner.items[names.index(name)]
    raw = inspect.getattr_static(owner.cls, name, None)
    if isinstance(raw, property) and isinstance(raw.fget, types.FunctionType):
        return call(t, Known(raw.fget), [owner], {})
    if isinstance(raw, types.FunctionType) and name != "_replace":
        return Partial(Known(raw), [owner])
    if isinstance(raw, classmethod | staticmethod):
        return Known(getattr(owner.cls, name))
    if type(raw).__name__ == "cached_property":
        return call(t, Known(raw.func), [owner], {})
    if raw is not None and not callable(raw) and not hasattr(raw, "__get__"):
        return Known(raw)
    return Method(owner, name)


def _attribute_of_one(t: "Translator", owner: OneOf, name: str) -> Value:
    found = [getattr(obj, name, None) for obj in owner.objs]
    if all(isinstance(each, types.BuiltinMethodType) for each in found):
        return Method(owner, name)
    functions = {getattr(each, "__func__", None) for each in found}
    if len(functions) == 1 and None not in functions:
        return Partial(Known(functions.pop()), [owner])
    return tabulate(t, getattr, [owner, Known(name)], f"the attribute {name}")
