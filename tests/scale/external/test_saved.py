"""Searches on disk in machine code are saved to files: with their files, or with the name of their directory."""

import gc
import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import wait
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search, SearchProblem, solve
from searchkit.cli import main
from searchkit.compiled.kit import run as slices
from searchkit.errors import InputFormatError, SearchkitError
from searchkit.scale.external import place
from searchkit.testing import check_saving
from searchkit.tree import SearchTree
from searchkit_tiles import SlidingTiles
from tests.scale.external.boards import TILES, Directed, facts, small_layers
from tests.scale.external.memory import memory
from tests.scale.external.test_buckets import small_buckets

ENGINES: dict[str, Callable[[int], AbstractContextManager[None]]] = {
    "external_bfs": small_layers,
    "external_dijkstra": small_buckets,
    "external_astar": small_buckets,
}


def board(kind: type[SlidingTiles] = SlidingTiles) -> SlidingTiles:
    """Return a board of 3×2, of whose 360 states a search reaches most."""
    return kind(3, 2, TILES, "blank-first", "manhattan")


def begun(problem: SearchProblem[Any, Any], engine: str, **options: Any) -> Search[Any, Any]:
    """Return a search in machine code that stands before its first expansion."""
    search: Search[Any, Any] = Search(problem, engine, backend="compiled", **options)
    search.run(Limits(expansions=0))
    return search


def again(search: Search[Any, Any], file: Path) -> Search[Any, Any]:
    """Return the search as it is loaded after it was saved."""
    search.save(file)
    return Search.load(file, search.problem)


@pytest.mark.long
@pytest.mark.parametrize("engine", sorted(ENGINES))
@given(data=st.data())
@settings(max_examples=12)
@pytest.mark.fewest(3)
def test_at_any_pause(tmp_path_factory: pytest.TempPathFactory, engine: str, data: st.DataObject) -> None:
    """Between two tasks of a round too, and again and again."""
    file = tmp_path_factory.mktemp("saved") / "search"
    kind = data.draw(st.sampled_from([SlidingTiles, Directed]))
    with ENGINES[engine](data.draw(st.sampled_from([0, 12, 1000]))):
        expected = solve(board(kind), engine, backend="compiled")
        search, under_way = begun(board(kind), engine), 0
        step, times = data.draw(st.sampled_from([3, 40])), data.draw(st.integers(3, 12))
        while not search.ended and times:
            for _ in range(data.draw(st.integers(1, 9))):
                search._advance(step)
            under_way += bool(search.kernel._phase)
            search, times = again(search, file), times - 1
        result = again(search, file).run()
        assert facts(result) == facts(expected)
        assert again(result.search, file).run().solution == result.solution
        assert result.solution is not None
        assert result.solution.states == expected.solution.states


def one_ended(*arguments: Any) -> Any:
    """Wait for tasks, and return one at most that has ended: on a busy machine all may have."""
    return SimpleNamespace(done=list(wait(*arguments).done)[:1])


@pytest.mark.long
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_in_the_middle_of_a_round(engine: str, named: bool, tmp_path: Path) -> None:
    """What tasks have expanded is expanded again, and not counted again."""
    with ENGINES[engine](0), patch.object(place, "wait", one_ended), patch.object(slices, "PATIENCE", 0.0):
        expected = solve(board(), engine, backend="compiled")
        options: dict[str, Any] = {"directory": str(tmp_path / "work")} if named else {}
        search, sights = begun(board(), engine, **options), Counter[int]()
        while not search.ended:
            search._advance(8)
            if search.kernel._phase and search.kernel._in_round:
                expanded, number = search.tree.expanded, len(search.kernel.layers)
                sights[number] += 1
                if sights[number] == 1 + number % 3:
                    search.save(tmp_path / "search")
                    search.kernel.place.close()
                    search = Search.load(tmp_path / "search", board())
                    assert search.tree.expanded == expanded
        assert sum(sights[number] > number % 3 for number in sights) > 4
        result = search.run()
        assert facts(result) == facts(expected)
        assert result.warnings == (), "the directory has not gone on"


