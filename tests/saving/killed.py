"""Kills searches that are saved, at random moments, resumes them until they are done, and checks what is left.

    python -m tests.saving.killed 1000 [SEED]      1,000 moments; it prints a line whenever a search is done

Some searches are saved by `solve --checkpoint`, others in the directory of a search on disk. After each kill, what is
saved is whole or does not exist yet, and it holds no less than before; a checkpoint is no older than the interval and
the time of one checkpoint. The answer is that of a search that was never stopped. Each search is a process of its own,
forked from this one, which has run and resumed the same search; so it takes Linux or macOS, and about 0.1 s a moment.
"""

import gc
import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from itertools import cycle
from pathlib import Path
from random import Random
from shutil import rmtree
from time import perf_counter, sleep, time
from typing import Any, NamedTuple
from unittest.mock import patch

from searchkit import saved_header
from searchkit.cli import main
from tests.disk.boards import TILES, small_tasks

BOARD = "BOARD"
"""Stands for the path of a file with a board of 3×2."""
SEARCHES = (
    ("8puzzle", "--engine", "bfs", "--backend", "python", "--max-expansions", "4000"),
    ("8puzzle", "--engine", "bfs", "--backend", "compiled", "--max-expansions", "40000"),
    (BOARD, "--engine", "external_bfs"),
    ("8puzzle", "--engine", "astar", "--backend", "python"),
    ("korf", "--engine", "astar", "--backend", "compiled", "--max-expansions", "30000"),
    (BOARD, "--engine", "external_astar"),
    ("vault4", "--engine", "dijkstra", "--backend", "python"),
    (BOARD, "--engine", "external_dijkstra"),
)
"""Each takes some hundredths of a second, and up to half a second with its checkpoints. Searches on disk are saved in
their directory."""
INTERVAL = 0.005
SLACK = 5.0
"""Seconds that the start of a process, a slice and the writing of a file may take on a busy machine."""
MOST_KILLS = 25
"""So often one search is killed."""
SMALL = 12
"""Layers and buckets of more states are expanded by tasks, which write files."""


class Tally(NamedTuple):
    """What was seen while one search was killed again and again."""

    kills: int
    while_writing: int
    """How many of the kills left a file that was being written."""
    oldest: float
    """The most seconds between a checkpoint and the kill after it."""


class Checkpoints:
    """A search of the command line that is saved by `--checkpoint`, and resumed by `--resume`."""

    def __init__(self, arguments: tuple[str, ...], folder: Path):
        self.arguments, self.folder, self.file = arguments, folder, folder / "search"
        self._done, self._begun, self._left_over = 0, 0.0, set[Path]()

    def command(self, most: int | None = None) -> list[str]:
        """Return the arguments that begin the search, or go on; with a limit of expansions, if it is given."""
        self._begun = time()
        how, limits = self.arguments[:5], self.arguments[5:]
        if self.file.exists():
            how = ("--resume", str(self.file))
        if most is not None or limits:
            left = most if most is not None else int(limits[1]) - self._done
            limits = ("--max-expansions", str(left))
        return ["solve", *how, *limits, "--checkpoint", str(self.file), "--every", f"{INTERVAL}s", "--json"]

    def look(self) -> tuple[bool, float]:
        """Check what a killed process left; return whether it was writing, and the seconds that were lost."""
        left_over = {*self.folder.glob("*.new")}
        writing, before, self._left_over = not left_over <= self._left_over, self._left_over, left_over
        if not self.file.exists():
            assert self._done == 0, "the checkpoint is gone"
            return writing, 0.0
        header = saved_header(self.file)
        expanded = int(header.statistics["expanded"])
        assert expanded >= self._done, f"{expanded} expansions, after {self._done}"
        if expanded > self._done:
            assert not left_over & before, "an unfinished file is there after the next one"
        self._done = expanded
        age = time() - max(self._begun, self.file.stat().st_mtime)
        assert age <= INTERVAL + SLACK, f"{age} seconds are lost"
        return writing, age

    def end(self) -> None:
        """Delete what is saved."""
        self.file.unlink()
        self._done = 0


