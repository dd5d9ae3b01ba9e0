"""Loading problems and scenarios from files, and writing them, by the plugins that know the format."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

from attrs import field, frozen

from searchkit.basics.programs import split_program
from searchkit.errors import (
    AmbiguousSourceError,
    InputFormatError,
    InvalidOptionError,
    PluginError,
    SearchkitError,
    UnknownNameError,
    unknown,
)
from searchkit.plugin.files import Scenario, Source, Written
from searchkit.plugin.programs import Program
from searchkit.plugin.registry import DISABLE_VARIABLE, Registry, registry
from searchkit.plugin.specs import Example, Parameter, ProblemSpec
from searchkit.problem import SearchProblem


def load(
    source: str | Path | TextIO, problem: str | None = None, **options: object
) -> SearchProblem[Any, Any]:
    """Return the problem that a file describes, or an instance of a kind of problem that needs no file.

    Args:
        source: the path of a file; the name of an example that ships with a plugin; the name of a kind of problem whose
            instances are made from options alone (`ProblemSpec.instance`); or a text stream such as
            `io.StringIO("S.G")` or `sys.stdin`, which is read to its end. If several have the same name, the first of
            these is meant.
        problem: the kind of problem to read it as, if several are possible.
        options: the problem's own options, such as `moves=8` or `start=(3, 4)`.

    Raises:
        UnknownNameError: there is no such file, kind of problem or option, or no plugin can read the file.
        InputFormatError: the file is faulty; the message says where.
        AmbiguousSourceError: several plugins can read it; the message names them.
        InvalidOptionError: an option has an invalid value.
        PluginError: a plugin raised another exception.

    """
    return OpenedSource.of(source, problem).load(options)[1]


@frozen
class OpenedSource:
    """A source that is read once."""

    kind: str | None
    """The kind of problem to read it as; None for whichever fits."""
    file: Source | None = None
    """The file or the text; None if an instance is made from options alone, or by a Python file."""
    program: Program | None = None
    """What a Python file holds, for `FILE.py:NAME`."""
    preset: Mapping[str, object] = field(factory=dict)
    """The options of an example."""

    @classmethod
    def of(
        cls, source: str | Path | TextIO | Source, problem: str | None = None, *, programs: bool = False
    ) -> "OpenedSource":
        """Find a source. The arguments are those of `load`, or a `Source`.

        With `programs`, `FILE.py:NAME` and `FILE.py` run this Python file, unless `problem` is given. The command line
        allows that; `load` runs no code that a name leads to.

        Raises `UnknownNameError` for an unknown kind of problem, and if there is no such file, example or kind of
        problem that needs no file; `InvalidOptionError` if such a kind of problem is to be read as another one; and
        `ProgramError` for a Python file that can't be used.
        """
        plugins = registry()
        if problem is not None:
            plugins.problem(problem)
        if not isinstance(source, str | Path):
            return cls(problem, source if isinstance(source, Source) else Source.read_from(source))
        name, path, program = str(source), Path(source), split_program(str(source))
        if program is not None and programs and problem is None:
            return cls(None, program=Program.of(*program))
        try:
            there, folder = path.exists(), path.is_dir()
        except (OSError, ValueError):  # a name that no file can have
            there = folder = False
        if there and not folder:  # a pipe, too
            return cls(problem, Source(path))
        kind, example = examples(plugins).get(name, (name, None))
        if example is not None and example.path is not None:
            return cls(problem or kind, Source(example.path), preset=example.options)
        spec = plugins.problems.get(kind)
        if spec is not None and spec.instance is not None:
            if problem not in (None, spec.name):
                raise InvalidOptionError(
                    f"{source} is a problem {spec.name!r}, which is made without a file: it can't be read as problem "
                    f"{problem!r}"
                )
            return cls(spec.name, preset={} if example is None else example.options)
        if program is not None:
            raise UnknownNameError(
                f"{source} is a Python file, or a name in one, which only the command line runs; in Python, import the "
                "problem from the file"
            )
        makers = [spec.name for spec in plugins.problems.values() if spec.instance is not None]
        names = sorted({*examples(plugins), *makers})
        what = "a directory" if there else "not a file"
        if spec is not None:
            what += f", and a problem {name!r} is read from a file"
        expected = f"expected the path of a file, or one of the examples {', '.join(names)}"
        raise UnknownNameError(unknown(f"{source} is {what}", name, names, expected))

    @property
    def parameters(self) -> tuple[Parameter, ...] | None:
        """The options of the problem; None if they depend on what the file holds."""
        if self.program is not None:
            return self.program.parameters
        return None if self.kind is None else registry().problem(self.kind).parameters

    def load(self, options: Mapping[str, object]) -> tuple[str, SearchProblem[Any, Any]]:
        """Return the name of the kind of problem, and the problem. Raises as `searchkit.load` does.

        The kind is the one that it was to be read as, otherwise the one that the plugin brings; of several, the one
        whose factory is the problem's class, otherwise the plugin's name. To a kind that is made from options, an empty
        text stands for no file, so that such a problem can be written and read again.
        """
        if self.program is not None:
            return self.program.kind, self.program.make(options)
        options, plugins = {**self.preset, **options}, registry()
        spec = plugins.problems.get(self.kind or "")
        if self.file is None or (spec and spec.instance is not None and not self.file.text.strip()):
            assert spec is not None
            return spec.name, instance_of(spec, options)
        hint = "if one of them should know it, name its problem with --problem, or problem=…"
        if self.kind:
            hint = f"the file was to be read as problem {self.kind!r}"
            hint += ", which is made from options" if spec and spec.instance is not None else ""
        plugin, found = _ask("searchkit_load", self.file, hint, format=self.kind, options=options)
        brought = [
            spec
            for record in plugins.plugins
            for spec in record.declared.get("problem", ())
            if record.name == plugin
        ]
        if len(brought) > 1:
            brought = [
                spec for spec in brought if isinstance(spec.factory, type) and isinstance(found, spec.factory)
            ]
        return self.kind or (brought[0].name if brought else plugin), found


def instance_of(spec: ProblemSpec, options: Mapping[str, object]) -> SearchProblem[Any, Any]:
    """Return the instance that a kind of problem makes from options, without a file; those not given have defaults.

    Raises:
        UnknownNameError: the kind of problem has no option of that name.
        InvalidOptionError: an option has an invalid value, or the kind of problem needs a file.
        PluginError: making it raised another exception.

    """
    if spec.instance is None:
        raise InvalidOptionError(f"a problem {spec.name!r} is read from a file; expected the path of one")
    parsed = spec.parse(options)
    try:
        return spec.instance(**parsed)
    except (SearchkitError, Warning):
        raise
    except Exception as error:
        given = ", ".join(f"{name}={value!r}" for name, value in parsed.items())
        raise PluginError(
            f"problem {spec.name!r} raised {type(error).__name__} in its instance({given}): {error}"
        ) from error


def load_scenario(source: str | Path, map: str | None = None, **options: object) -> Scenario:
    """Return the queries with known answers that a file lists.

    Args:
        source: the path of the file, or the name of an example.
        map: the file that the queries are about; None if the scenario names it.
        options: the problem's own options.

    Raises:
        SearchkitError: as `load` does.

    """
    opened = OpenedSource.of(source)
    if opened.file is None:
        raise InvalidOptionError(
            f"{source} is a problem {opened.kind!r} without a file; expected the path of a file"
        )
    hint = "expected queries with known answers, such as a MovingAI .scen file"
    found: Scenario = _ask("searchkit_scenario", opened.file, hint, map=map, options=options)[1]
    return found


def examples(plugins: Registry) -> dict[str, tuple[str, Example]]:
    """Return name → (kind of problem, example); of examples of the same name, that of the first plugin."""
    specs = reversed(list(plugins.problems.values()))
    return {example.name: (spec.name, example) for spec in specs for example in spec.examples}


def _ask(hook: str, source: Source, hint: str, **arguments: object) -> tuple[str, Any]:
    """Call the hook of every plugin; return the plugin that answers and its answer. Raises unless exactly one does."""
    plugins = registry()
    answers: dict[str, Any] = {}
    refusals: dict[str, SearchkitError] = {}
    asked = []
    for plugin, call in plugins.calls(hook, source=source, **arguments):
        asked.append(plugin)
        try:
            answer = call()
        except (PluginError, Warning):  # Warning: warnings were made errors, and are to be raised unchanged
            raise
        except SearchkitError as error:
            refusals[plugin] = error
        except Exception as error:
            raise PluginError(
                f"plugin {plugin!r} raised {type(error).__name__} while reading {source.name}: {error}; "
                f"{DISABLE_VARIABLE}={plugin} blocks it"
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
        return next(iter(answers.items()))
    if len(set(map(str, refusals.values()))) > 1:
        reasons = "; ".join(f"as {plugin}: {error}" for plugin, error in refusals.items())
        raise InputFormatError(
            f"{source.name} can't be read; {reasons}. Say which problem it is with --problem, or problem=…"
        )
    if refusals:
        raise next(iter(refusals.values()))
    if not source.text.strip():
        raise InputFormatError("the file is empty; expected text in a format of a plugin", source=source.name)
    readers = ", ".join(asked) or "none"
    raise UnknownNameError(f"{source.name} is of no known format; the plugins asked were {readers}; {hint}")


def write(problem: SearchProblem[Any, Any]) -> Written | None:
    r"""Return the text and the options from which `load` makes an equal problem; None if no plugin can write it.

    If a plugin raises or returns anything else, a `PluginWarning` names it, and the next plugin is called.

    Example:
        >>> from io import StringIO
        >>> from searchkit import load
        >>> from searchkit.plugin.loading import write
        >>> from searchkit_dungeon import grid
        >>> written = write(grid(["S.#G", "...."], moves=8))
        >>> written
        Written(kind='dungeon', text='S.#G\n....\n', options={'moves': 8})
        >>> load(StringIO(written.text), written.kind, **written.options).goals
        ((3, 0),)

    """
    return registry().first("searchkit_write", Written, "write", problem=problem)[1]
