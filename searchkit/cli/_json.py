"""A result as JSON."""

from math import isfinite
from typing import Any

from searchkit.cli._numbers import json_number
from searchkit.result import Result


def result_object(kind: str, result: Result[Any, Any], certificate_file: str | None = None) -> dict[str, Any]:
    """Return what `solve --json` prints: plain values that JSON can hold.

    `cost` is null, and `actions` and `states` are empty, unless the problem is solved. `lower_bound` is null where it
    is infinite: no path exists. `details` are there for engines that report any, `certificate` where one was written.
    """
    statistics, solution = result.statistics, result.solution
    reported: dict[str, Any] = {
        "problem": kind,
        "engine": result.engine,
        "backend": result.backend,
        "status": result.status.value,
        "cost": json_number(result.cost),
        "actions": [] if solution is None else [plain(action) for action in solution.actions],
        "states": [] if solution is None else [plain(state) for state in solution.states],
        "statistics": {
            "expanded": statistics.expanded,
            "generated": statistics.generated,
            "reopened": statistics.reopened,
            "reached": statistics.reached,
            "peak_frontier": statistics.peak_frontier,
            "seconds": statistics.seconds,
        },
        "lower_bound": json_number(result.lower_bound),
        "warnings": list(result.warnings),
    }
    if result.details:  # of engines that report more than the common statistics
        reported["details"] = {name: _detail(value) for name, value in result.details.items()}
    if result.certificate is not None:
        reported["certificate"] = {
            "file": certificate_file,
            "states": result.certificate.size,
            "lower_bound": json_number(result.certificate.lower_bound),
        }
    return reported


def plain(value: object) -> Any:
    """Return a state or an action as JSON can hold it, tuples as lists; its `repr` where it can't hold all of it."""
    return _listed(value) if _fits(value) else repr(value)


def _detail(value: object) -> Any:
    return [str(part) for part in value] if isinstance(value, tuple) and not _fits(value) else plain(value)


def _fits(value: object) -> bool:
    if isinstance(value, tuple | list):
        return all(_fits(part) for part in value)
    if isinstance(value, float):
        return isfinite(value)
    return value is None or isinstance(value, str | int)


def _listed(value: Any) -> Any:
    return [_listed(part) for part in value] if isinstance(value, tuple | list) else value
