"""`searchkit compile`: compiles the engines for all installed problems ahead of time."""

from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from searchkit.cli import kit

if TYPE_CHECKING:
    from searchkit.plugin.specs import EngineSpec, ProblemSpec

EXPANSIONS = 60
"""The number of states that each search expands. Which kernels are compiled depends on the example (on the words
of a state, on integer costs, on the size of a database), and not on the number of expansions."""


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
    """Compile the engines for installed problems ahead of time.

    For images, continuous integration and classrooms: the machine code is kept on disk. Short searches run on the
    examples of the problems. Code that is compiled already is not compiled again.

    Exit code 0: done; 1: something could not be compiled; 2: wrong use, or Numba is missing.

    Example: searchkit compile --problem tiles
    """
    from searchkit.errors import MissingExtraError
    from searchkit.plugin.registry import registry
    from searchkit.search.backend import import_kernel

    found = registry()
    engines = [found.engine(name) for name in engine or found.engines]
    problems = [found.problem(name) for name in problem or found.problems]
    import_kernel(found.engine("bfs"))
    from searchkit.compiled.functions import CACHED, DIRECTORY

    if not CACHED or DIRECTORY is None:
        raise MissingExtraError(
            f"compiled code can't be kept in {DIRECTORY}; set NUMBA_CACHE_DIR to a folder that can be written"
        )
    begin, before, failures = perf_counter(), len(list(DIRECTORY.rglob("*.nbc"))), list[str]()
    done = [""]

    def status() -> str:
        return f"{done[-1]}, {len(done) - 1} of {len(problems)} kinds of problem"

    with kit.progress(status):
        for spec in problems:
            done.append(spec.name)
            for name, instance in instances(spec):
                failures += [
                    f"not compiled: {each.name} on {name}: {failure}"
                    for each in engines
                    if each.kernel and (failure := run(instance, each))
                ]
    files = list(DIRECTORY.rglob("*.nbc"))
    size, seconds = sum(path.stat().st_size for path in files) / 1e6, perf_counter() - begin
    typer.echo(
        f"{len(files) - before} functions compiled, {len(files)} are in {DIRECTORY}; {size:.1f} MB, {seconds:.1f} s"
    )
    for failure in failures:
        typer.echo(failure, err=True)
    return kit.FAILED if failures else kit.DONE


def instances(spec: "ProblemSpec") -> Iterator[tuple[str, Any]]:
    """Yield the examples of a problem by name, each with its options and with each other value of one option."""
    from searchkit.errors import SearchkitError
    from searchkit.plugin.loading import load

    variants: list[tuple[str, Any]] = [
        (each.name, value)
        for each in spec.parameters
        for value in ((True, False) if isinstance(each.default, bool) else each.choices)
        if value != each.default
    ]
    for example in spec.examples:
        for options in ({}, *({name: value} for name, value in variants)):
            given = "".join(f" {name}={value}" for name, value in options.items())
            try:
                yield example.name + given, load(example.name, spec.name, **options)
            except (SearchkitError, OSError):  # an option that the example can't have
                continue


def run(problem: Any, spec: "EngineSpec") -> str:
    """Run a short search for each way to break ties; return the error message, "" if there is none.

    An engine that does not fit the problem has nothing to compile.
    """
    from searchkit.errors import InvalidProblemError, MissingCapabilityError
    from searchkit.search.auto import has_view
    from searchkit.search.distances import KERNELS, goalless, with_distances
    from searchkit.search.driver import Search

    ties: Iterable[str] = next((option.choices for option in spec.options if option.name == "ties"), ())
    searches: list[tuple[Any, EngineSpec, dict[str, Any]]] = [(problem, spec, {"ties": tie}) for tie in ties]
    searches = searches or [(problem, spec, {})]
    if spec.name in KERNELS and has_view(problem):
        searches.append((goalless(problem), with_distances(spec.name), {}))
    try:
        for subject, engine, options in searches:
            Search[Any, Any](subject, engine, backend="compiled", **options).run(
                kit.Limits(expansions=EXPANSIONS)
            )
    except (MissingCapabilityError, InvalidProblemError):  # the engine is for other costs
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""
