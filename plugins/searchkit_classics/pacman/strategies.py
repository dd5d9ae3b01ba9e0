"""Hypothesis strategies of Pac-Man's problems on small mazes, for property tests. Needs the extra `testing`."""

from typing import Any

from hypothesis import strategies as st

from searchkit.plugin import parameters_of
from searchkit_classics.pacman.layout import Layout
from searchkit_classics.pacman.problems import Corners, Food, PathToDot

MAZES = (
    "%%%%%%\n%P  .%\n%%%%%%",
    "%%%%%%%\n%.    %\n% %%P %\n%    .%\n%%%%%%%",
    "%%%%%\n% P %\n%%%%%",
    "%%%%%%\n%P % %\n% %% %\n%   .%\n%%%%%%",
    "%%%%%%\n% .  %\n%%P%%%\n% .  %\n%%%%%%",
    "%%%%%%\n%P % %\n% %%%%\n%. % %\n%%%%%%",
    "%%%%%%%\n%  P .%\n%.%%% %\n%  .  %\n%%%%%%%",
    "%%%%%%\n% P%.%\n%. % %\n%%%%%%",
    "%%%%%%%%\n% .%   %\n%P %.% %\n%    %.%\n%%%%%%%%",
)
"""Small mazes, some of them with dots or corners behind walls; the corners of all are floor."""


def _drawn(kind: Any) -> st.SearchStrategy[Any]:
    (heuristic,) = parameters_of(kind)
    return st.builds(kind, st.sampled_from(MAZES).map(Layout.of), st.sampled_from(heuristic.choices))


def paths() -> st.SearchStrategy[PathToDot]:
    """Draw a path to the nearest dot."""
    return _drawn(PathToDot)


def corners() -> st.SearchStrategy[Corners]:
    """Draw the four corners of a maze."""
    return _drawn(Corners)


def food() -> st.SearchStrategy[Food]:
    """Draw a maze of up to three dots."""
    return _drawn(Food)
