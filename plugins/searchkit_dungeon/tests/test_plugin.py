"""The plugin in the registry: what it publishes, which files it takes and which it leaves."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import Phase, find, settings

from searchkit import Status, load, solve
from searchkit.plugin import InputFormatError, UnknownNameError
from searchkit_dungeon import Grid
from searchkit_dungeon.heuristics import MANY
from searchkit_dungeon.spec import SPEC

PLENTY = settings(max_examples=10_000, derandomize=True, database=None, phases=[Phase.generate])


PROPERTIES: dict[str, Callable[[Grid], bool]] = {
    "unsolvable": lambda problem: bool(problem.goals) and solve(problem).status is Status.UNSOLVABLE,
    "solved in several steps": lambda problem: (solve(problem).cost or 0) > 3,
    "terrain and diagonals": lambda problem: problem.terrain.weighted and problem.moves == 8,
    "several starts": lambda problem: len(problem.starts) > 1,
    "more goals than are looked at one by one": lambda problem: len(problem.goals) > MANY,
    "no goal": lambda problem: not problem.goals,
}


@pytest.mark.parametrize("name", PROPERTIES)
def test_the_strategy_draws_all_kinds_of_grids(name: str) -> None:
    """Otherwise property tests over it would test nothing."""
    assert SPEC.strategy is not None
    assert isinstance(find(SPEC.strategy(), PROPERTIES[name], settings=PLENTY), Grid)


@pytest.mark.parametrize(
    ("name", "text"), [("a.json", '{"a": [1, 2]}'), ("a.py", "import os\n"), ("a.md", "# Title\n\nText.\n")]
)
def test_other_files_are_left_to_other_plugins(tmp_path: Path, name: str, text: str) -> None:
    """JSON, Python and prose are not maps, and no file is read as another kind of problem."""
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(UnknownNameError, match="of no known format"):
        load(path)


def test_a_file_said_to_be_a_dungeon_is_read_as_one(tmp_path: Path) -> None:
    """Whatever it looks like: so the user gets a message about its faults."""
    path = tmp_path / "a.json"
    path.write_text('{"a": 1}')
    with pytest.raises(InputFormatError, match=r"a\.json: line 1, column 1: unknown character '{'"):
        load(path, "dungeon")


def test_a_scenario_is_no_map(tmp_path: Path) -> None:
    """The error explains how to run scenarios."""
    path = tmp_path / "a.scen"
    path.write_text("version 1\n")
    with pytest.raises(
        InputFormatError, match="this is a scenario, a list of queries; run them with searchkit scenario"
    ):
        load(path)
