"""The player's script without a browser: the parts that need none run in QuickJS, inside this process."""

import json
from functools import cache
from typing import Any

import pytest

from searchkit.render.player import script

quickjs = pytest.importorskip("quickjs", reason="QuickJS is not installed: pip install quickjs")

GLUE = """
class TextDecoder {  // which QuickJS has not
  decode(bytes) {
    let text = "";
    for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
    return decodeURIComponent(escape(text));
  }
}
function call(name, ...texts) { return JSON.stringify(eval(name)(...texts.map(text => JSON.parse(text)))); }
"""


class Script:
    """The parts of the script that need no browser, with more functions if a test brings them."""

    def __init__(self, more: str = ""):
        self._context = quickjs.Context()
        self._context.eval("\n".join((script("trace", "layout"), GLUE, more)))
        self._call = self._context.get("call")

    def call(self, name: str, *arguments: Any) -> Any:
        """Call a function with arguments that JSON can hold, and return what JSON holds of its result."""
        return json.loads(self._call(name, *map(json.dumps, arguments)))


@cache
def plain() -> Script:
    """Return the script alone."""
    return Script()
