"""Pure tasks over files, for the tests: processes of the cluster import this module."""

import os
import signal
import time
from pathlib import Path


def doubled(folder: str, part: int, seconds: float = 0.0) -> int:
    """Read a part, write the doubles of its numbers, and return their sum."""
    time.sleep(seconds)
    numbers = [2 * int(word) for word in Path(folder, f"in-{part}").read_text().split()]
    new = Path(folder, f"out-{part}.{os.getpid()}.tmp")
    new.write_text(" ".join(map(str, numbers)))
    new.rename(Path(folder, f"out-{part}"))
    return sum(numbers)


def die_until(path: str, times: int) -> int:
    """Kill the own process the first `times` times; then return how often this was called."""
    with Path(path).open("a") as file:
        file.write("x")
    called = Path(path).stat().st_size
    if called <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return called


def begin_on(folder: str, number: int, seconds: float) -> str:
    """Write down on which node this runs, sleep, and return the node."""
    import ray

    node = str(ray.get_runtime_context().get_node_id())
    Path(folder, f"begun-{number}-{node}").touch()
    time.sleep(seconds)
    return node


def node_and(things: tuple[str, ...]) -> tuple[tuple[str, ...], list[str]]:
    """Return the node on which this runs, after those on which the things were made; it makes that node."""
    import ray

    node = str(ray.get_runtime_context().get_node_id())
    return (*things, node), [node]


def fail(key: str) -> None:
    """Raise an error."""
    raise KeyError(key)
