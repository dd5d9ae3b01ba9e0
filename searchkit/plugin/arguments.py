"""Values for the arguments of a class or function, made from text by its annotations and defaults."""

import ast
import collections.abc
import inspect
import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from searchkit.basics.text import with_article
from searchkit.plugin.specs import Parameter, boolean

NUMBERS = (int, float, Fraction, Decimal)
SEQUENCES = (tuple, list, set, frozenset)
ABSTRACT: dict[object, type] = {
    collections.abc.Sequence: tuple,
    collections.abc.Iterable: tuple,
    collections.abc.Collection: tuple,
    collections.abc.Set: frozenset,
    collections.abc.MutableSet: set,
    collections.abc.MutableSequence: list,
}
"""What is made where an annotation names an abstract class."""


def parameters_of(call: Callable[..., Any], owner: str) -> tuple[tuple[Parameter, ...], tuple[str, ...]]:
    """Return the arguments of a class or function as options, and the names of those that are required.

    `*args` and `**kwargs` are left out. A text is converted by the annotation, without one by the type of the default;
    without either, it is a number or a tuple if it is written like one, and otherwise a text.
    """
    try:
        signature = inspect.signature(call, eval_str=True)
    except Exception:  # an annotation that does not evaluate, or a signature that can't be read
        try:
            signature = inspect.signature(call)
        except (ValueError, TypeError):
            return (), ()
    found, required = [], []
    for name, argument in signature.parameters.items():
        if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
            continue
        has_default = argument.default is not argument.empty
        if argument.annotation is not argument.empty and not isinstance(argument.annotation, str):
            form = argument.annotation
        else:
            form = type(argument.default) if has_default and argument.default is not None else Any
        default = argument.default if has_default else None
        found.append(
            Parameter(
                name,
                f"an argument of {owner}" + ("" if form is Any else f", {readable_form(form)}"),
                default,
                partial(converted, form),
                choices_of(form),
                file=_is_path(form),
            )
        )
        if not has_default:
            required.append(name)
    return tuple(found), tuple(required)


def converted(form: Any, value: object) -> Any:
    """Return a value for an argument annotated with `form`, made from a text. Other values than texts stay as they are.

    Raises ValueError if the text is invalid, or if nothing of that form can be made from text.

    Example:
        >>> converted(tuple[int, int], "3,4"), converted(Fraction, "1/3"), converted(Any, "7"), converted(str, "7")
        ((3, 4), Fraction(1, 3), 7, '7')

    """
    if isinstance(value, list) and all(isinstance(part, str) for part in value):  # --start, repeated
        if len(value) > 1 and _sequence(form) is not None:
            return _collected(form, value)
        if len(value) != 1:
            raise ValueError(f"expected one value, and there are {len(value)}")
        value = value[0]
    return _converted(form, value)


def _converted(form: Any, value: object) -> Any:
    form = _plain(form)
    if form in (Any, object, inspect.Parameter.empty):
        return _guessed(value) if isinstance(value, str) else value
    origin = get_origin(form)
    if origin in (Union, types.UnionType):
        return _first_of(get_args(form), value)
    if origin is Literal:
        return _chosen(get_args(form), value)
    if _sequence(form) is not None:
        if isinstance(value, str):
            value = _parts(value)
        return _collected(form, value) if isinstance(value, SEQUENCES) else value
    if not isinstance(value, str):
        return float(value) if form is float and type(value) is int else value
    return _from_text(form, value)


def _from_text(form: Any, text: str) -> Any:
    if form is str:
        return text
    if form is bool:
        return boolean(text)
    if form in (None, types.NoneType):
        if text.lower() in ("none", ""):
            return None
        raise ValueError("expected none")
    if form in NUMBERS:
        try:
            return form(text)
        except (ValueError, ArithmeticError) as error:
            raise ValueError(f"expected {readable_form(form)}") from error
    if form is complex:
        return complex(text)
    if isinstance(form, type) and issubclass(form, Enum):
        with suppress(KeyError):
            return form[text]
        return _chosen(list(form), text)
    if _is_path(form):
        return Path(text)
    if form is bytes:
        return text.encode()
    if form is dict or get_origin(form) in (dict, collections.abc.Mapping, collections.abc.MutableMapping):
        found = _literal(text)
        if not isinstance(found, dict):
            raise ValueError('expected a dictionary such as {"a": 1}')
        return found
    raise ValueError(
        f"{readable_form(form)} can't be made from text; make the problem in the file, as in problem = …, and name it"
    )


