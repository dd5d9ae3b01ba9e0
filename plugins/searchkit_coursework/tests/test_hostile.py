"""Submissions that would end the run, or change the results of others: each has one failure, and no other effect."""

import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from searchkit_coursework.grading.grader import Grader
from searchkit_coursework.grading.rubric import read_rubric
from searchkit_coursework.sandbox import supervision
from searchkit_coursework.sandbox.endings import Ending, Failure, RunLimits
from searchkit_coursework.sandbox.jobs import Outcome
from searchkit_coursework.sandbox.wording import clean

Run = Callable[..., Outcome]
posix = pytest.mark.skipif(os.name != "posix", reason="file descriptors and signals of POSIX systems")
LIMITS = RunLimits(seconds=2, memory=256, output=100)


def told(outcome: Outcome, limits: RunLimits = LIMITS) -> str:
    """Return the message for the student about the one map."""
    answer = outcome.answers[0] if outcome.answers else outcome.failure
    return answer.reason(limits) if isinstance(answer, Failure) else str(answer)


ENDS = {
    "a message with half a surrogate pair": (
        "raise ValueError('\\ud800')",
        r"raised ValueError: \ud800, in line",
    ),
    "a message with escape sequences": (
        "raise ValueError('\\x1b[31mred\\x07')",
        r"ValueError: \x1b[31mred\x07, in",
    ),
    "a huge message": ("raise ValueError('x' * 10**7)", "ValueError: xxx"),
    "str() raises": (
        "class E(Exception):\n        def __str__(self): raise RuntimeError\n    raise E",
        "raised E: (it can't be shown)",
    ),
    "str() never ends": (
        "class E(Exception):\n        def __str__(self):\n            while True: pass\n    raise E",
        "time limit",
    ),
    "a name with control characters": ("raise type('E\\x1b[2J', (Exception,), {})", r"raised E\x1b[2J"),
    "no Exception at all": ("class E(BaseException): pass\n    raise E", "raised E"),
    "KeyboardInterrupt": ("raise KeyboardInterrupt", "raised KeyboardInterrupt"),
    "repr() of the answer raises": (
        "class A:\n        def __repr__(self): 1 / 0\n    return A()",
        "'odd': 'A <A instance at",
    ),
    "the answer claims to be a list": (
        "class A:\n        __class__ = list\n        def __getitem__(self, i): 1 / 0\n    return A()",
        "raised ZeroDivisionError",
    ),
    "a state that is equal to everything": (
        "class A:\n        __hash__ = lambda self: hash((1, 1))\n        __eq__ = lambda *_: True\n    return [A()]",
        "'path': [(1, 1)]",
    ),
    "a path that never ends": (
        "class A(list):\n        def __getitem__(self, i): return self\n"
        "        def __iter__(self):\n            while True: yield 1\n    return A()",
        "time limit",
    ),
    "a path of itself": ("path = []\n    path.append(path)\n    return path", "'path': ['[[...]]']"),
    "a path with control characters": ("return ['\\x1b[2J\\ud800']", "'path': [\"'\\\\x1b[2J\\\\ud800'\"]"),
    "a generator": ("return (state for state in problem.initial_states())", "'odd': 'generator <generator"),
    "an answer of a million characters": ("return 'x' * 10**6", "'odd': \"str 'xxx"),
    "deep recursion": (
        "import sys\n    sys.setrecursionlimit(10**9)\n    def f(): return f() + 1\n    f()",
        ("crashed: SIGSEGV", "memory limit", "RecursionError", "time limit"),
    ),
    "modules deleted": ("import sys\n    sys.modules.clear()\n    return []", "'path': []"),
    "os.write replaced": ("import os\n    os.write = lambda *_: 1 / 0", ("it ended the program", "raised")),
    "stdout closed": ("import sys\n    sys.stdout.close()\n    return []", "'path': []"),
    "the clock stopped": (
        "import signal\n    signal.setitimer(signal.ITIMER_REAL, 0)\n    while True: pass",
        "time limit: still running after 0.5 s",
    ),
    "stops itself": (
        "import os, signal\n    os.kill(os.getpid(), signal.SIGSTOP)",
        ("time limit", "'path': None"),
    ),
    "threads left behind": (
        "import threading\n    threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()\n    return []",
        "'path': []",
    ),
    "bytes to every descriptor": (
        "import os\n    for n in range(3, 20):\n        try: os.write(n, b'\\xff\\x00 no JSON\\n')\n"
        "        except OSError: pass",
        "its answers can't be read: it wrote to a file descriptor",
    ),
    "JSON of great depth": (
        "import os\n    for n in range(3, 20):\n        try: os.write(n, b'[' * 60000 + b'\\n')\n"
        "        except OSError: pass",
        "its answers can't be read",
    ),
    "numbers of many digits": (
        "import os\n    for n in range(3, 20):\n        try: os.write(n, b'{\"answer\": ' + b'9' * 9999 + b'}\\n')\n"
        "        except OSError: pass",
        "its answers can't be read",
    ),
    "a file of 60 MB": (
        "with open('large', 'wb') as file:\n        for _ in range(60): file.write(bytes(1 << 20))",
        ("raised OSError", "crashed: SIGXFSZ"),
    ),
    "a folder that can't be removed": (
        "import os\n    os.makedirs('a/b')\n    os.chmod('a', 0)\n    return []",
        "'path': []",
    ),
}
"""What the code does → the code, and the possible messages for the student, as systems differ."""


