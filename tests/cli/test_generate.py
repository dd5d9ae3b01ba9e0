"""`searchkit generate`: maps from the bundled generators, and from any plugin's."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def bundled(unblock: Callable[..., Any]) -> Any:
    """Return what runs `searchkit` with the dungeon plugin, which the other tests of the command line do without."""
    return unblock("dungeon")


@pytest.mark.parametrize(
    "arguments",
    [
        ("dungeon", "--size", "64x56", "--rooms", "10", "--room-size", "60-90"),
        ("maze", "--size=41x21", "--algorithm", "wilson", "--braid", "0.5"),
        ("random", "--density", "0.2"),
        ("caves",),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_generated_file_is_solved_at_once(bundled: Any, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """`generate … -o FILE`, then `solve FILE`; stdout has the same text where no file is named."""
    path = tmp_path / "map.txt"
    outcome = bundled("generate", *arguments, "--seed", 5, "-o", path)
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    text = bundled("generate", *arguments, "--seed", 5).out
    assert text.encode() == path.read_bytes()
    assert "(optimal if the heuristic is admissible)" in bundled("solve", path).out


def test_the_seed_that_was_chosen_makes_the_same_map_again(bundled: Any) -> None:
    """It is printed on stderr, so that stdout has only the map; the next seed is another."""
    first, second = bundled("generate", "maze"), bundled("generate", "maze")
    seed = re.fullmatch(r"seed (\d+): the same map again with --seed \1\n", first.err)
    assert seed is not None
    assert bundled("generate", "maze", "--seed", seed[1]).out == first.out
    assert second.err != first.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("mase", "No such command 'mase'. Did you mean 'maze'?"),
        (
            "maze --size 41",
            "size=41: expected WIDTHxHEIGHT in cells, such as 64x56; "
            "size is width and height of the map in cells, WxH, best odd",
        ),
        ("dungeon --room-size 90-60", "room_size=90-60: the least comes first; did you mean 60-90?; "),
        ("random --density -1", "density=-1: expected a number from 0 to 1; "),
        ("maze --rooms 3", "No such option: --rooms; see: searchkit generate maze --help"),
        (
            "maze --algorithm eller",
            "algorithm=eller: expected one of backtracker, kruskal, prim, wilson",
        ),
        ("maze --seed", "Option '--seed' requires an argument"),
        (
            "maze --seed 1 -o no/map.txt",
            "no/map.txt can't be written: No such file or directory; expected the",
        ),
        (
            "dungeon --rooms 50 --size 40x40 --seed 1",
            "50 rooms of 40-90 cells do not fit into a map of 40x40 with a gap of 2: in 12 attempts no more than 1",
        ),
    ],
)
def test_wrong_use(bundled: Any, arguments: str, message: str) -> None:
    """One message that says what to do, exit code 2, nothing on stdout."""
    assert bundled("generate", *arguments.split()).refusal().startswith(message)
