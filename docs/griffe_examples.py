"""Lets mkdocstrings show the section `Example:` of our docstrings as code; it knows only the plural."""

import re
from typing import Any

from griffe import Extension, Object


class ExampleSections(Extension):
    """Renames the section before the docstring is parsed."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Look at the docstring of each object once it is loaded."""
        if obj.docstring is not None:
            obj.docstring.value = re.sub(r"^Example:$", "Examples:", obj.docstring.value, flags=re.MULTILINE)
