"""Values for the arguments of a class or function, made from text by its annotations and defaults."""

import ast
import inspect
import types
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import NoneType
from typing import Any, Literal, Union, get_args, get_origin

from searchkit.basics.text import with_article
from searchkit.plugin.options import Parameter, boolean, parameters_of

UNIONS = (Union, types.UnionType)
SEQUENCES: dict[Any, type] = {tuple: tuple, list: list, Sequence: tuple, Collection: tuple, Iterable: tuple}
"""An annotation of several values → what is made for it."""


def arguments_of(call: Callable[..., Any], owner: str) -> tuple[tuple[Parameter, ...], tuple[str, ...]]:
    """Return the arguments of a class or function as options, and the names of those that are required.

    `*args` and `**kwargs` are left out. A text is converted by the annotation, without one by the type of the default;
    without either, it is a number or a tuple if it is written like one, and otherwise a text. What a class declares by
    `option` is as it declares it.
    """
    try:
        signature = inspect.signature(call, eval_str=True)
    except Exception:  # an annotation that does not evaluate, or a signature that can't be read
        try:
            signature = inspect.signature(call)
        except (ValueError, TypeError):
            return (), ()
    declared, found, required = {each.name: each for each in parameters_of(call)}, [], []
    for name, argument in signature.parameters.items():
        if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
            continue
        form = argument.annotation
        default = None if argument.default is argument.empty else argument.default
        if form in (argument.empty, object) or isinstance(form, str):
            form = Any if default is None else type(default)
        words = f"an argument of {owner}" + ("" if form is Any else f", {_readable(form)}")
        file = Path in (form, *(get_args(form) if get_origin(form) in UNIONS else ()))
        choices = get_args(form) if get_origin(form) is Literal else ()
        made = Parameter(name, words, default, partial(converted, form), choices, file=file)
        found.append(declared.get(name, made))
        if argument.default is argument.empty:
            required.append(name)
    return tuple(found), tuple(required)


def converted(form: Any, value: object) -> Any:
    """Return a value for an argument annotated with `form`, made from a text or a list of texts (`--start`, repeated).

    Raises ValueError if the text is invalid, or if nothing of that form can be made from text.

    Example:
        >>> converted(tuple[int, int], "3,4"), converted(Fraction, "1/3"), converted(Any, "7"), converted(str, "7")
        ((3, 4), Fraction(1, 3), 7, '7')

    """
    if isinstance(value, list) and len(value) != 1 and (get_origin(form) or form) not in SEQUENCES:
        raise ValueError(f"expected one value, and there are {len(value)}")
    return _converted(form, value[0] if isinstance(value, list) and len(value) == 1 else value)


def _converted(form: Any, value: Any) -> Any:
    kind, forms = get_origin(form) or form, get_args(form)
    if kind in UNIONS:
        for one in sorted(forms, key=lambda one: (one is not NoneType, one is str)):  # every text is a str
            with suppress(ValueError, TypeError, ArithmeticError):
                return _converted(one, value)
        raise ValueError(f"expected {' or '.join(map(_readable, forms))}")
    if kind in SEQUENCES:
        parts = _parts(value) if isinstance(value, str) else list(value)
        if kind is tuple and forms and forms[-1] is not Ellipsis:
            if len(parts) != len(forms):
                raise ValueError(f"expected {len(forms)} values, and there are {len(parts)}")
            return tuple(map(_converted, forms, parts))
        return SEQUENCES[kind](_converted(forms[0] if forms else Any, part) for part in parts)
    if kind is Literal:
        for choice in forms:
            if str(value) == str(choice):
                return choice
        raise ValueError(f"expected one of {', '.join(map(str, forms))}")
    if not isinstance(value, str):  # a part of a tuple that was written as a literal
        return float(value) if kind is float and type(value) is int else value
    if kind is Any:
        literal = _literal(value)
        return literal if isinstance(literal, int | float | tuple | list) else value
    if kind is bool:
        return boolean(value)
    if kind in (int, float, Fraction):
        try:
            return kind(value)
        except (ValueError, ArithmeticError) as error:
            raise ValueError(f"expected {_readable(form)}") from error
    if kind is NoneType and value.lower() != "none":
        raise ValueError("expected none")
    if kind in (str, Path, NoneType):
        return None if kind is NoneType else kind(value)
    raise ValueError(
        f"{_readable(form)} can't be made from text; make the problem in the file, as in problem = …, and name it"
    )


def _parts(text: str) -> list[object]:
    """Return the values of `3,4`, `(3, 4)` or `[("a", 1), ("b", 2)]`; parts that are not literals are texts."""
    text = text.strip()
    if text[:1] in ("(", "["):
        literal = _literal(text)
        if isinstance(literal, tuple | list):
            return list(literal)
        text = text[1:].rstrip(")]")
    return [part.strip() for part in text.split(",")] if text else []


def _literal(text: str) -> Any:
    """Return the value of a Python literal; None for any other text."""
    with suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return ast.literal_eval(text.strip())
    return None


def _readable(form: Any) -> str:
    """Return an annotation as messages name it."""
    if isinstance(form, type) and get_origin(form) is None:
        return "none" if form is NoneType else with_article(form.__name__)
    return str(form).replace("typing.", "").replace("collections.abc.", "")
