"""Certificates on the command line: the options they keep, and what is said of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve
from rich.text import Text

from searchkit.certificates import Certificate
from searchkit.certificates.verdict import Verdict
from searchkit.cli._numbers import json_number, readable
from searchkit.cli._request import Request, Task
from searchkit.errors import InputFormatError, InvalidOptionError
from searchkit.plugin.registry import registry
from searchkit.problem import has_heuristic
from searchkit.result import Result


def refuse_unwritable(path: str) -> None:
    """Raise `InvalidOptionError`, before the search, where no certificate can be written."""
    folder = Path(path).absolute().parent
    if Path(path).is_dir() or not folder.is_dir():
        what = (
            "is a directory"
            if Path(path).is_dir()
            else f"is to be written to {folder}, which is not a directory"
        )
        raise InvalidOptionError(f"--certificate {path}: it {what}; expected the name of a file")


def labelled(certificate: Certificate, request: Request, task: Task, engine: str) -> Certificate:
    """Return the certificate with the options by which its problem can be read again."""
    settings = {name: value for name, value in request.settings.items() if name not in task.options[engine]}
    options: dict[str, object] = {f"--{name}": list(values) for name, values in request.places.items()}
    if request.problem is not None:
        options["--problem"] = request.problem
    if settings:
        options["--set"] = settings
    return evolve(certificate, problem=task.kind, options=options)


def save(certificate: Certificate, path: Path | str) -> None:
    """Write a certificate. Raises `InvalidOptionError`, which names the file, if it can't be written."""
    try:
        certificate.save(path)
    except OSError as error:
        raise InvalidOptionError(
            f"--certificate {path}: it can't be written: {error.strerror or error}"
        ) from error


def request_of(
    source: str,
    certificate: Certificate,
    file: str,
    problem: str | None,
    starts: Sequence[str] | None,
    goals: Sequence[str] | None,
    settings: Iterable[str] | None,
) -> Request:
    """Return what to load: as it was certified, with what is given besides.

    Raises `InvalidOptionError` where that contradicts the certificate, `InputFormatError` where its options are none.
    """
    stored = _stored(certificate, file)
    given = Request.of(source, problem, starts, goals, settings)
    places = {name: stored[f"--{name}"] for name in ("start", "goal") if f"--{name}" in stored}
    kept: Mapping[str, str] = stored.get("--set", {})
    for name, value in given.places.items():
        _refuse_other(f"--{name}", value, places.get(name, value), file)
    for name, value in given.settings.items():
        _refuse_other(f"--set {name}", value, kept.get(name, value), file)
    _refuse_foreign_files(source, file, {name: kept[name] for name in kept if name not in given.settings})
    if problem is not None:
        _refuse_other("--problem", problem, stored.get("--problem", problem), file)
    return Request(
        source, problem or stored.get("--problem"), {**places, **given.places}, {**kept, **given.settings}
    )


def _stored(certificate: Certificate, file: str) -> dict[str, Any]:
    def are_texts(values: object) -> bool:
        return isinstance(values, list) and all(isinstance(value, str) for value in values)

    stored = dict(certificate.options)
    fitting: dict[str, Callable[[Any], bool]] = {
        "--problem": lambda value: isinstance(value, str),
        "--start": are_texts,
        "--goal": are_texts,
        "--set": lambda value: isinstance(value, dict) and are_texts(list(value.values())),
    }
    for name, value in stored.items():
        if name not in fitting or not fitting[name](value):
            raise InputFormatError(
                f"its options have {name} {value!r}, which is not an option of solve", source=file, line=2
            )
    return stored


def _refuse_foreign_files(source: str, file: str, settings: Mapping[str, str]) -> None:
    """Raise `InvalidOptionError` where a certificate, whoever made it, would have a file read from elsewhere."""
    options = [option for spec in registry().problems.values() for option in spec.parameters if option.file]
    folder = Path(source).parent
    for name in {option.name for option in options} & settings.keys():
        try:
            inside = Path(settings[name]).resolve().is_relative_to(folder.resolve())
        except (OSError, ValueError):
            inside = False
        if not inside:
            raise InvalidOptionError(
                f"{file} was made with --set {name}={settings[name]}, a file that does not lie in the folder of "
                f"{source}; if that is meant, give the same --set again"
            )


def _refuse_other(option: str, given: object, stored: object, file: str) -> None:
    def shown(value: object) -> str:
        return " ".join(value) if isinstance(value, list) else str(value)

    if given != stored:
        raise InvalidOptionError(
            f"{option} {shown(given)}: {file} was made with {option} {shown(stored)}; leave it out, or solve "
            "again for a certificate of the other"
        )


def refuse_other_kind(source: str, kind: str, certificate: Certificate, file: str) -> None:
    """Raise `InvalidOptionError` where the certificate is of another kind of problem than was read."""
    if certificate.problem not in ("", kind):
        raise InvalidOptionError(
            f"{source} was read as problem {kind!r}, and {file} is about a problem {certificate.problem!r}; "
            f"give its own source, or --problem {certificate.problem}"
        )


def certificate_row(path: str, task: Task, result: Result[Any, Any]) -> str:
    """Return what `solve` says of the certificate that it wrote."""
    certificate = result.certificate
    assert certificate is not None
    said = f"{path}, {certificate.size:,} states"
    if certificate.lower_bound < result.lower_bound:
        engine = "astar" if has_heuristic(task.problem) else "dijkstra"
        said += (
            f"; it proves only that no path costs less than {readable(certificate.lower_bound)}, for {result.engine} "
            f"holds no states to prove more by: {engine} does"
        )
    return said


def verdict_rows(kind: str, certificate: Certificate, verdict: Verdict) -> Iterable[tuple[str, Text | str]]:
    """Return what `certify` prints."""
    yield "problem", kind
    yield "claim", _claim(certificate)
    if verdict:
        yield "verdict", Text("accepted", style="green")
    else:
        yield "verdict", Text(f"rejected: {verdict.objection}", style="red")
        yield "why", "the certificate is wrong, or of another problem: its source may have changed since"
    if verdict:
        for name in ("proved", "assumed", "unproved"):
            statements = getattr(verdict, name)
            if statements:
                yield name, "\n".join(statements)
    if verdict:
        steps = f", {len(certificate.path) - 1:,} steps of the path" if certificate.path else ""
        yield "checked", f"{certificate.size:,} states below the bound{steps}"


def _claim(certificate: Certificate) -> str:
    made = f", found by {certificate.engine}" if certificate.engine else ""
    if certificate.cost is not None:
        known = (
            "optimal"
            if certificate.cost == certificate.lower_bound
            else f"at least {readable(certificate.lower_bound)} is needed"
        )
        return f"solved: cost {readable(certificate.cost)} ({known}){made}"
    if certificate.status == "unsolvable":
        return f"unsolvable: no path exists{made}"
    return f"cut off: any path costs at least {readable(certificate.lower_bound)}{made}"


def verdict_object(kind: str, certificate: Certificate, verdict: Verdict) -> dict[str, Any]:
    """Return what `certify --json` prints; `lower_bound` is null where it is infinite, as in `solve --json`."""
    return {
        "problem": kind,
        "engine": certificate.engine,
        "accepted": verdict.accepted,
        "objection": verdict.objection or None,
        "status": certificate.status,
        "cost": json_number(certificate.cost),
        "lower_bound": json_number(certificate.lower_bound),
        "states": certificate.size,
        "proved": list(verdict.proved),
        "assumed": list(verdict.assumed),
        "unproved": list(verdict.unproved),
    }
