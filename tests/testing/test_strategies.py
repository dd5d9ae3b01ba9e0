"""Strategies of plugins draw each kind of problem, and show it as its drawing."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from searchkit import available_problems, solve
from searchkit.errors import PluginError, UnknownNameError
from searchkit.testing import explore, strategies
from tests.testing.drawing import PLENTY, Problem

BROUGHT = sorted({name for spec in available_problems().values() for name in spec.strategies})
MAPS = ("agents", "dungeons", "grids", "masked_grids", "mazes")


def test_every_strategy_of_the_bundled_plugins_is_there() -> None:
    """Strategies of plugins are attributes of the module, like its own; a misspelt name lists the known ones."""
    assert set(BROUGHT) >= {*MAPS, "vaults"}
    assert set(BROUGHT) <= set(dir(strategies))
    with pytest.raises(AttributeError, match=r"there is no strategy 'maze'; plugins bring agents, "):
        strategies.maze  # noqa: B018  # it is the access that raises


@pytest.mark.parametrize("name", BROUGHT)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_what_plugins_draw_are_problems_shown_as_their_drawing(name: str, data: st.DataObject) -> None:
    """Ready problems with a start; the repr of a map is a line and the map below it, every row as wide as the first."""
    problem = data.draw(getattr(strategies, name)())
    assert list(problem.initial_states())
    head, *rows = repr(problem).split("\n")
    assert head.startswith(f"<{type(problem).__name__}")
    assert len({len(row) for row in rows}) <= 1
    if name not in (
        "boards",
        "complete_queens",
        "graphs",
        "tours",
    ):  # not maps: a tile may have two digits, and a graph has no rows
        assert head.startswith(f"<{type(problem).__name__} {len(rows[0])}x{len(rows)}")


@settings(max_examples=60, deadline=None)
@given(strategies.problems())
def test_problems_are_drawn_over_the_registry(problem: Problem) -> None:
    """Any of them can be explored: a test over this strategy is a test of each plugin."""
    space = explore(problem, 200)
    assert space.starts
    assert space.edges


@pytest.mark.one_in(4)  # it is the same line for each
@pytest.mark.parametrize("spec", available_problems().values(), ids=lambda spec: spec.name)
def test_each_kind_of_problem_is_among_them(spec: Any) -> None:
    """By its name alone too."""
    assert spec.strategy is not None
    kind = type(find(spec.strategy(), lambda problem: True, settings=PLENTY))
    assert isinstance(
        find(strategies.problems(), lambda problem: isinstance(problem, kind), settings=PLENTY), kind
    )
    assert isinstance(find(strategies.problems(spec.name), lambda problem: True, settings=PLENTY), kind)


def test_a_kind_that_is_not_there_or_has_no_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    """One error each."""
    with pytest.raises(UnknownNameError, match="there is no problem 'chess'"):
        strategies.problems("chess")
    from attrs import evolve

    from searchkit.plugin.registry import registry

    plugins = registry()
    dungeon = plugins.problem("dungeon")
    bare = evolve(plugins, problems={"dungeon": evolve(dungeon, strategy=None, strategies={})})
    monkeypatch.setattr(strategies, "registry", lambda: bare)
    with pytest.raises(
        PluginError, match="problem 'dungeon' has no Hypothesis strategy; give its ProblemSpec one"
    ):
        strategies.problems("dungeon")
    with pytest.raises(PluginError, match="no registered problem has a Hypothesis strategy"):
        strategies.problems()
    twice = evolve(plugins, problems={"one": dungeon, "two": dungeon})
    monkeypatch.setattr(strategies, "registry", lambda: twice)
    with pytest.raises(
        PluginError, match="strategy 'mazes' is brought by several kinds of problem: one and two"
    ):
        strategies.mazes  # noqa: B018


def test_a_failing_test_shows_the_drawing() -> None:
    """The note of the smallest failing example is the picture."""

    @settings(parent=PLENTY, phases=[Phase.generate, Phase.shrink])
    @given(data=st.data())
    def fails(data: st.DataObject) -> None:
        problem: Any = data.draw(strategies.mazes(12))
        assert problem.starts == problem.goals

    with pytest.raises(AssertionError) as caught:
        fails()
    (drawn,) = (note for note in caught.value.__notes__ if note.startswith("Draw 1: "))
    assert drawn.removeprefix("Draw 1: ") in ("<Grid 2x1, 4 moves>\nSG", "<Grid 1x2, 4 moves>\nS\nG")


KINDS_OF_MAZE: dict[str, Callable[[Any], bool]] = {
    "perfect": lambda maze: maze.terrain.passable > 40 and is_tree(maze),
    "braided": lambda maze: maze.terrain.passable > 40 and not is_tree(maze) and connected(maze),
    "rooms": lambda maze: maze.terrain.passable > 40 and connected(maze),
    "caves": lambda maze: maze.terrain.passable > 40 and not connected(maze),
    "open": lambda maze: maze.terrain.passable > 40 and connected(maze),
}


def connected(maze: Any) -> bool:
    """Whether the start leads to all of the floor."""
    return len(explore(maze).edges) == maze.terrain.passable


def is_tree(maze: Any) -> bool:
    """Whether there is exactly one path between any two cells."""
    space = explore(maze)
    steps = sum(map(len, space.edges.values()))
    return connected(maze) and steps == 2 * (maze.terrain.passable - 1)


@pytest.mark.parametrize("kind", KINDS_OF_MAZE)
def test_each_kind_of_maze_is_drawn(kind: str) -> None:
    """Of some size, and of its kind."""
    assert find(strategies.mazes(kinds=[kind]), KINDS_OF_MAZE[kind], settings=PLENTY)


@settings(max_examples=50, deadline=None)
@given(strategies.mazes(kinds="perfect"))
def test_perfect_mazes_are_perfect(maze: Any) -> None:
    """There is exactly one path between any two cells."""
    assert is_tree(maze)


@settings(max_examples=50, deadline=None)
@given(strategies.dungeons(always_solvable=True))
def test_dungeons_can_be_solved_where_nothing_is_walled_in(dungeon: Any) -> None:
    """All of their floor is connected."""
    assert connected(dungeon)
    assert solve(dungeon).solution is not None
