"""The queries of a scenario, run and compared."""

from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import Any

from attrs import define, field

from searchkit.cli._codes import CUT_OFF, DISAGREES, DONE
from searchkit.cli._interruption import interruptible
from searchkit.cli._json import plain
from searchkit.cli._numbers import json_number, readable
from searchkit.cli._progress import Status, progress
from searchkit.plugin.files import Query, Scenario
from searchkit.problem import Cost
from searchkit.result import Status as SearchStatus
from searchkit.search.many import solve_many

SHOWN = 20
"""Disagreements that are listed for people; JSON lists all."""


@define
class Agreement:
    """How far an engine agrees with the published costs."""

    map: str
    engine: str
    wanted: int
    """Queries that were to be run."""
    queries: int = 0
    """Queries that were run: fewer only after Ctrl-C."""
    disagreements: list[tuple[Query, Cost | None]] = field(factory=list)
    """With the cost found; None where no path was."""
    seconds: float = 0.0
    """Wall-clock time of all queries, the making of each problem included."""

    @property
    def agree(self) -> int:
        """Queries whose cost is the published one."""
        return self.queries - len(self.disagreements)

    @property
    def exit_code(self) -> int:
        """What the command ends with."""
        if self.disagreements:
            return DISAGREES
        return DONE if self.queries == self.wanted else CUT_OFF

    def as_object(self) -> dict[str, Any]:
        """Return what `--json` prints."""
        return {
            "map": self.map,
            "engine": self.engine,
            "queries": self.queries,
            "agree": self.agree,
            "disagree": [
                {
                    "line": query.line,
                    "start": plain(query.start),
                    "goal": plain(query.goal),
                    "expected": query.expected,
                    "found": json_number(cost),
                }
                for query, cost in self.disagreements
            ],
            "seconds": self.seconds,
        }

    def lines(self) -> Iterable[str]:
        """Return what is printed for people."""
        for query, cost in self.disagreements[:SHOWN]:
            found = "no path" if cost is None else readable(cost)
            yield (
                f"line {query.line}: from {query.start!r} to {query.goal!r}: expected {query.expected:,}, found {found}"
            )
        if len(self.disagreements) > SHOWN:
            yield f"… and {len(self.disagreements) - SHOWN} more; --json lists all"
        if self.queries < self.wanted:
            yield f"interrupted after {self.queries} of {self.wanted} queries"
        yield (
            f"{self.map}, {self.engine}: {self.agree:,} of {self.queries:,} queries agree with the published costs, "
            f"{self.seconds:.2f} s"
        )


def run_queries(
    scenario: Scenario, queries: Sequence[Query], engine: str, backend: str, threads: int | None
) -> Agreement:
    """Run the queries, several at a time, until they are done or Ctrl-C is pressed."""
    agreement = Agreement(scenario.map, engine, len(queries))
    begin = perf_counter()

    def status() -> Status:
        rate = agreement.queries / (perf_counter() - begin)
        text = (
            f"{agreement.engine}  {agreement.queries:,} of {agreement.wanted:,} queries  {rate:,.1f}/s  "
            f"{len(agreement.disagreements):,} disagree"
        )
        return Status(text, agreement.queries / agreement.wanted)

    problems = map(scenario.problem, queries)
    answers = solve_many(problems, engine=engine, backend=backend, threads=threads)
    with interruptible() as interruption, progress(status):
        interruption.watch(answers)
        for query, result in zip(queries, answers, strict=False):
            agreement.engine = result.engine
            if result.status is SearchStatus.CUTOFF and interruption.happened:
                break
            if not query.agrees(result.cost):
                agreement.disagreements.append((query, result.cost))
            agreement.queries += 1
    agreement.seconds = perf_counter() - begin
    return agreement