@pytest.mark.long
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_over_objects(engine: str, named: bool, tmp_path: Path) -> None:
    """Other workers go on, which have none of the objects; the file or the directory has what these stood for."""
    file, options = tmp_path / "search", {"directory": str(tmp_path / "work")} if named else {}
    problem = SlidingTiles(3, 2, TILES, "blank-first", "zero")
    with memory() as opened, ENGINES[engine](0), patch.object(slices, "PATIENCE", 0.0):
        expected = facts(solve(problem, engine, backend="compiled"))
        opened.clear()
        search = begun(problem, engine, workers="ray", exchange="objects", **options)
        within = 0
        for _ in range(3):
            search.run(Limits(expansions=10))
            while not (search.ended or (search.kernel._phase and search.kernel._in_round)):
                search._advance(8)
            within += not search.ended
            search.save(file)
            search.kernel.place.stop()
            opened[-1].things.clear()
            del search
            gc.collect()
            search = Search.load(file, problem)
            assert search.options["exchange"] == "objects"
        assert facts(search.run()) == expected
    assert within, "it was saved in the middle of a round"
    assert len(opened) == 4
    assert opened[-1].put > 0, "the last workers were given what is in the files"
    assert len(opened[-1].sent) > 2


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_with_the_check_of_authors(engine: str) -> None:
    """Before the first expansion, and when it has ended."""
    assert check_saving(engine, board(), backend="compiled").examples == 1


def restored(search: Search[Any, Any], saved: dict[str, Any]) -> Any:
    """Return another run that takes over what one has saved."""
    run = type(search.kernel)(search.problem, SearchTree())
    run.restore(saved)
    return run


@pytest.mark.parametrize("engine", ["external_bfs", "external_astar"])
def test_a_manifest_that_does_not_fit_its_files(engine: str) -> None:
    """It is an error of the saved search, not of the temporary directory, which the user does not know."""
    search = begun(board(), engine)
    search.run(Limits(expansions=60))
    saved = dict(search.kernel.saved())
    body = json.loads(saved["manifest"])
    body["files"][0][5] += 1
    with pytest.raises(InputFormatError, match=r"can't be continued: manifest: .*is damaged: it has"):
        restored(search, saved | {"manifest": json.dumps(body)})


def damaged(random: Random, saved: dict[str, Any]) -> dict[str, Any]:
    """Return what was saved with one value that may be anything."""
    made, name = dict(saved), random.choice(sorted(saved))
    value = made[name]
    if name == "manifest":
        place = random.randrange(len(value))
        made[name] = value[:place] + random.choice("0 9,-]x") + value[place + random.randrange(2) :]
    elif not isinstance(value, np.ndarray):
        made[name] = random.choice([None, True, 0, -1, 1 << 70, 1.5, "x", []])
    elif random.random() < 0.2:
        made[name] = value[: len(value) // 2]
    elif value.size:
        value = made[name] = np.array(value)
        value.flat[random.randrange(value.size)] ^= 1 << random.randrange(7)
    return made


@pytest.mark.long
@pytest.mark.seeds(6)
@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_made_up_values(engine: str, seed: int) -> None:
    """They are one clear error when they are read, or when they are used; or the search ends."""
    random, refused = Random(seed), 0
    with ENGINES[engine](random.choice([0, 12])):
        search = begun(board(), engine)
        for _ in range(random.randrange(1, 20)):
            search._advance(20)
        saved = {
            name: np.array(value) if isinstance(value, np.ndarray) else value
            for name, value in search.kernel.saved().items()
        }
        restored(search, saved)
        for _ in range(30):
            try:
                run = restored(search, damaged(random, saved))
                for _ in range(2000):
                    if run.ended:
                        break
                    run.advance(1000)
            except SearchkitError:
                refused += 1
    assert refused > 5


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The files are in the checkpoint, as the directory is a temporary one."""
    saved = tmp_path / "puzzle.search"
    how = "solve", "8puzzle", "--engine", "external_bfs", "--json"
    assert main(how) == 0
    whole = json.loads(capsys.readouterr().out)
    assert main([*how, "--checkpoint", str(saved), "--max-expansions", "5000"]) == 3
    capsys.readouterr()
    assert main(["solve", "--resume", str(saved), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    for answer in (whole, found):
        del answer["statistics"]["seconds"]
    assert found == whole
