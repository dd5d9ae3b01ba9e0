"""`searchkit compile`: compiles the engines for all installed problems ahead of time."""

from collections.abc import Iterable, Iterator, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from searchkit.cli import kit

if TYPE_CHECKING:
    from searchkit.plugin.specs import EngineSpec

EXPANSIONS = 60
"""The number of states that each search expands. Which kernels are compiled depends on the example (on the words
of a state, on integer costs, on the size of a database), and not on the number of expansions."""
Task = tuple[str, str, dict[str, Any], str]
"""A kind of problem, an example, its options, an engine: a small search. Everything that it calls is compiled."""


def compile_all(
    engine: Annotated[
        list[str] | None,
        typer.Option("--engine", "-e", metavar="NAME", help="Only for this engine (may be repeated)."),
    ] = None,
    problem: Annotated[
        list[str] | None,
        typer.Option("--problem", "-p", metavar="NAME", help="Only for this problem (may be repeated)."),
    ] = None,
) -> int:
    """Compile the engines for all installed problems, once, and keep the machine code on disk.

    For images, continuous integration and classrooms. It runs short searches on the examples of the problems. Code that
    is compiled already is not compiled again.

    Exit code 0: done; 1: something could not be compiled; 2: wrong use, or Numba is missing.

    Example: searchkit compile --problem tiles
    """
    from searchkit.errors import MissingExtraError
    from searchkit.plugin.registry import registry
    from searchkit.search.backend import import_kernel

    tasks = list(tasks_of(engine or (), problem or ()))
    import_kernel(registry().engine("bfs"))
    from searchkit.compiled.functions import CACHED, DIRECTORY

    if not CACHED or DIRECTORY is None:
        raise MissingExtraError(
            f"compiled code can't be kept in {DIRECTORY}; set NUMBA_CACHE_DIR to a folder that can be written"
        )
    begin, before, done = perf_counter(), len(list(DIRECTORY.rglob("*.nbc"))), list[str]()

    def status() -> kit.Progress:
        return kit.Progress(f"{len(done)} of {len(tasks)} searches", len(done) / max(1, len(tasks)))

    with kit.progress(status):
        for task in tasks:
            failure, (_, example, options, of_task) = run(*task), task
            given = "".join(f" {name}={value}" for name, value in options.items())
            done.append(failure and f"not compiled: {of_task} on {example}{given}: {failure}")
    files = list(DIRECTORY.rglob("*.nbc"))
    size, seconds = sum(path.stat().st_size for path in files) / 1e6, perf_counter() - begin
    typer.echo(
        f"{len(files) - before} functions compiled, {len(files)} are in {DIRECTORY}; {size:.1f} MB, {seconds:.1f} s"
    )
    for failure in filter(None, done):
        typer.echo(failure, err=True)
    return kit.FAILED if any(done) else kit.DONE


def tasks_of(engines: Iterable[str], problems: Iterable[str]) -> Iterator[Task]:
    """Yield the searches that call every kernel of the engines for the problems. Raises `UnknownNameError`."""
    from searchkit.plugin.registry import registry

    found = registry()
    of_engines = [found.engine(name) for name in engines] or list(found.engines.values())
    for problem in [found.problem(name) for name in problems] or list(found.problems.values()):
        variants = [
            {each.name: value}
            for each in problem.parameters
            for value in ((True, False) if isinstance(each.default, bool) else each.choices)
            if value != each.default
        ]
        for example in sorted(
            problem.examples, key=lambda each: each.path.stat().st_size if each.path else 0
        ):
            for options in ({}, *variants):
                yield from (
                    (problem.name, example.name, options, each.name) for each in of_engines if each.kernel
                )


def run(kind: str, example: str, options: Mapping[str, Any], engine: str) -> str:
    """Run a short search for each way to break ties; return the error message, "" if there is none.

    An example that can't have the options, and an engine that does not fit the problem, have nothing to compile.
    """
    from searchkit.errors import InvalidProblemError, MissingCapabilityError, SearchkitError
    from searchkit.plugin.loading import load
    from searchkit.plugin.registry import registry
    from searchkit.search.auto import has_view
    from searchkit.search.distances import KERNELS, Goalless, with_distances
    from searchkit.search.driver import Search

    try:
        problem: Any = load(example, kind, **options)
    except (SearchkitError, OSError):
        return ""
    spec = registry().engine(engine)
    ties = [{"ties": choice} for option in spec.options if option.name == "ties" for choice in option.choices]
    searches: list[tuple[Any, EngineSpec, dict[str, Any]]] = [(problem, spec, each) for each in ties or [{}]]
    if engine in KERNELS and has_view(problem):
        searches.append((Goalless(problem), with_distances(engine), {}))
    try:
        for subject, of_search, each in searches:
            Search[Any, Any](subject, of_search, backend="compiled", **each).run(
                kit.Limits(expansions=EXPANSIONS)
            )
    except (MissingCapabilityError, InvalidProblemError):  # the engine is for other costs
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""
