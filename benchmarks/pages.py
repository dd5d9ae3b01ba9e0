"""Updates the tables of the documentation and of README.md from benchmarks/results.

A table is between `<!-- measured: NAME -->` and `<!-- end -->`; `NAME` is a key of `SECTIONS`.
"""

import argparse
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.contenders import OURS, ROOT
from benchmarks.kit import RESULTS, Machine, kept

Document = dict[str, Any]
PAGES = (
    ROOT / "docs" / "reference" / "benchmarks.md",
    ROOT / "README.md",
    ROOT / "docs" / "reference" / "testing.md",
    ROOT / "docs" / "reference" / "plugins" / "robots.md",
)
MARKED = re.compile(r"(<!-- measured: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
ELSEWHERE: dict[str, tuple[float, ...]] = {
    "breadth-first distances, 1024×1024 cells: open / maze / random": (3.2, 1.6, 1.0),
    "A\\* on 512×512 cells: 8 / 4 moves": (1.9, 1.8),
    "`jps` on 512×512 cells (C++: A\\*)": (0.36,),
    "A\\* on 15-puzzles: medium / hard": (1.9, 1.6),
}
"""Title of a row in the README → the ratios that were measured on another processor, an AMD EPYC."""
QUOTED = {
    "breadth-first distances, 1024×1024 cells: open / maze / random": r"^distance field.*(open|maze|random)$",
    "A\\* on 512×512 cells: 8 / 4 moves": r"moves, astar$",
    "`jps` on 512×512 cells (C++: A\\*)": r"moves, jps$",
    "A\\* on 15-puzzles: medium / hard": r"^15-puzzle",
    "breadth-first on the whole 8-puzzle": r"^whole 8-puzzle",
    "Dijkstra on a graph of a million nodes": r"^Dijkstra.*nodes$",
}
"""Title of a row in the README → a pattern that matches the names of the measured rows in it."""


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
    """Return text as Markdown, with its asterisks and bars escaped."""
    return text.replace("*", "\\*").replace("|", "\\|")


def milliseconds(seconds: float) -> str:
    """Return a time in milliseconds, to three digits or more."""
    return f"{seconds * 1e3:,.{3 if seconds < 1e-3 else 2 if seconds < 0.1 else 0}f}"


def page_of(name: str, lines: Callable[[Document], Iterator[str]]) -> Callable[[Path], str]:
    """Return the function that writes a part of a page: when and where it was measured, and its lines."""

    def write(folder: Path) -> str:
        document = kept(name, folder)
        return "\n".join([f"Measured {Machine(**document['machine'])}.", "", *lines(document)])

    return write


def limit_lines(document: Document) -> Iterator[str]:
    """Yield the rows next to C++."""
    rows = []
    for row in document["rows"]:
        ratio, target = row["ratio"], row["target"]
        name = words(row["name"] + (f" ({row['remark']})" if row["remark"] else ""))
        goal = "" if target is None else f"{target:g}"
        if ratio is None:
            rows.append([f"{name}: {row['problem']}", "", "", "–", "", goal])
            continue
        counted = row["expanded_ours"] and row["expanded_reference"]
        each = f"{ratio['median'] * row['expanded_reference'] / row['expanded_ours']:.2f}" if counted else ""
        wrong = "" if row["agree"] else " **wrong**"
        times = milliseconds(row["reference"]), milliseconds(row["ours"])
        rows.append([name, *times, f"**{ratio['median']:.2f}**{wrong}", each, goal])
    yield from table(("work", "C++, ms", "searchkit, ms", "ratio", "for each expansion", "to reach"), rows)


def readme(folder: Path) -> str:
    """Return the table of ratios that the README shows, and a sentence about the engines in Python."""
    document = kept("limit", folder)
    machine = Machine(**document["machine"])
    measured = {row["name"]: row["ratio"]["median"] for row in document["rows"] if row["ratio"]}
    rows = []
    for title, pattern in QUOTED.items():
        ratios = [ratio for name, ratio in measured.items() if re.search(pattern, name)]
        worse = map(max, ratios, ELSEWHERE.get(title, ratios))
        rows.append((title, " / ".join(f"{ratio:.1f}" for ratio in worse)))
    cpu = machine.cpu.replace("(R)", "")
    heading = f"machine code ({machine.date}; the worse of an {cpu} and an AMD EPYC)"
    lines = table((heading, "CPU time ÷ that of hand-tuned C++"), rows)
    ratios = [row["ratio"]["median"] for row in kept("python", folder)["rows"] if row["contender"] == OURS]
    return "\n".join(
        [
            *lines,
            "",
            "`python -m benchmarks limit` measures it on your machine. The engines in Python are there to be read: they"
            f" take {min(ratios):.1f} to {max(ratios):.1f}\ntimes the CPU time of a hand-written loop. "
            "[Benchmarks](docs/reference/benchmarks.md) compares both forms with other libraries.",
        ]
    )


def contenders(document: Document, cell: Callable[[Document], str], extra: str = "") -> Iterator[str]:
    """Yield a table of tasks by contenders."""
    rows = document["rows"]
    names = list(dict.fromkeys(row["contender"] for row in rows))
    shown = [name for name in names if any(row["contender"] == name and row["ratio"] for row in rows)]
    by_place = {(row["task"], row["contender"]): row for row in rows}
    lines = []
    for task, title in document["titles"].items():
        first = [fastest(row for row in rows if row["task"] == task)] if extra else []
        lines.append([words(title), *first, *(cell(by_place[task, name]) for name in shown)])
    headings = (f"{name}, ms" if name == OURS and extra else name for name in shown)
    yield from table(("work", *([extra] if extra else []), *headings), lines)


def fastest(rows: Iterable[Document]) -> str:
    """Return which other library takes the least time for a task, and how many times ours."""
    others = [row for row in rows if row["ratio"] and not row["contender"].startswith(OURS)]
    if not others:
        return "none"
    best = min(others, key=lambda row: float(row["ratio"]["median"]))
    return f"**{best['ratio']['median']:.2f}** {best['contender']}{mark(best)}"


def mark(row: Document) -> str:
    """Return the asterisk of a task that is easier than ours."""
    return " \\*" if row["easier"] else ""


def peers_lines(document: Document) -> Iterator[str]:
    """Yield a table of tasks by contenders, each a multiple of our time, and what is to be known of single rows."""

    def cell(row: Document) -> str:
        if row["cannot"]:
            return "–"
        if row["problem"] or not row["ratio"]:
            return words(row["problem"]) or "no time"
        if row["contender"] == OURS:
            return milliseconds(median(row["seconds"]))
        return f"{row['ratio']['median']:.2f} ({row['ratio_with_building']:.2f}){mark(row)}"

    yield from contenders(document, cell, "fastest other")
    easier = {
        (row["contender"], row["easier"]) for row in document["rows"] if row["easier"] and not row["problem"]
    }
    yield ""
    yield "Multiples of searchkit's CPU time for the search; in brackets, with building. –: not what it is for."
    yield f"Libraries: {', '.join(document['libraries'].values()).replace('==', ' ')}."
    yield f"\\* an easier task: {'; '.join(f'{name}: {why}' for name, why in sorted(easier))}."


def python_lines(document: Document) -> Iterator[str]:
    """Yield a table of searches in Python by contenders, each as a multiple of the hand-written loop."""

    def cell(row: Document) -> str:
        if row["ratio"] is None:
            return row["problem"] if row["problem"].startswith("over") else "–"
        return f"{row['ratio']['median']:.2f}"

    yield from contenders(document, cell)
    yield ""
    yield "–: the library can't do it."


def scale_lines(document: Document) -> Iterator[str]:
    """Yield the searches beyond memory, and the ratios between them."""
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
    headings = ("search", "states", "depth", "CPU s", "seconds by the clock", "M states a CPU-second", "MB")
    yield from table((*headings, "bytes a state on disk", "load"), rows)
    yield ""
    for name, ratio in document["ratios"].items():
        yield f"- {name}: {ratio:.2f}"


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
    places = sorted({place[:2] for place in rows})
    lines = [
        [kind, engine, *(cell(rows.get((kind, engine, robots))) for robots in counts)]
        for kind, engine in places
    ]
    yield from table(("map", "engine", *map(str, counts)), lines, left=2)


def auto_lines(document: Document) -> Iterator[str]:
    """Yield what `auto` costs."""
    rows = []
    for row in document["rows"]:
        holds = row["warm"] <= row["allowed"] and row["cold"] <= row["allowed_cold"]
        times = [f"{row[name]:.2f}" for name in ("python", "compiled", "warm", "cold", "beside")]
        name = words(f"{row['name']}, {row['engine']}")
        rows.append([name, f"{row['expanded']:,}", *times, "yes" if holds else "**no**"])
    headings = (
        "search",
        "expanded",
        "Python, s",
        "compiled, s",
        "auto, warm, s",
        "auto, cold, s",
        "beside, s",
    )
    yield from table((*headings, "within"), rows)


def translate_lines(document: Document) -> Iterator[str]:
    """Yield which problems are not translated, and how fast the others are that take Python 20 ms or more."""
    rows = []
    for row in document["rows"]:
        if not row["reason"] and row["python"] < 0.02:
            continue
        cells = [words(row["reason"]), "", "", "", ""]
        if not row["reason"]:
            python, code = row["python"], row["translated"]
            view = "" if row["view"] is None else f"{code / row['view']:.1f}"
            making = f"{row['making']:.2f}"
            cells = [f"{row['bits']} bits", making, milliseconds(python), f"{python / code:.1f}", view]
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


def in_plain_python(folder: Path) -> str:
    """Return what the README says about translated problems."""
    return f"{translated(kept('translate', folder))} [More](docs/reference/benchmarks.md)."


def power_lines(document: Document) -> Iterator[str]:
    """Yield the defects by form, the weights on mazes, and the correct searches."""
    rows = document["rows"]

    def cell(row: Document | None) -> str:
        return "–" if row is None else f"{row['caught']} of {row['seeds']}"

    of_defects = {(row["name"], row["form"]): row for row in rows if row["table"] == "defects"}
    lines = []
    for name in dict.fromkeys(name for name, _ in of_defects):
        both = [of_defects.get((name, form)) for form in ("engine", "function")]
        first = ", ".join(dict.fromkeys(promise for row in both if row for promise in row["promises"]))
        examples = " / ".join(f"{row['examples']:g}" if row else "–" for row in both)
        lines.append([words(name), first, *map(cell, both), examples])
    headings = ("defect", "first promise broken", "engine", "function", "examples until then")
    yield from table(headings, lines, left=2)
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


SECTIONS: dict[str, Callable[[Path], str]] = {
    "limit": page_of("limit", limit_lines),
    "peers": page_of("peers", peers_lines),
    "python": page_of("python", python_lines),
    "scale": page_of("scale", scale_lines),
    "auto": page_of("auto", auto_lines),
    "translate": page_of("translate", translate_lines),
    "translated": in_plain_python,
    "robots": page_of("robots", robots_lines),
    "power": page_of("power", power_lines),
    "readme": readme,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages."""
    argparse.ArgumentParser(description=__doc__).parse_args(arguments)
    for page in PAGES:
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
    return 0
