"""Tables of what checks find, and of the pages that play searches."""

from collections.abc import Iterator

from benchmarks.pages.markdown import Document, table, words


def player_lines(document: Document) -> Iterator[str]:
    """Yield how large pages of the player are, and how fast."""
    rows = [
        [
            words(row["name"]),
            f"{row['expanded']:,} / {row['events']:,}",
            f"{row['search_seconds']:.2f} / {row['record_seconds']:.2f} / {row['pack_seconds']:.2f}",
            f"{row['data_bytes'] / 1000:,.0f} / {row['page_bytes'] / 1000:,.0f}",
            f"{row['ready_seconds']:.2f}",
            f"{row['frames']:.0f}",
            f"{row['jump_seconds'] * 1000:.0f} ({row['longest_jump_seconds'] * 1000:.0f})",
        ]
        for row in document["rows"]
    ]
    headings = ("page", "expanded / events", "search / record / pack, s", "data / page, kB")
    yield from table((*headings, "ready, s", "pictures a second", "jump, ms (longest)"), rows)


def power_lines(document: Document) -> Iterator[str]:
    """Yield the defects by form, the weights on mazes, and the correct searches."""
    rows = document["rows"]

    def cell(row: Document | None) -> str:
        return "–" if row is None else f"{row['caught']} of {row['seeds']}"

    of_defects = {(row["name"], row["form"]): row for row in rows if row["table"] == "defects"}
    yield from table(
        ("defect", "first promise broken", "engine", "function", "examples until then"),
        [
            [
                words(name),
                ", ".join(dict.fromkeys(promise for row in both if row for promise in row["promises"])),
                *map(cell, both),
                " / ".join(f"{row['examples']:g}" if row else "–" for row in both),
            ]
            for name in dict.fromkeys(name for name, _ in of_defects)
            for both in [[of_defects.get((name, form)) for form in ("engine", "function")]]
        ],
        left=2,
    )
    yield ""
    yield "A property test over `mazes()`, with 100 examples:"
    yield ""
    on_mazes = [row for row in rows if row["table"] == "mazes"]
    lines = [[words(row["name"]), cell(row), f"{row['examples']:g}"] for row in on_mazes]
    yield from table(("defect", "caught", "examples until then"), lines)
    yield ""
    right = [row for row in rows if row["table"] == "correct"]
    alarms = sum(row["caught"] for row in right)
    yield f"Of {len(right)} correct searches, with {right[0]['seeds']} seeds each, {alarms or 'none'} failed."
