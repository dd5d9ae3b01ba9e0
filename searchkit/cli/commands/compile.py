"""`searchkit compile`: compiles the engines for all installed problems ahead of time."""

from collections.abc import Iterator
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer
from attrs import frozen

from searchkit.cli import kit

if TYPE_CHECKING:
    from searchkit.plugin.registry import Registry
    from searchkit.plugin.specs import EngineSpec, ProblemSpec

EXPANSIONS = 60
"""The number of states that each search expands. Which kernels are compiled depends on the example (on the words
of a state, on integer costs, on the size of a database), and not on the number of expansions."""


@frozen
class Task:
    """A small search. Everything that it calls is compiled."""

    problem: str
    example: str
    options: dict[str, Any]
    engine: str

    def __str__(self) -> str:
        shown = "".join(f" {name}={value}" for name, value in self.options.items())
        return f"{self.engine} on {self.example}{shown}"


def compile_all(
    engine: Annotated[
        list[str] | None,
        typer.Option("--engine", "-e", metavar="NAME", help="Only for this engine (may be repeated)."),
    ] = None,
    problem: Annotated[
        list[str] | None,
        typer.Option("--problem", "-p", metavar="NAME", help="Only for this problem (may be repeated)."),
    ] = None,
    list_only: Annotated[
        bool, typer.Option("--list", help="List the searches, and compile nothing.")
    ] = False,
) -> int:
    """Compile the engines for all installed problems, once, and keep the machine code on disk.

    For images, continuous integration and classrooms. It runs short searches on the examples of the problems. Code that
    is compiled already is not compiled again.

    Exit code 0: done; 1: something could not be compiled; 2: wrong use, or Numba is missing.

    Example: searchkit compile --problem tiles
    """
    from searchkit.errors import MissingExtraError
    from searchkit.plugin.registry import registry
    from searchkit.search.backend import import_kernels

    found = registry()
    tasks = list(tasks_of(found, set(engine or ()), set(problem or ())))
    if list_only:
        for task in tasks:
            typer.echo(task)
        return kit.DONE
    import_kernels(found.engine("bfs"))
    from searchkit.compiled.functions import CACHED, DIRECTORY

    if not CACHED or DIRECTORY is None:
        raise MissingExtraError(
            f"compiled code can't be kept in {DIRECTORY}; set NUMBA_CACHE_DIR to a folder that can be written"
        )
    begin, before = perf_counter(), len(list(DIRECTORY.rglob("*.nbc")))
    failures: list[str] = []
    done = 0

    def status() -> kit.Progress:
        now = tasks[min(done, len(tasks) - 1)] if tasks else ""
        return kit.Progress(f"{done} of {len(tasks)} searches  {now}", done / max(1, len(tasks)))

    with kit.progress(status):
        for task in tasks:
            failure = _try(task)
            if failure:
                failures.append(f"{task}: {failure}")
            done += 1
    files = list(DIRECTORY.rglob("*.nbc"))
    size = sum(path.stat().st_size for path in files)
    typer.echo(
        f"{len(files) - before} functions compiled, {len(files)} are in {DIRECTORY}; {size / 1e6:.1f} MB, "
        f"{perf_counter() - begin:.1f} s"
    )
    for failure in failures:
        typer.echo(f"not compiled: {failure}", err=True)
    return kit.FAILED if failures else kit.DONE


def tasks_of(found: "Registry", engines: set[str], problems: set[str]) -> Iterator[Task]:
    """Yield the searches that call every kernel of the engines for the problems. Raises `UnknownNameError`."""
    chosen_engines = [found.engine(name) for name in sorted(engines)] or list(found.engines.values())
    chosen_problems = [found.problem(name) for name in sorted(problems)] or list(found.problems.values())
    for problem in chosen_problems:
        for example in sorted(problem.examples, key=lambda example: example.size):
            for options in variants(problem):
                for engine in chosen_engines:
                    if engine.kernel:
                        yield Task(problem.name, example.name, options, engine.name)


def variants(problem: "ProblemSpec") -> Iterator[dict[str, Any]]:
    """Yield options of a problem: none; then, one at a time, each value of each option with listed values."""
    from searchkit.plugin.specs import boolean

    yield {}
    for parameter in problem.parameters:
        values = (True, False) if parameter.convert is boolean else parameter.choices
        for value in values:
            if value != parameter.default:
                yield {parameter.name: value}


def _try(task: Task) -> str | None:
    """Run a search. Return the error message, "" for success, None if the engine does not fit the problem."""
    from searchkit.errors import InvalidProblemError, MissingCapabilityError
    from searchkit.plugin.registry import registry
    from searchkit.search.distances import KERNELS, Goalless, with_distances

    problem: Any = _loaded(task.example, task.problem, tuple(task.options.items()))
    if problem is None:
        return None
    spec = registry().engine(task.engine)
    try:
        for options in _ties(spec):
            _search(problem, spec, options)
        if spec.name in KERNELS and hasattr(problem, "compiled"):
            _search(Goalless(problem), with_distances(spec.name), {})
    except (MissingCapabilityError, InvalidProblemError):  # the engine is for other costs
        return None
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


@lru_cache(maxsize=1)
def _loaded(example: str, problem: str, options: tuple[tuple[str, Any], ...]) -> Any:
    """Return an example, the same for all engines; None if it can't have these options."""
    from searchkit.errors import SearchkitError
    from searchkit.plugin.loading import load

    try:
        return load(example, problem, **dict(options))
    except (SearchkitError, OSError):
        return None


def _ties(spec: "EngineSpec") -> Iterator[dict[str, Any]]:
    """Yield options of an engine, one set for each way to break ties: each uses another kind of queue."""
    ties = [parameter for parameter in spec.options if parameter.name == "ties"]
    yield from ({"ties": choice} for parameter in ties for choice in parameter.choices)
    if not ties:
        yield {}


def _search(problem: Any, spec: "EngineSpec", options: dict[str, Any]) -> None:
    """Run a short search, which compiles in another process what it and its result call, and then in this one the rest.

    Raises `MissingCapabilityError` if there is no machine code for it.
    """
    from searchkit.search.driver import Search
    from searchkit.search.limits import Limits

    search: Search[Any, Any] = Search(problem, spec, backend="compiled", **options)
    search.run(Limits(expansions=EXPANSIONS))
