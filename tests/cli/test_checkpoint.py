"""`searchkit solve --checkpoint` and `--resume`: a search of the command line is resumed from a file."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit import Search, load, saved_header
from searchkit.plugin import EngineSpec

Run = Callable[..., Any]


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
    words = ("--set", "depth=150", "--engine", "dls", "--checkpoint", saved, "--max-expansions", 20)
    first = run("solve", source, *words)
    assert first.code == 3
    assert f"resumeitwith:searchkitsolve--resume{saved}" in "".join(first.out.split()), "it may be wrapped"
    assert saved_header(saved).label == {"source": str(source), "options": {"settings": ["depth=150"]}}
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
    resume = f"searchkit solve --resume {saved} {source} --changed-problem"
    way = f"; correct it, and resume it with: {resume}; it was raised in"
    assert (
        f"Walk.successors(40) raised ZeroDivisionError: oops, while 40 was being expanded{way}" in failed.err
    )
    again = run("solve", "--resume", saved, source)
    assert (again.code, "and run the command again; it was" in again.err) == (2, True)
    with monkeypatch.context() as full:
        full.setattr(Search, "save", raise_full)
        lost = run("solve", source, "--engine", engine, "--checkpoint", tmp_path / "other.search")
    assert lost.code == 2
    assert "and run the command again, as --checkpoint " in lost.err
    assert "can't be written: No space left" in lost.err
    source.write_text(PROGRAM.format(wrong=-1))
    whole, resumed = (
        run("solve", source, "--engine", engine, "--json"),
        run("solve", "--resume", saved, source, "--changed-problem", "--json"),
    )
    assert "the code of the problem has changed" in run("solve", "--resume", saved, source).err
    before, after = answer(whole.out), answer(resumed.out)
    assert (after["cost"], after["actions"], resumed.code) == (before["cost"], before["actions"], 0)
    assert (before["optimal"], after["optimal"], after["lower_bound"]) == (True, False, 0)


def test_a_saved_search_does_not_choose_which_python_file_runs(run: Run, tmp_path: Path) -> None:
    """It may be somebody else's. With the source, the options are those that were saved."""
    source, saved = f"{tmp_path / 'walk.py'}:walk", tmp_path / "walk.search"
    code = "from searchkit import problem_from\ndef walk(goal=9):\n"
    code += "    return problem_from([0], lambda x: [(1, x + 1)], {}.__eq__)"
    (tmp_path / "walk.py").write_text(code.format("goal"))
    run("solve", source, "--set", "goal=500", "--checkpoint", saved, "--max-expansions", 9)
    (tmp_path / "walk.py").write_text("raise SystemExit('it ran')\n")
    refused = run("solve", "--resume", saved)
    assert (refused.code, "give its source" in refused.err, "it ran" in refused.err) == (2, True, False)
    (tmp_path / "walk.py").write_text(code.format("goal"))
    assert json.loads(run("solve", "--resume", saved, source, "--json").out)["cost"] == 500


def test_it_is_saved_at_an_interval(run: Run, file: Callable[..., Any], tmp_path: Path) -> None:
    """While it runs; the search that is loaded from the file in another process ends with the same answer."""
    saved, seen = tmp_path / "line.search", list[int]()

    def look(line: Any, state: int) -> Any:
        if saved.exists():
            seen.append(int(saved_header(saved).statistics["expanded"]))
        return [("up", state + 1), ("down", state - 1)]

    source = file("line 0 2000")
    run("problems")  # which imports the toy plugin
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules["toy_searchkit"].Line, "successors", look)
        assert (
            run("solve", source, "--checkpoint", saved, "--every", "0.000001s", "--max-expansions", 2000).code
            == 3
        )
    assert len(set(seen)) > 2
    assert seen == sorted(seen)
    words = ("--resume", saved, "--changed-problem", "--json")
    assert json.loads(run("solve", *words).out)["cost"] == 2000


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
    assert f"{saved}: not written" in " ".join(outcome.out.split())
    assert "No space" not in outcome.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing argument 'SOURCE'"),
        (["SOURCE", "--every", "5s"], "--every 5s: it is how often --checkpoint FILE is written"),
        *(
            (["SOURCE", "--checkpoint", "NEW", "--every", wrong], "expected a number above 0 with a unit")
            for wrong in ("0s", "5", "5d", "1e3s", "9" * 10 + "s", "٣s")
        ),
        (["SOURCE", "--checkpoint", "SAVED"], "is a search that has not ended: resume it with --resume"),
        (["SOURCE", "--checkpoint", "SOURCE"], "is not a search saved by this version"),
        (["--resume", "SAVED", "--set", "ties=lifo"], "takes the source and its options from the file"),
        (["--resume", "SAVED", "--engine", "dijkstra"], "the file has bfs; leave the engine out, or begin"),
        (["--resume", "SAVED", "--backend", "compiled"], "is a search with backend python"),
        (["SOURCE", "--resume", "DLS", "--set", "depth=8"], "is a search with depth=7"),
        (["--resume", "SOURCE"], "expected a saved search"),
        (["--resume", "NEW"], "can't be read"),
        (["OTHER", "--resume", "SAVED"], "; give the problem of the file, or begin a new search"),
        (["--resume", "UNNAMED"], "give its source"),
        (["--resume", "OWN"], "'own'; if it is in a Python file, give it with --engine FILE.py:own"),
        (
            ["SOURCE", "--checkpoint", "NEW", "--spill", "NEW", "--max-memory", "9"],
            "a search on disk is resumed from its directory",
        ),
        (["SOURCE", "--spill", "NEW"], "give --max-memory too"),
        (["SOURCE", "--changed-problem"], "it is how --resume FILE loads the search"),
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
    Search(load(str(source)), "dls", depth=7).save(tmp_path / "dls")
    own: Any = Search(load(str(source)), EngineSpec("own", search.spec.run))
    own.save(tmp_path / "own", label={"source": str(source)})
    names = {
        "SOURCE": source, "SAVED": saved, "NEW": tmp_path / "new", "UNNAMED": unnamed,
        "OTHER": file("line 0 98", name="other.txt"), "DLS": tmp_path / "dls",
        "OWN": tmp_path / "own",
    }  # fmt: skip
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    outcome = run("solve", *(names.get(word, word) for word in arguments))
    assert outcome.code == 2
    assert said in outcome.err
    assert outcome.err.count("error: ") == 1
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
