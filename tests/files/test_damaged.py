"""Damaged files of every format: one error that names the file, or the same answer; never anything else."""

import gc
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from searchkit import Certificate, Limits, Search, load, record, solve
from searchkit.errors import DirectoryError, InputFormatError, SavingError
from searchkit.trace import load_recording
from searchkit_tiles import patterns

ERRORS = DirectoryError, InputFormatError, SavingError
BOARD = (0, 1, 2, 3, 4, 5)


def answer(search: Search[Any, Any]) -> object:
    """Return the answer of a search, and what it took."""
    result = search.run()
    return result.status, result.cost, result.statistics.expanded, result.statistics.generated


def paused(folder: Path, backend: str = "auto", **options: Any) -> Search[Any, Any]:
    """Return a search that is paused in its middle."""
    engine = "external_bfs" if options else "astar"
    search: Search[Any, Any] = Search(load("maze"), engine, backend=backend, **options)
    search.run(Limits(expansions=40))
    return search


def write_disk_search(folder: Path) -> None:
    """Stop a search on disk in its middle."""
    paused(folder, directory=str(folder))
    gc.collect()  # it lets go of the folder


def write_certificate(folder: Path) -> None:
    """Certify the answer for a maze."""
    certificate = solve(load("maze"), "astar", certificate=True).certificate
    assert certificate is not None
    certificate.save(folder / "file")


def read_disk_search(folder: Path) -> object:
    """Resume a search on disk."""
    return answer(Search(load("maze"), "external_bfs", directory=str(folder)))


def use_database(folder: Path) -> object:
    """Return the pattern database of a board: it is read from a file, or computed and written."""
    patterns.patterns_of.cache_clear()
    return patterns.patterns_of(3, BOARD).entries


def read_recording(folder: Path) -> object:
    """Read all that a recording has of its nodes."""
    recording = load_recording(folder / "file")
    events = recording.events
    return recording.cost, list(events.kind), list(events.parent), list(events.g)


FORMATS: dict[str, tuple[Callable[[Path], object], Callable[[Path], object]]] = {
    "saved search": (
        lambda folder: paused(folder, "python").save(folder / "file"),
        lambda folder: answer(Search.load(folder / "file", load("maze"))),
    ),
    "saved machine code": (
        lambda folder: paused(folder, "compiled").save(folder / "file"),
        lambda folder: answer(Search.load(folder / "file", load("maze"))),
    ),
    "recording": (
        lambda folder: record(load("maze"), "bidirectional").save(folder / "file"),
        read_recording,
    ),
    "certificate": (write_certificate, lambda folder: Certificate.load(folder / "file")),
    "search on disk": (write_disk_search, read_disk_search),
    "pattern database": (use_database, use_database),
}
"""How a file of each format is written into a folder, and what is read of it."""


def at(place: float) -> Callable[[bytes], bytes]:
    """Return what changes one bit, at a part of the length of the file."""

    def changed(data: bytes) -> bytes:
        index = int(place * (len(data) - 1))
        return data[:index] + bytes([data[index] ^ 4]) + data[index + 1 :]

    return changed


DAMAGES: dict[str, Callable[[bytes], bytes] | None] = {
    "missing": None,
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "last byte": lambda data: data[:-1],
    "zeros": lambda data: data[: len(data) // 2].ljust(len(data), b"\0"),
    "text": lambda data: b"#####\n#S.G#\n#####\n",
    **{f"bit at {place:.2f}": at(place) for place in [n / 14 for n in range(15)]},
}


@pytest.mark.parametrize("name", FORMATS)
def test_one_error_or_the_same_answer(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever file of the format is damaged, and how; or is missing."""
    write, read = FORMATS[name]
    whole, copy = tmp_path / "whole", tmp_path / "copy"
    if name == "pattern database":
        monkeypatch.setattr(patterns, "KEPT_FROM", 0)
        monkeypatch.setattr(patterns, "user_cache", lambda name: tmp_path / "cache")
        whole = tmp_path / "cache"
    whole.mkdir()
    write(whole)
    expected = read(copytree(whole, tmp_path / "expected"))
    files = sorted(path for path in whole.rglob("*") if path.is_file() and path.stat().st_size)
    assert files
    refused = 0
    for number, file in enumerate(files[:: max(1, len(files) // 6)]):
        for how, damage in DAMAGES.items():
            folder = copytree(whole, copy / f"{number} {how}")
            monkeypatch.setattr(patterns, "user_cache", lambda name, folder=folder: folder)
            damaged = folder / file.relative_to(whole)
            damaged.unlink() if damage is None else damaged.write_bytes(damage(file.read_bytes()))
            message = ""
            try:
                found = read(folder)
            except ERRORS as error:
                message, refused = str(error), refused + 1
            assert str(folder) in message if message else found == expected, f"{file.name}: {how}"
            gc.collect(1) if name == "search on disk" else None
    assert refused or name == "pattern database", "which is computed again"
