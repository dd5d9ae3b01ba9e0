"""Loading problems and scenarios from files, and writing them, by the plugins that know the format."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO

from attrs import field, frozen

from searchkit.errors import (
    AmbiguousSourceError,
    InputFormatError,
    InvalidOptionError,
    SearchkitError,
    UnknownNameError,
    unknown,
)
from searchkit.plugin.files import Scenario, Source, Written
from searchkit.plugin.options import Parameter, options_of
from searchkit.plugin.programs import Program, split_program
from searchkit.plugin.registry import Registry, ask, registry
from searchkit.plugin.specs import Example, ProblemSpec
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
        kind, example = examples(plugins).get(name, (name, Example(name, None)))
        if example.path is not None:
            return cls(problem or kind, Source(example.path), preset=example.options)
        spec = plugins.problems.get(kind)
        if spec is not None and spec.instance is not None:
            if problem not in (None, kind):
                raise InvalidOptionError(
                    f"{source} is a problem {kind!r}: it can't be read as problem {problem!r}"
                )
            return cls(kind, preset=example.options)
        if program is not None:
            raise UnknownNameError(
                f"{source} is a Python file, or a name in one, which only the command line runs; in Python, import the "
                "problem from the file"
            )
        makers = [spec.name for spec in plugins.problems.values() if spec.instance is not None]
        what = f"{source} is {'a directory' if there else 'not a file'}"
        what += f", and a problem {name!r} is read from a file" if spec is not None else ""
        expected = "expected the path of a file, or an example; searchkit problems lists them"
        raise UnknownNameError(unknown(what, name, sorted({*examples(plugins), *makers}), expected))

    @property
    def parameters(self) -> tuple[Parameter, ...] | None:
        """The options of the problem; None if they depend on what the file holds."""
        if self.program is not None:
            return self.program.parameters
        return None if self.kind is None else registry().problem(self.kind).parameters

    def load(self, options: Mapping[str, object]) -> tuple[str, SearchProblem[Any, Any]]:
        """Return the name of the kind of problem, and the problem. Raises as `searchkit.load` does.

        The kind is the one that it was to be read as, otherwise the one that reads the file. To a kind that is made
        from options, an empty text is read as no file, so that such a problem can be written and read again.
        """
        if self.program is not None:
            return self.program.kind, self.program.make(options)
        options, specs = {**self.preset, **options}, registry().problems
        spec = None if self.kind is None else specs[self.kind]
        if spec is not None and (self.file is None or (spec.instance and not self.file.text.strip())):
            return spec.name, spec.make(**options)
        assert self.file is not None
        readers = ", ".join(each.name for each in specs.values() if each.read is not None)
        hint = "to read it as one of them, name its problem with --problem, or problem=…"
        hint = hint if spec is None else f"the file was to be read as problem {spec.name!r}"
        found, problem = _read(
            self.file,
            [spec] if spec else _claiming(self.file, options),
            lambda each, source: each.read and _read_by(each.read, source, each.parse(options)),
            f"the kinds of problem that are read from files are {readers or 'none'}; {hint}",
        )
        return found.name, problem


def _read_by(read: Callable[..., Any], source: Source, options: Mapping[str, Any]) -> Any:
    """Return what a plugin reads; an error about an option, which may be right for another file, names the file."""
    try:
        return read(source, **options)
    except InvalidOptionError as error:
        raise InvalidOptionError(f"{source.name}: {error}") from error


def _claiming(source: Source, options: Mapping[str, object]) -> list[ProblemSpec]:
    """Return the kinds of problem that claim a file: of several, those that have all options, and its suffix."""
    every = list(registry().problems.values())
    for specs in ([spec for spec in every if options.keys() <= {p.name for p in spec.parameters}], every):
        if found := [spec for spec in specs if source.suffix in spec.formats]:
            return found
        if found := [s for s in specs if any(callable(form) and form(source, options) for form in s.formats)]:
            return found
    return []


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
    found: Scenario = _read(
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


def _read(
    source: Source, specs: Iterable[ProblemSpec], read: Callable[..., Any], hint: str
) -> tuple[ProblemSpec, Any]:
    """Call `read(spec, source)` for each; return the one that answers, and its answer. Raises unless one does."""
    answers: list[tuple[ProblemSpec, Any]] = []
    refusals: dict[str, SearchkitError] = {}
    for spec in specs:
        try:
            if (answer := read(spec, source)) is not None:
                answers.append((spec, answer))
        except SearchkitError as error:
            refusals.setdefault(str(error), error)
    if len(answers) == 1:
        return answers[0]
    if answers:
        names = " and ".join(spec.name for spec, _ in answers)
        raise AmbiguousSourceError(
            f"{source.name} can be read as problem {names}; say which problem it is with --problem, or problem=…"
        )
    if len(refusals) > 1:
        raise InputFormatError(
            f"{source.name} can't be read: {'; or: '.join(refusals)}. Say which problem it is with --problem, or "
            "problem=…"
        )
    for refusal in refusals.values():
        raise refusal
    if not source.text.strip():
        raise InputFormatError("the file is empty; expected text in a format of a plugin", source=source.name)
    raise UnknownNameError(f"{source.name} is of no known format; {hint}")


def write(problem: SearchProblem[Any, Any]) -> Written | None:
    r"""Return the text and the options from which `load` makes an equal problem; None if its kind can't write it.

    If the kind's `write` raises, a `PluginWarning` names it.

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
    spec, written = registry().problem_of(problem), ask(problem, "write")
    if isinstance(written, str):
        written = (written, options_of(problem)) if spec and type(problem) in spec.classes else None
    return Written(spec.name, *written) if spec and written else None
