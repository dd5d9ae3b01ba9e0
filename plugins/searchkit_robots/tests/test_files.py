"""Files of robots and MovingAI scenarios, and what the plugin publishes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import Phase, find, settings

from searchkit import Status, load, solve
from searchkit.plugin import InputFormatError
from searchkit_robots import SPEC, Makespan, MultiAgentGrid

PLENTY = settings(max_examples=10_000, derandomize=True, database=None, phases=[Phase.generate])


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write a file beside a map of 4×2 cells, as a text map (m.txt) and as a MovingAI map (m.map)."""
    for name, text in {"m.txt": "....\n.#..\n", "bad.txt": "..\n.\n", "swamp.txt": ".5.\n"}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "m.map").write_text("type octile\nheight 2\nwidth 4\nmap\n....\n.@..\n")

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, newline="")
        return path

    return write


def loaded(path: Path, problem: str | None = None, **options: object) -> MultiAgentGrid:
    """Return the problem in a file."""
    found = load(path, problem, **options)
    assert isinstance(found, MultiAgentGrid)
    return found


@pytest.mark.parametrize("map_name", ["m.txt", "m.map"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_file_of_robots(write: Callable[[str, str], Path], map_name: str, end: str) -> None:
    """A map and a line for each robot; blank lines and any kind of line end; a missing last newline."""
    path = write("a.agents", end.join([f"map {map_name}", "", "0,0 -> 3,1", "  3,0->0,1"]))
    assert loaded(path).robots == (((0, 0), (3, 1)), ((3, 0), (0, 1)))
    assert loaded(path, agents=1).robots == (((0, 0), (3, 1)),)
    assert isinstance(loaded(path, objective="makespan"), Makespan)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_file_that_holds_its_map(write: Callable[[str, str], Path], end: str) -> None:
    """After `map` alone, up to a blank line; errors have the lines of the file."""
    rows = ["", "map", "....", ".#..", "", "0,0 -> 3,1"]
    problem = loaded(write("a.agents", end.join(rows)))
    assert problem.robots == (((0, 0), (3, 1)),)
    assert (problem.terrain.width, problem.terrain.height, problem.terrain.weight((1, 1))) == (4, 2, 0)
    for line, message in (
        (3, r"line 4, column 2: unknown character '\?'"),
        (5, "line 6, column 1: '0\\?' is not a robot"),
    ):
        faulty = [*rows[:line], rows[line].replace("#", "?").replace(",0 -> 3,1", "?"), *rows[line + 1 :]]
        with pytest.raises(InputFormatError, match=message):
            load(write("b.agents", end.join(faulty)), "robots")
    with pytest.raises(InputFormatError, match="line 1, column 1: the file is empty; expected a map"):
        load(write("c.agents", "map\n\n0,0 -> 1,0\n"), "robots")


SCENARIO = "version 1\n0\tmaps/m.map\t4\t2\t0\t0\t3\t1\t4\n0\tm.map\t4\t2\t3\t0\t0\t1\t4\n"


def test_a_scenario_of_robots(write: Callable[[str, str], Path]) -> None:
    """With `--problem robots` all of its lines are robots, with `agents=k` the first k."""
    path = write("a.scen", SCENARIO)
    assert loaded(path, "robots").robots == (((0, 0), (3, 1)), ((3, 0), (0, 1)))
    assert loaded(path, agents=1).robots == (((0, 0), (3, 1)),)
    with pytest.raises(InputFormatError, match="agents=3: there are only 2 robots"):
        load(path, "robots", agents=3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("map no.txt\n0,0 -> 1,0\n", "line 1: the map no.txt is not beside this file"),
        ("map m.txt\n0,0 > 1,0\n", r"line 2, column 1: '0,0 > 1,0' is not a robot; expected .* 3,4 -> 10,2"),
        ("map m.txt\n", "there are no robots in the file"),
        ("map m.txt\n0,0 -> 1,1\n", r"a\.agents: robot 0: the goal \(1, 1\) is inside a wall"),
        ("map m.txt\n0,0 -> 1,0\n0,0 -> 2,0\n", "robots 0 and 1 have the same start"),
        ("map bad.txt\n0,0 -> 1,0\n", r"bad\.txt: line 2, column 2: this row has 1 cells"),
        ("map swamp.txt\n0,0 -> 2,0\n", "cost more than 1 to enter"),
        ("....\n", "this is not a list of robots; expected a line such as map room.txt"),
    ],
)
def test_faulty_files_are_one_clear_error(write: Callable[[str, str], Path], text: str, message: str) -> None:
    """With the line, what was expected and what to do."""
    with pytest.raises(InputFormatError, match=message):
        load(write("a.agents", text), "robots")


def test_auto_chooses_an_engine_for_robots() -> None:
    """One that can solve the examples: A* over joint states of twenty robots could not expand even the first."""
    result = solve(load("random32"))
    assert result.engine == "cbs"
    assert result.engine_choice == "auto chose cbs: it is made for MultiAgent problems"


EXPECTED = {"siding": 19, "crossing": 62, "deadlock": None, "random32": 509}


@pytest.mark.parametrize("engine", ["cbs", "odid"])
@pytest.mark.parametrize("name", EXPECTED)
def test_examples_have_known_costs(name: str, engine: str) -> None:
    """Both optimal engines find them."""
    assert solve(load(name), engine).cost == EXPECTED[name]


PROPERTIES: dict[str, Callable[[MultiAgentGrid], bool]] = {
    "unsolvable though each robot has a way": lambda problem: (
        problem.heuristic(next(iter(problem.initial_states()))) < 99
        and solve(problem, "lacam").status is Status.UNSOLVABLE
    ),
    "in each other's way": lambda problem: (
        (solve(problem, "cbs").cost or 0) > problem.heuristic(next(iter(problem.initial_states())))
    ),
    "a robot that starts on its goal": lambda problem: any(start == goal for start, goal in problem.robots),
    "makespan": lambda problem: problem.objective == "makespan" and len(problem.robots) == 3,
}


@pytest.mark.parametrize("name", PROPERTIES)
def test_the_strategy_draws_all_kinds(name: str) -> None:
    """Otherwise property tests over it would test nothing."""
    assert SPEC.strategy is not None
    assert isinstance(find(SPEC.strategy(), PROPERTIES[name], settings=PLENTY), MultiAgentGrid)
