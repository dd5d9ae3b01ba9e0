"""`searchkit solve --workers`: who does the work of an engine that shares it out."""

from collections.abc import Callable
from typing import Any

from searchkit.cli.commands.solve import with_workers


def test_engine_that_works_alone_is_refused(run: Callable[..., Any]) -> None:
    """The message names the engines that share their work out; an unknown engine is the error it always is."""
    for engine in ("auto", "astar"):
        outcome = run("solve", "meadow", "--workers", "processes", "--engine", engine)
        assert (outcome.code, outcome.out) == (2, "")
        assert f"--workers processes: --engine {engine} searches in this process" in outcome.err
        assert "external_bfs" in outcome.err
    outcome = run("solve", "meadow", "--workers", "processes", "--engine", "asta")
    assert "there is no engine 'asta': did you mean astar" in outcome.err


def test_it_is_a_setting_of_the_engine(run: Callable[..., Any]) -> None:
    """The same as `--set workers=…`, and so it is given once."""
    assert with_workers("processes:2", "external_bfs") == ["workers=processes:2"]
    words = ("solve", "meadow", "--engine", "external_bfs", "--workers", "serial", "--set", "workers=serial")
    outcome = run(*words)
    assert (outcome.code, outcome.out) == (2, "")
    assert "--set workers is given twice" in outcome.err
