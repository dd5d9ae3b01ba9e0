"""A search that was saved and loaded in another process has the answer of one that was never stopped."""

import pickle
import subprocess
import sys
from os import environ
from pathlib import Path
from typing import Any

import pytest

from searchkit import EngineSpec, Limits, Search
from tests.contract.cases import ENGINES, every_engine, pool

ROOT = Path(__file__).parents[2]


def onwards(search: Search[Any, Any]) -> list[Any]:
    """Return the answer of a search, and how many states it expanded."""
    result = search.run()
    actions = None if result.solution is None else list(map(str, result.solution.actions))
    return [result.status.value, result.cost, actions, result.lower_bound, result.statistics.expanded]


def paused(specs: list[EngineSpec], pauses: tuple[int, ...], kinds: int) -> list[tuple[EngineSpec, Any, int]]:
    """Return engines with problems and the number of expansions after which to save."""
    found = []
    for number, spec in enumerate(specs):
        cases = {case.kind: case for case in pool(spec)}
        chosen = [
            list(cases.values())[(number + turn) % len(cases)] for turn in range(min(kinds, len(cases)))
        ]
        found += [(spec, case.problem, pause) for case in chosen for pause in pauses]
    return found


def in_another_process(searches: list[Search[Any, Any]], folder: Path, seed: str) -> list[Any]:
    """Save searches, and return how a process with that hash seed continues them."""
    (folder / "problems").write_bytes(pickle.dumps([search.problem for search in searches]))
    for number, search in enumerate(searches):
        search.save(folder / f"{number}.search")
    script = (
        "import pathlib, pickle, sys\n"
        "from searchkit import Search\n"
        "from tests.contract.test_saved import onwards\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "problems = pickle.loads((folder / 'problems').read_bytes())\n"
        "found = [onwards(Search.load(folder / f'{n}.search', p)) for n, p in enumerate(problems)]\n"
        "(folder / 'found').write_bytes(pickle.dumps(found))\n"
    )
    environment = environ | {"PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", script, str(folder)]
    subprocess.run(command, env=environment, cwd=ROOT, check=True, timeout=600)
    found: list[Any] = pickle.loads((folder / "found").read_bytes())
    return found


def started(spec: EngineSpec, problem: Any, pause: int) -> Search[Any, Any]:
    """Return a search that stands after so many expansions."""
    search: Search[Any, Any] = Search(problem, spec, backend="python")
    search.run(Limits(expansions=pause))
    return search


def test_every_engine_in_another_process(tmp_path: Path) -> None:
    """Hash seeds differ there, so that sets of texts are iterated over in another order."""
    searches = [started(*case) for case in paused(ENGINES, (3,), 1)]
    assert in_another_process(searches, tmp_path, "1") == [onwards(search) for search in searches]


@pytest.mark.long
@every_engine
def test_any_pause_in_another_process(spec: EngineSpec, tmp_path: Path) -> None:
    """The same on all kinds, before the first expansion, between two, and after the last."""
    searches = [started(*case) for case in paused([spec], (0, 1, 3, 9, 27, 10**6), 99)]
    assert in_another_process(searches, tmp_path, "2") == [onwards(search) for search in searches]
