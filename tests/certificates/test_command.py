"""`searchkit solve --certificate` and `searchkit certify`."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from searchkit.cli import main

Run = Callable[..., subprocess.CompletedProcess[str]]
"""A runner: runs the command, and returns its exit code and its output."""

CAVE = """\
##########
#S..#....#
#.#.#.##.#
#.#...#G.#
#.###.##.#
#...5....#
##########
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs `searchkit` in this process, in a directory with a map."""
    (tmp_path / "cave.txt").write_text(CAVE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.delenv("FORCE_COLOR", raising=False)

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        code = main(list(arguments))
        captured = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, captured.out, captured.err)

    return command


def row(out: str, name: str) -> str:
    """Return the text after a name."""
    found = re.search(rf"^{name} +(.*?) *$", out, re.MULTILINE)
    assert found, out
    return found[1]


def test_solve_and_certify(run: Run) -> None:
    """The report names the proof; certify accepts it, and lists what it proves and assumes."""
    solved = run("solve", "cave.txt", "--engine", "dijkstra", "--no-draw", "--certificate", "proof")
    assert (solved.returncode, solved.stderr) == (0, "")
    assert re.fullmatch(r"proof, \d+ states", row(solved.stdout, "certificate"))
    checked = run("certify", "cave.txt", "proof")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert row(checked.stdout, "claim") == "solved: cost 14 (optimal), found by dijkstra"
    assert row(checked.stdout, "verdict") == "accepted"
    assert "a path from a start to a goal costs 14" in checked.stdout
    assert "no path costs less than 14" in checked.stdout
    assert "assumed" not in checked.stdout


def test_as_json(run: Run) -> None:
    """`solve --json` names the file; `certify --json` prints one object."""
    solved = run("solve", "cave.txt", "--engine", "astar", "--json", "--certificate", "proof")
    assert json.loads(solved.stdout)["certificate"]["file"] == "proof"
    checked = json.loads(run("certify", "cave.txt", "proof", "--json").stdout)
    assert checked["accepted"]
    assert checked["objection"] is None
    assert (checked["status"], checked["cost"], checked["lower_bound"]) == ("solved", 14, 14)
    assert checked["assumed"][0].startswith("the heuristic never overestimates")


@pytest.mark.parametrize("engine", ["bfs", "dijkstra", "astar", "bucket", "idastar", "dfs"])
def test_unsolvable(run: Run, tmp_path: Path, engine: str) -> None:
    """Unsolvability is proved too; exit code 0 means that the proof holds."""
    (tmp_path / "walled.txt").write_text("#####\n#S#G#\n#####\n", encoding="utf-8")
    assert (
        run("solve", "walled.txt", "--engine", engine, "--no-draw", "--certificate", "proof").returncode == 1
    )
    checked = run("certify", "walled.txt", "proof")
    assert checked.returncode == 0
    assert row(checked.stdout, "proved") == "no path exists"


def test_cut_off(run: Run) -> None:
    """After a cutoff, the lower bound is proved from the frontier."""
    cut = run("solve", "cave.txt", "--engine", "dijkstra", "--max-expansions", "9", "--certificate", "proof")
    assert cut.returncode == 3
    bound = re.search(r"any path costs at least (\d+)", cut.stdout)
    assert bound
    checked = run("certify", "cave.txt", "proof")
    assert checked.returncode == 0
    assert row(checked.stdout, "proved") == f"no path costs less than {bound[1]}"


def test_a_map_that_has_changed(run: Run, tmp_path: Path) -> None:
    """A shorter path, or a wall in the path, makes the proof wrong: rejected with the reason, exit code 1."""
    run("solve", "cave.txt", "--engine", "dijkstra", "--no-draw", "--certificate", "proof")
    (tmp_path / "cave.txt").write_text(CAVE.replace("#.#...#G.#", "#.#....G.#"), encoding="utf-8")
    checked = run("certify", "cave.txt", "proof")
    assert checked.returncode == 1
    assert row(checked.stdout, "verdict").startswith("rejected: ")
    assert "may have changed since" in checked.stdout
    assert "proved" not in checked.stdout
    assert json.loads(run("certify", "cave.txt", "proof", "--json").stdout)["accepted"] is False


def test_the_options_are_kept(run: Run) -> None:
    """The problem is read as it was solved; another option is about another problem, which is not proved."""
    options = ("--set", "moves=8", "--start", "1,5", "--problem", "dungeon")
    run("solve", "cave.txt", *options, "--engine", "astar", "--set", "ties=fifo", "--certificate", "proof")
    assert run("certify", "cave.txt", "proof").returncode == 0
    assert run("certify", "cave.txt", "proof", *options).returncode == 0
    for other, code in (
        (("--set", "moves=4"), 1),
        (("--start", "1,1"), 1),
        (("--problem", "corridor"), 2),
    ):
        assert run("certify", "cave.txt", "proof", *other).returncode == code


def test_wrong_use(run: Run, tmp_path: Path) -> None:
    """One error each, before anything is searched; exit code 2."""
    run("solve", "cave.txt", "--no-draw", "--certificate", "proof")
    (tmp_path / "cut").write_bytes((tmp_path / "proof").read_bytes()[:-30])
    for arguments, message in {
        ("certify", "cave.txt", "missing"): "No such file",
        ("certify", "cave.txt", "cave.txt"): "error: cave.txt: this is not a certificate",
        ("certify", "cave.txt", "cut"): "the file was cut short",
        (
            "certify",
            "crossing",
            "proof",
        ): "was read as problem 'robots', and proof is about a problem 'dungeon'",
        ("solve", "cave.txt", "--certificate", "no/where"): "--certificate no/where: there is no directory",
        ("solve", "cave.txt", "--certificate", "."): "--certificate .: it is a directory",
    }.items():
        refused = run(*arguments)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert message in refused.stderr
        assert "Traceback" not in refused.stderr


def test_an_engine_that_holds_no_states(run: Run) -> None:
    """The certificate proves what it can, and the report names the rest and how to check it."""
    solved = run("solve", "crossing", "--engine", "cbs", "--no-draw", "--certificate", "proof")
    assert row(solved.stdout, "certificate") == (
        "proof, 0 states; it proves only that no path costs less than 60: cbs holds no states to prove it by; dijkstra "
        "does"
    )
    checked = run("certify", "crossing", "proof")
    assert checked.returncode == 0
    assert (
        row(checked.stdout, "claim")
        == "solved: cost 62 (at least 60 is needed if the heuristic is admissible), found by cbs"
    )
