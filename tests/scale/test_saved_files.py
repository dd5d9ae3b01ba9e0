"""Files of saved searches: what they belong to, what they refuse, and what is left when something goes wrong."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from searchkit import Limits, Search, SearchProblem, problem_from, saved_header, solve
from searchkit.errors import InvalidProblemError, PluginError, SavingError, UnknownNameError
from searchkit.scale.saved import search as saving
from searchkit.search.observers import per_slice
from searchkit.trace import RecordedSearch
from searchkit.tree import SearchTree
from tests.scale.test_saved_searches import check, told, way_on


class Line(SearchProblem[Any, str]):
    """The numbers up to 40, each with two ways on; `broken` makes a member raise."""

    def __init__(self, goal: int = 40, make: Callable[[int], Any] = int):
        self.goal, self.make = goal, make

    def file_identity(self) -> object:
        return self.goal

    def initial_states(self) -> list[Any]:
        return [self.make(0)]

    def successors(self, state: Any) -> Iterator[tuple[str, Any]]:
        yield "+1", self.make(int(state) + 1)
        if int(state) == broken:
            raise OSError("the network is down")
        yield "+3", self.make(int(state) + 3)

    def is_goal(self, state: Any) -> bool:
        return int(state) >= self.goal

    def heuristic(self, state: Any) -> float:
        return max(0, self.goal - int(state)) / 3


class Opaque:
    """A state of a class that is made in C for all that files know: it has an attribute of an unknown class."""

    def __init__(self, number: int):
        self.number, self.secret = number, iter([number])

    def __int__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return f"Opaque({self.number})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Opaque) and self.number == other.number

    def __hash__(self) -> int:
        return self.number


class Encoding(Line):
    """The same line, over states that the problem writes itself."""

    def __init__(self, goal: int = 40):
        super().__init__(goal, Opaque)

    def encode_state(self, state: Opaque) -> object:
        return [state.number, "opaque"]

    def decode_state(self, value: Any) -> Opaque:
        number, name = value
        if name != "opaque":
            raise ValueError(name)
        return Opaque(number)


broken = -1


def stopped(
    problem: Any = None, engine: Any = "astar", expansions: int = 5, **options: Any
) -> Search[Any, Any]:
    """Return a search that stopped after some expansions."""
    search: Search[Any, Any] = Search(problem or Line(), engine, backend="python", **options)
    search.run(Limits(expansions=expansions))
    return search


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of a file."""
    return tmp_path / "a.search"


@pytest.mark.parametrize("expansions", [0, 5, 10_000])
def test_a_search_that_has_ended_or_just_begun(file: Path, expansions: int) -> None:
    """The result is still there, and the search that has ended does nothing more."""
    search = stopped(expansions=expansions)
    search.save(file)
    loaded: Search[Any, Any] = Search.load(str(file), Line())
    assert loaded.ended == (expansions > 5)
    assert told(loaded) == told(search)
    assert way_on(loaded) == way_on(search)


def test_before_it_has_begun(file: Path) -> None:
    """Nothing is computed yet, and the choice of `auto` is kept."""
    search: Search[Any, Any] = Search(Line())
    search.save(file)
    loaded: Search[Any, Any] = Search.load(file, Line())
    assert loaded.tree.frontier is None
    assert loaded.engine_choice == search.engine_choice != ""
    assert way_on(loaded) == way_on(search)


