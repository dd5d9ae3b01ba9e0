"""Writing problems as text: the inverse of reading them."""

import warnings
from typing import Any

from searchkit.errors import PluginWarning
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
    for plugin, call in registry().calls("searchkit_write", problem=problem):
        try:
            answer = call()
        except Exception as error:
            reason = f"raised {type(error).__name__}: {error}"
        else:
            if isinstance(answer, Written):
                return answer
            if answer is None:
                continue
            reason = f"returned {answer!r}, expected a searchkit.written.Written or None"
        warnings.warn(f"plugin {plugin!r} could not write: it {reason}", PluginWarning, stacklevel=2)
    return None
