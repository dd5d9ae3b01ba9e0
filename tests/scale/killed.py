"""Kills `searchkit solve --checkpoint` at random moments, resumes it until it is done, and checks what is left.

    python -m tests.scale.killed 1000 [SEED]      1,000 moments; it prints one line per problem

After each kill, the file is a whole saved search or does not exist yet, it holds no less than the one before, and it is
no older than the interval and the time of one checkpoint. The answer is that of a search that was never stopped. Each
search is a process of its own, forked from this one; so it takes Linux or macOS.
"""

import json
import os
import signal
import sys
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from time import sleep, time
from typing import Any, NamedTuple

from searchkit.cli import main
from searchkit.scale.saved.file import read_search

SEARCHES = (
    ("8puzzle", "--engine", "bfs", "--backend", "python"),
    ("8puzzle", "--engine", "bfs", "--backend", "compiled"),
    ("8puzzle", "--engine", "astar"),
    ("korf", "--engine", "astar", "--backend", "compiled", "--max-expansions", "300000"),
    ("vault4", "--engine", "dijkstra", "--backend", "python"),
)
"""From less than a second to some seconds."""
INTERVAL = 0.05
SLACK = 5.0
"""Seconds that the start of a process, a slice and the writing of a file may take on a busy machine."""


class Tally(NamedTuple):
    """What was seen while one search was killed again and again."""

    kills: int
    while_writing: int
    """How many of the kills left a file that was being written."""
    oldest: float
    """The most seconds between a checkpoint and the kill after it."""


def answer(text: str) -> dict[str, Any]:
    """Return a JSON output without what may differ."""
    value: dict[str, Any] = json.loads(text)
    value["statistics"].pop("seconds")
    return {**value, "checkpoint": None, "engine_choice": None}


def output_of(arguments: tuple[str, ...]) -> str:
    """Run a command in this process; return what it prints."""
    out = StringIO()
    with redirect_stdout(out):
        main([*arguments, "--json"])
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


def killed(search: tuple[str, ...], random: Random, moments: int, folder: Path) -> Tally:
    """Kill a search up to `moments` times, and resume it until it is done; check all that is written."""
    file, out = folder / "search", folder / "out"
    expected = answer(output_of(("solve", *search)))
    limits = search[search.index("--max-expansions") :] if "--max-expansions" in search else ()
    done = kills = writing = 0
    oldest = 0.0
    while True:
        how = ["--resume", str(file), *limits] if file.exists() else list(search)
        if file.exists() and limits:
            left = int(limits[1]) - done
            how[-1] = str(max(0, left))
        command = ["solve", *how, "--checkpoint", str(file), "--every", f"{INTERVAL}s", "--json"]
        begun = time()
        child = begin(command, out)
        sleep(random.uniform(0.0, 0.8) if kills < moments else 0)
        if kills < moments:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        left_over = list(folder.glob("*.new"))
        writing += bool(left_over)
        for path in left_over:
            path.unlink()
        if os.WIFEXITED(status):  # it was done before it could be killed, or is not killed any more
            assert os.WEXITSTATUS(status) in (0, 3), out.read_text()
            found = answer(out.read_text())
            assert found == expected, f"{found} is not {expected}"
            file.unlink()
            return Tally(kills, writing, oldest)
        kills += 1
        if file.exists():
            header, _, _ = read_search(file)  # checks all checksums
            expanded = int(header.statistics["expanded"])
            assert expanded >= done, f"{expanded} expansions, after {done}"
            done = expanded
            age = time() - max(begun, file.stat().st_mtime)
            oldest = max(oldest, age)
            assert age <= INTERVAL + SLACK, f"{age} seconds are lost"


def run(moments: int, seed: int = 0) -> list[tuple[tuple[str, ...], Tally]]:
    """Kill each search in turn until there were so many moments; return what was seen of each."""
    random, tallies, kills = Random(seed), list[tuple[tuple[str, ...], Tally]](), 0
    with tempfile.TemporaryDirectory() as name:
        while kills < moments:
            search = SEARCHES[len(tallies) % len(SEARCHES)]
            tally = killed(search, random, min(moments - kills, 40), Path(name))
            kills += tally.kills
            tallies.append((search, tally))
            assert not list(Path(name).glob("search*")), "nothing is left"
    return tallies


if __name__ == "__main__":
    for what, seen in run(*map(int, sys.argv[1:3])):
        said = f"{seen.kills} kills, {seen.while_writing} while writing, {seen.oldest:.2f} s lost at most"
        print(f"{' '.join(what)}: {said}")
