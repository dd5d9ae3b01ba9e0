"""`searchkit scenario`: compares the costs that an engine finds with published costs."""

from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer
from attrs import define, field

from searchkit.cli import kit

if TYPE_CHECKING:
    from searchkit.plugin.files import Query, Scenario
    from searchkit.problem import Cost

SHOWN = 20
"""Disagreements that are printed; `--json` lists all of them."""


def scenario(
    file: Annotated[str, typer.Argument(metavar="FILE.scen", help="A file of queries with known answers.")],
    map: Annotated[
        str | None,
        typer.Option("--map", metavar="FILE.map", help="The map, if not the one that FILE.scen names."),
    ] = None,
    engine: kit.Engine = "auto",
    backend: kit.Backend = "auto",
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Run at most N queries.")
    ] = None,
    every: Annotated[
        int, typer.Option("--every", metavar="K", min=1, help="Run the first query and each Kth after it.")
    ] = 1,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads", metavar="N", min=1, help="Run N queries at a time; by default, one on each core."
        ),
    ] = None,
    workers: kit.Workers = None,
    json: kit.Json = False,
) -> int:
    """Check an engine against published answers.

    Runs the queries of a scenario file and compares the costs found with the published costs.

    Exit code 0: all agree; 1: some do not; 2: wrong use or input; 3: Ctrl-C came first.

    Example: searchkit scenario arena.map.scen --engine astar --every 10
    """
    from searchkit.errors import InputFormatError
    from searchkit.plugin.loading import load_scenario
    from searchkit.plugin.registry import registry

    if engine != "auto":
        registry().engine(engine)
    loaded = load_scenario(file, map)
    if not loaded.queries:
        raise InputFormatError("there is no query in it; expected at least one", source=file)
    agreement = run_queries(loaded, loaded.queries[::every][:limit], engine, backend, threads, workers)
    if json:
        kit.write_json("scenario", agreement.to_dict())
    else:
        console = kit.result_console()
        for line in agreement.lines():
            console.print(line, soft_wrap=True)
    if agreement.disagreements:
        return kit.FAILED
    return kit.DONE if agreement.queries == agreement.wanted else kit.CUT_OFF


@define
class Agreement:
    """The agreement of an engine with the published costs."""

    map: str
    engine: str
    wanted: int
    """The number of queries to run."""
    queries: int = 0
    """The number of queries that were run: fewer only after Ctrl-C."""
    disagreements: "list[tuple[Query, Cost | None]]" = field(factory=list)
    """Queries with the cost that was found; None if no path was found."""
    seconds: float = 0.0
    """Wall-clock seconds of all queries, including the construction of the problems."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that `--json` prints."""
        return {
            "map": self.map,
            "engine": self.engine,
            "queries": self.queries,
            "agree": self.queries - len(self.disagreements),
            "disagree": [
                {
                    "line": query.line,
                    "start": kit.plain(query.start),
                    "goal": kit.plain(query.goal),
                    "expected": query.expected,
                    "found": kit.json_number(cost),
                }
                for query, cost in self.disagreements
            ],
            "seconds": self.seconds,
        }

    def lines(self) -> Iterable[str]:
        """Yield the lines that are printed without `--json`."""
        for query, cost in self.disagreements[:SHOWN]:
            found = "no path" if cost is None else kit.readable(cost)
            yield (
                f"line {query.line}: from {query.start!r} to {query.goal!r}: expected {query.expected:,}, found {found}"
            )
        if len(self.disagreements) > SHOWN:
            yield f"… and {len(self.disagreements) - SHOWN} more; --json lists all"
        if self.queries < self.wanted:
            yield f"interrupted after {self.queries} of {self.wanted} queries"
        yield (
            f"{self.map}, {self.engine}: {self.queries - len(self.disagreements):,} of {self.queries:,} queries agree "
            f"with the published costs, {self.seconds:.2f} s"
        )


def run_queries(
    scenario: "Scenario",
    queries: "Sequence[Query]",
    engine: str,
    backend: str,
    threads: int | None,
    workers: str | None = None,
) -> Agreement:
    """Run the queries, several at a time, until they are done or Ctrl-C is pressed."""
    from searchkit.result import Status
    from searchkit.search.many import solve_many

    agreement = Agreement(scenario.map, engine, len(queries))
    begin = perf_counter()

    def status() -> kit.Progress:
        rate = agreement.queries / (perf_counter() - begin)
        text = (
            f"{agreement.engine}  {agreement.queries:,} of {agreement.wanted:,} queries  {rate:,.1f}/s  "
            f"{len(agreement.disagreements):,} disagree"
        )
        return kit.Progress(text, agreement.queries / agreement.wanted)

    problems = map(scenario.problem, queries)
    answers = solve_many(problems, engine=engine, backend=backend, threads=threads, workers=workers)
    with kit.interruptible() as interruption, kit.progress(status):
        interruption.watch(answers)
        for query, result in zip(queries, answers, strict=False):
            agreement.engine = result.engine
            if result.status is Status.CUTOFF and interruption.happened:
                break
            if not query.agrees(result.cost):
                agreement.disagreements.append((query, result.cost))
            agreement.queries += 1
    agreement.seconds = perf_counter() - begin
    return agreement
