"""Before each expansion, a kernel asks for room for all successors in every array that it may write to.

Each kernel is run by Python, an expansion at a time. Before each of them it is called with one place too few in one
array after the other: then it expands nothing. With as many places as needed it expands the state.
"""

from collections.abc import Callable, Iterator
from inspect import signature
from random import Random
from typing import Any

import numpy as np
import pytest

from searchkit import available_engines
from searchkit.compiled.kit import control
from searchkit.errors import InexactError
from searchkit.kernels.queue.buckets import SIZE, TURN
from searchkit.kernels.queue.entries import LAST_TURN
from searchkit.testing.spaces.digraphs import Edge, digraph
from searchkit.tree import SearchTree
from tests.kernels import test_interpreted as engines
from tests.kernels.interpreted import SMALL, interpreted
from tests.kernels.views import compilable

pytestmark = interpreted
KERNELS = {
    "astar": "best_first",
    "dijkstra": "best_first",
    "bucket": "bucket_queue",
    "greedy": "greedy",
    "bfs": "breadth_first",
    "zero_one": "zero_one",
    "idastar": "depth_first",
}
"""The kernel of each engine."""
Calls = Iterator[tuple[str, dict[str, Any]]]


class Watched:
    """A kernel that is called for one expansion at a time, each time with arrays that are full, too."""

    def __init__(self, kernel: Callable[..., Any], expanded: int):
        self.kernel, self.takes, self.expanded = kernel, signature(kernel), expanded
        self.refused: set[str] = set()
        """What was one place too short in some call."""
        self.repeated = 0

    def __call__(self, *arguments: Any) -> Any:
        given = dict(self.takes.bind(*arguments).arguments)
        counters = given["counters"]
        why = self.kernel(**{**given, "expansions": 0})
        if "marks" in given:
            self.check_marks(given)
        if given["expansions"] == 0 or why != control.WORKED:
            return why
        for name, changed in self.full(given):
            short = {**given, "counters": counters.copy(), **changed, "expansions": 1}
            assert (self.kernel(**short), short["counters"][self.expanded]) == (control.FULL, 0), name
            self.refused.add(name)
        if "capacity" in given and counters[control.AGAIN] == 0:
            self.break_off(given)
        if "room" in given:
            given["room"] = min(given["room"], int(counters[control.NODES]) + given["out_costs"].size)
        why = self.kernel(**{**given, "expansions": 1})
        if "capacity" in given and why == control.WORKED:
            assert counters[control.AGAIN] == 0
        return why

    def full(self, given: dict[str, Any]) -> Calls:
        """Give the name of each array, and the arguments with which one place is missing in it."""
        counters, branching = given["counters"], given["out_costs"].size
        if "room" in given:
            yield "room", {"room": int(counters[control.NODES]) + branching - 1}
        if "capacity" in given:
            waiting = int(SMALL.module("searchkit.kernels.queue.ladder").waiting(given["queue"]))
            yield "capacity", {"capacity": waiting + int(counters[control.AGAIN]) + branching - 1}
            turns = counters.copy()
            turns[control.PUSHED] = int(LAST_TURN) - branching + 1
            yield "turns", {"counters": turns}
        # Instead of a shorter array: more successors than there are places.
        if "stack" in given:
            yield "stack", {"out_costs": np.empty(given["stack"].size - int(counters[0]) + 1)}
        elif "ring" in given:
            many = given["ring"].size - int(counters[control.SIZE]) + 1
            yield "ring", {"out_costs": np.empty(many), "room": np.inf}
        elif "capacity" not in given and hasattr(given["queue"], "state"):
            queue = given["queue"]
            size = int(queue.state[SIZE])
            if hasattr(queue, "entries"):
                places = queue.entries.size
            else:
                places = queue.queue.stack.size // SMALL.module("searchkit.kernels.queue.buckets").ENTRY
                state = queue.state.copy()
                state[TURN] = int(LAST_TURN) - branching + 1
                yield "turns", {"queue": queue._replace(state=state)}
            yield "entries", {"out_costs": np.empty(places - size + 1), "room": np.inf}

    def check_marks(self, given: dict[str, Any]) -> None:
        """Check that the marks count the states on the path by their hashes."""
        hash_of, marks = SMALL.module("searchkit.compiled.kit.state").hash_of, np.zeros_like(given["marks"])
        for entry in given["path"][: given["counters"][1]]:
            marks[hash_of(entry.state) & np.uint64(marks.size - 1)] += np.uint32(1)
        assert np.array_equal(given["marks"], marks)

    def break_off(self, given: dict[str, Any]) -> None:
        """Do what an expansion does that is broken off: its entry is gone, and the state is expanded again."""
        ladder = SMALL.module("searchkit.kernels.queue.ladder")
        _, stacked = ladder.first(given["queue"])
        ladder.drop(given["queue"], stacked)
        given["counters"][control.AGAIN] = 1
        self.repeated += 1


