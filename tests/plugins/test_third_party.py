"""Plugins as strangers publish them: found, named, isolated when they fail, blocked on request."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.metadata import EntryPoint, distributions
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from searchkit import (
    EngineSpec,
    ProblemSpec,
    available_engines,
    available_problems,
    load,
    problem_from,
    solve,
)
from searchkit.errors import (
    AmbiguousSourceError,
    InputFormatError,
    InvalidOptionError,
    PluginWarning,
    UnknownNameError,
)
from searchkit.plugin import use_registry
from searchkit.plugin.registry import DISABLE_VARIABLE, Registry, load_registry, registry

THIRD_PARTY = Path(__file__).parent.parent / "third_party"


def installed(monkeypatch: pytest.MonkeyPatch, *names: str, disabled: str = "") -> Registry:
    """Return the registry of an environment in which these plugins are installed beside our own."""
    paths = [str(THIRD_PARTY / name) for name in names]
    for path in paths:
        monkeypatch.syspath_prepend(path)
    own = [point for point in registry_points() if point.name in ("engines", "dungeon")]
    strangers = [point for found in distributions(path=paths) for point in found.entry_points]
    return load_registry(frozenset(disabled.split()), own + strangers)


def registry_points() -> list[EntryPoint]:
    """Return the entry points of our own distribution."""
    return [point for found in distributions(name="statespace-searchkit") for point in found.entry_points]


def run(
    *arguments: str, plugins: tuple[str, ...] = (), **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command line in an environment in which these plugins are installed."""
    path = os.pathsep.join(str(THIRD_PARTY / name) for name in plugins)
    return subprocess.run(
        [sys.executable, "-m", "searchkit", *arguments],
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "160", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_discovery(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger's package is found by its entry point, with its version, hooks, problems and engines."""
    found = installed(monkeypatch, "counting")
    (record,) = [plugin for plugin in found.plugins if plugin.name == "counting"]
    assert record.package is not None
    assert (record.package.name, record.package.version) == ("searchkit-counting", "1.2.3")
    assert record.status == "active"
    assert list(record.declared) == ["searchkit_engines", "searchkit_problems"]
    assert found.problem("counting").summary == "count to a number"
    assert found.engine("last").summary == "takes the last successor"
    assert found.engine("astar").optimal, "ours are there beside it"


def test_ours_come_through_the_same_door() -> None:
    """Built-in engines and bundled problems are entry points of our own distribution, and nothing else."""
    ours = {
        plugin.name: plugin
        for plugin in registry().plugins
        if plugin.package and plugin.package.name == "statespace-searchkit"
    }
    assert {"engines", "dungeon"} <= ours.keys()
    assert list(ours["engines"].declared) == ["searchkit_engines"]
    assert {"astar", "bfs"} <= available_engines().keys()
    assert "dungeon" in available_problems()
    without = load_registry(found=[])
    assert not without.engines
    assert not without.problems


def test_a_plugin_that_declares_a_name_in_use_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason names both plugins; engines of searchkit come first."""
    found = installed(monkeypatch, "counting", "clash")
    (record,) = [plugin for plugin in found.plugins if plugin.name == "clash"]
    assert record.reason == (
        "engine 'dijkstra' is declared by plugin 'engines' already; rename it, or block one of the two, as in "
        "SEARCHKIT_DISABLE_PLUGINS=clash"
    )
    assert {"last", "dijkstra"} <= found.engines.keys()
    assert "own" not in found.engines


def test_a_suffix_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with names."""
    found = installed(monkeypatch, "counting", "clash", disabled="engines")
    (record,) = [plugin for plugin in found.plugins if plugin.name == "counting"]
    assert "problem 'counting' is declared by plugin 'clash' already" in record.reason


def test_a_plugin_that_raises_on_import(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named with its reason, and takes nothing else down."""
    found = installed(monkeypatch, "broken", "counting")
    (record,) = [plugin for plugin in found.plugins if plugin.name == "broken"]
    assert record.status == "failed"
    assert record.reason.startswith("RuntimeError: this plugin needs a licence key; import searchkit_broken")
    assert {"last", "astar"} <= found.engines.keys()
    with pytest.raises(UnknownNameError, match="plugin 'broken' failed to load"):
        found.engine("theirs")


def test_a_misspelt_hook(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an error that names the plugin's hook and lists those that there are."""
    found = installed(monkeypatch, "misspelt")
    (record,) = [plugin for plugin in found.plugins if plugin.name == "misspelt"]
    assert record.status == "failed"
    assert record.reason.startswith("there is no hook 'searchkit_engine': did you mean searchkit_engines")
    listed = record.reason.partition("There are ")[2].split(", ")
    assert {"searchkit_engines", "searchkit_problems"} <= set(listed)
    assert "searchkit_engine" not in listed
    assert "astar" in found.engines


def test_a_hook_without_its_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its plugin would declare nothing, and nobody would know why."""
    monkeypatch.syspath_prepend(THIRD_PARTY / "misspelt")
    module = import_module("searchkit_misspelt")
    monkeypatch.delattr(module, "searchkit_engine")
    monkeypatch.setattr(module, "searchkit_engines", list, raising=False)
    (record,) = [one for one in installed(monkeypatch, "misspelt").plugins if one.name == "misspelt"]
    assert (record.status, record.reason) == ("failed", "searchkit_engines has no @hookimpl above it")


def test_blocking_by_environment_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable is read when the plugins are loaded; a blocked plugin is not even imported."""
    monkeypatch.setenv(DISABLE_VARIABLE, " engines , no-such-plugin")
    assert "astar" not in available_engines()
    statuses = {plugin.name: plugin.status for plugin in registry().plugins}
    assert (statuses["engines"], statuses["dungeon"]) == ("blocked", "active")


def test_a_failed_plugin_is_reported_loudly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever uses the library is warned once, by name."""
    monkeypatch.syspath_prepend(str(THIRD_PARTY / "broken"))
    monkeypatch.setenv(DISABLE_VARIABLE, "no-such-plugin")
    with pytest.warns(
        PluginWarning, match="plugin 'broken' was left out: RuntimeError: this plugin needs a licence"
    ):
        available_engines()


def test_two_distributions_with_one_plugin_name() -> None:
    """Entry points of one name: the second is reported, not silently dropped."""
    points = [
        EntryPoint("same", "searchkit.engines", "searchkit"),
        EntryPoint("same", "searchkit.errors", "searchkit"),
    ]
    found = load_registry(found=points)
    assert [plugin.status for plugin in found.plugins] == ["active", "failed"]
    assert "plugin 'same' is declared by plugin 'same' already" in found.plugins[1].reason


@pytest.mark.parametrize("returned", [None, [5], "specs"])
def test_a_hook_that_returns_something_else(monkeypatch: pytest.MonkeyPatch, returned: object) -> None:
    """What a hook returns is checked when it is loaded, and the plugin named."""
    monkeypatch.syspath_prepend(str(THIRD_PARTY / "counting"))
    import searchkit_counting  # type: ignore[import-not-found]  # on the path that the line above adds

    def searchkit_engines() -> object:
        return returned

    from searchkit import hookimpl

    monkeypatch.setattr(searchkit_counting, "searchkit_engines", hookimpl(searchkit_engines))
    found = load_registry(found=[EntryPoint("counting", "searchkit_counting", "searchkit")])
    assert found.plugins[0].status == "failed"
    assert "expected a list of EngineSpec" in found.plugins[0].reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("format = 'river'", "format 'river': expected a suffix with its dot, '.river'"),
        (
            "Mark('o', '#fff')",
            "ValueError: 'colour' must match regex '#[0-9a-fA-F]{6}' ('#fff' doesn't); import",
        ),
    ],
)
def test_faults_of_newcomers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, reason: str) -> None:
    """The format of no file was ignored; the error of attrs was printed with the whole attribute."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "newcomer", raising=False)
    (tmp_path / "newcomer.py").write_text(
        f"from searchkit.plugin import *\nformat = '.river'\n{line}\n\n@hookimpl\n"
        "def searchkit_problems():\n    return [ProblemSpec('river', '', object, formats=(format,))]\n"
    )
    [record] = load_registry(found=[EntryPoint("newcomer", "newcomer", "searchkit")]).plugins
    assert record.reason.startswith(reason)


def test_ctrl_c_while_a_plugin_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends the program, and the plugin has not failed. Python 3.11 wraps it where a class is made."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "interrupted.py").write_text(
        "class Part:\n"
        "    def __set_name__(self, owner, name):\n"
        "        raise KeyboardInterrupt\n\n"
        "class Whole:\n"
        "    part = Part()\n"
    )
    with pytest.raises(KeyboardInterrupt):
        load_registry(found=[EntryPoint("interrupted", "interrupted", "searchkit")])


def test_specs_check_themselves() -> None:
    """A spec without a name or with something that can't be called is an error where it is made."""
    with pytest.raises(ValueError, match="name"):
        EngineSpec("", lambda problem, tree: iter(()))
    not_callable: object = 5
    with pytest.raises(TypeError, match="callable"):
        EngineSpec("x", not_callable)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="callable"):
        ProblemSpec("x", "", not_callable)  # type: ignore[arg-type]


@pytest.fixture
def with_counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Registry]:
    """Make the counting plugin count as installed for `load` and `solve`."""
    found = installed(monkeypatch, "counting")
    with use_registry(found):
        yield found


