"""`searchkit solve --checkpoint` and `--resume`: a search of the command line is resumed from a file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit import Limits, Search, load, per_slice, problem_from, saved_header, solve
from searchkit.cli.checkpoints import Checkpoint, read_interval
from searchkit.cli.request import Request
from searchkit.errors import InvalidOptionError


def answer(out: str) -> dict[str, Any]:
    """Return a JSON output without seconds and without the file."""
    value: dict[str, Any] = json.loads(out)
    value["statistics"].pop("seconds")
    return {**value, "checkpoint": None}


def test_a_search_goes_on_from_its_file(
    run: Callable[..., Any], file: Callable[..., Any], tmp_path: Path
) -> None:
    """At each limit it is saved; without SOURCE, the file says what is searched; the answer is the same."""
    source, saved = file("line 0 99"), tmp_path / "line.search"
    whole = run("solve", source, "--json", "--set", "depth=150", "--engine", "dls")
    first = run(
        "solve",
        source,
        "--set",
        "depth=150",
        "--engine",
        "dls",
        "--checkpoint",
        saved,
        "--max-expansions",
        20,
    )
    assert first.code == 3
    assert f"resumeitwith:searchkitsolve--resume{saved}" in "".join(first.out.split()), "it may be wrapped"
    assert saved_header(saved).label == {"source": str(source), "options": {"--set": {"depth": "150"}}}
    second = run("solve", "--resume", saved, "--checkpoint", saved, "--max-expansions", 30, "--json")
    assert second.code == 3
    assert json.loads(second.out)["statistics"]["expanded"] == 50
    assert json.loads(second.out)["checkpoint"] == str(saved)
    third = run("solve", source, "--resume", saved, "--json")
    assert (third.code, answer(third.out)) == (0, answer(whole.out))
    assert not saved_header(saved).ended, "without --checkpoint, nothing is written"
    again = run("solve", "--resume", saved, "--checkpoint", saved, "--json")
    assert answer(again.out) == answer(whole.out)
    assert saved_header(saved).ended
    assert answer(run("solve", "--resume", saved, "--json").out) == answer(whole.out)
    assert run("solve", source, "--checkpoint", saved).code == 0, "a search that has ended may be replaced"


def raise_full(*_: Any, **__: Any) -> None:
    """Raise what a full disk raises."""
    raise OSError(28, "No space left on device")


PROGRAM = """
from searchkit import SearchProblem


class Walk(SearchProblem):
    def initial_states(self):
        return [0]

    def is_goal(self, state):
        return state == 5000

    def successors(self, state):
        if state == {wrong}:
            raise ZeroDivisionError("oops")
        return [("+1", state + 1), ("x2", 2 * state % 7001)]
"""


@pytest.mark.parametrize("engine", ["bfs", "dijkstra"])
def test_an_error_of_the_problem_loses_nothing(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    """The search is saved; when the file is correct, it goes on and ends as if nothing had happened."""
    source, saved = tmp_path / "walk.py", tmp_path / "walk.search"
    source.write_text(PROGRAM.format(wrong=40))
    failed = run("solve", source, "--engine", engine, "--checkpoint", saved)
    assert (failed.code, failed.out) == (2, "")
    way = f"; correct it, and resume it with: searchkit solve --resume {saved} --changed-problem; it was raised in"
    assert f"Walk.successors raised ZeroDivisionError: oops, while 40 was being expanded{way}" in failed.err
    again = run("solve", "--resume", saved)
    assert (again.code, "and run the command again; it was" in again.err) == (2, True)
    with monkeypatch.context() as full:
        full.setattr(Search, "save", raise_full)
        lost = run("solve", source, "--engine", engine, "--checkpoint", tmp_path / "other.search")
    assert lost.code == 2
    assert "and run the command again, as --checkpoint failed: " in lost.err
    assert "can't be written: No space left" in lost.err
    source.write_text(PROGRAM.format(wrong=-1))
    whole, resumed = (
        run("solve", source, "--engine", engine, "--json"),
        run("solve", "--resume", saved, "--changed-problem", "--json"),
    )
    assert run("solve", "--resume", saved).code == 2, "the code has changed"
    before, after = answer(whole.out), answer(resumed.out)
    assert (after["cost"], after["actions"], resumed.code) == (before["cost"], before["actions"], 0)
    assert (before["optimal"], after["optimal"], after["lower_bound"]) == (True, False, 0)


def test_ctrl_c_saves_the_search(
    run: Callable[..., Any], file: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a limit does."""
    saved = tmp_path / "line.search"
    monkeypatch.setattr(Checkpoint, "_look", lambda self, search, state: search.interrupt())
    assert run("solve", file("line 0 99"), "--checkpoint", saved).code == 3
    assert 0 < saved_header(saved).statistics["expanded"] < 99


