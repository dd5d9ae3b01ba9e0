"""`searchkit certify`: checks a certificate against its problem, by the definitions alone."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from searchkit.cli import kit
from searchkit.errors import InvalidOptionError

if TYPE_CHECKING:
    from rich.text import Text

    from searchkit.certificates import Certificate
    from searchkit.certificates.verdict import Verdict


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
    given = kit.Request.of(source, problem, start, goal, set)
    task = merged(given, kit.Request.stored(source, certificate.options, file), file).resolve()
    if certificate.problem not in ("", task.kind):
        raise InvalidOptionError(
            f"{source} was read as problem {task.kind!r}, and {file} is about a problem {certificate.problem!r}; "
            f"give its own source, or --problem {certificate.problem}"
        )
    verdict = check(task.problem, certificate)
    if json:
        fields = {
            "problem": task.kind,
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
        kit.write_json("certify", fields)
    else:
        from searchkit.cli.report import rows

        kit.result_console().print(rows(verdict_rows(task.kind, certificate, verdict)))
    return kit.DONE if verdict else kit.FAILED


def merged(given: kit.Request, stored: kit.Request, file: str) -> kit.Request:
    """Return the request of a certificate; what is given on the command line replaces what the certificate says.

    Raises `InvalidOptionError` for an option of the certificate that names a file: only the user may name one.
    """
    request = kit.Request(
        given.source,
        given.problem or stored.problem,
        {**stored.places, **given.places},
        {**stored.settings, **given.settings},
    )
    for option in request.parameters:
        if option.file and option.name in stored.settings.keys() - given.settings.keys():
            raise InvalidOptionError(
                f"{file} was made with --set {option.name}={stored.settings[option.name]}, which names a file; if it "
                "may be read, give the same --set again"
            )
    return request


def verdict_rows(
    kind: str, certificate: "Certificate", verdict: "Verdict"
) -> "Iterable[tuple[str, Text | str]]":
    """Yield the rows that `certify` prints."""
    from rich.text import Text

    from searchkit.result import ADMISSIBLE, condition_of

    condition = condition_of(ADMISSIBLE if certificate.heuristic else "")
    bound = kit.readable(certificate.lower_bound) if certificate.status != "unsolvable" else ""
    if certificate.cost is not None:
        proved = certificate.cost == certificate.lower_bound
        known = "optimal" if proved else f"at least {bound} is needed"
        claim = f"solved: cost {kit.readable(certificate.cost)} ({known}{condition})"
    elif certificate.status == "unsolvable":
        claim = f"unsolvable: no path exists{condition}"
    else:
        claim = f"cut off: any path costs at least {bound}{condition}"
    yield "problem", kind
    yield "claim", claim + (f", found by {certificate.engine}" if certificate.engine else "")
    if not verdict:
        yield "verdict", Text(f"rejected: {verdict.objection}", style="red")
        yield "why", "the certificate is wrong, or of another problem: its source may have changed since"
        return
    yield "verdict", Text("accepted", style="green")
    for name, statements in (("proved", verdict.proved), ("assumed", verdict.assumed)):
        if statements:
            yield name, "\n".join(statements)
    steps = f", {len(certificate.path) - 1:,} steps of the path" if certificate.path else ""
    yield "checked", f"{certificate.size:,} states below the bound{steps}"