@pytest.mark.one_in(3)  # CI runs the others
@posix
@pytest.mark.parametrize("name", ENDS)
def test_one_submission_never_ends_the_run(run: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """It has its reason, which any terminal and any file can show."""
    code, expected = ENDS[name]
    monkeypatch.setattr(supervision, "GRACE_SECONDS", 0.5)
    limits = evolve(LIMITS, seconds=0.5 if "time limit" in str(expected) else LIMITS.seconds)
    outcome = run(f"def find(problem):\n    {code}\n", limits)
    reason = told(outcome, limits)
    assert any(each in reason for each in ([expected] if isinstance(expected, str) else expected)), reason
    assert clean(reason, 10_000) == reason
    assert len(reason) < 1000
    reason.encode()


NUMBERS: dict[str, Any] = {
    "Fraction(10**400, 7)": Fraction(10**400, 7),
    "10**400": 10**400,
    "float('inf')": float("inf"),
    "5e-324": 5e-324,
}
ODD = {
    "True": "True",
    "__import__('decimal').Decimal(3)": "Decimal('3')",
    "None": "None",
    "(x for x in [1])": "<generator object",
    "float('nan')": "nan",
    "-10**400": "-a number of more than 300 digits",
    "10**6000": "(an integer of more than 4,300 digits)",
    "Fraction(-1, 3)": "-1/3",
    "'\\x1b[2J'": r"'\x1b[2J'",
}


@pytest.fixture
def grader(tmp_path: Path, maze: Path) -> Grader:
    """Return a grader of a heuristic by all of its properties."""
    names = ("admissible", "consistent", "informed")
    criteria = "".join(
        f'[[criteria]]\nname = "{name}"\nfunction = "h"\nproperty = "{name}"\nmaps = "all"\npoints = 1\n'
        for name in names
    )
    rubric = tmp_path / "rubric.toml"
    rubric.write_text(f'[limits]\nseconds = 2\n[maps]\nall = ["{maze.name}"]\n{criteria}', encoding="utf-8")
    return Grader.of(read_rubric(rubric))


def messages(grader: Grader, student: Callable[[str], Path], code: str) -> list[str]:
    """Return the finding on each property of a heuristic."""
    file = student("from fractions import Fraction\ndef h(state, problem):\n    " + code + "\n")
    return [mark.message for mark in grader.grade(file).marks]


@pytest.mark.parametrize("value", NUMBERS)
def test_any_number_can_be_judged(grader: Grader, student: Callable[[str], Path], value: str) -> None:
    """A value that is too large is reported, in any type of number."""
    admissible, consistent, _ = messages(grader, student, f"return {value}")
    if NUMBERS[value] > 1:
        assert "at the goal (3, 3); at a goal it has to be 0" in admissible
        assert "at the goal (3, 3); at a goal it has to be 0" in consistent
    else:
        assert (admissible, consistent) == ("right on 1 map",) * 2  # far less than an action costs


@pytest.mark.one_in(3)  # CI runs the others
@pytest.mark.parametrize("value", ODD)
def test_what_is_no_number_is_shown(grader: Grader, student: Callable[[str], Path], value: str) -> None:
    """The name is shown, shortened, and without characters that control a terminal."""
    for message in messages(grader, student, f"return {value}"):
        assert ODD[value] in message
        assert "expected a number ≥ 0" in message


def test_numbers_of_other_libraries_are_numbers(grader: Grader, student: Callable[[str], Path]) -> None:
    """Any type that is registered as a real number, as those of NumPy are."""
    code = """
    import numbers
    class Zero:
        __int__ = __index__ = lambda self: 0
    numbers.Integral.register(Zero)
    return Zero()"""
    assert messages(grader, student, code.strip())[:2] == ["right on 1 map"] * 2


def test_a_heuristic_that_raises_names_map_and_state(grader: Grader, student: Callable[[str], Path]) -> None:
    """Otherwise nobody could reproduce it."""
    message, *_ = messages(grader, student, "return {}[3] if state == (3, 1) else 0")
    assert message.splitlines()[:2] == [
        "right on 0 of 1 map",
        "maze.txt: raised KeyError: 3 at (3, 1), in line 3 (return {}[3] if state == (3, 1) else 0)",
    ]


def test_a_line_of_the_file_is_shown_without_control_characters(run: Run) -> None:
    """The source is the student's too."""
    outcome = run("def find(problem):\n    1 / 0  # \x1b[2J\n")
    assert r"(1 / 0  # \x1b[2J)" in told(outcome)


def test_what_is_printed_is_shown_without_control_characters(run: Run) -> None:
    """Except line ends and tabs."""
    outcome = run("def find(problem):\n    print('a\\tb\\x1b[2J\\x9b\\nc', end='')\n")
    assert outcome.printed == "a\tb\\x1b[2J\\x9b\nc"
    assert outcome.failure.ending is Ending.FINISHED


def test_a_file_whose_name_no_terminal_can_show(grader: Grader, tmp_path: Path) -> None:
    """The row has the name with escapes."""
    file = tmp_path / "a\x1b[2Jb.py"
    file.write_text("", encoding="utf-8")
    assert grader.grade(file, file.name).name == r"a\x1b[2Jb.py"