def test_a_registry_is_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """`use_registry` puts another one in the place of the default, in all threads, and only inside the block."""
    found = installed(monkeypatch, "counting")
    usual = registry()
    with use_registry(found):
        assert registry() is found
        assert "last" in available_engines()
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(registry).result() is found
        with use_registry():
            assert registry() is registry()
            assert registry() is not usual
            assert registry() is not found
        assert registry() is found
    assert registry() is usual


def test_loading_through_a_strangers_plugin(with_counting: Registry, tmp_path: Path) -> None:
    """The plugin that knows the format makes the problem; options reach it; its errors say where."""
    source = tmp_path / "seven.txt"
    source.write_text("count 7")
    assert solve(load(source)).cost == 4
    assert solve(load(source, largest=7)).cost == 1
    assert solve(load(source, "counting", largest="3"), "last").cost == 3
    with pytest.raises(UnknownNameError, match="has no option 'smallest'; its options are largest"):
        load(source, smallest=1)
    with pytest.raises(InvalidOptionError, match="largest=x"):
        load(source, largest="x")
    source.write_text("count seven")
    with pytest.raises(
        InputFormatError, match=r"seven.txt: line 1, column 7: expected a number, not 'seven'"
    ):
        load(source)


def test_sources_that_nobody_can_read(with_counting: Registry, tmp_path: Path) -> None:
    """No such file, a directory, a binary, an unknown format, an unknown kind: each its own message."""
    source = tmp_path / "what.bin"
    with pytest.raises(
        UnknownNameError, match=r"what.bin is not a file; expected the path of a file, or an example;"
    ):
        load(source)
    with pytest.raises(UnknownNameError, match="is a directory"):
        load(tmp_path)
    source.write_bytes(b"\xff\xfe\x00binary")
    with pytest.raises(InputFormatError, match="not a text file: byte 0 is not UTF-8"):
        load(source)
    source.write_text("Dear all,\nthis is a letter.\n")
    with pytest.raises(
        UnknownNameError,
        match=r"of no known format; the kinds of problem that are read .*counting",
    ):
        load(source)
    with pytest.raises(UnknownNameError, match=r"no problem 'letters'; see: searchkit problems"):
        load(source, "letters")


