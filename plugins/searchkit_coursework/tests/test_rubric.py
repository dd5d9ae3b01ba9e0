"""A rubric is read completely, or refused with the path of the faulty key."""

import re
from pathlib import Path

import pytest

from searchkit.errors import InputFormatError
from searchkit.plugin import parameters_of
from searchkit_coursework.maps import Instance
from searchkit_coursework.planted import check_criterion
from searchkit_coursework.properties import PROPERTIES
from searchkit_coursework.rubric import Criterion, read_rubric
from searchkit_coursework.sandbox import RunLimits

RUBRIC = """
title = "Mazes"

[limits]
seconds = 2

[maps]
small = ["a.txt", { file = "b.txt", problem = "keys", options = { contracted = false }, heuristic = "patchy" }]
large = ["maze"]

[[criteria]]
name = "finds"
function = "bfs"
property = "valid"
maps = "small"
points = 2

[[criteria]]
name = "few"
function = "astar"
property = "expands-at-most"
factor = 1.5
maps = ["small", "large"]
points = 1.5
partial = true
"""
TOP = ("title", "submissions")
ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "how-to" / "grade-a-class.md"


def write(directory: Path, text: str) -> Path:
    """Write a rubric."""
    path = directory / "rubric.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_is_read_whole(tmp_path: Path) -> None:
    """Each key has its value, or its default."""
    (tmp_path / "a.txt").write_text("S.G\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("#####\n#@.a#\n#####\n", encoding="utf-8")
    rubric = read_rubric(write(tmp_path, RUBRIC))
    assert (rubric.title, rubric.limits, rubric.points) == ("Mazes", RunLimits(seconds=2), 3.5)
    assert rubric.criteria[0].maps == (
        Instance("a.txt", folder=tmp_path),
        Instance("b.txt", "keys", "patchy", {"contracted": False}, folder=tmp_path),
    )
    finds, few = rubric.criteria
    assert (finds.property.name, finds.partial, finds.settings) == ("valid", False, {})
    assert few.settings == {"by": "f", "factor": 1.5, "extra": 0}
    assert [entry.file for entry in few.maps] == ["a.txt", "b.txt", "maze"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "Mazes"', "title = 3", "title: 3; expected a text"),
        ('title = "Mazes"', "titel = 3", "the rubric has no option 'titel': did you mean title?"),
        (
            "seconds = 2",
            "seconds = 0",
            "limits.seconds=0: expected a number from 0.001 to 1000000; seconds is the time",
        ),
        ("seconds = 2", "second = 2", "limits has no option 'second': did you mean seconds?"),
        ('large = ["maze"]', "large = []", "maps.large: []; expected a text or a list of texts"),
        ('large = ["maze"]', "large = [3]", "maps.large: [3]; expected a text or a list of texts"),
        ('{ file = "b.txt", ', "{ ", "maps.small[1].file is missing"),
        ('"patchy"', '"pachy"', "maps.small[1].heuristic=pachy: did you mean patchy?"),
        ("points = 2", "points = -2", "criteria[0].points=-2: expected a number"),
        ("points = 2", "points = nan", "criteria[0].points=nan: expected a number"),
        ("points = 2", "", "criteria[0].points is missing"),
        ('property = "valid"', 'property = "valit"', "criteria[0].property=valit: did you mean valid?"),
        ('property = "valid"', 'property = "valid"\nfactor = 2', "criteria[0] has no option 'factor'"),
        ("factor = 1.5", 'by = "a"', "criteria[1].by=a: expected one of depth, g, f"),
        ("title", "submissions = [3]\ntitle", "submissions: [3]; expected a text or a list of texts"),
        (
            'maps = "small"',
            'maps = "smal"',
            "criteria[0].maps: 'smal' is not a group of [maps]: small, large",
        ),
        ('maps = "small"', "", "criteria[0].maps: None; expected a text or a list of texts"),
        ("partial = true", "partial = 2", "criteria[1].partial=2: expected true or false"),
        ("partial = true", 'visibility = "no"', "criteria[1].visibility=no: expected one of visible, hidden"),
        ("[maps]", "[nosuch]", "the rubric has no option 'nosuch'"),
        ("title", "=", "can't be read as TOML"),
    ],
)
def test_a_fault_is_named_by_its_key(tmp_path: Path, old: str, new: str, message: str) -> None:
    """The message begins with the file and the key."""
    assert RUBRIC.count(old) == 1
    path = write(tmp_path, RUBRIC.replace(old, new))
    with pytest.raises(InputFormatError) as caught:
        read_rubric(path)
    assert str(caught.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize("text", ["", "[maps]\na = ['x']\n", "criteria = []\n[maps]\na = ['x']\n"])
def test_there_is_something_to_grade(tmp_path: Path, text: str) -> None:
    """A rubric without maps or criteria is refused."""
    with pytest.raises(InputFormatError, match=r"maps: None|criteria: "):
        read_rubric(write(tmp_path, text))


def test_every_key_and_property_is_documented() -> None:
    """The tables of the page have exactly one row for each."""
    text = PAGE.read_text(encoding="utf-8")
    section = re.search(r"^## The keys of a rubric\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    assert section
    named = re.findall(r"^\| `([^`]+)` \|", section[1], re.MULTILINE)
    own = [*(each.name for each in parameters_of(Criterion)), "maps"]
    limits = [f"limits.{each.name}" for each in parameters_of(RunLimits)]
    entry = [each.name for each in parameters_of(Instance)]
    assert sorted(named) == sorted([*TOP, *limits, "maps.NAME", "criteria", *entry, *own, *PROPERTIES])
    for each in PROPERTIES.values():
        row = re.search(rf"^\| `{each.name}` \|(.*)$", section[1], re.MULTILINE)
        assert row
        for setting in each.settings:
            assert f"`{setting.name}`" in row[1]


def test_options_tell_maps_of_one_file_apart(tmp_path: Path) -> None:
    """The same vault as a graph of keys and as a maze of cells are two maps."""
    vault = ROOT / "examples" / "coursework" / "search" / "mazes" / "keyring.txt"
    entries = (
        f'{{ file = "{vault}", problem = "keys", options = {{ contracted = {given} }} }}'
        for given in ("true", "false")
    )
    text = RUBRIC.replace('small = ["a.txt", ', f"small = [{', '.join(entries)}] #")
    one, other = (len(each.states) for each in read_rubric(write(tmp_path, text)).criteria[0].maps)
    assert one < other


def test_a_map_may_have_no_heuristic(tmp_path: Path) -> None:
    """The member of a graph without coordinates is None: a search gets 0, and mistakes are tried on it."""
    (tmp_path / "roads.csv").write_text("A,B,1\nB,C,1\nA,C,3\n", encoding="utf-8")
    roads = Instance("roads.csv", options={"start": "A", "goal": "C"}, folder=tmp_path)
    criterion = Criterion("", "ucs", PROPERTIES["optimal"], maps=(roads,))
    assert (set(roads.heuristic_values.values()), check_criterion(criterion)[1]) == ({0}, True)