def _collected(form: Any, values: Iterable[object]) -> Any:
    made = _sequence(form)
    assert made is not None
    forms = get_args(_plain(form))
    given = list(values)
    if made is tuple and forms and forms[-1] is not Ellipsis and get_origin(_plain(form)) is tuple:
        if forms == ((),):
            forms = ()
        if len(given) != len(forms):
            raise ValueError(f"expected {len(forms)} values, and there are {len(given)}")
        return tuple(_converted(form, value) for form, value in zip(forms, given, strict=True))
    of_each = forms[0] if forms else Any
    return made(_converted(of_each, value) for value in given)


def _sequence(form: Any) -> type | None:
    """Return what to make for an annotation of several values; None for others."""
    form = _plain(form)
    origin = get_origin(form) or form
    if origin in SEQUENCES:
        return origin  # type: ignore[no-any-return]
    return ABSTRACT.get(origin) if origin.__hash__ is not None else None


def _plain(form: Any) -> Any:
    return _plain(get_args(form)[0]) if get_origin(form) is Annotated else form


def _parts(text: str) -> list[object]:
    """Return the values of `3,4`, `(3, 4)` or `[("a", 1), ("b", 2)]`; parts that are not literals are texts."""
    if text.lstrip()[:1] in ("(", "[", "{"):
        with suppress(ValueError):
            found = _literal(text)
            if isinstance(found, SEQUENCES):
                return list(found)
        if text.rstrip()[-1:] in (")", "]", "}"):
            text = text.strip()[1:-1]
    return [part.strip() for part in text.split(",")] if text.strip() else []


def _guessed(text: str) -> object:
    """Return a number or a tuple if the text is written like one, otherwise the text."""
    found: object = text
    with suppress(ValueError):
        found = _literal(text)
    return found if isinstance(found, int | float | tuple | list) else text


def _literal(text: str) -> Any:
    """Return the value of a Python literal. Raises ValueError for any other text."""
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise ValueError("expected a Python literal") from error


def _first_of(forms: Iterable[Any], value: object) -> Any:
    """Return the value as the first of several forms that fits; a text as it is fits last."""
    ordered = sorted(forms, key=lambda form: form is str)
    if isinstance(value, str) and types.NoneType in ordered and value.lower() == "none":
        return None
    for form in ordered:
        if form is not types.NoneType:
            with suppress(ValueError, TypeError, ArithmeticError):
                return _converted(form, value)
    raise ValueError(f"expected {' or '.join(map(readable_form, ordered))}")


def _chosen(choices: Iterable[Any], value: object) -> Any:
    listed = list(choices)
    for choice in listed:
        if choice == value or str(getattr(choice, "value", choice)) == str(value):
            return choice
    raise ValueError(f"expected one of {', '.join(map(str, listed))}")


def choices_of(form: Any) -> tuple[Any, ...]:
    """Return the values that an annotation allows; () if they are not listed there."""
    form = _plain(form)
    if get_origin(form) is Literal:
        return get_args(form)
    if isinstance(form, type) and issubclass(form, Enum):
        return tuple(form)
    return ()


def readable_form(form: Any) -> str:
    """Return an annotation as messages name it."""
    form = _plain(form)
    if isinstance(form, type) and get_origin(form) is None:
        return with_article(form.__name__)
    return str(form).replace("typing.", "").replace("collections.abc.", "")


def _is_path(form: Any) -> bool:
    return any(isinstance(one, type) and issubclass(one, Path) for one in _alternatives(form))


def _alternatives(form: Any) -> Iterator[Any]:
    form = _plain(form)
    if get_origin(form) in (Union, types.UnionType):
        yield from get_args(form)
    else:
        yield form