def other(**members: Any) -> Registry:
    """Return the registry in use with another kind of problem, `other`, that claims each file."""
    every = {"formats": (lambda source, options: True,), **members}
    spec = ProblemSpec("other", "", problem_from, **every)
    return evolve(registry(), problems={**registry().problems, "other": spec})


def test_a_source_that_two_kinds_can_read(with_counting: Registry, tmp_path: Path) -> None:
    """Both are named, and how to choose between them."""
    source = tmp_path / "both.txt"
    source.write_text("count 7")
    with use_registry(other(read=lambda source: object())):
        with pytest.raises(
            AmbiguousSourceError, match=r"as problem counting and other; say which .* --problem"
        ):
            load(source)
        assert solve(load(source, "counting")).cost == 4
        assert solve(load(source, largest=7)).cost == 1, "only one of them has this option"


def test_a_suffix_wins_over_a_guess(with_counting: Registry, tmp_path: Path) -> None:
    """Even if the text looks like another kind."""
    source = tmp_path / "both.seven"
    source.write_text("count 7")
    with use_registry(other(read=lambda source: 7, formats=(".seven",))):
        assert load(source) == 7


def test_the_command_line_names_failed_plugins_and_goes_on(tmp_path: Path) -> None:
    """Any command says on stderr which plugin was left out, and does its work."""
    source = tmp_path / "seven.txt"
    source.write_text("count 7")
    solved = run("solve", str(source), "--json", plugins=("counting", "broken"))
    assert solved.returncode == 0
    assert "'broken' was left out" in solved.stderr
    assert "Traceback" not in solved.stderr
    blocked = run(
        "solve", str(source), "--json", plugins=("counting", "broken"), SEARCHKIT_DISABLE_PLUGINS="broken"
    )
    assert blocked.returncode == 0
    assert "broken" not in blocked.stderr
