"""Searches on disk on a cluster: exact after losses, in a folder that all nodes see, and from the command line."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from searchkit import Search, per_slice, solve
from searchkit_cluster.tests.nodes import PATIENT, QUIET, cluster, lose_node, lose_process, with_ray
from searchkit_tiles import SlidingTiles

pytestmark = pytest.mark.usefixtures("token")


@pytest.mark.long  # Ray takes seconds to start, and it compiles
@with_ray
@QUIET
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it reads /proc")
@pytest.mark.parametrize(("engine", "lose"), [("external_bfs", lose_process), ("external_astar", lose_node)])
def test_search_on_disk_is_exact_after_a_loss(
    engine: str, lose: Callable[[Any], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGKILL of a process or a node while tasks run: counts and cost are those of one process."""
    pytest.importorskip("numba")
    for name in ("SMALL", "SMALL_WORDS", "CHUNK"):  # so that there are many tasks
        monkeypatch.setattr(f"searchkit.disk.search.{name}", 500)
    board = SlidingTiles(3, 3, (8, 6, 7, 2, 5, 4, 3, 0, 1), "blank-first", "zero")
    expected = solve(board, engine, workers="serial")
    with ThreadPoolExecutor(1) as pool, cluster(monkeypatch) as nodes:
        lost: list[Future[None]] = []

        def strike(search: Search[Any, Any], state: Any) -> None:
            if not lost and search.statistics.expanded > 60_000:
                lost.append(pool.submit(lose, nodes))  # while the search goes on

        options = {"workers": "ray", "directory": str(tmp_path / "search")}
        result = Search(board, engine, observers=[per_slice(strike)], **options).run()
        lost.pop().result()
    for name in ("expanded", "generated", "reached"):
        assert getattr(result.statistics, name) == getattr(expected.statistics, name), name
    assert result.cost == expected.cost == solve(board, "bfs", backend="python").cost


def free_port() -> int:
    """Return a port of the loopback interface that nobody uses now."""
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def started_head(folder: str) -> Iterator[tuple[str, str]]:
    """Start a head with two cores as users do, by `ray start`; yield its address and that for clients."""
    port, client = free_port(), free_port()
    command = [str(Path(sys.executable).with_name("ray")), "start", "--head", "--block", "--num-cpus=2"]
    command += [f"--port={port}", f"--ray-client-server-port={client}", f"--temp-dir={folder}"]
    command += ["--disable-usage-stats", "--include-dashboard=false", "--node-ip-address=127.0.0.1"]
    command += [f"--object-store-memory={80 << 20}"]
    with subprocess.Popen(
        command,
        env=os.environ | PATIENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as head:
        try:
            for _ in range(1200):
                with (
                    suppress(OSError),
                    closing(socket.create_connection(("127.0.0.1", port), 1.0)),
                    closing(socket.create_connection(("127.0.0.1", client), 1.0)),
                ):
                    break
                assert head.poll() is None, head.communicate()[0]
                time.sleep(0.1)
            yield f"127.0.0.1:{port}", f"ray://127.0.0.1:{client}"
        finally:
            os.killpg(head.pid, signal.SIGTERM)
            head.communicate(timeout=120)


@pytest.mark.long  # as above, and it compiles
@with_ray
@QUIET
def test_command_line_with_a_cluster(
    tmp_path: Path, ray_folder: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`solve --workers ray` prints what a search without workers prints; so does `ray://…` from outside."""
    pytest.importorskip("numba")
    from searchkit.cli import main

    monkeypatch.setattr("searchkit.disk.search.SMALL", 2000)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))

    def answer(number: int, *words: str) -> dict[str, Any]:
        folder = f"directory={tmp_path / str(number)}"
        assert main(["solve", "8puzzle", "--engine", "external_bfs", "--json", "--set", folder, *words]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        del found["statistics"]["seconds"]
        return found

    expected = answer(0)
    with started_head(ray_folder) as (address, outside):
        monkeypatch.setenv("RAY_ADDRESS", address)
        assert answer(1, "--workers", "ray") == expected
        assert answer(2, "--workers", outside) == expected
