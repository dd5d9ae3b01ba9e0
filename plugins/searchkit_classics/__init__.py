"""Classic problems of courses and books for searchkit, each with a drawing and with figures that were published.

This module defines the hooks of the plugin. Each problem is a module, `NAME.py`: a `SearchProblem` as a student could
write it, whose docstring has the source, the states, the actions and the costs; its options, all with defaults; how it
looks, `places`; and `SPEC`, what is registered. A heuristic that can be chosen is the option `heuristic`: the strongest
first, which is the default, and `zero` last. `blocks` and `pacman` are problems that are read from files.

Published figures are in `tests/test_GROUP.py`, the pictures in `docs/reference/plugins/classics.md`.
"""

from searchkit.plugin import ProblemSpec, hookimpl
from searchkit_classics import (
    bridge,
    cube2,
    cube3,
    hanoi,
    jugs,
    knight,
    lightsout,
    missionaries,
    pancakes,
    queens,
    river,
    romania,
    topspin,
    tram,
    vacuum,
    wordladder,
)
from searchkit_classics.blocks import klotski, rushhour, sokoban
from searchkit_classics.pacman.specs import SPECS as PACMAN

MODULES = (
    *(romania, tram, wordladder, missionaries, river, bridge, vacuum, jugs, queens, knight, lightsout),
    *(pancakes, topspin, hanoi, cube2, cube3, sokoban, rushhour, klotski),
)


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the problems of all modules, in the order in which `searchkit problems` lists them."""
    return [*(module.SPEC for module in MODULES), *PACMAN]
