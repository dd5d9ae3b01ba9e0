"""Writing problems as text: the inverse of reading them."""

from typing import Any

from searchkit.plugins import registry
from searchkit.problem import SearchProblem
from searchkit.written import Written


def write(problem: SearchProblem[Any, Any]) -> Written | None:
    r"""Return the text and the options from which `load` makes an equal problem; None where no plugin can write it.

    A plugin that raises, or returns anything else, is named in a `PluginWarning`, and the next one is asked.

    Example:
        >>> from io import StringIO
        >>> from searchkit import load
        >>> from searchkit.writing import write
        >>> from searchkit_dungeon import grid
        >>> written = write(grid(["S.#G", "...."], moves=8))
        >>> written
        Written(kind='dungeon', text='S.#G\n....\n', options={'moves': 8})
        >>> load(StringIO(written.text), written.kind, **written.options).goals
        ((3, 0),)

    """
    return registry().first("searchkit_write", Written, "write", problem=problem)
