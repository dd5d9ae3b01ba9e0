"""Python files that users name: loading them, and values for arguments from text."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from searchkit import load
from searchkit.errors import InputFormatError, ProgramError, UnknownNameError
from searchkit.plugin.options import arguments_of, literal
from searchkit.plugin.programs import find_name, load_module, split_program


@pytest.fixture(autouse=True)
def imports_as_before() -> Iterator[None]:
    """Leave the modules and the import path as they were."""
    modules, path, finders = dict(sys.modules), list(sys.path), list(sys.meta_path)
    yield
    for name in sys.modules.keys() - modules.keys():
        del sys.modules[name]
    sys.modules.update(modules)
    sys.path[:], sys.meta_path[:] = path, finders


@pytest.fixture
def loaded(tmp_path: Path) -> Callable[..., ModuleType]:
    """Return what writes files into a folder, and loads the first one."""

    def load_files(folder: str = "one", **files: str) -> ModuleType:
        (tmp_path / folder).mkdir(exist_ok=True)
        for name, text in files.items():
            (tmp_path / folder / f"{name}.py").write_text(text, encoding="utf-8")
        return load_module(tmp_path / folder / f"{next(iter(files))}.py")

    return load_files


def test_files_beside_it_can_be_imported(loaded: Callable[..., ModuleType]) -> None:
    """Also later, in a function that is called when the file has been loaded."""
    module = loaded(
        begin="import beside\ndef late(): import later; return later.x", beside="y = 1", later="x = 2"
    )
    assert (module.beside.y, module.late()) == (1, 2)
    assert module.__name__ == "begin"


def test_a_file_beside_it_comes_before_an_installed_package(
    loaded: Callable[..., ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for a script; but it does not take the place of a module of the standard library."""
    monkeypatch.setitem(sys.modules, "networkx", ModuleType("networkx"))  # so that what was there comes back
    del sys.modules["networkx"]  # another test may have imported it
    module = loaded(begin="import networkx, wave, wave as again", networkx="mine = True", wave="mine = True")
    assert module.networkx.mine
    assert not hasattr(module.wave, "mine")


@pytest.mark.parametrize("name", ["random", "searchkit", "a-b", "pytest"])
def test_names_of_files_that_can_not_be_names_of_modules(
    loaded: Callable[..., ModuleType], name: str
) -> None:
    """The file is loaded under another name, and the module of that name stays what it is."""
    before = sys.modules.get(name)
    module = loaded(**{name: "import random\nx = random.Random(1).random()"})
    assert 0 < module.x < 1
    assert module.__name__ == "student"
    assert sys.modules.get(name) is before


def test_what_can_not_be_loaded(tmp_path: Path) -> None:
    """A file that is missing, too long, or not Python."""
    with pytest.raises(UnknownNameError, match=r"there is no file .*none\.py"):
        load_module(tmp_path / "none.py")
    long = tmp_path / "long.py"
    long.write_bytes(b"#" * (2**22 + 1))
    with pytest.raises(InputFormatError, match=r"long\.py: it has more than 4,194,304 bytes"):
        load_module(long)
    for text, said in ((b"x = (", "long.py:1: .* '\\(' was never closed"), (b"\0", "null bytes")):
        long.write_bytes(text)
        with pytest.raises(ProgramError, match=said):
            load_module(long)


def test_a_name_that_is_missing(loaded: Callable[..., ModuleType]) -> None:
    """A similar one is suggested, or those that the file defines are listed."""
    module = loaded(begin="from math import inf\ndef astar(): pass\nclass Maze: pass\nx = 1")
    assert find_name(module, Path("begin.py"), "x") == 1
    with pytest.raises(ProgramError, match=r"begin\.py has no 'aster': did you mean astar\?"):
        find_name(module, Path("begin.py"), "aster")
    with pytest.raises(ProgramError, match=r"begin\.py has no 'qqq'; it has astar, Maze$"):
        find_name(module, Path("begin.py"), "qqq")


@pytest.mark.parametrize(
    ("source", "file", "name"),
    [
        ("student.py:Romania", "student.py", "Romania"),
        (r"C:\x\student.py:Romania", r"C:\x\student.py", "Romania"),
        (r"C:\x\student.py", r"C:\x\student.py", ""),
        ("A.PY:x", "A.PY", "x"),
        ("student.py:", "student.py", ""),
    ],
)
def test_sources_that_are_programs(source: str, file: str, name: str) -> None:
    """The last colon separates the name."""
    assert split_program(source) == (Path(file), name)


@pytest.mark.parametrize("source", ["arena.map", r"C:\x\arena.map", "a:b", "-", "", "student.pyc:x"])
def test_sources_that_are_not(source: str) -> None:
    """Other files, and names."""
    assert split_program(source) is None


def test_python_does_not_run_files(tmp_path: Path) -> None:
    """`load` reads; a file that somebody uploaded is not run."""
    (tmp_path / "upload.py").write_text("raise SystemExit('run')")
    for name in ("upload.py:X", "none.py"):
        with pytest.raises(UnknownNameError, match="only the command line runs Python files"):
            load(str(tmp_path / name))
    with pytest.raises(UnknownNameError, match="is of no known format"):
        load(str(tmp_path / "upload.py"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("7.5", 7.5),
        ("(1, 'a')", (1, "a")),
        ("[[1, 2], [3]]", [[1, 2], [3]]),
        ("Arad", "Arad"),
        ("3,4", (3, 4)),
        ("Arad, Sibiu", ("Arad", "Sibiu")),
        (["4", "5,6"], (4, (5, 6))),
        (4, 4),
    ],
)
def test_values_without_an_annotation(text: object, value: object) -> None:
    """A literal, a tuple of them, or the text."""
    assert literal(text) == value


def test_the_arguments_of_a_function() -> None:
    """Annotations as text are evaluated; the default's type serves where there is none."""

    def make(
        a: "int",
        b=(1, 2),
        c: int | None = None,
        *rest: int,
        e: Path | None = None,
        **more: int,
    ) -> None:  # type: ignore[no-untyped-def]
        """Make nothing."""

    parameters = arguments_of(make, "make")
    read = {parameter.name: parameter for parameter in parameters}
    assert list(read) == ["a", "b", "c", "e"]
    assert [name for name, parameter in read.items() if parameter.required] == ["a"]
    assert [read[name].parse(text) for name, text in (("a", "3"), ("b", "3,4"), ("c", "3"))] == [3, (3, 4), 3]
    assert [name for name, parameter in read.items() if parameter.file] == ["e"]
    assert read["a"].help == "an argument of make, a whole number"
