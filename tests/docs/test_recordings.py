"""The recordings on pages: each is shown once, shows what its page says, and is framed so that it can read nothing."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from searchkit.trace import REOPEN

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def recordings() -> Iterator[ModuleType]:
    """Return the module that makes them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        yield import_module("recordings")


def test_each_is_shown_on_one_page(recordings: ModuleType) -> None:
    """And pages name no other."""
    named = [
        name
        for page in DOCS.rglob("*.md")
        for name in recordings.MARKER.findall(page.read_text(encoding="utf-8"))
    ]
    assert sorted(named) == sorted(recordings.RECORDINGS)


def test_they_show_what_their_pages_say(recordings: ModuleType) -> None:
    """A reopening, fewer expansions, a mask that widens, halves that meet."""
    made = {name: shown.make() for name, shown in recordings.RECORDINGS.items()}
    assert [list(one.events.kind).count(REOPEN) for one in made["reopening"]] == [1]
    high, fifo = made["ties"]
    assert 5 * high.expansions < fifo.expansions
    assert high.cost == fifo.cost
    corridor, bfs = made["corridor"]
    assert len([note for note in corridor.notes if note.kind in ("phase", "mask widened")]) > 2
    assert corridor.expansions < bfs.expansions
    both, one = made["bidirectional"]
    assert [note.kind for note in both.notes][-1] == "meeting"
    assert both.expansions < one.expansions
    [lifelong] = made["lifelong"]
    assert [note.text for note in lifelong.notes if note.kind == "phase"] == ["change 1", "change 2"]
    assert lifelong.cost == 33
    [river] = made["river"]
    assert (river.cost, river.expansions) == (7, 9)
    [vault] = made["deadlock"]
    assert vault.cost == 8
