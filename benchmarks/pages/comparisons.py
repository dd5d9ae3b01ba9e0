"""Tables of searchkit beside C++, other libraries and a hand-written loop."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median

from benchmarks.kit.documents import kept
from benchmarks.kit.machine import Machine
from benchmarks.pages.markdown import Document, milliseconds, table, words
from benchmarks.peers import OURS


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
        f"The engines in Python are there to be read: they take {min(ratios):.1f} to {max(ratios):.1f} times the CPU "
        "time of a hand-written loop. "
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
    "`jps` on 512×512 cells (C++: A\\*)": r"moves, jps$",
    "A\\* on 15-puzzles: medium / hard": r"^15-puzzle",
    "breadth-first on the whole 8-puzzle": r"^whole 8-puzzle",
    "Dijkstra on a graph of a million nodes": r"^Dijkstra.*nodes$",
}
"""Title of a row in the README → a pattern that matches the names of the measured rows in it."""