def test_after_an_error(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The expansion that failed is done again in the process that loads the search."""
    monkeypatch.setitem(globals(), "broken", 9)
    search = Search(Line(), "bfs", backend="python")
    with pytest.raises(InvalidProblemError, match="the network is down"):
        search.run()
    search.save(file)
    monkeypatch.setitem(globals(), "broken", -1)
    loaded: Search[Any, Any] = Search.load(file, Line())
    assert loaded.tree.frontier[0] == 9
    whole = solve(Line(), "bfs", backend="python")
    for result in (loaded.run(), search.run()):
        assert result.solution == whole.solution
        assert result.statistics.expanded == whole.statistics.expanded
        assert result.statistics.generated == whole.statistics.generated


def test_the_seconds_and_the_notices_go_on(file: Path) -> None:
    """They belong to the search, not to the process."""
    search = stopped()
    search._seconds = 1000.0
    search.notices.append("a warning")
    search.save(file)
    loaded: Search[Any, Any] = Search.load(file, Line())
    result = loaded.run()
    assert result.statistics.seconds > 1000.0
    assert "a warning" in result.warnings


def test_observers_are_given_anew(file: Path) -> None:
    """Of both kinds. They see what is expanded after loading."""
    stopped().save(file)
    seen: list[Any] = []
    slices: list[Any] = []
    observers = [
        lambda search, state: seen.append(state),
        per_slice(lambda search, state: slices.append(state)),
    ]
    loaded: Search[Any, Any] = Search.load(file, Line(), observers=observers)
    expected = stopped()
    loaded.run()
    assert seen[0] == expected.next_state
    assert len(seen) == loaded.statistics.expanded - 5
    assert slices[-1] is None


def test_what_a_file_says_of_itself(file: Path) -> None:
    """It can be read without the problem."""
    search = stopped(ties="fifo")
    search.save(file)
    header = saved_header(file)
    assert (header.engine, header.backend, header.ended) == ("astar", "python", False)
    assert header.options == {"ties": "fifo"}
    assert header.problem.kind.endswith("Line")
    assert header.statistics["expanded"] == 5
    assert header.statistics["generated"] == search.statistics.generated


@pytest.mark.parametrize(
    ("load", "message"),
    [
        (
            lambda file: Search.load(file, Line(41)),
            r"another problem: expected .*Line [0-9a-f]{12}, and the file has ",
        ),
        (
            lambda file: Search.load(file, Line(), "bfs"),
            "another engine: expected bfs, and the file has astar",
        ),
        (
            lambda file: Search.load(file, Line(), ties="lifo"),
            "another options: expected ties='lifo', .* has ties='fifo'; leave the options out",
        ),
    ],
)
def test_a_file_of_something_else(file: Path, load: Callable[[Path], object], message: str) -> None:
    """One error, which says what was expected and what was given."""
    stopped(ties="fifo").save(file)
    with pytest.raises(SavingError, match=message):
        load(file)
    assert Search.load(file, Line(), "astar", ties="fifo").statistics.expanded == 5


def test_a_problem_that_changes_during_a_search(file: Path) -> None:
    """The error says what may be the reason, and what helps."""

    class Caching(Line):
        file_identity = None  # type: ignore[assignment]  # it has none

        def __init__(self) -> None:
            super().__init__()
            self.cache: dict[int, float] = {}

        def heuristic(self, state: Any) -> float:
            return self.cache.setdefault(state, super().heuristic(state))

    stopped(Caching()).save(file)
    with pytest.raises(
        SavingError, match=r"another problem.*such as a cache: then give it a method file_identity\(\)"
    ):
        Search.load(file, Caching())


def test_another_version(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of searchkit, or of the format."""
    stopped().save(file)
    with monkeypatch.context() as patch:
        patch.setattr(saving, "_version", lambda: "9.9")
        with pytest.raises(
            SavingError,
            match=r"another version of searchkit: expected 9\.9, and the file has 0\.1.*; install the version",
        ):
            Search.load(file, Line())
    file.write_bytes(file.read_bytes().replace(b"searchkit search 1", b"searchkit search 3", 1))
    with pytest.raises(SavingError, match="has format 3, and this version of searchkit reads format 1"):
        Search.load(file, Line())


def counting(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Search depth-first, as an engine of a stranger, with everything in the tree."""
    if tree.frontier is None:
        tree.frontier = {"next": [problem.initial_states()[0]], "done": set()}
        tree.start(tree.frontier["next"][0])
    while tree.frontier["next"]:
        state = tree.frontier["next"][-1]
        if problem.is_goal(state):
            return tree.finish(state)
        yield state
        tree.frontier["done"].add(tree.frontier["next"].pop())
        for action, successor in problem.successors(state):
            if successor not in tree.reached:
                tree.reached[successor] = (tree.reached[state][0] + 1, state, action)
                tree.frontier["next"].append(successor)


def hiding(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Expand numbers, as a faulty engine: the next one is in a local variable."""
    tree.frontier, state = [], 0
    tree.start(0)
    while state < 30:
        yield state
        state += 1


def iterating(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Expand numbers from an iterator, which no file can hold."""
    tree.frontier = iter(range(30))
    tree.start(0)
    yield from tree.frontier


def test_an_engine_of_your_own(file: Path) -> None:
    """It need not be registered; then it has to be given."""
    check(stopped(engine=counting), file)
    with pytest.raises(
        SavingError, match="by the engine 'counting', which is not registered: give it as engine="
    ):
        Search.load(file, Line())
    with pytest.raises(UnknownNameError):
        Search.load(file, Line(), "countin")


def test_an_engine_that_hides_what_it_knows(file: Path) -> None:
    """It is told when it continues, not left to expand other states."""
    stopped(engine=hiding).save(file)
    loaded: Search[Any, Any] = Search.load(file, Line(), hiding)
    with pytest.raises(
        PluginError,
        match="'hiding' does not continue from a saved search: it stood at 5, and now it stands at 0",
    ):
        loaded.run()
    with pytest.raises(SavingError, match=r"range_iterator.*has no form in files"):
        stopped(engine=iterating).save(file)
    assert saved_header(file).engine == "hiding"  # the file before stays


def test_states_of_an_unknown_class(file: Path) -> None:
    """The error names the state and the two methods; with them, the search is saved."""
    with pytest.raises(
        SavingError, match=r"iterator object.*has no form in files\..*encode_state and decode_state"
    ):
        stopped(Line(make=Opaque)).save(file)
    assert not file.exists()
    check(stopped(Encoding()), file)


def test_hooks_that_fail(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the method and what it was given."""
    stopped(Encoding()).save(file)
    monkeypatch.setattr(Encoding, "decode_state", lambda self, value: 1 / 0)
    with pytest.raises(SavingError, match=r"Encoding\.decode_state raised ZeroDivisionError"):
        Search.load(file, Encoding())
    monkeypatch.setattr(Encoding, "encode_state", lambda self, state: 1 / 0)
    with pytest.raises(
        SavingError, match=r"Encoding\.encode_state\(Opaque\(\d+\)\) raised ZeroDivisionError"
    ):
        stopped(Encoding()).save(file)
    monkeypatch.setattr(Encoding, "encode_state", lambda self, state: state)
    with pytest.raises(SavingError, match="is what encode_state returned for it again"):
        stopped(Encoding()).save(file)


def test_a_search_that_is_recorded(file: Path) -> None:
    """It can be saved, and continues without the recording."""
    search: RecordedSearch[Any, Any] = RecordedSearch(Line(), "bfs")
    search.run(Limits(expansions=5))
    search.save(file)
    loaded: Search[Any, Any] = Search.load(file, Line())
    assert type(loaded.tree.reached) is dict
    assert loaded.run().solution == search.run().solution
    with pytest.raises(SavingError, match=r"use Search\.load"):
        RecordedSearch.load(file, Line())


def test_functions_are_told_apart(file: Path) -> None:
    """A problem of plain functions is known by their code and by the values that they hold."""

    def line(goal: int) -> SearchProblem[int, str]:
        return problem_from([0], lambda n: [("+1", n + 1)], lambda n: n == goal)

    stopped(line(30), "bfs").save(file)
    assert Search.load(file, line(30)).run().cost == 30
    with pytest.raises(SavingError, match="another problem"):
        Search.load(file, line(31))


def test_a_full_disk_leaves_the_old_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing beside it."""
    stopped(expansions=3).save(file)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    search = stopped(expansions=6)
    with monkeypatch.context() as patch:
        patch.setattr("searchkit.basics.files.os.fsync", full)
        with pytest.raises(OSError, match="No space left"):
            search.save(file)
    assert Search.load(file, Line()).statistics.expanded == 3
    assert list(file.parent.iterdir()) == [file]
    search.save(file)
    assert Search.load(file, Line()).statistics.expanded == 6


@pytest.mark.parametrize("slot", ["closed", "generated", "peak_frontier", "lower_bound", "reached"])
def test_the_comparison_finds_what_is_forgotten(
    file: Path, monkeypatch: pytest.MonkeyPatch, slot: str
) -> None:
    """A part of the tree that is not written changes what the search does: the other tests would fail."""
    monkeypatch.setattr(saving, "NOT_SAVED", {"listener", "poll", slot})
    with pytest.raises((AssertionError, PluginError, InvalidProblemError)):
        check(stopped(expansions=6), file)


def test_the_comparison_finds_another_order(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frontier that is read in another order is a defect, though it has the same states."""
    fill = saving.Saved.fill

    def reversing(self: Any, tree: Any) -> None:
        fill(self, tree)
        tree.frontier.reverse()

    monkeypatch.setattr(saving.Saved, "fill", reversing)
    with pytest.raises((AssertionError, PluginError)):
        check(stopped(expansions=6), file)
