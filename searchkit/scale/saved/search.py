"""Searches to files and back: what belongs to a file, and whether it belongs to this problem and this engine."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

from attrs import asdict

from searchkit.errors import InputFormatError, SavingError, UnknownNameError
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import SupportsSearch
from searchkit.result import Statistics
from searchkit.scale.identity import identity
from searchkit.scale.saved.decoding import decode
from searchkit.scale.saved.encoding import encode
from searchkit.scale.saved.file import read_search, write_search
from searchkit.scale.saved.vocabulary import Vocabulary
from searchkit.tree import SearchTree, do_nothing

NOT_SAVED = {"listener", "poll"}
"""What a tree holds that belongs to this process."""
NO_LABEL: Mapping[str, object] = {}
OF_KERNELS = NOT_SAVED | {"reached", "arrivals", "frontier", "closed", "expanded", "warnings"}
"""Slots that a compiled engine fills from what it has saved."""

REMEDIES = {
    "contents": "use an older copy of the file",
    "engine": "leave the engine out",
    "options": "leave the options out",
    "problem": "give the problem of the file",
    "version of searchkit": "install the version of the file",
}
"""What differs between a file and a search → what to do, so that the file can be loaded."""

AnySearch = TypeVar("AnySearch", bound="Saveable")


class Open(Protocol):
    """What a search that is saved has."""

    problem: Any
    spec: EngineSpec
    options: Mapping[str, Any]

    @property
    def kernel(self) -> Any:
        """Its compiled engine; None in Python."""
        ...

    @property
    def backend(self) -> str:
        """`python` or `compiled`."""
        ...

    @property
    def ended(self) -> bool:
        """Whether the engine has returned."""
        ...

    @property
    def statistics(self) -> Statistics:
        """What it has done so far."""
        ...


@contextmanager
def _without_poll(half: SearchTree[Any, Any] | None) -> Iterator[None]:
    """Take away what is not saved of a backward half; see `NOT_SAVED`."""
    if half is None:
        yield
        return
    poll = half.poll
    del half.poll
    try:
        yield
    finally:
        half.poll = poll


def write(
    path: str | Path,
    search: Open,
    tree: SearchTree[Any, Any],
    more: Mapping[str, Any],
    label: Mapping[str, object],
) -> None:
    """Write a search to a file.

    Args:
        path: where to.
        search: the search, between two expansions.
        tree: its tree.
        more: what it knows besides its tree and its kernel, by name.
        label: what the header says besides.

    Raises:
        SavingError: a state, an action or the engine's frontier holds what can't be written.
        InvalidProblemError: the problem can't be named in a file; see `searchkit.Identifiable`.
        OSError: the file can't be written; an old one then stays as it was.

    """
    problem, spec, kernel = search.problem, search.spec, search.kernel
    named = identity(problem)
    skipped = NOT_SAVED if kernel is None else OF_KERNELS
    slots = {name: getattr(tree, name) for name in SearchTree.__slots__ if name not in skipped}
    saved = {} if kernel is None else kernel.saved()
    arrays = {name: value for name, value in saved.items() if hasattr(value, "dtype")}
    plain = {name: value for name, value in saved.items() if name not in arrays}
    with _without_poll(tree.backward):
        contents = encode(
            [slots, plain, dict(search.options), dict(more)], Vocabulary(problem, spec), [problem, tree]
        )
    counters = search.statistics
    header = {
        "searchkit": _version(),
        "problem": [named.kind, named.digest],
        "engine": spec.name,
        "options": {name: str(value) for name, value in search.options.items()},
        "backend": search.backend,
        "ended": search.ended,
        "statistics": asdict(counters),
        "label": dict(label),
    }
    write_search(Path(path), contents, arrays, header)


class Saved:
    """A saved search that was read, and belongs to this problem and this engine.

    Args:
        path: the file.
        problem: the problem.
        spec_of: returns the engine of a name; raises `UnknownNameError`.
        engine: the engine, if the caller names it.
        options: options of the engine that the caller expects.

    Raises:
        InputFormatError: the file can't be read, is not a saved search, or is damaged.
        SavingError: it belongs to another problem, engine, options or version.

    """

    def __init__(
        self,
        path: str | Path,
        problem: Any,
        spec_of: Callable[[Any], EngineSpec],
        engine: Any,
        options: Mapping[str, object],
    ):
        self.source = str(path)
        self.header, contents, self.arrays = read_search(Path(path))
        self.spec = self._engine(spec_of, engine)
        self._check(problem)
        self.tree: SearchTree[Any, Any] = SearchTree()
        vocabulary = Vocabulary(problem, self.spec)
        read = decode(contents, vocabulary, [problem, self.tree], self.source)
        if len(read) != 4 or not all(isinstance(part, dict) for part in read):
            raise self._mismatch("contents", "those of a search", "others")
        self.slots, self.plain, self.options, self.more = read
        expected = self.spec.parse(options)
        given = {name: self.options.get(name) for name in expected}
        if given != expected:
            raise self._mismatch("options", _listed(expected), _listed(given))

    def fill(self, tree: SearchTree[Any, Any]) -> None:
        """Enter what was saved of a tree into one; of a compiled search, all that the kernel does not know."""
        for name, value in self.slots.items():
            if name not in NOT_SAVED:
                setattr(tree, name, tree if value is self.tree else value)
        if tree.backward is not None:
            tree.backward.poll = do_nothing

    def _engine(self, spec_of: Callable[[Any], EngineSpec], engine: Any) -> EngineSpec:
        name = self.header.engine
        try:
            spec = spec_of(name if engine is None else engine)
        except UnknownNameError as error:
            if engine is not None:
                raise
            raise SavingError(
                f"{self.source} is a search by the engine {name!r}, which is not registered: give it as engine=…"
            ) from error
        if spec.name != name:
            raise self._mismatch("engine", spec.name, name)
        return spec

    def _check(self, problem: Any) -> None:
        header = self.header
        if header.version != _version():
            raise self._mismatch("version of searchkit", _version(), header.version)
        named = identity(problem)
        if header.problem != named:
            error = self._mismatch("problem", str(named), str(header.problem))
            if header.problem.kind != named.kind or "." not in named.kind:
                raise error
            raise SavingError(
                f"{error}. If it is the same problem, one of its attributes changes during a search, such as a cache: "
                "then give it a method file_identity() (searchkit.Identifiable)"
            )

    def _mismatch(self, what: str, expected: str, given: str) -> SavingError:
        return SavingError(
            f"{self.source} was saved with another {what}: expected {expected}, and the file has {given}; "
            f"{REMEDIES[what]}, or begin a new search"
        )


class Saveable:
    """What `searchkit.Search` can do with files: `save` and `load`."""

    engine_choice: str
    notices: list[str]
    _tree: SearchTree[Any, Any]
    _engine: Any
    _bound: Any
    _seconds: float
    _spec_of: Callable[[Any], EngineSpec]

    def save(self, path: str | Path, *, label: Mapping[str, object] = NO_LABEL) -> None:
        """Write the search to a file, from which `load` makes it again, also in another process.

        It can be saved whenever it stands still: before it begins, between two expansions, after an error or an
        interruption, and when it has ended. It can go on afterwards. The file is replaced as a whole or not at all. A
        search on disk is saved in its directory, and not in a file.

        Args:
            path: the file.
            label: JSON values by name, such as where the problem comes from; `saved_header` returns them.

        Raises:
            SavingError: the search is one on disk; or a state, an action or what the engine keeps is of a class that
                has no form in files; the message names it, and `encode_state` (`searchkit.EncodesStates`).
            InvalidProblemError: the problem can't be named in a file (`searchkit.Identifiable`).
            OSError: the file can't be written; an old one then stays as it was.

        """
        engine = self._engine
        state = engine.state
        if engine.kernel is not None:  # which knows its state until it ends
            state = engine.kernel.plain_state(state) if engine.ended else None
        more = {
            "state": state,
            "ended": engine.ended,
            "engine_choice": self.engine_choice,
            "notices": self.notices,
            "bound": self._bound,
            "seconds": self._seconds,
        }
        write(path, self, self._tree, more, label)  # type: ignore[arg-type]  # a `Search`

    @classmethod
    def load(
        cls: type[AnySearch],
        path: str | Path,
        problem: SupportsSearch[Any, Any],
        engine: Any = None,
        *,
        observers: Iterable[Any] = (),
        **options: object,
    ) -> AnySearch:
        """Return the search that was saved in a file, as it was: it continues as if it had never been stopped.

        Nothing in the file is run. Classes of states and actions are those of the problem's modules.

        Args:
            path: the file.
            problem: the problem that was searched, made again.
            engine: the engine, if it is not registered: an `EngineSpec`, or the function.
            observers: see `Search`; those of the saved search are not in the file.
            options: options of the engine that the file has to agree with.

        Raises:
            InputFormatError: the file can't be read, is not a saved search, or is damaged.
            SavingError: it is a search of another problem, by another engine, with other options, or of another
                version.
            MissingExtraError: the search is one of machine code, and Numba is not installed.

        """
        saved = Saved(path, problem, cls._spec_of, engine, options)
        more, compiled = saved.more, saved.header.backend == "compiled"
        try:
            kept = {**saved.plain, **saved.arrays}
            make: Any = cls
            search = make(
                problem,
                saved.spec,
                backend="compiled" if compiled else "python",
                observers=observers,
                **saved.options,
            )
            engine = search._engine
            if compiled and kept:
                engine.restore(kept)
            saved.fill(search._tree)
            if not compiled:
                engine.ended, engine.state = bool(more["ended"]), more["state"]
            elif engine.ended:
                engine.state = more["state"]
            search.engine_choice, search.notices = str(more["engine_choice"]), list(map(str, more["notices"]))
            search._bound, search._seconds = more["bound"], float(more["seconds"])
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise InputFormatError(
                f"its contents are invalid: {type(error).__name__}: {error}; it can't be loaded",
                source=str(path),
            ) from error
        return cast(AnySearch, search)


def _version() -> str:
    return str(import_module("searchkit").__version__)  # which imports nothing by itself


def _listed(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in options.items()) or "none"