def watch(name: str, monkeypatch: pytest.MonkeyPatch) -> Watched:
    """Let the engine call its kernel in this way."""
    spec = available_engines()[name]
    assert spec.kernel is not None
    module = SMALL.module(spec.kernel.partition(":")[0])
    made = Watched(getattr(module, KERNELS[name]), module.EXPANDED if name == "idastar" else control.EXPANDED)
    monkeypatch.setattr(module, KERNELS[name], made)
    return made


WANTED = {
    "astar": {"room", "capacity", "turns"},
    "dijkstra": {"room", "capacity", "turns"},
    "bucket": {"room", "entries"},
    "greedy": {"room", "entries", "turns"},
    "bfs": {"room"},
    "zero_one": {"room", "ring"},
    "idastar": {"stack"},
}
"""The arrays that an engine may fill."""


@pytest.mark.parametrize("name", KERNELS)
def test_room_for_all_successors(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One place too few ends the slice before the expansion; the results are those of the engine in Python."""
    kernel = watch(name, monkeypatch)
    with np.errstate(over="ignore"):
        for form in ("rows", "functions"):
            if name != "zero_one" or form == "rows":
                engines.compare(engines.graph(name, name, form, 1 if name == "zero_one" else 9), name, 11)
    assert kernel.refused >= WANTED[name]
    assert kernel.repeated or not {"capacity"} & WANTED[name]


def listed(kernel: Any, queue: Any, size: int) -> list[tuple[float, int]]:
    """Return the entries of a queue of buckets in the order in which they come out."""
    places = np.zeros(kernel.PLACES, np.int64)
    priorities, nodes = np.zeros(size), np.zeros(size, np.uint64)
    while not kernel.listed(queue, priorities, nodes, places):
        pass
    made = list(zip(priorities.tolist(), nodes.tolist(), strict=True))
    return made if queue.fifo else made[::-1]


@pytest.mark.parametrize("fifo", [False, True])
def test_ring_of_buckets(fifo: bool) -> None:
    """Entries come out by priority, then by age, and places are used again; what does not fit into the ring waits."""
    module: Any = SMALL.module("searchkit.kernels.queue.buckets")
    buckets, room = 256, 9
    for seed in range(40):
        random, state = Random(seed), np.zeros(module.STATE, np.int64)
        state[module.FREE] = module.NOTHING
        queue = module.Buckets(
            np.full(buckets, module.NOTHING, np.uint32), np.zeros(buckets, np.uint32),
            np.zeros(buckets // 64, np.uint64), np.zeros(room, np.uint64), np.zeros(2, np.uint64), state, fifo,
        )  # fmt: skip
        model: list[tuple[int, int]] = []
        base, high = random.randrange(1000), 0
        for node in range(120):
            low = min(model)[0] if model else base
            if model and (len(model) == room or random.random() < 0.5):
                each = [entry for entry in model if entry[0] == low]
                wanted = each[0] if fifo else each[-1]
                assert module.first(queue) == wanted
                module.drop(queue)
                model.remove(wanted)
                base = low
            else:
                # Near the first one, as far as the ring allows, before it, and mostly between.
                high = high if model else 0
                most = min(model)[0] + buckets - 1 if model else base
                f = random.choice(
                    [low, most, most - 1, max(high - buckets + 1, 0), random.randint(low, most)]
                )
                high = max(high, f)
                module.put(queue, float(f), 0.0, 0.0, node)
                model.append((f, node))
            assert not state[module.WAITING]
            assert state[module.SIZE] == len(model)
            if model:
                order = sorted(model, key=lambda entry: (entry[0], entry[1] if fifo else -entry[1]))
                assert listed(module, queue, len(model)) == order
        if model and len(model) < room:
            for outside in (min(model)[0] + buckets, high - buckets, min(model)[0] + 0.5):
                if outside >= 0:
                    state[module.WAITING] = 0
                    module.put(queue, float(outside), 0.0, 0.0, 7)
                    assert state[module.WAITING] == 1
                    assert module.is_full(queue, 0)


def test_sums_that_are_infinite() -> None:
    """An f that is too large for a float is not taken for a state that was never cut."""
    graph = digraph([Edge(0, 1, 1.5e308)], [0], [1], {0: 0, 1: 1.5e308})
    made = SMALL.module("searchkit.kernels.idastar").IterativeDeepeningAStar
    run = made(compilable(graph, "functions"), SearchTree())
    with np.errstate(over="ignore"), pytest.raises(InexactError):
        run.advance(10)


def test_heuristics_on_a_path() -> None:
    """A heuristic exceeds the cost of the rest of a path at its goal, within it or at its start; or nowhere."""
    module = SMALL.module("searchkit.compiled.kit.graph")
    SMALL.functions[1] = lambda table, state: float(table[state])
    states, costs = np.arange(4, dtype=np.uint64), np.array([1.0, 2.0, 4.0])
    fits, exceeds = [[7, 6, 4, 0], [0, 0, 0, 0]], [[8, 6, 4, 0], [7, 7, 4, 0], [7, 6, 5, 0], [7, 6, 4, 1]]
    for h in [*fits, *exceeds]:
        assert module._exceeds(1, np.array(h), states, costs, 0.0) == (h in exceeds)


def test_states_on_a_path() -> None:
    """A state is found at each place of a path, marked in pieces; one that is not there is not, even if marked."""
    module = SMALL.module("searchkit.kernels.idastar")
    path, marks = np.zeros(6, module.entry_type(1)).view(np.recarray), np.zeros(2, np.uint32)
    path.state = np.arange(20, 26)
    with np.errstate(over="ignore"):
        for first in range(0, 5, 2):
            module.mark(path, first, min(first + 2, 5), marks)
        assert marks.sum() == 5
        assert marks.all()
        for place in range(5):
            assert module.is_on(path, 5, marks, np.uint64(20 + place)) == (True, 5 - place)
        assert module.is_on(path, 5, marks, np.uint64(25)) == (False, 5)
        assert module.is_on(path, 5, np.zeros(2, np.uint32), np.uint64(20)) == (False, 0)


def test_goals_of_a_graph() -> None:
    """A state is looked for among no goal, one, and several: before, at and between all of them, and behind."""
    is_goal = SMALL.module("searchkit.kernels.idastar").is_goal_state
    for goals in ([], [4], [2, 4], [1, 4, 7], [0, 3, 4, 9]):
        for state in range(11):
            found = is_goal(None, np.array(goals, np.uint64), None, np.uint64(state))
            assert found == (state in goals)


def test_records_that_lead_to_no_start() -> None:
    """Parents that are not there or not reached, that cost more, or that form a circle are found; others are not."""
    module = SMALL.module("searchkit.compiled.kit.saved")
    wrong: list[tuple[int, str, Any]] = [(3, "parent", 4), (3, "parent", module.NOBODY - 1), (3, "parent", 3)]
    wrong += [(1, "parent", 3), (1, "flags", 0), (1, "flags", module.DEAD), (1, "g", 3.0), (0, "g", 1.0)]
    wrong += [(3, "g", value) for value in (-1.0, np.nan, control.EXACT)] + [(3, "stamp", 1)]
    for node, field, value in [(0, "flags", module.SEEN), *wrong]:
        records = np.zeros(4, module.NODE)
        records["flags"], records["parent"] = module.SEEN, [module.NOBODY, 0, 1, 2]
        records["g"] = 2 if field == "parent" else [0, 1, 2, 2]
        records["g"][0] = 0
        records[field][node] = value
        store = module.Dense(records.view(np.uint64), np.uint64(0))
        found = module.first_wrong_arrival(store, np.zeros(4, np.uint32))
        assert (found >= 0) == ((node, field, value) in wrong), (node, field, value)
