"""The commands of the page about clusters work as printed."""

import importlib.util
import os
import re
import secrets
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from searchkit_cluster.tests.nodes import PATIENT

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "how-to" / "search-on-disk.md").read_text(encoding="utf-8")
with_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed")


def block(name: str) -> str:
    """Return the file of that name, as the page shows it."""
    found = re.search(rf'^```\w+ title="{re.escape(name)}"\n(.*?)^```', PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def line(beginning: str) -> str:
    """Return the command that begins in this way."""
    (found,) = re.findall(rf"^{re.escape(beginning)}.*$", PAGE, re.MULTILINE)
    return str(found)


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def listens(port: int) -> bool:
    """Whether a process answers at a port."""
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


def wait_until_ready(head: "subprocess.Popen[str]") -> None:
    """Wait until Ray says that it runs."""
    assert head.stdout is not None
    said = ""
    for text in head.stdout:
        said += text
        if "Ray runtime started" in text:
            return
    raise AssertionError(said)


@pytest.mark.long  # Ray takes seconds to start
@with_ray
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_commands_of_the_page_work_as_printed(tmp_path: Path) -> None:
    """A head with a token, and queries that it answers, from outside too; the head ends with its command."""
    port, client = free_port(), free_port()
    (tmp_path / "token").write_text(secrets.token_hex(32))
    environment = (
        os.environ
        | PATIENT
        | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN_PATH": str(tmp_path / "token"),
            "RAY_TMPDIR": str(tmp_path) if len(str(tmp_path)) < 40 else "/tmp",
            "NO_COLOR": "1",
        }
    )
    for name in ("rooms.map", "rooms.scen"):
        (tmp_path / name).write_text(block(name), encoding="utf-8")
    assert line("export GRPC_ENABLE_FORK_SUPPORT=").endswith(PATIENT["GRPC_ENABLE_FORK_SUPPORT"])
    begin = line("ray start --head").replace(
        "--port=6379", f"--port={port} --ray-client-server-port={client} --num-cpus=1"
    )
    head = subprocess.Popen(
        shlex.split(begin),
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    try:
        wait_until_ready(head)
        address = line("export RAY_ADDRESS=").partition("=")[2].replace("HEAD:6379", f"127.0.0.1:{port}")
        commands = re.findall(r"^searchkit scenario rooms.*$", PAGE, re.MULTILINE)
        assert [command.split()[-1] for command in commands] == ["ray", "ray://HEAD:10001"]
        for command, where in zip(commands, (f"127.0.0.1:{port}", f"ray://127.0.0.1:{client}"), strict=True):
            done = subprocess.run(
                shlex.split(command.replace("HEAD:10001", f"127.0.0.1:{client}")),
                cwd=tmp_path,
                env=environment | {"RAY_ADDRESS": address},
                capture_output=True,
                encoding="utf-8",
                timeout=300,
                check=False,
            )
            assert (done.returncode, done.stderr) == (0, f"connecting to the Ray cluster at {where} …\n")
            assert done.stdout.startswith("rooms.map, astar: 2 of 2 queries agree with the published costs, ")
        assert "rooms.map, astar: 2 of 2 queries agree with the published costs, …" in PAGE
    finally:
        head.send_signal(signal.SIGTERM)
        head.communicate(timeout=60)
    for _ in range(300):
        if not listens(port):
            return
        time.sleep(0.1)
    raise AssertionError("the head did not end")
