"""Tables of what searches cost: time, memory, disk, and what is paid beside the search."""

from collections.abc import Iterator

from benchmarks.pages.markdown import Document, milliseconds, table, words


def growth_lines(document: Document) -> Iterator[str]:
    """Yield the sizes of each series, and the slopes."""
    rows = [
        [
            row["series"],
            row["size"],
            f"{row['states']:,}",
            milliseconds(row["seconds"]),
            f"{row['seconds'] / row['states'] * 1e9:,.0f}",
        ]
        for row in document["rows"]
    ]
    slopes = ", ".join(f"{slope:.2f} ({name})" for name, slope in document["slopes"].items())
    yield f"Slopes on logarithmic axes, by least squares: {slopes}."
    yield ""
    yield from table(("search", "size", "states", "ms", "ns a state"), rows)


def memory_lines(document: Document) -> Iterator[str]:
    """Yield the memory of each search."""
    rows = [
        [
            words(row["name"]),
            f"{row['expanded']:,}",
            f"{row['reached']:,}" if row["reached"] else "not told",
            f"{row['held'] / row['reached']:.1f}" if row["reached"] else "",
            f"{row['held'] / row['expanded']:.1f}",
            f"{row['peak'] / row['expanded']:.1f}",
        ]
        for row in document["rows"]
    ]
    headings = (
        "search",
        "expanded",
        "reached",
        "bytes a state reached",
        "a state expanded",
        "most, a state expanded",
    )
    yield from table(headings, rows)


def scale_lines(document: Document) -> Iterator[str]:
    """Yield the searches beyond memory, and what they show."""
    rows = [
        [
            row["name"],
            f"{row['states']:,}",
            f"{row['depth']}",
            f"{row['cpu_seconds']:,.1f}",
            f"{row['wall_seconds']:,.1f}",
            f"{row['states'] / row['cpu_seconds'] / 1e6:.1f}",
            f"{row['memory']:,.0f}",
            f"{row['disk']:.1f}" if row["disk"] else "–",
            f"{row['load']:.1f}",
        ]
        for row in document["rows"]
    ]
    headings = (
        "search",
        "states",
        "depth",
        "CPU s",
        "seconds by the clock",
        "M states a CPU-second",
        "MB",
        "bytes a state on disk",
        "load",
    )
    yield from table(headings, rows)
    yield ""
    for name, ratio in document["ratios"].items():
        yield f"- {name}: {ratio:.2f}"


def overhead_lines(document: Document) -> Iterator[str]:
    """Yield what is paid beside the search."""
    rows = [
        [
            words(row["group"]),
            row["name"],
            milliseconds(row["seconds"]),
            f"{row['ratio']['median']:.2f}",
            f"{row['expanded']:,}" if row["expanded"] else "",
        ]
        for row in document["rows"]
    ]
    yield from table(("search", "with", "ms", "ratio", "expanded"), rows, left=2)


def robots_lines(document: Document) -> Iterator[str]:
    """Yield how many instances each engine solved on each kind of map, by the number of robots."""
    rows = {(row["map"], row["engine"], row["robots"]): row for row in document["rows"]}
    counts = sorted({robots for _, _, robots in rows})

    def cell(row: Document | None) -> str:
        if row is None:
            return "–"
        slowest = f", {row['slowest']:.1f} s" if row["solved"] else ""
        return f"{row['solved']} of {row['instances']}{slowest}"

    yield f"The limit of a search is {document['seconds']:g} CPU seconds."
    yield ""
    yield from table(
        ("map", "engine", *map(str, counts)),
        (
            [kind, engine, *(cell(rows.get((kind, engine, robots))) for robots in counts)]
            for kind, engine in sorted({place[:2] for place in rows})
        ),
        left=2,
    )


def auto_lines(document: Document) -> Iterator[str]:
    """Yield what `auto` costs."""
    rows = []
    for row in document["rows"]:
        holds = row["warm"] <= row["allowed"] and row["cold"] <= row["allowed_cold"]
        times = [f"{row[name]:.2f}" for name in ("python", "compiled", "warm", "cold", "beside")]
        rows.append(
            [
                words(f"{row['name']}, {row['engine']}"),
                f"{row['expanded']:,}",
                *times,
                "yes" if holds else "**no**",
            ]
        )
    headings = (
        "search",
        "expanded",
        "Python, s",
        "compiled, s",
        "auto, warm, s",
        "auto, cold, s",
        "beside, s",
        "within",
    )
    yield from table(headings, rows)


def translate_lines(document: Document) -> Iterator[str]:
    """Yield which problems are translated, and how fast they are."""
    rows = []
    for row in document["rows"]:
        cells = [words(row["reason"]), "", "", "", ""]
        if not row["reason"]:
            view = "" if row["view"] is None else f"{row['translated'] / row['view']:.1f}"
            python, code = row["python"], row["translated"]
            cells = [
                f"{row['bits']} bits",
                f"{row['making']:.2f}",
                milliseconds(python),
                f"{python / code:.1f}",
                view,
            ]
        rows.append([words(f"{row['name']}, {row['engine']}"), *cells])
    yield translated(document)
    yield ""
    headings = ("search", "translated, or why not", "made in, s", "Python, ms", "× Python", "÷ view by hand")
    yield from table(headings, rows, left=2)


def translated(document: Document) -> str:
    """Return the summary as a sentence."""
    facts = document["summary"]
    making, ratio = facts["making"], facts["times Python"]
    return (
        f"{facts['translated']} of {facts['problems']} problems in plain Python were translated, in "
        f"{making['median']:.2f} s (median; nine of ten within {making['90 %']:.2f} s). As machine code, searches that "
        f"take Python 20 ms or more were {ratio['median']:.0f} times as fast (median; the least {ratio['least']:.0f})."
    )
