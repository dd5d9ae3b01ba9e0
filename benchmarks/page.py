"""The tables of pages of the documentation and of README.md (`PAGES`), made from benchmarks/results.

A table is between `<!-- measured: NAME -->` and `<!-- end -->`; `NAME` is a key of `SECTIONS`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import asked
from benchmarks.costs import costs, versions
from benchmarks.documents import RESULTS, kept
from benchmarks.machine import Machine
from benchmarks.peers import OURS

ROOT = Path(__file__).parent.parent
PAGES = (
    ROOT / "docs" / "reference" / "benchmarks.md",
    ROOT / "README.md",
    ROOT / "docs" / "reference" / "testing.md",
    ROOT / "docs" / "explanation" / "what-costs-what.md",
)
MARKED = re.compile(r"(<!-- measured: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
Document = dict[str, Any]


def filled(text: str, folder: Path = RESULTS) -> str:
    """Return a page with its marked parts replaced. Raises `KeyError` for a name that is not in `SECTIONS`."""

    def section(match: re.Match[str]) -> str:
        return f"{match[1]}\n{SECTIONS[match[2]](folder)}\n\n{match[3]}"

    return MARKED.sub(section, text)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> Iterator[str]:
    """Yield the lines of a Markdown table, whose first `left` columns are words and the others numbers."""
    yield f"| {' | '.join(headings)} |"
    yield f"|{'|'.join('---' if column < left else '--:' for column in range(len(headings)))}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def words(text: str) -> str:
    """Return text as Markdown: its asterisks and bars are to be seen."""
    return text.replace("*", "\\*").replace("|", "\\|")


def milliseconds(seconds: float) -> str:
    """Return a time in milliseconds, to three digits or more."""
    return f"{seconds * 1e3:,.{3 if seconds < 1e-3 else 2 if seconds < 0.1 else 0}f}"


def page_of(name: str, lines: Callable[[Document], Iterator[str]]) -> Callable[[Path], str]:
    """Return the function that writes a part of a page: when and where it was measured, and its lines."""

    def write(folder: Path) -> str:
        document = kept(name, folder)
        if document is None:
            return f"Not measured yet: `python -m benchmarks {name}`."
        return "\n".join([f"Measured {Machine(**document['machine'])}.", "", *lines(document)])

    return write


def limit_lines(document: Document) -> Iterator[str]:
    """Yield the rows next to C++."""
    rows = []
    for row in document["rows"]:
        ratio, target = row["ratio"], row["target"]
        cells = [words(row["name"] + (f" ({row['remark']})" if row["remark"] else ""))]
        goal = "" if target is None else f"{target:g}"
        if ratio is None:
            rows.append([*cells, "", "", "–", "", goal])
            continue
        wrong = "" if row["agree"] else " **wrong**"
        rows.append(
            [
                *cells,
                milliseconds(row["reference"]),
                milliseconds(row["ours"]),
                f"**{ratio['median']:.2f}**{wrong}",
                per_expansion(row),
                goal,
            ]
        )
    yield from table(("work", "C++, ms", "searchkit, ms", "ratio", "for each expansion", "to reach"), rows)
    problems = [words(f"{row['name']}: {row['problem']}") for row in document["rows"] if row["problem"]]
    if problems:
        yield ""
        yield f"Not measured (–): {'; '.join(problems)}."


def per_expansion(row: Document) -> str:
    """Return the ratio of the times for one expansion, "" where nobody counted them."""
    if not (row["expanded_ours"] and row["expanded_reference"]):
        return ""
    return f"{row['ratio']['median'] * row['expanded_reference'] / row['expanded_ours']:.2f}"


def peers_lines(document: Document) -> Iterator[str]:
    """Yield a table of tasks by contenders, each a multiple of our time, and what is to be known of single rows."""
    rows = document["rows"]
    contenders = list(dict.fromkeys(row["contender"] for row in rows))
    by_place = {(row["task"], row["contender"]): row for row in rows}
    lines = []
    for task, title in document["titles"].items():
        cells = [peer_cell(by_place.get((task, name))) for name in contenders]
        lines.append([words(title), fastest(row for row in rows if row["task"] == task), *cells])
    headings = (f"{name}, ms" if name == OURS else name for name in contenders)
    yield from table(("work", "fastest other", *headings), lines)
    marks = {(row["contender"], row["easier"]) for row in rows if row["easier"] and not row["problem"]}
    yield ""
    yield "Multiples of searchkit's CPU time for the search; in brackets, with building. –: not what it is for."
    yield f"Libraries: {', '.join(document['libraries'].values()).replace('==', ' ')}."
    if marks:
        yield f"\\* an easier task: {'; '.join(f'{name}: {why}' for name, why in sorted(marks))}."


def fastest(rows: Iterable[Document]) -> str:
    """Return which other library takes the least time for a task, and how many times ours."""
    others = [row for row in rows if row["ratio"] and not row["contender"].startswith(OURS)]
    if not others:
        return "none"
    best = min(others, key=lambda row: float(row["ratio"]["median"]))
    mark = " \\*" if best["easier"] else ""
    return f"**{best['ratio']['median']:.2f}** {best['contender']}{mark}"


def peer_cell(row: Document | None) -> str:
    """Return what a table says of one contender on one task."""
    if row is None or row["cannot"]:
        return "–"
    if row["problem"] or not row["ratio"]:
        return words(row["problem"]) or "no time"
    if row["contender"] == OURS:
        return milliseconds(median(row["seconds"]))
    mark = " \\*" if row["easier"] else ""
    return f"{row['ratio']['median']:.2f} ({row['ratio_with_building']:.2f}){mark}"


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


def asked_lines(document: Document) -> Iterator[str]:
    """Yield what queries of a prepared map or graph cost."""
    yield from table(asked.HEADINGS, (asked.cells(asked.Row(**row)) for row in document["rows"]), left=2)


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


def python_lines(document: Document) -> Iterator[str]:
    """Yield a table of searches in Python by contenders, each as a multiple of the hand-written loop."""
    rows = []
    for comparison in document["comparisons"]:
        by_name = {row["contender"]: row for row in comparison["rows"]}
        rows.append([words(comparison["title"]), *(python_cell(by_name.get(name)) for name in COMPARED)])
    yield from table(("search", *COMPARED), rows)
    yield ""
    yield "–: the library can't do it. \\* returns no actions."


def python_cell(row: Document | None) -> str:
    """Return what the table says of one contender in Python."""
    if row is None:
        return "–"
    if "ratio_to_hand_written" not in row:
        return row["problem"] if row["problem"].startswith("over") else "–"
    mark = " \\*" if row["easier"] else ""
    return f"{row['ratio_to_hand_written']['median']:.2f}{mark}"


COMPARED = ("searchkit", "nographs", "networkx, with building", "astar", "simpleai")
"""The contenders in Python whose ratios the page shows; benchmarks/results/python.md has all."""


def in_python(folder: Path) -> str:
    """Return the sentence about the engines in Python."""
    document = kept("python", folder)
    if document is None:
        return "Not measured yet: `python -m benchmarks python`."
    ratios = [
        row["ratio_to_hand_written"]["median"]
        for comparison in document["comparisons"]
        for row in comparison["rows"]
        if row["contender"] == "searchkit"
    ]
    return (
        f"The engines in Python take {min(ratios):.1f} to {max(ratios):.1f} times the CPU time of a hand-written loop. "
        "[Benchmarks](docs/reference/benchmarks.md)\ncompares both forms with other libraries."
    )


def readme(folder: Path) -> str:
    """Return the table of ratios that the README shows, and a sentence about the engines in Python."""
    document = kept("limit", folder)
    if document is None:
        return "Not measured yet: `python -m benchmarks limit`."
    machine = Machine(**document["machine"])
    ratios = {row["name"]: row["ratio"]["median"] for row in document["rows"] if row["ratio"]}
    found = [
        (title, [ratios[row] for row in ratios if re.search(pattern, row)])
        for title, pattern in QUOTED.items()
    ]
    rows = [(title, " / ".join(f"{ratio:.1f}" for ratio in values)) for title, values in found if values]
    heading = f"machine code ({machine.date}, {machine.cpu}, {machine.cores} cores)"
    lines = table((heading, "CPU time ÷ that of hand-tuned C++"), rows)
    return "\n".join([*lines, "", in_python(folder)])


QUOTED = {
    "breadth-first distances, 1024×1024 cells: open / maze / random": r"^distance field.*(open|maze|random)$",
    "A\\* on 512×512 cells: 8 / 4 moves": r"moves, astar$",
    "`jps` / `jps+` on 512×512 cells (C++: A\\*)": r"moves, jps\+?$",
    "A\\* on 15-puzzles: medium / hard": r"^15-puzzle",
    "breadth-first on the whole 8-puzzle": r"^whole 8-puzzle",
    "vaults with 26 keys, A\\*: 1 / 4 robots": r"^vaults.*A\*",
    "Dijkstra on a graph of a million nodes": r"^Dijkstra.*nodes$",
}
"""Title of a row in the README → a pattern that matches the names of the measured rows in it."""
SECTIONS: dict[str, Callable[[Path], str]] = {
    "limit": page_of("limit", limit_lines),
    "peers": page_of("peers", peers_lines),
    "growth": page_of("growth", growth_lines),
    "memory": page_of("memory", memory_lines),
    "scale": page_of("scale", scale_lines),
    "overhead": page_of("overhead", overhead_lines),
    "power": page_of("power", power_lines),
    "asked": page_of("asked", asked_lines),
    "auto": page_of("auto", auto_lines),
    "player": page_of("player", player_lines),
    "python": page_of("python", python_lines),
    "versions": versions,
    "costs": costs,
    "readme": readme,
}
