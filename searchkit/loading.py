"""Reading problems and scenarios from files, through whichever plugin knows the format."""

from pathlib import Path
from typing import Any

from searchkit.errors import AmbiguousSourceError, PluginError, SearchkitError, UnknownNameError
from searchkit.plugins import Registry, registry
from searchkit.problem import SearchProblem
from searchkit.scenario import Scenario
from searchkit.source import Source
from searchkit.specs import Example


def load(source: str | Path, problem: str | None = None, **options: object) -> SearchProblem[Any, Any]:
    """Return the problem that a file describes.

    Args:
        source: the path of a file, or the name of an example that ships with a plugin.
        problem: the kind of problem to read it as, where more than one could.
        options: the problem's own options, such as `moves=8` or `start=(3, 4)`.

    Raises:
        UnknownNameError: no such file, kind of problem or option, or nothing that can read the file.
        InputFormatError: the file is faulty; the message says where.
        AmbiguousSourceError: several plugins can read it; the message names them.
        InvalidOptionError: an option has a value it can't have.

    """
    plugins = registry()
    if problem is not None:
        plugins.problem(problem)
    path, example = _locate(plugins, source)
    if example is not None:
        options = {**example.options, **options}
    found: SearchProblem[Any, Any] = _ask(
        plugins, "searchkit_load", Source(path), problem, format=problem, options=options
    )
    return found


def load_scenario(source: str | Path, map: str | None = None, **options: object) -> Scenario:
    """Return the queries with known answers that a file lists; `map` is the file they are asked of, if not its own.

    Raises as `load` does.
    """
    plugins = registry()
    path, _ = _locate(plugins, source)
    found: Scenario = _ask(plugins, "searchkit_scenario", Source(path), None, map=map, options=options)
    return found


def examples(plugins: Registry) -> dict[str, Example]:
    """Return the examples of all plugins, by name; of several with one name, the first plugin's."""
    return {
        example.name: example
        for spec in reversed(list(plugins.problems.values()))
        for example in spec.examples
    }


def _locate(plugins: Registry, source: str | Path) -> tuple[Path, Example | None]:
    path = Path(source)
    if path.is_file():
        return path, None
    example = examples(plugins).get(str(source))
    if example is not None:
        return example.path, example
    what = "a directory" if path.is_dir() else "not a file"
    listing = ", ".join(sorted(examples(plugins)))
    raise UnknownNameError(
        f"{source} is {what}; expected the path of a file, or one of the examples {listing}"
    )


def _ask(plugins: Registry, hook: str, source: Source, named: str | None, **arguments: object) -> Any:
    """Ask every plugin, and return the one answer, or raise the one error that says why there is none."""
    answers: dict[str, Any] = {}
    refusals: list[SearchkitError] = []
    for plugin, call in plugins.calls(hook, source=source, **arguments):
        try:
            answer = call()
        except SearchkitError as error:
            refusals.append(error)
        except Exception as error:
            raise PluginError(
                f"plugin {plugin!r} raised {type(error).__name__} while reading {source.name}: {error}"
            ) from error
        else:
            if answer is not None:
                answers[plugin] = answer
    if len(answers) > 1:
        raise AmbiguousSourceError(
            f"{source.name} can be read by the plugins {' and '.join(answers)}; say which problem it is with "
            f"--problem, or problem=…: there are {', '.join(plugins.problems)}"
        )
    if answers:
        return next(iter(answers.values()))
    if refusals:
        raise refusals[0]
    readers = ", ".join(plugin for plugin, _ in plugins.calls(hook, source=source, **arguments)) or "none"
    raise UnknownNameError(
        f"{source.name} is of no known format; the plugins asked were {readers}"
        + (f", for problem {named!r}" if named else "; name its problem with --problem, or problem=…")
    )
