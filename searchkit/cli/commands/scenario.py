"""`searchkit scenario`: compares the costs that an engine finds with published costs."""

from collections.abc import Iterator, Mapping
from time import perf_counter
from typing import Annotated, Any

import typer

from searchkit.cli import kit

SHOWN = 20
"""Disagreements that are printed; `--json` lists all of them."""


def scenario(
    file: Annotated[str, typer.Argument(metavar="FILE.scen", help="A file of queries with known answers.")],
    map: Annotated[
        str | None, kit.option("--map", "FILE.map", "The map, if not the one that FILE.scen names.")
    ] = None,
    engine: kit.Engine = "auto",
    backend: kit.Backend = "auto",
    limit: Annotated[int | None, kit.option("--limit", "N", "Run at most N queries.", min=1)] = None,
    every: Annotated[
        int, kit.option("--every", "K", "Run the first query and each Kth after it.", min=1)
    ] = 1,
    workers: kit.Workers = None,
    json: kit.Json = False,
) -> int:
    """Check an engine against published answers.

    Runs the queries of a scenario file and compares the costs found with the published costs.

    Exit code 0: all agree; 1: some do not; 2: wrong use or input; 3: Ctrl-C came first.

    Example: searchkit scenario arena.map.scen --engine astar --every 10
    """
    from searchkit.cli.request import engine_named
    from searchkit.errors import InputFormatError
    from searchkit.plugin.loading import load_scenario
    from searchkit.result import Status
    from searchkit.search.many import solve_many

    spec = engine if engine == "auto" else engine_named(engine)
    loaded = load_scenario(file, map)
    if not loaded.queries:
        raise InputFormatError("there is no query in it; expected at least one", source=file)
    queries = loaded.queries[::every][:limit]
    report: dict[str, Any] = {"map": loaded.map, "engine": engine, "queries": 0, "agree": 0, "disagree": []}
    begin = perf_counter()

    def status() -> str:
        done, name = report["queries"], report["engine"]
        rate = done / (perf_counter() - begin)
        return f"{name}  {done:,} of {len(queries):,} queries  {rate:,.1f}/s  {len(report['disagree']):,} disagree"

    problems = (loaded.problem(query) for query in queries)
    answers = solve_many(problems, engine=spec, backend=backend, workers=workers or "threads")
    with kit.interruptible() as interruption, kit.progress(status):
        interruption.watch(answers)
        for query, result in zip(queries, answers, strict=False):
            if result.status is Status.CUTOFF and interruption.happened:
                break
            report["engine"] = result.engine
            report["queries"] += 1
            if query.agrees(result.cost):
                report["agree"] += 1
                continue
            found = {"expected": kit.json_number(query.expected), "found": kit.json_number(result.cost)}
            places = {"start": kit.plain(query.start), "goal": kit.plain(query.goal)}
            report["disagree"].append({"line": query.line, **places, **found})
    report["seconds"] = perf_counter() - begin
    if json:
        kit.write_json("scenario", report)
    else:
        console = kit.result_console()
        for line in lines_of(report, len(queries)):
            console.print(line, soft_wrap=True)
    if report["disagree"]:
        return kit.FAILED
    return kit.DONE if report["queries"] == len(queries) else kit.CUT_OFF


def lines_of(report: Mapping[str, Any], wanted: int) -> Iterator[str]:
    """Yield the lines that are printed without `--json`."""
    for each in report["disagree"][:SHOWN]:
        found, expected = (
            "no path" if each[name] is None else kit.readable(each[name]) for name in ("found", "expected")
        )
        yield f"line {each['line']}: from {each['start']} to {each['goal']}: expected {expected}, found {found}"
    if len(report["disagree"]) > SHOWN:
        yield f"… and {len(report['disagree']) - SHOWN} more; --json lists all"
    if report["queries"] < wanted:
        yield f"interrupted after {report['queries']} of {wanted} queries"
    yield (
        f"{report['map']}, {report['engine']}: {report['agree']:,} of {report['queries']:,} queries agree with the "
        f"published costs, {report['seconds']:.2f} s"
    )
