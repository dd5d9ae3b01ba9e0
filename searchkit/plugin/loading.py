"""Loading problems and scenarios from files, and writing them, by the plugins that know the format."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from attrs import field, frozen

from searchkit.errors import (
    AmbiguousSourceError,
    InputFormatError,
    InvalidOptionError,
    SearchkitError,
    UnknownNameError,
    unknown,
)
from searchkit.plugin.files import Scenario, Source
from searchkit.plugin.options import options_of
from searchkit.plugin.programs import problem_in, split_program
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

    spec: ProblemSpec | None
    """The kind of problem to read it as; None for whichever fits."""
    file: Source | None = None
    """The file or the text; None if an instance is made from options alone."""
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
        what `problem_in` raises.
        """
        plugins = registry()
        spec = None if problem is None else plugins.problem(problem)
        if not isinstance(source, str | Path):
            return cls(spec, source if isinstance(source, Source) else Source.read_from(source))
        name, program = str(source), split_program(str(source))
        if program is not None and programs and spec is None:
            return cls(problem_in(*program))
        is_folder = os.path.isdir(name)  # noqa: PTH112  # False for a name that no file can have
        if os.path.exists(name) and not is_folder:  # noqa: PTH110  # a pipe, too
            return cls(spec, Source(Path(source)))
        makers = {n: (of, Example(n, None)) for n, of in plugins.problems.items() if of.instance}
        known = makers | examples(plugins)
        if name in known:
            named, example = known[name]
            if example.path is not None:
                return cls(spec or named, Source(example.path), example.options)
            if spec in (None, named):
                return cls(named, preset=example.options)
            raise InvalidOptionError(f"{name} needs no file, so it can't be read as problem {problem!r}")
        what = f"{name} is {'a directory' if is_folder else 'not a file'}"
        what += f", and a problem {name!r} is read from a file" if name in plugins.problems else ""
        expected = "expected the path of a file, or an example; searchkit problems lists them"
        if program is not None:
            expected = "only the command line runs Python files; in Python, import the problem from the file"
        raise UnknownNameError(unknown(what, name, sorted(known), expected))

    def load(self, options: Mapping[str, object]) -> tuple[ProblemSpec, SearchProblem[Any, Any]]:
        """Return the kind of problem, and the problem. Raises as `searchkit.load` does.

        The kind is the one that it was to be read as, otherwise the one that reads the file. To a kind that is made
        from options, an empty text is read as no file, so that such a problem can be written and read again.
        """
        options, spec, file = {**self.preset, **options}, self.spec, self.file
        if spec is not None and (file is None or (spec.instance and not file.text.strip())):
            return spec, spec.make(**options)
        assert file is not None
        found, refusals = [], dict[str, SearchkitError]()
        for each in _claiming(file, options) if spec is None else [spec]:
            try:
                found += [(each, each.read(file, **each.parse(options)))] if each.read else []
            except SearchkitError as error:
                refusals.setdefault(str(error), error)
        if len(found) == 1:
            return found[0]
        which = "say which problem it is with --problem, or problem=…"
        if found:
            names = " and ".join(each.name for each, _ in found)
            raise AmbiguousSourceError(f"{file.name} can be read as problem {names}; {which}")
        if len(refusals) > 1:
            raise InputFormatError(f"{file.name} can't be read: {'; or: '.join(refusals)}; {which}")
        for refusal in refusals.values():
            raise refusal
        if not file.text.strip():
            raise InputFormatError(
                "the file is empty; expected text in a format of a plugin", source=file.name
            )
        readers = ", ".join(each.name for each in registry().problems.values() if each.read) or "none"
        hint = which if spec is None else f"the file was to be read as problem {spec.name!r}"
        raise UnknownNameError(
            f"{file.name} is of no known format; the kinds of problem that are read from files are {readers}; {hint}"
        )


def _claiming(source: Source, options: Mapping[str, object]) -> list[ProblemSpec]:
    """Return the kinds of problem that claim a file: of several, those that have all options, and its suffix."""
    every = list(registry().problems.values())
    for specs in ([spec for spec in every if options.keys() <= {p.name for p in spec.parameters}], every):
        if found := [spec for spec in specs if source.suffix in spec.formats]:
            return found
        if found := [s for s in specs if any(callable(form) and form(source, options) for form in s.formats)]:
            return found
    return []


def load_scenario(source: str | Path, map: str | None = None) -> Scenario:
    """Return the queries with known answers that a file lists. Raises `SearchkitError` as `load` does.

    Args:
        source: the path of the file, or the name of an example.
        map: the file that the queries are about; None if the scenario names it.

    """
    file = OpenedSource.of(source).file
    if file is None:
        raise InvalidOptionError(f"{source} is a problem without a file; expected the path of a file")
    for spec in registry().problems.values():
        if spec.scenario and (found := spec.scenario(file, map)):
            return found
    raise UnknownNameError(
        f"{file.name} is of no known format; expected queries with known answers, such as a MovingAI .scen file"
    )


def examples(plugins: Registry) -> dict[str, tuple[ProblemSpec, Example]]:
    """Return name → (kind of problem, example); of examples of the same name, that of the first plugin."""
    specs = reversed(list(plugins.problems.values()))
    return {example.name: (spec, example) for spec in specs for example in spec.examples}


class Written(NamedTuple):
    """A problem as the text of a file, with the options that `load` needs besides."""

    kind: str
    """The name of the kind of problem: the second argument of `load`."""
    text: str
    options: Mapping[str, object]
    """Options for `load`, without those that have their default value."""


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
