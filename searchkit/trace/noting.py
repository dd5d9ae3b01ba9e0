"""Dictionaries of arrivals, trees and engines that note in a log what they do: see `searchkit.trace.log`."""

import sys
from collections.abc import Iterator
from functools import wraps
from typing import Any

from searchkit.plugin.specs import EngineFunction
from searchkit.trace.log import BACKWARD, CLEARED, FORWARD, Log
from searchkit.tree import SearchTree


def _references(tree: SearchTree[Any, Any]) -> int:
    """Return the reference count of a tree's arrivals."""
    return sys.getrefcount(tree.reached)


ONLY_THE_TREE = _references(SearchTree())
"""The reference count of arrivals that only a tree holds. It depends on the version of Python."""


def own_log(log: Log) -> dict[Any, Any]:
    """Return an empty dictionary of arrivals that is its own log until `Log.list_writes`, if it is the first one."""
    kind = noting(log, dict, FORWARD)
    found: dict[Any, Any] = kind()
    if len(log.kinds) > 1:
        return found
    rewritten, expanded, enter, replace = log.rewritten, log.expanded, dict.setdefault, dict.__setitem__

    def setitem(self: Any, state: Any, arrival: Any) -> None:
        known = enter(self, state, arrival)
        if known is not arrival:
            rewritten.append((len(expanded), len(self), state, arrival, known))
            replace(self, state, arrival)

    kind.__setitem__ = setitem
    log.writes = found
    return found


def noting(log: Log, base: Any, half: int) -> Any:
    """Return a subclass of a dictionary class whose objects note what is written to them.

    It adds no attributes, so that an object of the class `base` can become one of the subclass.
    """
    log.list_writes()  # with two of them, none is the log of all writes
    methods = _methods(log, base, half)
    kind = type(base.__name__, (base,), {"__slots__": (), **(methods if log.recording else {})})
    log.kinds.append((kind, methods))
    return kind


def _methods(log: Log, base: Any, half: int) -> dict[str, Any]:
    """Return the methods of a dictionary that notes what is written to it."""
    state_of, arrival_of = log.states.append, log.arrivals.append
    set_item, clear_all = base.__setitem__, base.clear

    def setitem(self: Any, state: Any, arrival: Any) -> None:
        if half:
            log.halves[len(log.states)] = half
        state_of(state)
        arrival_of(arrival)
        set_item(self, state, arrival)

    def delitem(self: Any, state: Any) -> None:
        log.list_writes()
        base.__delitem__(self, state)
        log.write(half, state, None)

    def popitem(self: Any) -> Any:
        log.list_writes()
        item = base.popitem(self)
        log.write(half, item[0], None)
        return item

    def pop(self: Any, state: Any, *default: Any) -> Any:
        if state in self:
            log.write(half, state, None)
        return base.pop(self, state, *default)

    def setdefault(self: Any, state: Any, arrival: Any = None) -> Any:
        if state not in self:
            self[state] = arrival
        return self[state]

    def update(self: Any, *others: Any, **more: Any) -> None:
        for state, arrival in dict(*others, **more).items():
            self[state] = arrival

    def ior(self: Any, other: Any) -> Any:
        self.update(other)
        return self

    def clear(self: Any) -> None:
        log.list_writes()
        clear_all(self)
        log.write(half, None, CLEARED)

    special = {"__setitem__": setitem, "__delitem__": delitem, "__ior__": ior}
    return special | {method.__name__: method for method in (popitem, pop, setdefault, update, clear)}


class RecordedTree(SearchTree[Any, Any]):
    """A search tree whose arrivals, of both halves, note what is written to them."""

    __slots__ = ("_log",)

    def __init__(self, log: Log):
        self._log, log.tree = log, self
        super().__init__()
        self.listener = log.hear
        self.reached = log.noted = own_log(log)

    @property
    def backward(self) -> SearchTree[Any, Any] | None:
        """The half that grows from the goals."""
        half: SearchTree[Any, Any] | None = _BACKWARD.__get__(self)
        return half

    @backward.setter
    def backward(self, half: SearchTree[Any, Any] | None) -> None:
        _BACKWARD.__set__(self, half)
        if half is None:
            return
        self._log.two, self._log.room = True, 0
        unshared = type(half.reached) is dict and _references(half) <= ONLY_THE_TREE
        reached, log = half.reached, self._log
        if unshared:
            half.reached = noting(log, dict, BACKWARD)()
            half.reached.update(reached)
        elif not _become_noting(reached, log, BACKWARD):
            log.unnoted.add(BACKWARD)

    def hold(self, arrivals: Any) -> None:
        """Hold arrivals of the engine's own; if they are a dictionary, let it note what is written to it."""
        super().hold(arrivals)
        if _become_noting(arrivals, self._log, FORWARD):
            self._log.noted = arrivals


_BACKWARD: Any = vars(SearchTree)["backward"]
"""The slot."""


def _become_noting(arrivals: Any, log: Log, half: int) -> bool:
    """Make a dictionary of a class of its own note its writes; return whether that was possible."""
    if not isinstance(arrivals, dict):
        return False
    try:
        arrivals.__class__ = noting(log, type(arrivals), half)
    except TypeError:
        return False
    for state, arrival in arrivals.items():
        log.write(half, state, arrival)
    return True


def logged(run: EngineFunction, log: Log) -> EngineFunction:
    """Return the engine, noting each state when it is expanded: when the generator is resumed after its yield."""
    expanded = log.expanded
    add_state, add_generated = expanded.append, log.generated.append

    @wraps(run)
    def engine(problem: Any, tree: SearchTree[Any, Any], **options: Any) -> Iterator[Any]:
        generator = run(problem, tree, **options)
        state, expanding, begun = None, False, False
        try:
            for state in generator:
                if not begun:
                    expanding, begun = False, True
                    again = log.begin(tree, state)
                    yield state
                    expanding, log.interrupted = True, None
                    if not again:
                        log.expand(tree, state)
                    continue
                expanding = False
                if log.recording:
                    if tree.reopened != log.reopenings or tree.reached is not log.noted or log.unnoted:
                        log.look(tree, state)
                    add_generated(tree.generated)
                yield state
                expanding = True
                if len(expanded) >= log.room:
                    log.expand(tree, state)
                    continue
                add_state(state)
                log.expanded_at.append(len(log.writes))
        except GeneratorExit:
            raise
        except BaseException:
            if expanding:
                log.interrupted = state, bool(tree.frontier)
            raise
        finally:
            close = getattr(generator, "close", None)
            if close is not None:
                close()

    return engine
