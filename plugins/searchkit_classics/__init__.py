"""Classic problems of courses and books for searchkit, each with a drawing and with figures that were published.

This module defines the hooks of the plugin. The problems are in groups; each group is a folder of at most 14 entries:

- `NAME.py` has one problem, in 25 to 70 lines that a student could have written: a subclass of `SearchProblem` whose
  docstring has the source, the states, the actions and the costs. The arguments of its constructor are its options, all
  with defaults; it raises `InvalidOptionError` for other values, and says what was expected. Copies work because it
  holds plain data, no functions; `repr` gives the constructor's call in angle brackets, such as `<Queens n=8>`.
  A heuristic that can be chosen is the option `heuristic`; the default is the best one, and `zero` is none.
- `specs.py` has `SPECS`: one `ProblemSpec` for each problem, with `instance`, `group`, options and examples.
- `looks.py` has `LOOKS`: class → function that returns the `Places` of such a problem. Subclasses look the same.
- `strategies.py` has a Hypothesis strategy for each problem: small ones, which generic tests search thousands of times.

A new group is added to `GROUPS` below. The published figures are in `tests/test_GROUP.py`, the pictures in
`docs/reference/plugins/classics.md`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from searchkit import SearchProblem
from searchkit.plugin import Places, ProblemSpec, hookimpl
from searchkit_classics.boards.looks import LOOKS as BOARD_LOOKS
from searchkit_classics.boards.specs import SPECS as BOARDS
from searchkit_classics.crossings.looks import LOOKS as CROSSING_LOOKS
from searchkit_classics.crossings.specs import SPECS as CROSSINGS
from searchkit_classics.routes.looks import LOOKS as ROUTE_LOOKS
from searchkit_classics.routes.specs import SPECS as ROUTES
from searchkit_classics.tasks.looks import LOOKS as TASK_LOOKS
from searchkit_classics.tasks.specs import SPECS as TASKS

GROUPS = (ROUTES, CROSSINGS, TASKS, BOARDS)
LOOKS: Mapping[type, Callable[[Any], Places[Any]]] = {
    **ROUTE_LOOKS,
    **CROSSING_LOOKS,
    **TASK_LOOKS,
    **BOARD_LOOKS,
}


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the problems of all groups."""
    return [spec for group in GROUPS for spec in group]


@hookimpl
def searchkit_places(problem: SearchProblem[Any, Any]) -> Places[Any] | None:
    """Return the places of a classic problem; None for any other problem."""
    look = next((LOOKS[kind] for kind in type(problem).__mro__ if kind in LOOKS), None)
    return None if look is None else look(problem)
