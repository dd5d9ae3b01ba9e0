"""Clusters for the tests: two nodes on the loopback interface, and what kills them."""

import importlib.util
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

with_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed")
QUIET = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")


PATIENT = {
    "RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S": "180",
    "TIMEOUT_FOR_SPECIFIC_SERVER_S": "180",
    "GRPC_ENABLE_FORK_SUPPORT": "0",
}
"""The environment in which a head waits longer than Ray's 30 seconds for the server that it starts for a client, and
does not lose it: see `searchkit_cluster.connection`."""


@contextmanager
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two nodes of one core each, and a head without cores; the environment names the cluster."""
    for name, value in (
        ("RAY_USAGE_STATS_ENABLED", "0"),
        ("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0"),
        ("RAY_DEDUP_LOGS_SKIP_REGEX", "^"),
        *PATIENT.items(),
        ("PYTHONPATH", os.pathsep.join(filter(None, sys.path))),
    ):
        monkeypatch.setenv(name, value)
    import ray
    from ray.cluster_utils import Cluster

    soon = {
        "health_check_period_ms": 500,
        "health_check_timeout_ms": 1000,
        "health_check_failure_threshold": 3,
    }
    head = {
        "num_cpus": 0,
        "object_store_memory": 80 << 20,
        "include_dashboard": False,
        "_system_config": soon,
    }
    nodes = Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(2):
            nodes.add_node(num_cpus=1, object_store_memory=80 << 20)
        monkeypatch.setenv("RAY_ADDRESS", nodes.address)
        yield nodes
    finally:
        ray.shutdown()  # a search that is still there holds the connection
        nodes.shutdown()


def lose_node(nodes: Any) -> None:
    """Kill all processes of a node, but not of the one that this process is connected to."""
    import ray

    own = ray.get_runtime_context().get_node_id()
    victim = next(node for node in nodes.worker_nodes if node.node_id != own)
    nodes.remove_node(victim, allow_graceful=False)


def lose_process(nodes: Any) -> None:
    """Kill a process while it runs a task."""
    raylets = {node.all_processes["raylet"][0].process.pid for node in nodes.worker_nodes}
    for _ in range(3000):
        for pid, (parent, _) in processes().items():
            if parent in raylets and runs_task(pid):
                os.kill(pid, signal.SIGKILL)
                return
        time.sleep(0.01)
    raise AssertionError("no task runs")


def runs_task(pid: int) -> bool:
    """Whether a process runs one of our tasks now: Ray gives processes the name of what they run."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"ray::run")
    return False


def processes() -> dict[int, tuple[int, str]]:
    """Return each process of this machine that runs → its parent, and when it began."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            state, parent, *rest = path.read_text().rpartition(")")[2].split()
            if state not in "ZX":
                found[int(path.parent.name)] = int(parent), rest[17]
    return found
