"""Recording a search in machine code: it is stepped, and its arrivals are compared after each expansion."""

from typing import Any

from searchkit.trace.log import FORWARD, Log


class Steps:
    """An observer that finds out what each expansion has written. Takes O(states reached) for engines with jumps.

    An engine without capabilities of its own writes the arrivals of successors only, so only these are compared.
    """

    def __init__(self, log: Log):
        self.log = log
        self._known: dict[Any, Any] = {}
        self._state: Any = None
        self._expanded = 0

    def __call__(self, search: Any, state: Any) -> None:
        """Note what the last expansion has written, and that this state is expanded next."""
        log, tree = self.log, search.tree
        if log.recording:
            self.look(search)
            log.generated.append(tree.generated)
        log.expand(tree, state)
        self._state = state

    def look(self, search: Any) -> None:
        """Note what was written since the last look."""
        tree, known, log = search.tree, self._known, self.log
        reached = tree.reached
        plain = not search.spec.requires and search.spec.memory == "states" and self._state is not None
        states = [self._state, *(s for _, s in search.problem.successors(self._state))] if plain else []
        self._compare(reached, states)
        if not plain or len(reached) != len(known):
            present = set(reached)
            for state in reversed([state for state in known if state not in present]):
                del known[state]
                log.write(FORWARD, state, None)
            self._compare(reached, reached)
        if tree.reopened:
            log.find_reopened(tree)

    def _compare(self, reached: Any, states: Any) -> None:
        for state in states:
            if state not in reached:
                continue
            arrival = tuple(reached[state])
            if self._known.get(state) != arrival:
                self._known[state] = arrival
                self.log.write(FORWARD, state, arrival)
