"""The report of a class as one HTML file: the points, how often each criterion holds, and each student's feedback.

The file has no scripts and loads nothing. Signs and words say what colours say.
"""

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from html import escape

from searchkit_coursework.commands.class_table import first_line, protections
from searchkit_coursework.grading.grader import Grade, Mark
from searchkit_coursework.grading.rubric import Criterion, Rubric
from searchkit_coursework.sandbox.wording import shown

REASONS = 3
"""The number of failures of each criterion that are listed, the commonest first."""
NUMBERS = re.compile(r"\d[\d,.]*")
"""Messages that differ only in these count as the same failure."""
STYLE = """
:root { color-scheme: light dark; --ink: #1c2024; --dim: #5b6470; --ground: #fff; --line: #c9ced6; --soft: #f3f5f8;
  --good: #14662f; --bad: #a3161f; --link: #0b57a4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8eb; --dim: #a3abb6; --ground: #14171b; --line: #3a414b; --soft: #1d2229;
    --good: #7bd88f; --bad: #ff9c9c; --link: #8ec1ff; }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--ground); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; margin: .5rem 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; padding-top: .75rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
h1, h2, h3, p, li, th, td { overflow-wrap: anywhere; }
a { color: var(--link); }
.dim { color: var(--dim); }
.wide, pre { overflow-x: auto; }
.wide:focus, pre:focus { outline: 2px solid var(--link); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .5rem; border: 1px solid var(--line); text-align: right; white-space: nowrap; }
thead th { background: var(--soft); }
.name { text-align: left; min-width: 8rem; max-width: 16rem; white-space: normal; }
td.good, .good { color: var(--good); }
td.bad, .bad { color: var(--bad); font-weight: 700; }
pre { margin: .5rem 0; padding: .5rem; background: var(--soft); border: 1px solid var(--line);
  font: .85rem/1.2 ui-monospace, "DejaVu Sans Mono", monospace; }
ol, ul { padding-left: 1.5rem; margin: .25rem 0; }
@media print { .wide, pre { overflow: visible; white-space: pre-wrap; } section { break-inside: avoid; } }
"""
HASH = b64encode(sha256(STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{HASH}'; base-uri 'none'; form-action 'none'"


def class_page(rubric: Rubric, grades: Sequence[Grade]) -> str:
    """Return the report of a class as one HTML page. All texts of students are escaped."""
    return "\n".join(_page(rubric, grades)) + "\n"


def _page(rubric: Rubric, grades: Sequence[Grade]) -> Iterator[str]:
    title = escape(rubric.title)
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>"
    count = f"{len(grades)} submission{'s' * (len(grades) != 1)}"
    mean = shown(round(sum(grade.score for grade in grades) / max(1, len(grades)), 2))
    yield f"<p>{count}, {mean} of {shown(rubric.points)} points on average.</p>"
    yield "<h2>Points</h2>"
    yield from _table(rubric, grades)
    yield "<h2>Criteria</h2>"
    for number, criterion in enumerate(rubric.criteria, 1):
        yield from _criterion(number, criterion, grades)
    for number, grade in enumerate(grades, 1):
        yield from _submission(number, grade)
    yield f'<p class="dim">{escape(protections(grades))}</p>\n</main>\n</body>\n</html>'


def _table(rubric: Rubric, grades: Sequence[Grade]) -> Iterator[str]:
    yield '<div class="wide" tabindex="0" role="region" aria-label="Points"><table>'
    heads = "".join(
        f'<th scope="col"><a href="#c{number}" title="{escape(criterion.name)}">{number}</a><br>'
        f'<span class="dim">of {shown(criterion.points)}</span></th>'
        for number, criterion in enumerate(rubric.criteria, 1)
    )
    yield (
        f'<thead><tr><th scope="col" class="name">submission</th><th scope="col">points<br>'
        f'<span class="dim">of {shown(rubric.points)}</span></th>{heads}</tr></thead>\n<tbody>'
    )
    for number, grade in enumerate(grades, 1):
        cells = "".join("<td>–</td>" if grade.trouble else _cell(mark) for mark in grade.marks)
        name = f'<th scope="row" class="name"><a href="#s{number}">{escape(grade.name)}</a></th>'
        yield f"<tr>{name}<td>{shown(grade.score)}</td>{cells}</tr>"
    yield "</tbody></table></div>"
    yield '<p class="dim">✓ holds on all maps, ◐ on some, ✗ fails, – could not be run.</p>'


def _cell(mark: Mark) -> str:
    return f'<td class="{_class(mark)}">{_sign(mark)} {shown(mark.score)}</td>'


def _class(mark: Mark) -> str:
    return "good" if mark.passed else "bad"


def _sign(mark: Mark) -> str:
    return "✓" if mark.passed else "◐" if mark.score > 0 else "✗"


def _criterion(number: int, criterion: Criterion, grades: Sequence[Grade]) -> Iterator[str]:
    marks = [grade.marks[number - 1] for grade in grades]
    passed = sum(mark.passed for mark in marks)
    yield f'<h3 id="c{number}">{number}. {escape(criterion.name)} ({shown(criterion.points)})</h3>'
    yield f"<p>{passed} of {len(grades)} passed.</p>"
    failures: Counter[str] = Counter()
    texts: dict[str, str] = {}
    for grade, mark in zip(grades, marks, strict=True):
        if not mark.passed:
            text = first_line(grade.trouble or mark.message)
            key = NUMBERS.sub("#", text)
            failures[key] += 1
            texts.setdefault(key, text)
    common = failures.most_common(REASONS)
    if common:
        yield from _list(f"{count} × {escape(texts[key])}" for key, count in common)
        rest = sum(failures.values()) - sum(count for _, count in common)
        if rest:
            yield f'<p class="dim">and {rest} for other reasons</p>'


def _list(items: Iterable[str]) -> Iterator[str]:
    yield "<ul>"
    yield from (f"<li>{item}</li>" for item in items)
    yield "</ul>"


def _submission(number: int, grade: Grade) -> Iterator[str]:
    yield f'<section>\n<h2 id="s{number}">{escape(grade.name)}</h2>'
    yield f"<p><strong>{shown(grade.score)} of {shown(grade.most)} points</strong></p>"
    if grade.trouble:
        yield f'<p class="bad">✗ {escape(grade.trouble)}</p>'
    else:
        yield from _feedback(grade)
    if grade.printed:
        yield f'<p>It printed:</p>\n<pre tabindex="0">{escape(grade.printed.rstrip())}</pre>'
    yield "</section>"


def _feedback(grade: Grade) -> Iterator[str]:
    told: dict[str, str] = {}
    for mark in grade.marks:
        points = f"{shown(mark.score)} of {shown(mark.criterion.points)}"
        yield f'<h3 class="{_class(mark)}">{_sign(mark)} {escape(mark.criterion.name)}: {points}</h3>'
        if mark.passed:
            continue
        before = told.setdefault(mark.message, mark.criterion.name)
        if before != mark.criterion.name:
            yield f"<p>The same as for “{escape(before)}”.</p>"
            continue
        text, _, drawing = mark.message.partition("\n\n")
        for line in text.splitlines():
            yield f"<p>{escape(line)}</p>"
        if drawing:
            yield f'<pre tabindex="0">{escape(drawing)}</pre>'