class OnDisk:
    """A search of the command line in a directory: the same command begins it and goes on."""

    def __init__(self, arguments: tuple[str, ...], folder: Path):
        self.arguments, self.directory = arguments, folder / "directory"
        self._buckets = 0

    def command(self, most: int | None = None) -> list[str]:
        """Return the arguments; with a limit of expansions, if it is given."""
        limits = () if most is None else ("--max-expansions", str(most))
        return ["solve", *self.arguments, *limits, "--set", f"directory={self.directory}", "--json"]

    def look(self) -> tuple[bool, float]:
        """Check what a killed process left; return whether it was writing. How much work is lost is not known."""
        left_over = list(self.directory.glob("*.tmp"))
        manifest = self.directory / "manifest.json"
        if not manifest.exists():
            assert self._buckets == 0, "the manifest is gone"
            return bool(left_over), 0.0
        body = json.loads(manifest.read_bytes())["body"]
        buckets = len(body.get("buckets", ()))
        assert buckets >= self._buckets, f"{buckets} buckets, after {self._buckets}"
        self._buckets = buckets
        for name, size, rows, _ in body.get("files", ()):
            assert (self.directory / name).stat().st_size == size + 40 * rows, name
        return bool(left_over), 0.0

    def end(self) -> None:
        """Delete the directory."""
        rmtree(self.directory)
        self._buckets = 0


def answer(text: str) -> dict[str, Any]:
    """Return a JSON output without what may differ."""
    value: dict[str, Any] = json.loads(text)
    value["statistics"].pop("seconds")
    cut = bool(value["cutoff"])  # by a limit of fewer expansions, if some were made before
    return {**value, "cutoff": cut, "checkpoint": None, "engine_choice": None}


def output_of(arguments: list[str]) -> str:
    """Run a command in this process; return what it prints."""
    out = StringIO()
    with redirect_stdout(out):
        main(arguments)
    return out.getvalue()


def begin(arguments: list[str], out: Path) -> int:
    """Run a command in a forked process, whose output goes to a file; return its number."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        with out.open("w") as file, redirect_stdout(file):
            code = main(arguments)
    finally:
        os._exit(code)


class Target(NamedTuple):
    """A search to kill."""

    kept: Checkpoints | OnDisk
    expected: dict[str, Any]
    """The answer of the search that is not killed."""
    seconds: float
    """How long it takes."""


def target(search: tuple[str, ...], folder: Path) -> Target:
    """Run a search without killing it, and resume it here once, so that this process has loaded what that needs."""
    board = folder / "board.txt"
    board.write_text("".join(f"{' '.join(map(str, TILES[row : row + 3]))}\n" for row in (0, 3)))
    arguments = tuple(str(board) if word == BOARD else word for word in search)
    in_directory = "external" in search[2]
    kept = (OnDisk if in_directory else Checkpoints)(arguments, folder)
    expected = answer(output_of(kept.command()))
    kept.end()
    output_of(kept.command(most=30))
    kept.look()
    output_of(kept.command())
    kept.end()
    gc.collect()
    begun = perf_counter()
    os.waitpid(begin(kept.command(), folder / "out"), 0)
    seconds = perf_counter() - begun
    kept.end()
    return Target(kept, expected, seconds)


def killed(what: Target, random: Random, moments: int, out: Path) -> Tally:
    """Kill a search up to `moments` times, and resume it until it is done; check all that is written."""
    kept, kills, writing, oldest = what.kept, 0, 0, 0.0
    while True:
        child = begin(kept.command(), out)
        if kills < moments:
            sleep(random.uniform(0.0, what.seconds))
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):  # it was done before it could be killed, or is not killed any more
            assert os.WEXITSTATUS(status) in (0, 3), out.read_text()
            found = answer(out.read_text())
            assert found == what.expected, f"{found} is not {what.expected}"
            kept.end()
            return Tally(kills, writing, oldest)
        kills += 1
        was_writing, age = kept.look()
        writing += was_writing
        oldest = max(oldest, age)


def run(moments: int, seed: int = 0, most: int = MOST_KILLS) -> Iterator[tuple[tuple[str, ...], Tally]]:
    """Kill each search in turn, at most `most` times, until there were so many moments; yield what was seen of each."""
    random, kills = Random(seed), 0
    targets: dict[tuple[str, ...], Target] = {}
    with (
        tempfile.TemporaryDirectory() as name,
        tempfile.TemporaryDirectory() as temporary,  # of searches on disk: those that are killed leave them
        patch.object(tempfile, "tempdir", temporary),
        small_tasks(SMALL),
    ):
        for search in cycle(SEARCHES):
            if kills >= moments:
                return
            if search not in targets:
                targets[search] = target(search, Path(name))
            tally = killed(targets[search], random, min(moments - kills, most), Path(name) / "out")
            kills += tally.kills
            assert {path.name for path in Path(name).iterdir()} == {"board.txt", "out"}, "nothing is left"
            yield search, tally


if __name__ == "__main__":
    total = 0
    for what, seen in run(*map(int, sys.argv[1:3])):
        total += seen.kills
        lost = f", {seen.oldest:.2f} s lost at most" if seen.oldest else ""
        print(
            f"{total:,}: {' '.join(what)}: {seen.kills} kills, {seen.while_writing} while writing{lost}",
            flush=True,
        )
