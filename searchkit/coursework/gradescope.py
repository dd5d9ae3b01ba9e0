"""Results in the format that Gradescope reads: `/autograder/results/results.json`.

See https://gradescope-autograders.readthedocs.io/en/latest/specs/.
"""

from typing import Any

from searchkit.coursework.grading import Grade

STDOUT_SHOWN = 2_000


def results(grade: Grade) -> dict[str, Any]:
    """Return a grade as Gradescope reads it: the score, and one test for each criterion."""
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
