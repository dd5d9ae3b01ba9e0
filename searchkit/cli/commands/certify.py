"""`searchkit certify`: checks a certificate against its problem, by the definitions alone."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from searchkit.cli import kit
from searchkit.errors import InputFormatError, InvalidOptionError

if TYPE_CHECKING:
    from rich.text import Text

    from searchkit.certificates import Certificate
    from searchkit.certificates.verdict import Verdict

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def certify(
    source: kit.Source,
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="The certificate, as searchkit solve … --certificate wrote it."),
    ],
    problem: kit.Problem = None,
    start: kit.Starts = None,
    goal: kit.Goals = None,
    set: kit.Settings = None,
    json: kit.Json = False,
) -> int:
    """Check a certificate.

    Reads SOURCE with the options that FILE was made with, and checks every state, step and cost in FILE without a
    search. Prints what is proved, and what the proof assumes.

    Exit code 0: accepted; 1: rejected; 2: wrong use or input.

    Example: searchkit certify arena.map arena.certificate
    """
    from searchkit.certificates import Certificate
    from searchkit.certificates.verdict import certify as check

    certificate = Certificate.load(file)
    request = request_of(source, certificate, file, problem, start, goal, set)
    task = request.resolve([])
    refuse_other_kind(source, task.kind, certificate, file)
    verdict = check(task.problem, certificate)
    if json:
        kit.write_json("certify", verdict_object(task.kind, certificate, verdict))
    else:
        from searchkit.cli.report import rows

        kit.result_console().print(rows(verdict_rows(task.kind, certificate, verdict)))
    return kit.DONE if verdict else kit.FAILED


def request_of(
    source: str,
    certificate: "Certificate",
    file: str,
    problem: str | None,
    starts: Sequence[str] | None,
    goals: Sequence[str] | None,
    settings: Iterable[str] | None,
) -> kit.Request:
    """Return the problem to load: with the options of the certificate and those given on the command line.

    Raises `InvalidOptionError` if they contradict each other, `InputFormatError` if an option of the certificate is
    invalid.
    """
    stored = _stored(certificate, file)
    given = kit.Request.of(source, problem, starts, goals, settings)
    places = {name: stored[f"--{name}"] for name in ("start", "goal") if f"--{name}" in stored}
    kept: Mapping[str, str] = stored.get("--set", {})
    for name, value in given.places.items():
        _refuse_other(f"--{name}", value, places.get(name, value), file)
    for name, value in given.settings.items():
        _refuse_other(f"--set {name}", value, kept.get(name, value), file)
    if problem is not None:
        _refuse_other("--problem", problem, stored.get("--problem", problem), file)
    request = kit.Request(
        source, problem or stored.get("--problem"), {**places, **given.places}, {**kept, **given.settings}
    )
    _refuse_foreign_files(request, file, {name: kept[name] for name in kept if name not in given.settings})
    return request


def _stored(certificate: "Certificate", file: str) -> dict[str, Any]:
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


def _refuse_foreign_files(request: kit.Request, file: str, settings: Mapping[str, str]) -> None:
    """Raise `InvalidOptionError` if the certificate names a file outside the folder of the source.

    For a source without a file, no file may be named.
    """
    from searchkit.plugin.registry import registry

    source = request.opened
    options = source.parameters
    if options is None:
        options = tuple(option for spec in registry().problems.values() for option in spec.parameters)
    for name in {option.name for option in options if option.file} & settings.keys():
        try:
            inside = source.folder is not None and Path(settings[name]).resolve().is_relative_to(
                source.folder.resolve()
            )
        except (OSError, ValueError):
            inside = False
        if not inside:
            raise InvalidOptionError(
                f"{file} was made with --set {name}={settings[name]}, a file that does not lie in the folder of "
                f"{request.title}; if that is meant, give the same --set again"
            )


def _refuse_other(option: str, given: object, stored: object, file: str) -> None:
    def shown(value: object) -> str:
        return " ".join(value) if isinstance(value, list) else str(value)

    if given != stored:
        raise InvalidOptionError(
            f"{option} {shown(given)}: {file} was made with {option} {shown(stored)}; leave it out, or solve "
            "again for a certificate of the other"
        )


def refuse_other_kind(source: str, kind: str, certificate: "Certificate", file: str) -> None:
    """Raise `InvalidOptionError` if the certificate is of another kind of problem than the source."""
    if certificate.problem not in ("", kind):
        raise InvalidOptionError(
            f"{source} was read as problem {kind!r}, and {file} is about a problem {certificate.problem!r}; "
            f"give its own source, or --problem {certificate.problem}"
        )


def verdict_rows(
    kind: str, certificate: "Certificate", verdict: "Verdict"
) -> "Iterable[tuple[str, Text | str]]":
    """Yield the rows that `certify` prints."""
    from rich.text import Text

    yield "problem", kind
    yield "claim", _claim(certificate)
    if verdict:
        yield "verdict", Text("accepted", style="green")
    else:
        yield "verdict", Text(f"rejected: {verdict.objection}", style="red")
        yield "why", "the certificate is wrong, or of another problem: its source may have changed since"
    if verdict.accepted:
        for name in ("proved", "assumed"):
            statements = getattr(verdict, name)
            if statements:
                yield name, "\n".join(statements)
    if verdict:
        steps = f", {len(certificate.path) - 1:,} steps of the path" if certificate.path else ""
        yield "checked", f"{certificate.size:,} states below the bound{steps}"


def _claim(certificate: "Certificate") -> str:
    from searchkit.result import ADMISSIBLE, condition_of

    made = f", found by {certificate.engine}" if certificate.engine else ""
    condition = condition_of(ADMISSIBLE if certificate.heuristic else "")
    if certificate.cost is not None:
        known = (
            "optimal"
            if certificate.cost == certificate.lower_bound
            else f"at least {kit.readable(certificate.lower_bound)} is needed"
        )
        return f"solved: cost {kit.readable(certificate.cost)} ({known}{condition}){made}"
    if certificate.status == "unsolvable":
        return f"unsolvable: no path exists{condition}{made}"
    return f"cut off: any path costs at least {kit.readable(certificate.lower_bound)}{condition}{made}"


def verdict_object(kind: str, certificate: "Certificate", verdict: "Verdict") -> dict[str, Any]:
    """Return the fields that `certify --json` prints; an infinite `lower_bound` is null, as in `solve --json`."""
    return {
        "problem": kind,
        "engine": certificate.engine,
        "accepted": verdict.accepted,
        "objection": verdict.objection or None,
        "status": certificate.status,
        "cost": kit.json_number(certificate.cost),
        "lower_bound": kit.json_number(certificate.lower_bound),
        "states": certificate.size,
        "proved": list(verdict.proved),
        "assumed": list(verdict.assumed),
        "unproved": list(verdict.unproved),
    }
