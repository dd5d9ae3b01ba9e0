"""Running many looks at a time, each in a process of its own: a crash or an endless loop ends only that look."""

import multiprocessing
import traceback
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import count
from multiprocessing.connection import Connection, wait
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from attrs import frozen

from tests.fuzz.failure import Failure
from tests.fuzz.looks import Look

PATIENCE = 600.0
"""Seconds after which a look is stopped: many times what any look takes."""


def seed_of(seed: int, round_number: int, look: Look) -> int:
    """Return the seed of one look: it depends on what is checked, not on the order."""
    return int.from_bytes(sha256(f"{seed} {round_number} {look!r}".encode()).digest()[:4], "big")


@frozen
class Running:
    """A look that is running."""

    look: Look
    seed: int
    process: Any
    answer: Connection
    since: float


class Fuzz:
    """Rounds of looks, and what they found."""

    def __init__(
        self, looks: Iterable[Look], seed: int, examples: int, processes: int, into: Path | None = None
    ):
        self.looks, self.seed, self.examples = list(looks), seed, examples
        # mixed, so that something of each kind is looked at if the time ends before the round
        Random(seed).shuffle(self.looks)
        self.processes, self.into = processes, into
        self.done = 0
        self.failures: dict[str, Failure] = {}
        # a child that is forked has imported everything, and loads no kernel that the parent has loaded
        methods = multiprocessing.get_all_start_methods()
        self.context: Any = multiprocessing.get_context("fork" if "fork" in methods else "spawn")

    def run(self, rounds: int | None = None, end: float | None = None) -> None:
        """Look at everything repeatedly: that many rounds, or until that time, or both."""
        work = self._work(rounds)
        running: list[Running] = []
        while True:
            while len(running) < self.processes and (end is None or monotonic() < end):
                task = next(work, None)
                if task is None:
                    break
                running.append(self._begin(*task))
            if not running:
                return
            wait([one.answer for one in running], timeout=1)
            for one in list(running):
                if one.answer.poll() or not one.process.is_alive() or monotonic() - one.since > PATIENCE:
                    running.remove(one)
                    self._end(one)

    def _work(self, rounds: int | None) -> Iterator[tuple[Look, int]]:
        for round_number in count() if rounds is None else range(rounds):
            for look in self.looks:
                yield look, seed_of(self.seed, round_number, look)

    def _begin(self, look: Look, seed: int) -> Running:
        here, there = self.context.Pipe(duplex=False)
        process = self.context.Process(target=_look, args=(look, seed, self.examples, there), daemon=True)
        process.start()
        there.close()
        return Running(look, seed, process, here, monotonic())

    def _end(self, one: Running) -> None:
        self.done += 1
        try:
            found = one.answer.recv() if one.answer.poll() else None
        except EOFError:
            found = None
        if found is None:
            one.process.kill()
            one.process.join()
            why = f"the process ended with exit code {one.process.exitcode}"
            if monotonic() - one.since > PATIENCE:
                why = f"it was not done after {PATIENCE:.0f} seconds"
            found = [Failure(one.look.name, why, seed=one.seed)]
        one.process.join()
        for failure in found:
            if failure.name not in self.failures:
                self.failures[failure.name] = failure
                self._show(failure, one)

    def _show(self, failure: Failure, one: Running) -> None:
        text = failure.as_file(f"{one.look!r}.run(seed={one.seed}, examples={self.examples})")
        print(f"\n--- {failure.file_name} ---\n{text}", flush=True)
        if self.into is not None:
            self.into.mkdir(parents=True, exist_ok=True)
            (self.into / failure.file_name).write_text(text, encoding="utf-8")


def _look(look: Look, seed: int, examples: int, answer: Connection) -> None:
    try:
        found = look.run(seed, examples)
    except Exception:
        found = [Failure(look.name, traceback.format_exc(), seed=seed)]
    answer.send(found)
    answer.close()
