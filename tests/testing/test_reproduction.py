"""Problems are written as text that makes them again, and failures as lines of Python that repeat them."""

from io import StringIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import available_problems, load, problem_from, solve
from searchkit.errors import InputFormatError, PluginWarning, UnknownNameError
from searchkit.plugin.files import Source, Written
from searchkit.plugin.loading import write
from searchkit.plugin.registry import Registry
from searchkit.testing import explore, strategies
from searchkit.testing.reports import express, reproduce
from searchkit.testing.spaces.digraphs import digraph

KINDS = sorted(available_problems())


def estimates(problem: Any, states: Any) -> list[Any]:
    """Return the heuristic of each state."""
    return [problem.heuristic(state) for state in states]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_what_is_written_can_be_read_and_is_the_same_problem(kind: str, data: st.DataObject) -> None:
    """Starts, actions, successors, costs, goals and heuristic values, in the same order; and the same drawing."""
    problem = data.draw(strategies.problems(kind))
    written = write(problem)
    assert written is not None
    assert written.kind == kind
    again = load(StringIO(written.text), written.kind, **written.options)
    assert type(again) is type(problem)
    assert repr(again) == repr(problem)
    space, other = explore(problem, 300), explore(again, 300)
    assert list(other.starts) == list(space.starts)
    assert _as_text(other.edges) == _as_text(space.edges)
    assert other.goals == space.goals
    assert estimates(again, space.edges) == estimates(problem, space.edges)
    for member in ("goal_states", "goal_regions"):
        if hasattr(problem, member):
            assert list(getattr(again, member)()) == list(getattr(problem, member)())
    assert write(again) == written


def _as_text(edges: Any) -> list[str]:
    """Return the edges as text: actions of vaults are compared by their repr."""
    return [f"{state!r}: {actions!r}" for state, actions in edges.items()]


@pytest.mark.parametrize("kind", KINDS)
def test_examples_that_ship_can_be_written(kind: str) -> None:
    """The small ones."""
    for example in available_problems()[kind].examples:
        if example.path is not None and example.size < 5000:
            problem = load(example.name)
            written = write(problem)
            assert written is not None
            assert repr(load(StringIO(written.text), written.kind, **written.options)) == repr(problem)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_lines_show_the_problem_again(data: st.DataObject) -> None:
    """They run unchanged, and end with the same result."""
    graphs = strategies.weighted_digraphs(heuristic="admissible")
    problem = data.draw(st.one_of(graphs, strategies.grids(4), strategies.vaults(3)))
    if not isinstance(problem, type(digraph("", [0], [], {}))):
        problem = data.draw(strategies.heuristics_for(problem))
    lines = reproduce(problem, 'solve(problem, "astar")')
    assert len(lines) == 3
    namespace: dict[str, Any] = {}
    exec("\n".join(lines[:2]), namespace)
    assert explore(namespace["problem"]).least_cost() == explore(problem).least_cost()
    assert eval(lines[2], namespace).cost == solve(problem, "astar").cost


def test_the_imports_are_those_that_the_lines_need() -> None:
    """Names inside texts and after dots do not count."""
    graph = digraph("0 -1/2→ 1", [0], [1])
    lines = reproduce(graph, 'check_engine("astar", problems=problem, limits=Limits(expansions=3)).solve')
    assert lines[0] == (
        "from searchkit import Limits; from searchkit.testing import check_engine; "
        "from searchkit.testing.spaces.digraphs import digraph"
    )


def test_a_problem_that_nobody_can_write() -> None:
    """The lines given for that case; none is the default."""
    problem = problem_from([0], lambda state: [], lambda state: True)
    assert write(problem) is None
    assert express(problem) is None
    assert reproduce(problem, "solve(problem)") == ()
    assert reproduce(problem, "solve(problem)", ["check_problem(…)"]) == ("check_problem(…)",)


def test_a_plugin_that_writes_nonsense_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a warning, and the next plugin is asked: an error there does not lose a report."""

    class Plugins:
        first = Registry.first

        def calls(self, hook: str, **arguments: object) -> Any:
            assert hook == "searchkit_write"
            return [
                ("one", lambda: 1 // 0),
                ("two", lambda: "S.G"),
                ("three", lambda: Written("dungeon", "S.G")),
            ]

    monkeypatch.setattr("searchkit.plugin.loading.registry", Plugins)
    with pytest.warns(PluginWarning) as caught:
        assert write(digraph("", [0], [])) == Written("dungeon", "S.G")
    said = [str(warning.message) for warning in caught]
    assert said[0].startswith("plugin 'one' could not write: it raised ZeroDivisionError")
    assert (
        "plugin 'two' could not write: it returned 'S.G', expected a searchkit.plugin.files.Written"
        in said[1]
    )


def test_text_streams_are_read_like_files() -> None:
    """Any line ends, a byte order mark; messages name the text."""
    assert repr(load(StringIO("\ufeffS.\r\n.G\r\n"))) == repr(load(StringIO("S.\n.G\n"), "dungeon"))
    with pytest.raises(InputFormatError, match=r"^<text>: line 2, column 2: this row has 1 cells"):
        load(StringIO("S.\n."), "dungeon")
    with pytest.raises(UnknownNameError, match="<text> is of no known format"):
        load(StringIO("{}"))
    assert Source.of("text", "a/b.MAP").suffix == ".map"
