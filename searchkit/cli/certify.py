"""`searchkit certify`: a certificate checked against its problem, by the definition alone."""

from typing import Annotated

import typer

from searchkit.cli import _options
from searchkit.cli._codes import DONE, REJECTED

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def certify(
    source: _options.Source,
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="The certificate, as searchkit solve … --certificate wrote it."),
    ],
    problem: _options.Problem = None,
    start: _options.Starts = None,
    goal: _options.Goals = None,
    set: _options.Settings = None,
    json: _options.Json = False,
) -> int:
    """Check a certificate.

    Reads SOURCE with the options that FILE was made with, and checks every state, step and cost that FILE
    speaks of, without searching. Says what is proved, and what the proof assumes.

    Exit code 0: accepted; 1: rejected; 2: wrong use or input.

    Example: searchkit certify arena.map arena.certificate
    """
    from searchkit.certificates import Certificate
    from searchkit.certificates.verdict import certify as check
    from searchkit.cli._certificate import refuse_other_kind, request_of, verdict_object, verdict_rows

    certificate = Certificate.load(file)
    task = request_of(source, certificate, file, problem, start, goal, set).resolve([])
    refuse_other_kind(source, task.kind, certificate, file)
    verdict = check(task.problem, certificate)
    if json:
        from searchkit.cli._output import write_json

        write_json("certify", verdict_object(task.kind, certificate, verdict))
    else:
        from searchkit.cli._console import result_console
        from searchkit.cli._report import rows

        result_console().print(rows(verdict_rows(task.kind, certificate, verdict)))
    return DONE if verdict else REJECTED
