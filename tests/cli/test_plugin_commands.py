"""Commands that plugins add by the hook `searchkit_commands`."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

COMMANDS = "solve certify compare watch scenario demo contract compile translate engines problems plugins new"
"""The commands of searchkit itself, but `generate`, whose commands are the generators of plugins."""


def returning(plugin: str, *names: str) -> str:
    """Return the text of a plugin with commands of these names."""
    specs = [f'CommandSpec("{name}", "Say {name}.", "{plugin}_commands:{name}")' for name in names]
    return hook(f"return [{', '.join(specs)}]")


def hook(body: str) -> str:
    """Return the text of a plugin whose hook has this body."""
    return (
        "from searchkit.plugin import CommandSpec, hookimpl\n\n"
        f"@hookimpl\ndef searchkit_commands():\n    {body}\n"
    )


def test_a_function_is_a_command(run: Callable[..., Any]) -> None:
    """It loads a problem, prints, and ends with its own exit code, as the commands of searchkit do."""
    outcome = run("starts", "meadow")
    assert (outcome.code, outcome.out, outcome.err) == (0, "field: 1 start states\n", "")
    assert run("starts", "nowhere.txt").refusal().startswith("nowhere.txt is not a file")
    refused = run("starts", "meadow", "--set", "colour=red").refusal()
    assert refused.startswith("--set colour: there is no such option")
    assert "Example: searchkit starts meadow" in run("starts", "--help").out


def test_json_of_a_plugin_s_command(environment: dict[str, str], program: list[str]) -> None:
    """It begins with the version of the form and the name of the command."""
    done = subprocess.run(
        [*program, "starts", "meadow", "--json"], env=environment, capture_output=True, text=True, timeout=60
    )
    assert json.loads(done.stdout) == {"schema": 1, "command": "starts", "problem": "field", "starts": 1}


def test_a_typer_app_is_a_command(run: Callable[..., Any], install: Callable[..., None]) -> None:
    """With commands of its own. The help lists it without importing it."""
    body = (
        "import typer\n\nsay = typer.Typer(add_completion=False)\n\n"
        "@say.command()\ndef hello() -> int:\n    typer.echo('hello')\n    return 3\n\n"
        "@say.command()\ndef goodbye() -> None:\n    typer.echo('goodbye')\n"
    )
    install("one", returning("one", "say"), one_commands=body)
    assert "Say say." in run("--help").out
    assert "one_commands" not in sys.modules
    assert (run("say", "hello").code, run("say", "goodbye").out) == (3, "goodbye\n")


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        ("1 / 0", "command 'say' can't be imported from 'one_commands:say': ZeroDivisionError"),
        ("say = 7", "command 'say': 'one_commands:say' is 7, expected a function"),
    ],
)
def test_a_command_that_can_not_be_imported(
    run: Callable[..., Any], install: Callable[..., None], commands: str, told: str
) -> None:
    """One message names the command and its module."""
    install("one", returning("one", "say"), one_commands=commands)
    assert run("say").refusal().startswith(told)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("raise RuntimeError('out of order')", "RuntimeError: out of order"),
        ("raise SystemExit(4)", "SystemExit: 4"),
        ("return ['say']", "searchkit_commands returned ['say'], expected a list of CommandSpec"),
        ("return [CommandSpec('Say it', 'Say.', 'm:f')]", "ValueError: "),
    ],
)
def test_a_hook_that_fails(
    run: Callable[..., Any], install: Callable[..., None], body: str, told: str
) -> None:
    """A warning names the plugin, and the commands of others are there."""
    install("one", hook(body))
    outcome = run("starts", "meadow")
    assert (outcome.code, outcome.out) == (0, "field: 1 start states\n")
    assert f"warning: plugin 'one' was left out: {told}" in outcome.err


def test_the_list_of_plugins_has_their_commands(run: Callable[..., Any]) -> None:
    """In the table and as JSON; an unknown command is corrected to one of them."""
    assert "searchkit starts" in run("plugins").out
    plugins = {each["name"]: each for each in json.loads(run("plugins", "--json").out)["plugins"]}
    assert plugins["toy"]["commands"] == ["starts"]
    assert "searchkit_commands" in plugins["toy"]["hooks"]
    assert plugins["coursework"]["commands"] == ["check", "grade"]
    assert plugins["engines"]["commands"] == []
    assert "Did you mean 'starts'?" in run("strats").refusal()


@pytest.mark.one_in(4)
@pytest.mark.parametrize("command", COMMANDS.split())
def test_commands_of_searchkit_load_no_plugin(environment: dict[str, str], command: str) -> None:
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
    assert not set(done.stderr.split()) & {"searchkit.engines", "searchkit_coursework", "toy_searchkit"}
    assert done.returncode == 0
