"""Searches that are interrupted at random moments and resumed: `python -m tests.contract.interrupted SEED`.

Not in the process of the tests: a signal may arrive in any code, and that of pytest does not expect it.
"""

import signal
import sys
import threading
import time
from random import Random
from typing import Any

from searchkit import Search, SearchProblem, solve

ENGINES = ("anytime", "astar", "bfs", "bidirectional", "bucket", "dijkstra", "lpastar", "wastar")
SIGNALS, STOPS = 50, 8
"""The most signals that one search is sent, and how often an engine is stopped altogether."""


class Slow(SearchProblem[Any, str]):
    """A grid whose states are compared and hashed by Python code: signals arrive there, too."""

    def __init__(self, side: int = 40):
        self.side = side

    class Cell:
        """A state."""

        def __init__(self, x: int, y: int):
            self.x, self.y = x, y

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Slow.Cell) and (self.x, self.y) == (other.x, other.y)

        def __hash__(self) -> int:
            return hash((self.x, self.y))

    def initial_states(self) -> list[Any]:
        return [Slow.Cell(0, 0)]

    def goal_states(self) -> list[Any]:
        return [Slow.Cell(self.side - 1, self.side - 1)]

    def is_goal(self, state: Any) -> bool:
        return bool(state.x == state.y == self.side - 1)

    def successors(self, state: Any) -> Any:
        for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            to = Slow.Cell(state.x + x, state.y + y)
            if 0 <= to.x < self.side and 0 <= to.y < self.side and (to.x * 7 + to.y * 3) % 11 != 3:
                yield f"{x} {y}", to

    def predecessors(self, state: Any) -> Any:
        for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            before = Slow.Cell(state.x - x, state.y - y)
            if (f"{x} {y}", state) in list(self.successors(before)):
                yield f"{x} {y}", before

    def heuristic(self, state: Any) -> int:
        return (2 * (self.side - 1) - int(state.x) - int(state.y)) // 2


def interrupted(search: Search[Any, Any], chance: Random) -> tuple[Any, int]:
    """Run a search, with Ctrl-C at random moments; return its result, and how often it was stopped."""
    main, stops, result = threading.main_thread().ident, 0, None
    ended: list[bool] = []  # an event has a lock, which Ctrl-C within `set` leaves locked
    assert main is not None

    def press() -> None:
        for _ in range(SIGNALS):
            time.sleep(chance.uniform(0, 0.004))
            if ended:
                return
            signal.pthread_kill(main, signal.SIGINT)

    presser = threading.Thread(target=press, daemon=True)
    while True:
        try:
            if presser.ident is None:
                presser.start()
            while result is None:
                result = search.run()
            ended.append(True)
            presser.join()
            return result, stops
        except KeyboardInterrupt:
            stops += result is None


def answer(result: Any) -> Any:
    """Return what has to be the same."""
    return result.status, result.cost, result.lower_bound, len(result.solution.states)


def main(seed: int) -> None:
    """Interrupt each engine some times, and print whether its answer is that of a search that nobody disturbed."""
    chance, problem = Random(seed), Slow()
    for name in ENGINES:
        whole, stops = solve(problem, name, backend="python"), 0
        while stops < STOPS:
            result, more = interrupted(Search(problem, name, backend="python"), chance)
            stops += more
            if result.status is not whole.status or answer(result) != answer(whole):
                print(f"{name}: {result}, and {whole} if nobody disturbs it")
                break
        else:
            print(f"{name}: right, and stopped {stops} times")


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main(int(sys.argv[1]))
