"""`engines`, `problems`, `plugins`, `demo` and `--version`."""

from collections.abc import Callable
from typing import Any

from searchkit import available_engines
from tests.cli.schema import check_output


def test_the_engines(run: Callable[..., Any]) -> None:
    """Every engine of the registry, with its promises, its options, and whether it has a compiled form."""
    out = run("engines").out
    for spec in available_engines().values():
        row = next(line for line in out.splitlines() if line.startswith(f"│ {spec.name} "))
        assert ("optimal" in row) == spec.optimal
        assert ("heuristic" in row) == (spec.heuristic in ("required", "optional"))
        assert row.rstrip(" │").endswith(" yes") == bool(spec.kernel)
        shown = run("engines", spec.name).out
        assert all(f"│ {option.name} " in shown for option in spec.options)


def test_one_engine_and_its_source(run: Callable[..., Any]) -> None:
    """The file of the engine, as it is read."""
    assert "│ dijkstra " not in run("engines", "astar").out
    source = run("engines", "astar", "--source").out
    assert source.startswith('"""A* with a closed set and reopening."""')
    compile(source, "astar.py", "exec")
    assert "name it" in run("engines", "--source").refusal()


def test_the_problems(run: Callable[..., Any]) -> None:
    """Every kind of problem with its examples; of one that is named, its options with their choices too."""
    out = run("problems").out
    for name in ("field", "line", "odd", "faulty"):
        assert f"│ {name} " in out
    assert "meadow, a file" in out
    assert "how it is drawn" not in out
    for name in ("field", "meadow"):
        out = run("problems", name).out
        for row in ("field", "start", "goal", "paint", "meadow"):
            assert f"│ {row} " in out
        assert "│ line " not in out
        assert "plain | raising | colourless: how it is drawn" in out
    [only] = check_output(run("problems", "meadow", "--json").out)["problems"]
    assert only["name"] == "field"
    message = "there is no problem and no example 'feild': did you mean field? See: searchkit problems"
    assert run("problems", "feild").refusal() == message


def test_the_plugins(run: Callable[..., Any]) -> None:
    """Name, package, version, hooks and status; a blocked one is there too."""
    outcome = run("plugins")
    assert (outcome.code, outcome.err) == (0, "")
    rows = [
        [cell.strip() for cell in line.split("│")[1:-1]] for line in outcome.out.splitlines() if "│" in line
    ]
    assert ["toy", "toy-searchkit", "1.2", "searchkit_commands", "active"] in rows
    assert any(row[0] == "dungeon" and row[4].startswith("blocked by") for row in rows)


def test_plugins_that_failed(
    run: Callable[..., Any], install: Callable[..., None], file: Callable[..., Any]
) -> None:
    """Commands warn in one line, and go on working; `plugins` lists them with the reason."""
    install("broken", "raise RuntimeError('the fuse is blown')\n")
    install(
        "rival",
        "import searchkit, toy_searchkit\n\n@searchkit.hookimpl\ndef searchkit_problems():\n"
        "    return [searchkit.ProblemSpec('field', 'another', toy_searchkit.Field)]\n",
    )
    clash = "problem 'field' is declared by plugin 'rival' already; rename it, or block"
    outcome = run("problems", "--json")
    warning = "warning: plugin 'broken' was left out: RuntimeError: the fuse is blown; import "
    assert (outcome.code, outcome.err.count("\n")) == (0, 2)
    assert warning in outcome.err
    assert f"warning: plugin 'toy' was left out: {clash}" in outcome.err
    out = run("plugins").out
    assert "plugin 'broken' failed: RuntimeError: the fuse is blown; import " in out
    assert clash in " ".join(out.split())


def test_the_demo(run: Callable[..., Any]) -> None:
    """Four engines, their drawings and the table; the command that it shows works."""
    outcome = run("demo")
    assert (outcome.code, outcome.err) == (0, "")
    command = "searchkit compare meadow --engines dijkstra,astar,wastar,greedy --draw"
    assert outcome.out.startswith(f"$ {command}\n")
    words = outcome.out.replace(",", " ").split()
    for engine in ("dijkstra", "astar", "wastar", "greedy"):
        assert words.count(engine) == 3  # the command, the drawing's title, the table
    assert outcome.out.count("# wall") == 1
    assert run(*command.split()[1:]).code == 0
