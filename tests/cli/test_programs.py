"""`FILE.py:NAME` in place of a file: a student's own problem in every command.

The page docs/how-to/solve.md runs the commands in processes of their own.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

STUDENT = '''
"""A student's file."""
from helper import ROADS
from searchkit import SearchProblem


class Romania:
    """It inherits nothing."""

    def __init__(self, start="Arad", goal="Bucharest"):
        self.start, self.goal = start, goal

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        return [(f"to {city}", city) for city in ROADS[state]]

    def is_goal(self, state):
        return state == self.goal

    def cost(self, state, action, successor):
        return ROADS[state][successor]


class Count(SearchProblem):
    def __init__(self, target: int, steps: tuple[int, ...] = (1, 2)):
        self.target, self.steps = target, steps

    def initial_states(self):
        return [0]

    def successors(self, state):
        return [(step, state + step) for step in self.steps]

    def is_goal(self, state):
        return state == self.target


class Half:
    def initial_states(self):
        return [1]


class Guided(Count):
    heuristic = property(lambda self: {}["table"])


class Broken(Count):
    def __init__(self):
        raise ValueError("no luck")


from_lugoj = Romania("Lugoj")
number = 3


def counting(target: int = 4):
    return Count(target)


def nothing():
    return None


def hopeless(x: Half):
    return x
