"""Scenarios: what is read, where the map is looked for, and the one error of each faulty file."""

from math import inf
from pathlib import Path

import pytest

from searchkit import solve
from searchkit.plugin import InputFormatError
from searchkit.plugin.loading import load_scenario

MAP = "type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n"
GOOD = "version 1\n0\tmaps/dao/a.map\t4\t3\t0\t0\t3\t0\t3\n"


def write(tmp_path: Path, text: str, name: str = "a.map.scen") -> Path:
    """Write a scenario next to the map."""
    (tmp_path / "a.map").write_text(MAP)
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        GOOD.replace("\t", " "),
        GOOD.replace("\t", "   ").replace("version", "  version"),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("version 1", "version 1.0") + "\n\n\n",
        GOOD.partition("\n")[2],
        GOOD.replace("maps/dao/", "C:\\games\\maps\\"),
        GOOD.replace("maps/dao/", ""),
    ],
)
def test_the_variants_seen_in_the_wild(tmp_path: Path, text: str) -> None:
    """Tabs or spaces, CRLF, blank lines, another version, no version, any path of the map."""
    scenario = load_scenario(write(tmp_path, text))
    (query,) = scenario.queries
    assert (query.start, query.goal, query.expected) == ((0, 0), (3, 0), 3.0)
    assert solve(scenario.problem(query)).cost == 3
    assert Path(scenario.map) == tmp_path / "a.map"


@pytest.mark.parametrize(
    ("length", "tolerance"),
    [
        ("4.83", 0.005),
        ("4.82843", 5e-6),
        ("4.82842712", 5e-9),
        ("4.50", 0.005),
        ("5", 0),
        ("0", 0),
        ("1e+3", 0),
    ],
)
def test_the_tolerance_is_half_a_unit_of_the_last_decimal(
    tmp_path: Path, length: str, tolerance: float
) -> None:
    """A length without decimals is exact: half a unit would let a wrong 5.41 pass for 5."""
    (query,) = load_scenario(write(tmp_path, GOOD.replace("\t3\n", f"\t{length}\n"))).queries
    assert query.tolerance == pytest.approx(tolerance)
    assert query.expected == (float(length) or inf)


def test_a_wrong_length_disagrees(tmp_path: Path) -> None:
    """The comparison can fail: a length off by 0.01 is not the published one; one that is rounded is."""
    scenario = load_scenario(
        write(
            tmp_path,
            "version 1\n"
            + "".join(f"0 a.map 4 3 0 0 3 2 {x}\n" for x in ("5", "5.01", "5.0", "4.8", "5.41421")),
        )
    )
    agree = [query.agrees(solve(scenario.problem(query)).cost) for query in scenario.queries]
    assert agree == [True, False, True, False, False]


def test_a_query_that_starts_in_a_wall_or_off_the_map_stops_no_other(tmp_path: Path) -> None:
    """It has no path, as a published length of 0 with two different ends says."""
    ends = (
        "0 0 1 1 0",
        "0 0 1 1 3",
        "1 1 0 0 0",
        "4 0 3 0 0",
        "0 9 3 0 0",
        "0 0 3 0 3",
        "0 0 3 0 0",
        "0 0 0 0 0",
    )
    lines = "".join(f"0 a.map 4 3 {line}\n" for line in ends)
    scenario = load_scenario(write(tmp_path, f"version 1\n{lines}"))
    results = [solve(scenario.problem(query)) for query in scenario.queries]
    assert [result.cost for result in results] == [None, None, None, None, None, 3, 3, 0]
    agree = [query.agrees(result.cost) for query, result in zip(scenario.queries, results, strict=True)]
    assert agree == [True, False, True, True, True, True, False, True]


def test_the_map_can_be_named(tmp_path: Path) -> None:
    """`map` replaces the map that the lines name, and may be a text map."""
    elsewhere = tmp_path / "b.txt"
    elsewhere.write_text("....\n.##.\n....\n")
    path = write(tmp_path, GOOD.replace("a.map", "missing.map"))
    scenario = load_scenario(path, str(elsewhere))
    assert scenario.map == str(elsewhere)
    assert solve(scenario.problem(scenario.queries[0])).cost == 3


def test_a_map_stands_for_the_scenario_beside_it(tmp_path: Path) -> None:
    """`searchkit scenario maze512` finds maze512-8-0.map.scen."""
    write(tmp_path, GOOD)
    scenario = load_scenario(tmp_path / "a.map")
    assert len(scenario.queries) == 1
    (tmp_path / "b.map").write_text(MAP)
    with pytest.raises(InputFormatError, match=r"its scenario b.map.scen is not beside this file"):
        load_scenario(tmp_path / "b.map")


FAULTS = {
    "fields missing": (
        "version 1\n0 a.map 4 3 0 0 3\n",
        2,
        18,
        "the line has 7 fields; expected 9: bucket, map",
    ),
    "fields too many": (GOOD.replace("\t3\n", "\t3\t7\n"), 2, 32, "the line has 10 fields"),
    "width not a number": (
        "version 1\n0 a.map four 3 0 0 3 0 3\n",
        2,
        9,
        "width is 'four'; expected a whole number",
    ),
    "start not whole": ("version 1\n0 a.map 4 3 0.5 0 3 0 3\n", 2, 13, "start x is '0.5'"),
    "goal not a number": ("version 1\n0 a.map 4 3 0 0 3 ? 3\n", 2, 19, "goal y is '?'"),
    "length not a number": ("version 1\n0 a.map 4 3 0 0 3 0 far\n", 2, 21, "length is 'far'"),
    "length not finite": ("version 1\n0 a.map 4 3 0 0 3 0 nan\n", 2, 21, "length is 'nan'"),
    "length infinite": ("version 1\n0 a.map 4 3 0 0 3 0 inf\n", 2, 21, "length is 'inf'"),
    "length negative": (
        "version 1\n0 a.map 4 3 0 0 3 0 -1\n",
        2,
        21,
        "length is '-1'; expected a number, at least 0",
    ),
    "another width": ("version 1\n0 a.map 5 3 0 0 3 0 3\n", 2, 9, "width is 5, but the map is 4 wide"),
    "another height": ("version 1\n0 a.map 4 4 0 0 3 0 3\n", 2, 11, "height is 4, but the map is 3 high"),
    "two maps": (GOOD + "0 b.map 4 3 0 0 3 0 3\n", 3, 3, "the map is b.map, but that of line 2 is a.map"),
    "map not there": (GOOD.replace("a.map", "z.map"), 2, 3, "the map z.map is not beside this file"),
    "another version": ("version 2\n", 1, 9, "version is '2'; expected 1"),
    "no queries": ("version 1\n\n", 1, 1, "holds no query"),
    "empty": ("", 1, 1, "holds no query"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_scenario_is_one_error_with_its_place(tmp_path: Path, name: str) -> None:
    """The error names the file, the line, the column, what was found and what was expected."""
    text, line, column, message = FAULTS[name]
    path = write(tmp_path, text)
    with pytest.raises(InputFormatError) as caught:
        load_scenario(path)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))
