"""Commands that plugins add by the hook `searchkit_commands`."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from searchkit.cli.app import COMMANDS

COMMAND = 'CommandSpec("{name}", "Say {name}.", "{module}_commands:{name}")'
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return what installs a plugin whose hook `searchkit_commands` has this body, and its module of commands."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(plugin: str, body: str, commands: str = "") -> None:
        for module in (f"{plugin}_plugin", f"{plugin}_commands"):  # of another test
            monkeypatch.delitem(sys.modules, module, raising=False)
        (tmp_path / f"{plugin}_plugin.py").write_text(
            "from searchkit.plugin import CommandSpec, hookimpl\n\n"
            f"@hookimpl\ndef searchkit_commands():\n    {body}\n"
        )
        (tmp_path / f"{plugin}_commands.py").write_text(commands)
        folder = tmp_path / f"{plugin}-1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {plugin}\nVersion: 1\n")
        (folder / "entry_points.txt").write_text(f"[searchkit]\n{plugin} = {plugin}_plugin\n")

    return install


def returning(plugin: str, *names: str) -> str:
    """Return the body of a hook that returns commands of these names."""
    return f"return [{', '.join(COMMAND.format(name=name, module=plugin) for name in names)}]"


def test_a_function_is_a_command(run: Callable[..., Any]) -> None:
    """It loads a problem, prints, and ends with its own exit code, as the commands of searchkit do."""
    outcome = run("starts", "meadow")
    assert (outcome.code, outcome.out, outcome.err) == (0, "field: 1 start states\n", "")
    outcome = run("starts", "nowhere.txt")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: nowhere.txt is not a file")
    outcome = run("starts", "meadow", "--set", "colour=red")
    assert outcome.code == 2
    assert outcome.err.startswith("error: --set colour: there is no such option")
    assert "Example: searchkit starts meadow" in run("starts", "--help").out


def test_json_of_a_plugin_s_command(environment: dict[str, str], program: list[str]) -> None:
    """It begins with the version of the form and the name of the command."""
    done = subprocess.run(
        [*program, "starts", "meadow", "--json"], env=environment, capture_output=True, text=True, timeout=60
    )
    assert json.loads(done.stdout) == {"schema": 1, "command": "starts", "problem": "field", "starts": 1}


def test_a_typer_app_is_a_command(run: Callable[..., Any], install: Install) -> None:
    """With commands of its own."""
    body = (
        "import typer\n\nsay = typer.Typer(add_completion=False)\n\n"
        "@say.command()\ndef hello() -> int:\n    typer.echo('hello')\n    return 3\n\n"
        "@say.command()\ndef goodbye() -> None:\n    typer.echo('goodbye')\n"
    )
    install("one", returning("one", "say"), body)
    outcome = run("say", "hello")
    assert (outcome.code, outcome.out) == (3, "hello\n")
    outcome = run("say", "goodbye")
    assert (outcome.code, outcome.out) == (0, "goodbye\n")


def test_the_help_lists_it_without_importing_it(run: Callable[..., Any], install: Install) -> None:
    """The summary is that of the spec."""
    install("one", returning("one", "say"), "1 / 0")
    outcome = run("--help")
    assert (outcome.code, outcome.err) == (0, "")
    assert "Say say." in outcome.out
    assert "one_commands" not in sys.modules


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        ("1 / 0", "can't be imported from 'one_commands:say': ZeroDivisionError"),
        ("", "can't be imported from 'one_commands:say': AttributeError"),
        ("say = 7", "'one_commands:say' is 7, expected a Typer app or a function"),
    ],
)
def test_a_command_that_can_not_be_imported(
    run: Callable[..., Any], install: Install, commands: str, told: str
) -> None:
    """One message names the command and the plugin."""
    install("one", returning("one", "say"), commands)
    outcome = run("say")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: command 'say' of plugin 'one'")
    assert told in outcome.err


def test_a_command_of_searchkit_s_own_name(run: Callable[..., Any], install: Install) -> None:
    """It is left out: the command of searchkit is run, and a warning names the plugin where plugins are asked."""
    install(
        "one", returning("one", "engines", "say"), "def engines(): raise SystemExit(9)\ndef say(): pass\n"
    )
    outcome = run("engines")
    assert (outcome.code, outcome.err) == (0, "")
    assert "astar" in outcome.out
    outcome = run("--help")
    assert outcome.err.count("warning: ") == 1
    assert "plugin 'one' brings a command 'engines', and searchkit has one of its own" in outcome.err
    assert run("say").code == 0


def test_two_plugins_with_a_command_of_one_name(run: Callable[..., Any], install: Install) -> None:
    """Neither is used, and a warning names both."""
    install("one", returning("one", "say"), "def say(): pass\n")
    install("two", returning("two", "say", "tell"), "def say(): pass\ndef tell(): pass\n")
    outcome = run("say")
    assert outcome.code == 2
    assert "warning: command 'say' is brought by the plugins one and two; it is left out" in outcome.err
    assert "No such command 'say'" in outcome.err
    assert run("tell").code == 0


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("raise RuntimeError('out of order')", "raised RuntimeError: out of order"),
        ("raise SystemExit(4)", "called sys.exit(4)"),
        ("return ['say']", "returned ['say'], expected a list of CommandSpec"),
        ("return None", "returned None, expected a list of CommandSpec"),
        ("return [CommandSpec('Say it', 'Say.', 'm:f')]", "raised ValueError"),
    ],
)
def test_a_hook_that_fails(run: Callable[..., Any], install: Install, body: str, told: str) -> None:
    """A warning names the plugin, and the commands of others are there."""
    install("one", body)
    outcome = run("starts", "meadow")
    assert (outcome.code, outcome.out) == (0, "field: 1 start states\n")
    assert "warning: the commands of plugin 'one' are left out" in outcome.err
    assert told in outcome.err


def test_an_unknown_command(run: Callable[..., Any]) -> None:
    """The message suggests commands of plugins too."""
    outcome = run("strats")
    assert (outcome.code, outcome.out) == (2, "")
    assert "Did you mean 'starts'?" in outcome.err


def test_the_list_of_plugins_has_their_commands(run: Callable[..., Any]) -> None:
    """In the table and as JSON."""
    assert "searchkit starts" in run("plugins").out
    plugins = {each["name"]: each for each in json.loads(run("plugins", "--json").out)["plugins"]}
    assert plugins["toy"]["commands"] == ["starts"]
    assert "searchkit_commands" in plugins["toy"]["hooks"]
    assert plugins["coursework"]["commands"] == ["check", "grade"]
    assert plugins["engines"]["commands"] == []


@pytest.mark.one_in(4)
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_of_searchkit_ask_no_plugin(environment: dict[str, str], command: str) -> None:
    """Finding one of them imports no plugin, and does not even look for any."""
    code = (
        "import sys; from searchkit.cli import main; main(sys.argv[1:]); "
        "print(*(name for name in sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, command, "--help"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    loaded = set(done.stderr.split())
    module = COMMANDS[command].partition(":")[0]
    assert f"searchkit.cli.commands.{module}" in loaded
    assert not loaded & {
        "searchkit.cli.plugin_commands",
        "searchkit.engines",
        "searchkit_coursework",
        "toy_searchkit",
    }


def test_the_kit_is_enough_for_a_command(run: Callable[..., Any]) -> None:
    """All of what it names is there, and the options are those of typer."""
    from searchkit.cli import kit

    assert sorted(kit.__all__) == sorted(set(kit.__all__))
    for name in kit.__all__:
        assert hasattr(kit, name)
    app = typer.Typer()

    @app.command()
    def every(
        source: kit.Source, starts: kit.Starts = None, goals: kit.Goals = None, limit: kit.MaxSeconds = None
    ) -> None:
        task = kit.Request.of(source, None, starts, goals).resolve(["bfs"])
        limits = kit.Limits(seconds=limit)
        typer.echo(
            f"{task.kind} {list(task.problem.initial_states())} {dict(task.options['bfs'])} {limits.seconds:g}"
        )

    from typer.testing import CliRunner

    assert run("engines").code == 0  # the registry of this test is that of the toy plugin
    done = CliRunner().invoke(app, ["meadow", "--start", "1,0", "--max-seconds", "3"])
    assert done.output == "field [(1, 0)] {} 3\n"
