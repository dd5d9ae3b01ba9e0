"""Classic problems of courses and books for searchkit, each with a drawing and with figures that were published.

This module defines the hooks of the plugin. The problems are in groups; each group is a folder of at most 14 entries:

- `NAME.py` has one problem, in at most 70 lines of code, as a student could write it: a `SearchProblem` whose
  docstring has the source, the states, the actions and the costs. The arguments of its constructor are its options, all
  with defaults; it raises `InvalidOptionError` for other values, and says what was expected. Copies work because it
  holds plain data, no functions. `repr` gives the class and all options, in the form in which users give them, such as
  `<Tram n=10 walk=1 tram=2>`: the problem can be made again from it, so no value has a space. A heuristic that can be
  chosen is the option `heuristic`: the strongest first, which is the default, and `zero` last.
- `specs.py` has `SPECS`: one `ProblemSpec` for each problem, with `instance`, `group`, options and examples.
- `looks.py` has `LOOKS`: class → function that returns the `Places` of such a problem, for `ProblemSpec.places`.
- `files.py`, in groups whose problems are read from files, has `FILES`: name → what `ProblemSpec` has for files.
- `strategies.py` has a Hypothesis strategy for each problem: small ones, which generic tests search thousands of times.

Most need no file; they are written as their options, with an empty text. A new group is added to `GROUPS` and `LOOKS`
below. Published figures are in `tests/test_GROUP.py`, the pictures in `docs/reference/plugins/classics.md`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import evolve

from searchkit.plugin import Places, ProblemSpec, Written, hookimpl
from searchkit_classics.blocks.files import FILES as BLOCK_FILES
from searchkit_classics.blocks.looks import LOOKS as BLOCK_LOOKS
from searchkit_classics.blocks.specs import SPECS as BLOCKS
from searchkit_classics.boards.looks import LOOKS as BOARD_LOOKS
from searchkit_classics.boards.specs import SPECS as BOARDS
from searchkit_classics.crossings.looks import LOOKS as CROSSING_LOOKS
from searchkit_classics.crossings.specs import SPECS as CROSSINGS
from searchkit_classics.cubes.looks import LOOKS as CUBE_LOOKS
from searchkit_classics.cubes.specs import SPECS as CUBES
from searchkit_classics.pacman.files import FILES as PACMAN_FILES
from searchkit_classics.pacman.looks import LOOKS as PACMAN_LOOKS
from searchkit_classics.pacman.specs import SPECS as PACMAN
from searchkit_classics.permutations.looks import LOOKS as PERMUTATION_LOOKS
from searchkit_classics.permutations.specs import SPECS as PERMUTATIONS
from searchkit_classics.routes.looks import LOOKS as ROUTE_LOOKS
from searchkit_classics.routes.specs import SPECS as ROUTES
from searchkit_classics.tasks.looks import LOOKS as TASK_LOOKS
from searchkit_classics.tasks.specs import SPECS as TASKS

GROUPS = (ROUTES, CROSSINGS, TASKS, BOARDS, PERMUTATIONS, CUBES, BLOCKS, PACMAN)
LOOKS: Mapping[Any, Callable[[Any], Places[Any]]] = {
    **ROUTE_LOOKS,
    **CROSSING_LOOKS,
    **TASK_LOOKS,
    **BOARD_LOOKS,
    **PERMUTATION_LOOKS,
    **CUBE_LOOKS,
    **BLOCK_LOOKS,
    **PACMAN_LOOKS,
}
FILES: Mapping[str, Mapping[str, Any]] = {**BLOCK_FILES, **PACMAN_FILES}


def specs() -> Iterator[ProblemSpec]:
    """Yield what is registered, group by group."""
    for spec in (spec for group in GROUPS for spec in group):
        if spec.places is not None:  # it is declared in one file, as missionaries
            yield spec
        else:
            yield evolve(spec, places=LOOKS[spec.factory], **FILES.get(spec.name, {"write": written(spec)}))


def written(spec: ProblemSpec) -> Callable[[Any], Written | None]:
    """Return a function that writes a problem that is made without a file as its options; None for a subclass."""

    def write(problem: Any) -> Written | None:
        if spec.factory is not type(problem):
            return None
        given = spec.parse(dict(word.split("=", 1) for word in repr(problem)[1:-1].split()[1:]))
        defaults = spec.parse({})
        return Written(
            spec.name, "", {name: value for name, value in given.items() if value != defaults[name]}
        )

    return write


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the problems of all groups."""
    return list(specs())
