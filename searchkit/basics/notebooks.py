"""What notebooks show for problems, results, searches and recordings: asked for here, made in `searchkit.render`."""

from importlib import import_module
from typing import Any

MAKER = "searchkit.render.notebook"
"""The module that makes the forms. It is imported when a notebook asks: a result knows nothing of drawings."""


def mimebundle(thing: object, include: object = None, exclude: object = None) -> dict[str, Any]:
    """Return the forms in which a notebook can show `thing`, by MIME type: the body of `_repr_mimebundle_`.

    The notebook chooses those of the types that it wants, or does not exclude.
    """
    forms: dict[str, Any] = import_module(MAKER).forms(thing)
    return forms


class Shown:
    """Base of classes that notebooks show."""

    __slots__ = ()
    _repr_mimebundle_ = mimebundle
