"""Results, engines, problems and plugins as JSON: docs/reference/json.md says what each field means."""

from collections.abc import Iterable
from math import isfinite
from typing import Any

from searchkit.cli._numbers import json_number
from searchkit.plugin.registry import PluginRecord, Registry
from searchkit.plugin.specs import EngineSpec, Parameter, ProblemSpec
from searchkit.result import Result, Solution


def result_object(kind: str, result: Result[Any, Any], certificate_file: str | None = None) -> dict[str, Any]:
    """Return what `solve --json` prints of a result: plain values that JSON can hold.

    `cost` is null, and `actions` and `states` are empty, unless the problem is solved. `lower_bound` is null where it
    is infinite: no path exists. What an engine does not report, or was not asked for, is null or empty.
    """
    statistics, solution, certificate = result.statistics, result.solution, result.certificate
    return {
        "problem": kind,
        "engine": result.engine,
        "engine_choice": result.engine_choice or None,
        "backend": result.backend,
        "status": result.status.value,
        "cutoff": result.cutoff or None,
        "optimal": result.optimal,
        "cost": json_number(result.cost),
        "actions": [] if solution is None else [plain(action) for action in solution.actions],
        "states": [] if solution is None else [plain(state) for state in solution.states],
        "partial": None if result.partial is None else _path(result.partial),
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
        "details": {name: _detail(value) for name, value in result.details.items()},
        "certificate": None
        if certificate is None
        else {
            "file": certificate_file,
            "states": certificate.size,
            "lower_bound": json_number(certificate.lower_bound),
        },
    }


def engine_object(spec: EngineSpec) -> dict[str, Any]:
    """Return what `engines --json` prints of an engine."""
    return {
        "name": spec.name,
        "summary": spec.summary,
        "aliases": list(spec.aliases),
        "optimal": spec.optimal,
        "complete": spec.complete,
        "exhaustive": spec.exhaustive,
        "costs": spec.costs,
        "heuristic": spec.heuristic,
        "requires": [capability.__name__ for capability in spec.requires],
        "memory": spec.memory,
        "compiled": bool(spec.kernel),
        "options": _options(spec.options),
    }


def problem_object(spec: ProblemSpec) -> dict[str, Any]:
    """Return what `problems --json` prints of a kind of problem."""
    return {
        "name": spec.name,
        "summary": spec.summary,
        "options": _options(spec.parameters),
        "examples": [
            {
                "name": example.name,
                "summary": example.summary,
                "file": str(example.path),
                "options": {name: plain(value) for name, value in example.options.items()},
            }
            for example in spec.examples
        ],
        "generators": [
            {"name": made.name, "summary": made.summary, "options": _options(made.parameters)}
            for made in spec.generators
        ],
    }


def plugins_object(registry: Registry) -> dict[str, Any]:
    """Return what `plugins --json` prints."""
    return {
        "plugins": [_plugin(record) for record in registry.plugins],
        "clashes": [
            {"kind": kind, "name": name, "plugins": list(owners)}
            for (kind, name), owners in registry.clashes.items()
        ],
    }


def _plugin(record: PluginRecord) -> dict[str, Any]:
    return {
        "name": record.name,
        "package": record.distribution or None,
        "version": record.version or None,
        "status": record.status,
        "reason": record.reason or None,
        "hooks": list(record.hooks),
    }


def _options(parameters: Iterable[Parameter]) -> list[dict[str, Any]]:
    return [
        {
            "name": parameter.name,
            "help": parameter.help,
            "default": plain(parameter.default),
            "choices": [plain(choice) for choice in parameter.choices],
        }
        for parameter in parameters
    ]


def _path(path: Solution[Any, Any]) -> dict[str, Any]:
    return {
        "cost": json_number(path.cost),
        "actions": [plain(action) for action in path.actions],
        "states": [plain(state) for state in path.states],
    }


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