'''
HELPER = """
ROADS = {
    "Arad": {"Sibiu": 140, "Timisoara": 118},
    "Timisoara": {"Arad": 118, "Lugoj": 111},
    "Lugoj": {"Timisoara": 111},
    "Sibiu": {"Arad": 140, "Fagaras": 99, "Rimnicu": 80},
    "Rimnicu": {"Sibiu": 80, "Pitesti": 97},
    "Pitesti": {"Rimnicu": 97, "Bucharest": 101},
    "Fagaras": {"Sibiu": 99, "Bucharest": 211},
    "Bucharest": {"Fagaras": 211, "Pitesti": 101},
}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working directory, in which the student's files are."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("student", "helper"):  # of another test
        sys.modules.pop(name, None)
    (tmp_path / "student.py").write_text(STUDENT, encoding="utf-8")
    (tmp_path / "helper.py").write_text(HELPER, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "cost"),
    [
        (["student.py:Romania"], 418),
        (["student.py:Romania", "--set", "start=Lugoj"], 647),
        (["student.py:Romania", "--start", "Sibiu", "--engine", "dijkstra", "--set", "ties=fifo"], 278),
        (["student.py:from_lugoj"], 647),
        (["student.py:Count", "--set", "target=7", "--set", "steps=2,3"], 3),
        (["student.py:counting"], 2),
        (["student.py:counting", "--set", "target=8", "--engine", "dijkstra"], 4),
        (["./student.py:counting"], 2),
    ],
)
def test_solve(run: Run, here: Path, arguments: list[str], cost: int) -> None:
    """A class without arguments or with some, an instance, a function; options of engines and of the problem."""
    outcome = run("solve", *arguments, "--json")
    found = json.loads(outcome.out)
    assert (outcome.code, found["cost"]) == (0, cost)
    assert found["problem"] == Path(arguments[0]).name


def test_the_other_commands(run: Run, here: Path) -> None:
    """Engines that fit; a search as a tree; commands of plugins; the file is run once by each."""
    with (here / "student.py").open("a", encoding="utf-8") as file:
        file.write("print('the file was run')\n")
    outcome = run("compare", "student.py:Romania")
    assert outcome.code == 0
    assert outcome.out.count("the file was run") == 1
    assert [line.split()[0] for line in outcome.out.splitlines() if " 418 " in line] == ["bucket", "dijkstra"]
    assert "bucket, expansion 2 of 7" in run("watch", "student.py:Romania", "--at", "2").out
    assert run("starts", "student.py:Romania").code == 0
    assert "student.py:Romania" in run("contract", "student.py:Romania").err


def test_a_file_with_one_problem(run: Run, here: Path) -> None:
    """Its name may be left out; classes of its objects, that need arguments or are imported do not count."""
    (here / "one.py").write_text("from student import Count, Romania\nclass One(Romania): pass\n")
    assert json.loads(run("solve", "one.py", "--json").out)["problem"] == "one.py:One"
    (here / "two.py").write_text("from student import Count\nclass Two(Count): pass\n")
    assert "'two.py:Two' needs a value for target: --set target=…" in run("solve", "two.py").refusal()
    names = ", ".join(f"student.py:{name}" for name in ("from_lugoj", "Broken"))
    assert (
        run("solve", "student.py").refusal()
        == f"student.py holds several problems; name the one to use: {names}"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["student.py:Romanai"], "student.py has no 'Romanai': did you mean Romania?"),
        (["stduent.py:Romania"], "there is no file stduent.py: did you mean student.py?"),
        (
            ["student.py:Half"],
            "student.py: Half is not a search problem: it has no method successors and no method",
        ),
        (
            ["student.py:nothing"],
            "student.py: nothing() did not return a problem: None is not a search problem",
        ),
        (["student.py:Count"], "'student.py:Count' needs a value for target: --set target=…"),
        (
            ["student.py:Count", "--set", "target=x"],
            "target=x: expected a whole number; target is an argument of Count",
        ),
        (
            ["student.py:Count", "--set", "tarket=3"],
            "'student.py:Count' has no option 'tarket': did you mean target?",
        ),
        (
            ["student.py:from_lugoj", "--start", "Arad"],
            "'student.py:from_lugoj' has no option 'start'; it has no options",
        ),
        (
            ["student.py:hopeless", "--set", "x=3"],
            "hopeless(x=3) did not return a problem: 3 is not a search problem",
        ),
        (
            ["student.py:Guided", "--set", "target=3"],
            "KeyError: 'table'; it was raised in student.py:46: heuristic = property(",
        ),
        (["student.py:Broken"], 'Broken() raised ValueError: no luck, in: raise ValueError("no luck")'),
        (
            ["helper.py"],
            "helper.py holds no class or object with initial_states, successors, is_goal",
        ),
    ],
)
def test_errors_are_one_line(run: Run, here: Path, arguments: list[str], message: str) -> None:
    """Wrong names, values and files."""
    refusal = run("solve", *arguments).refusal()
    assert message in refusal
    assert "\x1b" not in refusal


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "x = 1\nx = 1 / 0\n",
            "mine.py:2: loading it raised ZeroDivisionError: division by zero, in: x = 1 / 0",
        ),
        ("def f(:\n", "mine.py:1: loading it raised SyntaxError: invalid syntax, in: def f(:"),
        ("import bad\n", "bad.py:1: loading it raised SyntaxError: '(' was never closed, in: x = ("),
        (
            "import sys\nsys.exit(3)\n",
            "mine.py:2: loading it called sys.exit(3), in: sys.exit(3); put what is not to",
        ),
        ("raise Exception('a\\nb\\x1b[1m')\n", "mine.py:1: loading it raised Exception: a b␛[1m, in: "),
    ],
)
def test_a_file_that_can_not_be_loaded(run: Run, here: Path, text: str, message: str) -> None:
    """The message is about the student's own line."""
    (here / "mine.py").write_text(text, encoding="utf-8")
    (here / "bad.py").write_text("x = (\n")
    assert message in run("solve", "mine.py:X").refusal()


@pytest.mark.parametrize("command", ["solve", "compare"])
def test_what_a_file_prints_does_not_mix_with_json(run: Run, here: Path, command: str) -> None:
    """When it is loaded, and during the search; without --json it is printed as usual."""
    (here / "loud.py").write_text(
        "import sys\nprint('loading')\nfrom student import Count\n"
        "class Loud(Count):\n    def __init__(self): super().__init__(3)\n"
        "    def successors(self, state):\n        sys.stdout.write('searching\\n'); return super().successors(state)\n"
    )
    outcome = run(command, "loud.py:Loud", "--json")
    assert outcome.code == 0
    json.loads(outcome.out)
    assert "loading\nsearching\n" in outcome.err
    assert "loading\nsearching\n" in run(command, "loud.py:Loud").out


def test_certificates(run: Run, here: Path) -> None:
    """The file on the command line is run, with the arguments that the certificate was made with."""
    assert run("solve", "student.py:Romania", "--set", "start=Lugoj", "--certificate", "c").code == 0
    outcome = run("certify", "student.py:Romania", "c")
    assert outcome.code == 0
    assert "costs 647" in outcome.out
    assert run("certify", "./student.py:Romania", "c").code == 0
    outcome = run("certify", "student.py:counting", "c")
    assert outcome.code == 2
    (here / "helper.py").write_text(HELPER.replace("140", "99"), encoding="utf-8")
    sys.modules.pop("helper")
    outcome = run("certify", "student.py:Romania", "c")
    assert outcome.code == 1
    assert "rejected" in outcome.out


def test_a_misspelt_member_is_named(run: Callable[..., Any], tmp_path: Path) -> None:
    """In a file with one class that is nearly a problem."""
    file = tmp_path / "typo.py"
    file.write_text(
        "class P:\n    def initial_states(self): return [1]\n    def sucessors(self, n): return []\n"
        "    def is_goal(self, n): return True\n"
    )
    assert "it has a method sucessors: did you mean successors?" in run("solve", file).refusal()


def test_draw_shows_a_problem_without_places_as_a_tree(run: Callable[..., Any], tmp_path: Path) -> None:
    """With labels of the problem's own, also at the ends of the path."""
    file = tmp_path / "steps.py"
    file.write_text(
        "from searchkit import problem_from\n"
        "P = problem_from([0], lambda n: [('+', n + 1)], lambda n: n == 2, label='n={}'.format)\n"
    )
    out = run("solve", file, "--draw").out
    assert "2, from n=0 to n=2" in out
    assert "n=0  (start)\n  n=1  (on the path)\n    n=2  (goal)" in out


ENGINE = """
from searchkit.engines.uninformed.dls import depth_limited

def narrow(problem, tree, width=20):
    yield from depth_limited(problem, tree, width)

def function(problem):
    return []
"""


def test_an_engine_in_a_file(run: Run, here: Path) -> None:
    """It solves, is compared, recorded, saved and resumed by the name of its file, and has options."""
    Path("own.py").write_text(ENGINE, encoding="utf-8")
    own = ["--engine", "own.py:narrow"]
    done = run("solve", "student.py:Romania", *own, "--json", "--set", "width=8", "--set", "goal=Zerind")
    assert json.loads(done.out)["engine"] == "narrow"
    assert "has width" in run("solve", "student.py:Romania", *own, "--set", "x=1").refusal()
    assert "\nnarrow " in run("compare", "student.py:Romania", "--engines", "bfs,own.py:narrow").out
    assert run("watch", "student.py:Romania", *own, "--table").out.startswith("narrow: solved")
    begun = run("solve", "student.py:Romania", *own, "--max-expansions", 1, "--checkpoint", "s.save")
    assert "student.py:Romania --engine own.py:narrow" in " ".join(begun.out.split())
    assert run("solve", "--resume", "s.save", "student.py:Romania", *own).code == 0
    for name, said in (
        ("own.py:function", "'function' is not an engine"),
        ("own.py", "expected a file, a colon"),
    ):
        assert said in run("solve", "student.py:Romania", "--engine", name).refusal()
