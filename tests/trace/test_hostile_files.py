"""Files that are no recordings: each is one `InputFormatError`, and none takes much memory or time."""

import json
import random
import struct
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit import load, record
from searchkit.errors import InputFormatError
from searchkit.trace import load_recording, replay
from searchkit.trace.file.columns import decode, texts, whole
from searchkit.trace.file.pack import MAGIC, pack
from searchkit.trace.file.unpack import unpack

MAZE = pack(record(load("maze"), "bidirectional"))
VAULT = pack(record(load("vault"), "astar"))
ISLAND = pack(record(load("island"), "idastar"))
SEEDS = (MAZE, VAULT, ISLAND)


def taken_apart(data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the header of a file, and its columns, decoded."""
    length = int.from_bytes(data[20:24], "little")
    header = json.loads(data[24 : 24 + length])
    content, columns, at = zlib.decompress(data[24 + length :]), {}, 0
    for description in header["columns"]:
        columns[description["name"]] = decode(description, content[at : at + description["bytes"]])
        at += description["bytes"]
    return header, columns


def put_together(header: dict[str, Any], columns: dict[str, Any]) -> bytes:
    """Return the file of a header and columns."""
    packed = [
        texts(name, values)
        if name.endswith("_values") or name in ("labels", "notes")
        else whole(name, values)
        for name, values in columns.items()
    ]
    text = json.dumps({**header, "columns": [description for description, _ in packed]}).encode()
    return wrapped(text, b"".join(data for _, data in packed))


def wrapped(header: bytes, content: bytes) -> bytes:
    """Return a file of these bytes."""
    return MAGIC + struct.pack("<II", 1, len(header)) + header + zlib.compress(content)


def test_the_parts_make_the_file() -> None:
    """What the tests below take apart is put together without a change."""
    for seed in SEEDS:
        assert pack(unpack(put_together(*taken_apart(seed)))) == pack(unpack(seed))


def changed(name: str, change: Callable[[Any], Any]) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    """Return what changes a column in place."""

    def apply(header: dict[str, Any], columns: dict[str, Any]) -> None:
        columns[name] = change(list(columns[name]))

    return apply


def at(index: int, value: Any) -> Callable[[list[Any]], list[Any]]:
    """Return what replaces one value."""
    return lambda values: [*values[:index], value, *values[index:][1:]]


def member(name: str, value: Any) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    """Return what replaces a member of the header."""
    return lambda header, columns: header.update({name: value})


FAULTS: dict[str, Callable[[dict[str, Any], dict[str, Any]], None]] = {
    "a kind that is none": changed("kind", at(5, 6)),
    "too few events": changed("kind", lambda values: values[:-1]),
    "another number of nodes": member("nodes", 3),
    "many nodes": member("nodes", 1 << 40),
    "many events": member("events", 1 << 24),
    "a node that is not reached yet": changed("expanded", at(0, 20)),
    "a node below 0": changed("expanded", at(3, -1)),
    "a parent that is not reached yet": changed("except_parent", at(1, -500)),
    "a parent below -1": changed("except_parent", at(1, 500)),
    "a node that is its own parent": changed("except_parent", at(2, 0)),
    "a half that is none": changed("half", at(2, 3)),
    "actions without texts": changed("action", at(2, 99)),
    "places outside": changed("place", at(2, 1 << 20)),
    "marks that are none": changed("ground", at(2, 99)),
    "too few marks of the ground": changed("ground", lambda values: values[:-1]),
    "a note that is no JSON": changed("notes", at(0, "{")),
    "a note that is no object": changed("notes", at(0, "[]")),
    "a note without a kind": changed("notes", at(0, '{"kind": 1, "text": "", "facts": {}}')),
    "a deep note": changed("notes", at(0, "[" * 100_000)),
    "a goal that is no node": member("goal", 10_000),
    "a status that is none": member("status", "happy"),
    "a cost that is no number": member("cost", "ten"),
    "a cost of NaN": member("cost", "nan"),
    "a weight that is no text": member("weight", 1),
    "a title that is no text": member("title", None),
    "a list of options": member("options", []),
    "options that are no texts": member("options", {"ties": 1}),
    "two counters": member("before", [0, 0]),
    "a negative counter": member("unrecorded", -1),
    "a map that is none": member("map", 7),
    "a map without marks": member("map", {"width": 1, "height": 1}),
    "a huge map": lambda header, columns: header["map"].update(width=1 << 24, height=1 << 24),
    "a mark of two characters": lambda header, columns: header["map"]["marks"][0].update(key="ab"),
    "two marks of one key": lambda header, columns: header["map"]["marks"][0].update(
        key=header["map"]["marks"][1]["key"]
    ),
    "a colour that is none": lambda header, columns: header["map"]["marks"][0].update(colour="red;}"),
    "marks that become none": lambda header, columns: header["map"].update(path={"0": 99}),
    "no labels and no map": member("map", None),
    "no kinds": lambda header, columns: columns.pop("kind"),
    "no costs": lambda header, columns: columns.pop("step"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_one_error(name: str) -> None:
    """It says that the file is not a valid recording, and names it."""
    header, columns = taken_apart(MAZE)
    FAULTS[name](header, columns)
    data = put_together(header, columns)
    with pytest.raises(InputFormatError, match=r"^maze: not a valid recording: ."):
        unpack(data, "maze")


def test_parents_do_not_go_in_a_circle() -> None:
    """Not even where every cost is 0, and not on a long way round."""
    header, columns = taken_apart(pack(record(load("maze"), "bfs")))
    kinds, exceptions = list(columns["kind"]), len(columns["except_at"])
    assert kinds[-1] == 1
    kinds.append(2)  # the first node is improved: its parent is the last one
    last = columns["expanded"][-1]
    columns |= {
        "kind": kinds,
        "other": [*columns["other"], -last],
        "except_at": [*columns["except_at"], len(kinds) - 1],
        "except_parent": [*columns["except_parent"], 1 - header["nodes"]],
        "action": [*columns["action"], 0],
        "step": [0] * (len(columns["step"]) + 1),
    }
    header["events"] += 1
    with pytest.raises(InputFormatError, match="its parents go in a circle"):
        unpack(put_together(header, columns))
    assert exceptions < len(columns["except_at"])


def test_lengths_are_checked_before_anything_is_allocated() -> None:
    """A header that says more than the stream holds, and a stream that holds more than the header says."""
    header, _ = taken_apart(MAZE)
    huge = {"name": "kind", "code": "bytes", "n": 1 << 40, "bytes": 1 << 40}
    large = {"name": "kind", "code": "bytes", "n": 1 << 28, "bytes": 1 << 28}
    for columns, content, message in (
        ([huge], b"", "is the most that is read"),
        ([large], b"", "cut short, or longer"),
        ([large | {"n": 5}], b"", "as many bytes as its 5 values take"),
        ([large | {"n": 10, "bytes": 10}], bytes(1 << 28), "cut short, or longer"),
        (
            [{"name": "kind", "code": "zip", "n": 1, "bytes": 1}],
            b"0",
            "a code that this version does not know",
        ),
        (
            [{"name": "kind", "code": "zigzag", "n": 1, "bytes": 9, "width": 9}],
            b"0" * 9,
            "a width from 1 to 5",
        ),
        ([{"name": "kind", "code": "book", "n": 1, "bytes": 1, "book": []}], b"0", "not in its book"),
        (
            [{"name": "kind", "code": "book", "n": 1, "bytes": 1, "book": [1 << 40]}],
            b"0",
            "a book of at most 256",
        ),
        ([{"name": "kind", "code": "text", "n": 2, "bytes": 2}], b"a\0", "should have 2 texts"),
        ([{"name": "kind", "code": "text", "n": 1, "bytes": 2}], b"\xff\0", "UnicodeDecodeError"),
        ([{"name": "a", "code": "bytes", "n": 1, "bytes": 1}] * 2, b"00", "two of its columns have one name"),
        ([{"name": "a", "code": "bytes", "n": 0, "bytes": 0}] * 65, b"", "at most 64 columns"),
        (["kind"], b"", "at most 64 columns"),
    ):
        values = columns[0]["n"] if isinstance(columns[0], dict) else 0
        counts = {"events": values, "nodes": 0, "expansions": 0}
        data = wrapped(json.dumps({**header, **counts, "columns": columns}).encode(), content)
        with pytest.raises(InputFormatError, match=message):
            unpack(data)


@pytest.mark.parametrize(
    ("counts", "columns", "message"),
    [
        ({"nodes": 1 << 24}, ["kind"], "fewer events than nodes and expansions"),
        ({"events": 1 << 24}, [], "a column kind of 16,777,216 whole numbers"),
        ({"events": 1 << 24}, ["kind", "expanded"], "column expanded has 16,777,216 values, too many"),
        ({"events": 1 << 24}, ["kind", "labels"], "column labels has 16,777,216 values, too many"),
    ],
)
def test_columns_that_contradict_the_header_are_not_inflated(
    counts: dict[str, int], columns: list[str], message: str
) -> None:
    """A small file that claims columns of many megabytes is refused by its header alone."""
    n = 1 << 24
    header = taken_apart(MAZE)[0] | {"events": 5, "nodes": 0, "expansions": 0} | counts
    described = [{"name": name, "code": "bytes", "n": n, "bytes": n} for name in columns]
    data = wrapped(json.dumps(header | {"columns": described}).encode(), bytes(len(columns) * n))
    tracemalloc.start()
    try:
        with pytest.raises(InputFormatError, match=message):
            unpack(data)
        assert tracemalloc.get_traced_memory()[1] < n // 8
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "does not begin with searchkit-trace"),
        (MAGIC, "cut short"),
        (MAGIC + struct.pack("<II", 2, 2) + b"{}", "format 2, and this version of searchkit reads format 1"),
        (MAGIC + struct.pack("<II", 1, 1 << 31) + b"{}", "header is cut short"),
        (wrapped(b"{", b""), "JSONDecodeError"),
        (wrapped(b"[]", b""), "an object of the format searchkit-trace"),
        (wrapped(b'{"format": NaN}', b""), "NaN is not a number of JSON"),
        (wrapped(b"[" * 100_000, b""), "RecursionError"),
        (wrapped(b'{"format": ' + b"9" * 5000 + b"}", b""), "4300"),
        (wrapped(b"\xff", b""), "UnicodeDecodeError"),
        (MAZE[:-5], "cut short, or longer"),
        (MAZE + b"more", "cut short, or longer"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_recording(data: bytes, message: str, tmp_path: Path) -> None:
    """One error, which names the file."""
    path = tmp_path / "a.trace"
    path.write_bytes(data)
    with pytest.raises(InputFormatError, match=message) as raised:
        load_recording(path)
    assert str(raised.value).startswith(str(path))


def survives(data: bytes) -> bool:
    """Read a file; if it is a recording, replay it and ask for everything. Return whether it is one."""
    try:
        recording = unpack(data)
    except InputFormatError:
        return False
    end = replay(recording)
    assert end.counters.expanded >= recording.expansions
    for node in range(recording.nodes):
        recording.label(node)
        recording.looks.changes(node)
        recording.place(node)
        if end.conditions[node]:
            end.path_to(node)
    assert len(end.frontier) <= recording.nodes
    pack(recording)
    return True


def test_changed_bytes_are_one_error_or_a_recording(share: Callable[[int], int]) -> None:
    """Six thousand files with flipped, lost, doubled and random bytes, outside and inside the deflated columns.

    The suite tries a tenth of them.
    """
    rng, refused, files = random.Random(1), 0, share(3_000)
    for _ in range(files):
        data = bytearray(rng.choice(SEEDS))
        for _ in range(rng.randint(1, 3)):
            where = rng.randrange(len(data))
            how = rng.randrange(4)
            if how == 0:
                data[where] ^= 1 << rng.randrange(8)
            elif how == 1:
                del data[where : where + rng.randint(1, 50)]
            elif how == 2:
                data[where:where] = data[where : where + rng.randint(1, 50)]
            else:
                data[where] = rng.randrange(256)
        refused += not survives(bytes(data))
    for _ in range(files):
        seed = rng.choice(SEEDS)
        length = int.from_bytes(seed[20:24], "little")
        content = bytearray(zlib.decompress(seed[24 + length :]))
        for _ in range(rng.randint(1, 3)):
            content[rng.randrange(len(content))] = rng.choice((0, 1, 2, 3, 127, 128, 255, rng.randrange(256)))
        refused += not survives(wrapped(seed[24 : 24 + length], bytes(content)))
    assert files < refused < 2 * files, "some changes are harmless: a label, a colour"


def test_changed_values_are_one_error_or_a_recording(share: Callable[[int], int]) -> None:
    """Three thousand files with a changed value of a column or of the header; a tenth of them in the suite."""
    rng, refused, files = random.Random(2), 0, share(3_000)
    values = [0, 1, -1, 2, 7, 255, 256, 1 << 20, (1 << 31) - 1, 1 - (1 << 31)]
    parts = [taken_apart(seed) for seed in SEEDS]
    for _ in range(files):
        header, columns = parts[rng.randrange(len(parts))]
        header, columns = dict(header), dict(columns)
        if rng.random() < 0.3:
            name = rng.choice([name for name in header if name != "columns"])
            header[name] = rng.choice([*values, None, "x", [], {}, [1], {"a": 1}, 1.5, True])
        else:
            name = rng.choice(list(columns))
            column = list(columns[name])
            if not column:
                continue
            where = rng.randrange(len(column))
            strange = ["", "x", "1/0", "inf", "-1", "0x", "9" * 5_000, "\u202e"]
            column[where : where + 1] = rng.choice(
                [[], [column[where]] * 2, [rng.choice(strange if isinstance(column[0], str) else values)]]
            )
            columns[name] = column
        refused += not survives(put_together(header, columns))
    assert 0.3 * files < refused < files
