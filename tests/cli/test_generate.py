"""`searchkit generate`: maps from the bundled generators, and from any plugin's."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit.plugin.registry import DISABLE_VARIABLE

PLUGIN = """
from random import Random
import searchkit
from searchkit.plugin.specs import GeneratorSpec, boolean

def make(**options):
    return f"{options}\\n"

@searchkit.hookimpl
def searchkit_problems():
    parameters = (
        searchkit.Parameter("how_many", "a number", default=3, convert=int),
        searchkit.Parameter("loud", "whether it is loud", default=False, convert=boolean),
    )
    generators = (
        GeneratorSpec("echo", "what it was given", parameters, make),
        GeneratorSpec("CLASH", "twice", (), make),
    )
    return [searchkit.ProblemSpec("NAME", "a kind", dict, generators=generators)]
"""


@pytest.fixture
def bundled(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return what runs `searchkit` with the dungeon plugin, which the other tests of the command line do without."""
    blocked = os.environ[DISABLE_VARIABLE].split(",")
    monkeypatch.setenv(DISABLE_VARIABLE, ",".join(name for name in blocked if name != "dungeon"))
    return run


@pytest.fixture
def strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install two plugins with generators; both bring one that is called `both`."""
    for name, clash in (("one", "both"), ("two", "both")):
        text = PLUGIN.replace("NAME", name).replace("CLASH", clash).replace('"echo"', f'"echo-{name}"')
        (tmp_path / f"{name}_generators.py").write_text(text)
    folder = tmp_path / "strangers-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: strangers\nVersion: 1\n")
    (folder / "entry_points.txt").write_text("[searchkit]\none = one_generators\ntwo = two_generators\n")
    monkeypatch.syspath_prepend(tmp_path)


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
def test_a_generated_file_is_solved_at_once(
    bundled: Callable[..., Any], tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """`generate … -o FILE`, then `solve FILE`; stdout has the same text where no file is named."""
    path = tmp_path / "map.txt"
    outcome = bundled("generate", *arguments, "--seed", 5, "-o", path)
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    assert bundled("generate", *arguments, "--seed", 5).out == path.read_text()
    solved = bundled("solve", path)
    assert solved.code == 0
    assert "(optimal if the heuristic is admissible)" in solved.out


def test_a_file_is_replaced_and_has_plain_line_ends(bundled: Callable[..., Any], tmp_path: Path) -> None:
    """As people expect of -o; the options may stand on either side of it."""
    path = tmp_path / "map.txt"
    path.write_text("old" * 9999)
    assert bundled("generate", "maze", "-o", path, "--size", "9x7", "--seed", "1").code == 0
    data = path.read_bytes()
    assert (data.count(b"\n"), len(data), b"\r" in data) == (7, 70, False)


def test_the_seed_that_was_chosen_makes_the_same_map_again(bundled: Callable[..., Any]) -> None:
    """It is printed on stderr, so that stdout has only the map; the next seed is another."""
    first, second = bundled("generate", "maze"), bundled("generate", "maze")
    seed = re.fullmatch(r"seed (\d+): the same map again with --seed \1\n", first.err)
    assert seed is not None
    assert bundled("generate", "maze", "--seed", seed[1]).out == first.out
    assert second.err != first.err


def test_the_list_of_generators(bundled: Callable[..., Any]) -> None:
    """`generate` alone."""
    outcome = bundled("generate")
    assert (outcome.code, outcome.err) == (0, "")
    for name, summary in (
        ("caves", "caverns joined by tunnels"),
        ("dungeon", "rooms, and corridors that join them"),
    ):
        assert re.search(rf"│ {name} +│ dungeon +│ {summary} +│", outcome.out)


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help(bundled: Callable[..., Any], flag: str) -> None:
    """Of the command, and of a generator: each of its options with choices and default."""
    outcome = bundled("generate", flag)
    assert outcome.code == 0
    assert outcome.out.startswith("Usage: searchkit generate [OPTIONS] [GENERATOR]\n")
    outcome = bundled("generate", "maze", flag)
    assert outcome.code == 0
    assert outcome.out.startswith(
        "Usage: searchkit generate maze [OPTIONS]\n\n  A perfect maze, or one with loops.\n"
    )
    text = " ".join(outcome.out.split())
    assert "--size width and height of the map in cells, WxH, best odd (default: 61x31)" in text
    algorithms = "backtracker | growing-tree | kruskal | prim | wilson"
    assert f"--algorithm {algorithms}: the algorithm that generates the maze (default: " in text
    assert (
        "--seed the seed of the random number generator: the same seed gives the same map -o, --output"
        in text
    )
    assert "--room-size the number of cells of a room, LEAST-MOST;" in " ".join(
        bundled("generate", "dungeon", flag).out.split()
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("mase", "there is no generator 'mase': did you mean maze? There are caves, dungeon, maze, random"),
        (
            "maze --size 41",
            "--size=41: expected WIDTHxHEIGHT in cells, such as 64x56; "
            "--size is width and height of the map in cells, WxH, best odd",
        ),
        ("dungeon --room-size 90-60", "--room-size=90-60: the least comes first; did you mean 60-90?; "),
        ("random --density 1.5", "--density=1.5: expected a number from 0 to 1; "),
        ("random --density -1", "--density=-1: expected a number from 0 to 1; "),
        ("maze --seed -5", "--seed=-5: expected a whole number ≥ 0; "),
        (
            "maze --rooms 3",
            "generator 'maze' has no option --rooms; its options are --size, --algorithm, --braid, --seed",
        ),
        (
            "maze --algorithm eller",
            "--algorithm=eller: expected one of backtracker, growing-tree, kruskal, prim, wilson",
        ),
        ("maze --seed", "--seed: expected a value after it; see: searchkit generate maze --help"),
        ("maze --seed 1 --seed=2", "--seed is given twice; give it once"),
        ("maze 41x21", "41x21: expected an option of generator 'maze': --size, --algorithm, --braid, --seed"),
        (
            "--seed 1 maze",
            "--seed: the generator comes first, then its options: searchkit generate GENERATOR ",
        ),
        ("maze -o", "Option '-o' requires an argument"),
        (
            "dungeon --rooms 50 --size 40x40 --seed 1",
            "50 rooms of 40-90 cells do not fit into a map of 40x40 with a gap of 2: in 12 attempts no more than 1",
        ),
        ("random --density 1 --seed 1", "with density=1 no cell of 64x32 is left; ask for a lower density"),
    ],
)
def test_wrong_use(bundled: Callable[..., Any], arguments: str, message: str) -> None:
    """One message that says what to do, exit code 2, nothing on stdout."""
    outcome = bundled("generate", *arguments.split())
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert outcome.err.startswith(f"error: {message}")


def test_a_file_that_can_not_be_written(bundled: Callable[..., Any], tmp_path: Path) -> None:
    """It is named."""
    path = tmp_path / "nowhere" / "map.txt"
    outcome = bundled("generate", "maze", "--seed", 1, "-o", path)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        f"error: {path} can't be written: No such file or directory; expected the path of a file in a directory that "
        "exists\n"
    )


@pytest.mark.usefixtures("strangers")
def test_the_generators_of_any_plugin(run: Callable[..., Any]) -> None:
    """Options are read as the plugin says, dashes for underscores; a generator without a seed is not given one."""
    outcome = run("generate", "echo-one", "--how-many", "7")
    assert (outcome.code, outcome.out, outcome.err) == (0, "{'how_many': 7, 'loud': False}\n", "")
    assert run("generate", "echo-two", "--loud=yes").out == "{'how_many': 3, 'loud': True}\n"
    assert run("generate", "echo-two", "--how_many", "7").code == 2


@pytest.mark.usefixtures("strangers")
def test_a_name_that_clashes(run: Callable[..., Any]) -> None:
    """Both plugins are named, and how to block one; both are listed."""
    outcome = run("generate", "both")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        "error: generator 'both' is brought by several plugins: one and two; "
        f"block all but one of them with {DISABLE_VARIABLE}=two\n"
    )
    assert len(re.findall(r"│ both +│ (one|two) ", run("generate").out)) == 2


def test_no_plugin_has_a_generator(run: Callable[..., Any]) -> None:
    """The message says so, and nothing breaks."""
    assert run("generate", "maze").err == "error: there is no generator 'maze'; there are none\n"
    assert run("generate").code == 0
