"""Loading problems and scenarios from files, and writing them, by the plugins that know the format."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TextIO, TypeVar

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
from searchkit.plugin.options import Parameter
from searchkit.plugin.programs import Program
from searchkit.plugin.registry import DISABLE_VARIABLE, Registry, ask, registry
from searchkit.plugin.specs import Example, ProblemSpec
from searchkit.problem import SearchProblem

Answer = TypeVar("Answer")


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
        if ("problem", name) in plugins.clashes:
            raise plugins.missing("problem", (), name)
        what = "a directory" if there else "not a file"
        if spec is not None:
            what += f", and a problem {name!r} is read from a file"
        expected = "expected the path of a file, or an example; searchkit problems lists them"
        raise UnknownNameError(unknown(f"{source} is {what}", name, names, expected))

    @property
    def parameters(self) -> tuple[Parameter, ...] | None:
        """The options of the problem; None if they depend on what the file holds."""
        if self.program is not None:
            return self.program.parameters
        return None if self.kind is None else registry().problem(self.kind).parameters

    def load(self, options: Mapping[str, object]) -> tuple[str, SearchProblem[Any, Any]]:
        """Return the name of the kind of problem, and the problem. Raises as `searchkit.load` does.

        The kind is the one that it was to be read as, otherwise the one that reads the file. To a kind that is made
        from options, an empty text stands for no file, so that such a problem can be written and read again.
        """
        if self.program is not None:
            return self.program.kind, self.program.make(options)
        options, plugins = {**self.preset, **options}, registry()
        spec = plugins.problems.get(self.kind or "")
        if self.file is None or (spec and spec.instance is not None and not self.file.text.strip()):
            assert spec is not None
            return spec.name, instance_of(spec, options)
        hint = "if one of them should know it, name its problem with --problem, or problem=…"
        if spec is not None:
            hint = f"the file was to be read as problem {spec.name!r}"
            hint += ", which is made from options" if spec.instance is not None else ""
        readers = [each.name for each in plugins.problems.values() if each.read is not None]
        found, problem = _ask(
            self.file,
            [spec] if spec else _claiming(self.file, options),
            lambda each, source: each.read and each.read(source, **each.parse(options)),
            f"the kinds of problem that are read from files are {', '.join(readers) or 'none'}; {hint}",
        )
        return found.name, problem


def _claiming(source: Source, options: Mapping[str, object]) -> list[ProblemSpec]:
    """Return the kinds of problem that claim a file: of several, those that have all options, and its suffix."""

    def claims(spec: ProblemSpec) -> bool:
        return _watched(spec, f"while reading {source.name}", lambda: spec.claims(source, options))

    found = list(filter(claims, registry().problems.values()))
    for spec in () if found else registry().problems_of_several:
        if claims(spec):
            raise registry().missing("problem", (), spec.name)
    found = [spec for spec in found if options.keys() <= {p.name for p in spec.parameters}] or found
    return [spec for spec in found if source.suffix in spec.suffixes] or found


def instance_of(spec: ProblemSpec, options: Mapping[str, object]) -> SearchProblem[Any, Any]:
    """Return the instance that a kind of problem makes from options, without a file; those not given have defaults.

    Raises:
        UnknownNameError: the kind of problem has no option of that name.
        InvalidOptionError: an option has an invalid value, or the kind of problem needs a file.
        PluginError: making it raised another exception.

    """
    if spec.instance is None:
        raise InvalidOptionError(f"a problem {spec.name!r} is read from a file; expected the path of one")
    parsed, make = spec.parse(options), spec.instance
    given = ", ".join(f"{name}={value!r}" for name, value in parsed.items())
    return _watched(spec, f"in its instance({given})", lambda: make(**parsed))


def load_scenario(source: str | Path, map: str | None = None, **options: object) -> Scenario:
    """Return the queries with known answers that a file lists. Raises `SearchkitError` as `load` does.

    Args:
        source: the path of the file, or the name of an example.
        map: the file that the queries are about; None if the scenario names it.
        options: the problem's own options.

    """
    opened = OpenedSource.of(source)
    if opened.file is None:
        raise InvalidOptionError(
            f"{source} is a problem {opened.kind!r} without a file; expected the path of a file"
        )
    found: Scenario = _ask(
        opened.file,
        registry().problems.values(),
        lambda spec, source: spec.scenario and spec.scenario(source, map, options),
        "expected queries with known answers, such as a MovingAI .scen file",
    )[1]
    return found


def examples(plugins: Registry) -> dict[str, tuple[str, Example]]:
    """Return name → (kind of problem, example); of examples of the same name, that of the first plugin."""
    specs = reversed(list(plugins.problems.values()))
    return {example.name: (spec.name, example) for spec in specs for example in spec.examples}


def _ask(
    source: Source, specs: Iterable[ProblemSpec], read: Callable[..., Any], hint: str
) -> tuple[ProblemSpec, Any]:
    """Call `read(spec, source)` for each; return the one that answers, and its answer. Raises unless one does."""
    reading = f"while reading {source.name}"
    answers: list[tuple[ProblemSpec, Any]] = []
    refusals: dict[str, SearchkitError] = {}
    for spec in specs:
        try:
            answer = _watched(spec, reading, partial(read, spec, source))
        except PluginError:
            raise
        except SearchkitError as error:
            refusals[spec.name] = error
        else:
            answers += [(spec, answer)] if answer is not None else []
    if len(answers) > 1:
        raise AmbiguousSourceError(
            f"{source.name} can be read as problem {' and '.join(spec.name for spec, _ in answers)}; "
            "say which problem it is with --problem, or problem=…"
        )
    if answers:
        return answers[0]
    if len(set(map(str, refusals.values()))) > 1:
        reasons = "; ".join(f"as {name}: {error}" for name, error in refusals.items())
        raise InputFormatError(
            f"{source.name} can't be read; {reasons}. Say which problem it is with --problem, or problem=…"
        )
    if refusals:
        raise next(iter(refusals.values()))
    if not source.text.strip():
        raise InputFormatError("the file is empty; expected text in a format of a plugin", source=source.name)
    raise UnknownNameError(f"{source.name} is of no known format; {hint}")


def _watched(spec: ProblemSpec, doing: str, call: Callable[[], Answer]) -> Answer:
    """Return what a function of a plugin returns; any exception that is not of searchkit becomes a `PluginError`."""
    try:
        return call()
    except (SearchkitError, Warning):  # Warning: warnings were made errors, and are to be raised unchanged
        raise
    except (Exception, SystemExit) as error:
        plugin = registry().plugin_of(spec)
        raise PluginError(
            f"problem {spec.name!r} of plugin {plugin!r} raised {type(error).__name__} {doing}: {error}; "
            f"{DISABLE_VARIABLE}={plugin} blocks it"
        ) from error


def write(problem: SearchProblem[Any, Any]) -> Written | None:
    r"""Return the text and the options from which `load` makes an equal problem; None if its kind can't write it.

    If the kind's `write` raises or returns anything else, a `PluginWarning` names it.

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
    return ask(problem, "write", Written)