def test_it_is_saved_at_an_interval(tmp_path: Path) -> None:
    """Between slices; a search that is loaded from any of these files ends with the same answer."""
    problem = problem_from([0], lambda n: [("up", n + 1)], lambda n: n == 3_000)
    saver = Checkpoint(str(tmp_path / "a.search"), 0.0, Request.of("number"))
    found = list[int]()

    def look(search: Any, state: Any) -> None:
        saver._look(search, state)
        found.append(int(saved_header(saver.path).statistics["expanded"]))

    search: Any = Search(problem, "bfs", observers=[per_slice(look)])
    search.run(Limits(expansions=2_000))
    assert len(set(found)) > 2
    assert found == sorted(found)
    loaded = Search.load(saver.path, problem).run()
    expected = solve(problem, "bfs")
    assert (loaded.solution, loaded.statistics.expanded) == (expected.solution, expected.statistics.expanded)


def test_a_full_disk_does_not_end_the_search(
    run: Callable[..., Any], file: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it runs, that is one warning; at the end, the answer is printed all the same."""
    saved = tmp_path / "line.search"

    def full(self: object, path: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Search, "save", full)
    outcome = run("solve", file("line 0 99"), "--checkpoint", saved, "--every", "0.000001s", "--no-draw")
    assert outcome.code == 2
    assert "solved" in outcome.out
    warning = (
        f"warning: --checkpoint {saved}: it can't be written: No space left on device; the search continues"
    )
    assert outcome.err.count(warning) == 1
    assert f"error: --checkpoint {saved}: it can't be written: No space left on device" in outcome.err
    assert "not written, as the error says" in " ".join(outcome.out.split())
    assert "No space" not in outcome.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing argument 'SOURCE'"),
        (["SOURCE", "--every", "5s"], "--every 5s: it is how often --checkpoint FILE is written"),
        (["SOURCE", "--checkpoint", "NEW", "--every", "5"], "expected a number above 0 with a unit"),
        (["SOURCE", "--checkpoint", "SAVED"], "is a search that has not ended: resume it with --resume"),
        (["SOURCE", "--checkpoint", "SOURCE"], "is not a saved search"),
        (["--resume", "SAVED", "--set", "ties=lifo"], "takes the source and its options from the file"),
        (["--resume", "SAVED", "--engine", "dijkstra"], "the file has bfs; leave the engine out, or begin"),
        (["--resume", "SAVED", "--backend", "compiled"], "is a search with backend python"),
        (["--resume", "SOURCE"], "expected a saved search"),
        (["--resume", "NEW"], "can't be read"),
        (["OTHER", "--resume", "SAVED"], "; give the problem of the file, or begin a new search"),
        (["--resume", "UNNAMED"], "give its source"),
        (
            ["SOURCE", "--checkpoint", "NEW", "--spill", "NEW", "--max-memory", "9"],
            "a search on disk is resumed from its directory",
        ),
        (["SOURCE", "--spill", "NEW"], "give --max-memory too"),
        (["SOURCE", "--changed-problem"], "it is how --resume FILE loads the search"),
        (["--resume", "SAVED", "--animate", "search"], "a search that was saved can't be recorded"),
    ],
)
def test_wrong_use_loses_nothing(
    arguments: list[str], said: str, run: Callable[..., Any], file: Callable[..., Any], tmp_path: Path
) -> None:
    """One error, exit code 2, and the files are as they were."""
    source, saved, unnamed = file("line 0 99"), tmp_path / "saved", tmp_path / "unnamed"
    run("solve", source, "--engine", "bfs", "--checkpoint", saved, "--max-expansions", 5)
    search: Any = Search(load(str(source)), "bfs")
    search.save(unnamed)
    names = {
        "SOURCE": source, "SAVED": saved, "NEW": tmp_path / "new", "UNNAMED": unnamed,
        "OTHER": file("line 0 98", name="other.txt"),
    }  # fmt: skip
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    outcome = run("solve", *(names.get(word, word) for word in arguments))
    assert outcome.code == 2
    assert said in outcome.err
    assert outcome.err.count("error: ") == 1
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(("text", "seconds"), [("30s", 30), ("1.5m", 90), ("2h", 7200)])
def test_an_interval(text: str, seconds: float) -> None:
    """It has a unit."""
    assert read_interval(text) == seconds


@pytest.mark.parametrize("text", ["0s", "-1s", "s", "5", "5d", "1e3s", "", "9" * 10 + "s", "٣s"])
def test_no_interval(text: str) -> None:
    """It is a number above 0 with a unit."""
    with pytest.raises(InvalidOptionError, match=r"--every .*: expected a number above 0 with a unit"):
        read_interval(text)
