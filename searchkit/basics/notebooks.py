"""What notebooks show for problems, results, searches and recordings: asked for here, made in `searchkit.render`."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

MAKER = "searchkit.render.notebook"
"""The module that makes the forms. It is imported when a notebook asks: a result knows nothing of drawings."""

CELL = 'style="padding:0.1em 0.6em;text-align:left"'
"""The attribute of cells of tables: some notebooks show tables without any space between columns."""
SPACE = 'style="margin:0.6em 0"'
"""The attribute of paragraphs, for the same reason."""


def mimebundle(
    thing: object, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
) -> dict[str, Any]:
    """Return the forms in which a notebook can show `thing`, by MIME type: the body of `_repr_mimebundle_`.

    Args:
        thing: a problem, a result, a search, recordings.
        include: the wanted types; None for all.
        exclude: types that are not wanted.

    """
    return chosen(import_module(MAKER).forms(thing), include, exclude)


def chosen(
    forms: Mapping[str, Any], include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
) -> dict[str, Any]:
    """Return those of the forms that a notebook wants; the arguments are those of `mimebundle`."""
    wanted = set(forms if include is None else include) - set(exclude or ())
    return {kind: form for kind, form in forms.items() if kind in wanted}


class Shown:
    """Base of classes that notebooks show."""

    __slots__ = ()
    _repr_mimebundle_ = mimebundle
