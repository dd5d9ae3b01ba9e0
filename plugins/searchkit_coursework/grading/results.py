"""Files of results: a CSV table, and what Gradescope reads, `/autograder/results/results.json`.

See https://gradescope-autograders.readthedocs.io/en/latest/specs/.
"""

import csv
import json
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

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


def results_files(path: Path, grades: Sequence[Grade], *, several: bool) -> dict[Path, str]:
    """Return the files for Gradescope: of one submission `path`; of several, one each in the directory `path`."""
    files = {}
    for grade in grades:
        stem = grade.name.removesuffix(".py").replace("/", "_").replace("\\", "_").replace("..", "")
        file = path / f"{stem.strip('_')}.json" if several else path
        files[file] = json.dumps(gradescope(grade), indent=2, ensure_ascii=False) + "\n"
    return files


def csv_table(rubric: Rubric, grades: Sequence[Grade]) -> str:
    """Return a table with a column for each criterion."""
    lines = StringIO()
    table = csv.writer(lines)
    table.writerow(
        map(_cell, ["submission", "points", *(criterion.name for criterion in rubric.criteria), "note"])
    )
    for grade in grades:
        scores = [shown(mark.score) for mark in grade.marks]
        table.writerow([_cell(grade.name), shown(grade.score), *scores, _cell(grade.trouble)])
    return lines.getvalue()


def _cell(text: str) -> str:
    """Return the text so that a spreadsheet does not read it as a formula."""
    return f"'{text}" if text.startswith(FORMULAS) else text
