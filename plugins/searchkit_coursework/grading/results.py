"""Files of results: a CSV table, and what Gradescope reads, `/autograder/results/results.json`.

See https://gradescope-autograders.readthedocs.io/en/latest/specs/.
"""

import csv
import json
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from searchkit.basics.files import write_text
from searchkit.errors import InvalidOptionError
from searchkit_coursework.grading.grader import Grade
from searchkit_coursework.grading.rubric import Rubric
from searchkit_coursework.sandbox.wording import shown

STDOUT_SHOWN = 2_000
FORMULAS = tuple("=+-@")
"""The first characters of what a spreadsheet takes for a formula."""


def gradescope(grade: Grade) -> dict[str, Any]:
    """Return a grade in Gradescope's format: the score, and one test for each criterion."""
    report: dict[str, Any] = {
        "score": grade.score,
        "execution_time": round(grade.seconds, 2),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            {
                "name": mark.criterion.name,
                "score": mark.score,
                "max_score": mark.criterion.points,
                "status": "passed" if mark.passed else "failed",
                "output": mark.message,
                "output_format": "text",
                "visibility": mark.criterion.visibility,
            }
            for mark in grade.marks
        ],
    }
    output = [grade.trouble] if grade.trouble else []
    if grade.printed:
        output.append(f"Your code printed:\n{grade.printed[:STDOUT_SHOWN]}")
    if output:
        report["output"] = "\n\n".join(output)
    report["extra_data"] = {"protections": list(grade.protections)}
    return report


def write_results(path: Path, grades: Sequence[Grade], *, several: bool) -> None:
    """Write the file for Gradescope of one submission to `path`; those of several into the directory `path`.

    Raises `InvalidOptionError` if they can't be written.
    """
    if several:
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(path, error, "a directory for the results") from error
    for grade in grades:
        stem = grade.name.removesuffix(".py").replace("/", "_").replace("\\", "_").replace("..", "")
        file = path / f"{stem.strip('_')}.json" if several else path
        _write(file, json.dumps(gradescope(grade), indent=2, ensure_ascii=False) + "\n")


def write_csv(path: Path, rubric: Rubric, grades: Sequence[Grade]) -> None:
    """Write a table with a column for each criterion. Raises `InvalidOptionError` if it can't be written."""
    lines = StringIO()
    table = csv.writer(lines)
    names = [criterion.name for criterion in rubric.criteria]
    table.writerow(map(_cell, ["submission", "points", *names, "note"]))
    for grade in grades:
        scores = [shown(mark.score) for mark in grade.marks]
        table.writerow([_cell(grade.name), shown(grade.score), *scores, _cell(grade.trouble)])
    _write(path, lines.getvalue())


def _cell(text: str) -> str:
    """Return the text so that a spreadsheet does not read it as a formula."""
    return f"'{text}" if text.startswith(FORMULAS) else text


def _write(path: Path, text: str) -> None:
    try:
        write_text(path, text)
    except OSError as error:
        raise _unwritable(path, error, "a file in a directory that exists") from error


def _unwritable(path: Path, error: OSError, expected: str) -> InvalidOptionError:
    return InvalidOptionError(f"{path} can't be written: {error.strerror}; expected {expected}")
