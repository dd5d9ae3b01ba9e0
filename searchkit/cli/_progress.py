"""Progress on stderr for whatever takes longer than half a second."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from attrs import frozen

from searchkit.search.driver import Search
from searchkit.search.limits import Limits

DELAY_SECONDS = 0.5
BAR_WIDTH = 30


@frozen
class Status:
    """What a progress line says."""

    text: str
    share: float | None = None
    """How much is done, 0 to 1; None where nobody knows."""


@contextmanager
def progress(status: Callable[[], Status]) -> Iterator[None]:
    """Show `status()` on stderr, eight times a second, while the block runs; nothing in its first half second.

    It is called in a thread of its own, so that what it reports on never waits for it. If stderr is not a
    terminal, nothing is shown.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    console = Console(stderr=True, highlight=False)
    if console.is_dumb_terminal:
        yield
        return
    done = threading.Event()

    def show() -> None:
        if done.wait(DELAY_SECONDS):
            return
        from rich.live import Live
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        def line() -> Table:
            now = status()
            grid = Table.grid(padding=(0, 1))
            total = None if now.share is None else 1.0
            grid.add_row(
                ProgressBar(
                    total, now.share or 0.0, BAR_WIDTH, pulse=now.share is None, animation_time=perf_counter()
                ),
                now.text,
            )
            return grid

        with Live(
            get_renderable=line,
            console=console,
            refresh_per_second=8,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        ):
            done.wait()

    thread = threading.Thread(target=show, name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def search_status(search: Search[Any, Any], limits: Limits) -> Callable[[], Status]:
    """Return what tells how far a search is: expansions, expansions per second, and the share of the nearest limit."""
    begin, tree = perf_counter(), search.tree

    def status() -> Status:
        seconds, expanded = perf_counter() - begin, tree.expanded
        shares = [
            done / limit
            for done, limit in ((expanded, limits.expansions), (seconds, limits.seconds))
            if limit
        ]
        rate = expanded / seconds if seconds else 0
        text = f"{search.spec.name}  {expanded:,} expanded  {rate:,.0f}/s  {seconds:.1f} s"
        return Status(text, min(1.0, max(shares)) if shares else None)

    return status
