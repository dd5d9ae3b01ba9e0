"""The plugin in the registry: what it publishes, which files it takes, and what it draws."""

from pathlib import Path

import pytest

from searchkit import load
from searchkit.plugin import InputFormatError, UnknownNameError
from searchkit_corridor import CorridorGrid, corridor_grid
from searchkit_dungeon import Grid


def test_grids_are_taken_only_where_regions_are_asked_for(tmp_path: Path) -> None:
    """By name, or by an option that only this plugin has; other grids are the dungeon plugin's."""
    path = tmp_path / "map.txt"
    path.write_text("S..\n..G\n")
    assert type(load(path)) is Grid
    with pytest.raises(UnknownNameError, match="'keys' has no option 'cell'"):
        load(path, "keys", cell=2)
    for kind, options in ((None, {"cell": "2"}), ("corridor", {})):
        assert isinstance(load(path, kind, **options), CorridorGrid)


def test_floor_with_costs_is_refused() -> None:
    """The message says what to do, since a corridor counts steps."""
    with pytest.raises(InputFormatError, match="depth=digits, or solve it with another engine"):
        corridor_grid(["S29G"])
    assert corridor_grid(["S29G"], depth="digits").depths is not None
