"""What a search found, what is proved about it, and what the search cost."""

from collections.abc import Mapping
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, Generic

from attrs import asdict, field, fields, frozen

from searchkit.basics.notebooks import Shown
from searchkit.basics.text import quantity
from searchkit.basics.values import json_number, plain, plain_detail
from searchkit.problem import Action, Cost, State

if TYPE_CHECKING:
    from searchkit.certificates.certificate import Certificate
    from searchkit.search.driver import Search


ADMISSIBLE = "the heuristic never overestimates"
"""What a lower bound rests on if the engine used the heuristic: see `Result.assumes`."""


class Status(Enum):
    """How a search ended."""

    SOLVED = "solved"
    """A path to a goal was found."""
    UNSOLVABLE = "unsolvable"
    """Every reachable state was seen, and none is a goal: no path exists."""
    CUTOFF = "cutoff"
    """A limit came first. The search is open and can be resumed, unless it was a limit of the engine's own, such as the
    depth of `dls`, and the engine has ended."""


@frozen
class Solution(Generic[State, Action]):
    """A path: `states[0]` is a start, and `actions[i]` leads from `states[i]` to `states[i + 1]`.

    Its length is the number of actions. It is true in a condition, even if it has none: a start may be a goal.
    """

    states: tuple[State, ...]
    actions: tuple[Action, ...]
    cost: Cost

    @property
    def start(self) -> State:
        """The start state in which the path begins."""
        return self.states[0]

    @property
    def goal(self) -> State:
        """The state in which the path ends."""
        return self.states[-1]

    def __repr__(self) -> str:
        return f"<Solution: cost {self.cost}, {quantity(len(self), 'action')}>"

    def __len__(self) -> int:
        return len(self.actions)

    def __bool__(self) -> bool:
        return True

    def to_dict(self) -> dict[str, Any]:
        """Return the path as JSON can hold it: `cost`, `actions` and `states`, as in `Result.to_dict`."""
        return {
            "cost": json_number(self.cost),
            "actions": [plain(action) for action in self.actions],
            "states": [plain(state) for state in self.states],
        }


@frozen
class Statistics:
    """What a search has done so far. All values but `seconds` are the same in every run."""

    expanded: int
    """How often the successors of a state were computed; a reopened state is counted again."""
    generated: int
    """Successors returned."""
    reopened: int
    """Closed states that were reached more cheaply and expanded again."""
    reached: int
    """States for which the search holds an arrival; for depth-first engines, the states on the current path."""
    peak_frontier: int
    """The largest number of entries in the frontier so far, outdated ones included."""
    seconds: float
    """Wall-clock time spent searching, without pauses."""


@frozen
class Result(Shown, Generic[State, Action]):
    """The outcome of a search: `status`, `cost`, `actions`, `states`, `optimal`, `lower_bound`, `warnings`."""

    status: Status
    solution: Solution[State, Action] | None
    """The path found; None unless `status` is SOLVED."""
    statistics: Statistics
    lower_bound: Cost
    """No path to a goal costs less, if what `assumes` says is true.

    Equal to `cost` if the path is optimal; `math.inf` if no path exists.
    """
    engine: str
    backend: str
    warnings: tuple[str, ...] = ()
    """What weakens the answer: ignored costs, an inconsistent or inadmissible heuristic, and others."""
    partial: Solution[State, Action] | None = None
    """After a cutoff, the best path to a goal known so far; without one, the path to the state to be expanded next.

    A path to a goal costs at most `partial.cost / lower_bound` times the least: `anytime` improves it until it is
    proved optimal.
    """
    solutions: tuple[Solution[State, Action], ...] = ()
    """From an engine that finds several paths (`k_best`, `anytime`), all that it has found, cheapest first."""
    cutoff: str = ""
    """After a cutoff, the limit that was reached."""
    engine_choice: str = ""
    """Why `auto` chose this engine, where the search continued when memory was short, and what machine code was made
    from the problem's Python, or why none could be made; "" for none of these."""
    details: Mapping[str, object] = field(factory=dict)
    """What the engine reports beyond the statistics, by name; see the engine."""
    assumes: str = ""
    """What `lower_bound`, and therefore `optimal`, rests on: "the heuristic never overestimates", or "" for nothing.

    It is "" for engines that do not use the heuristic, with a certificate that needs no heuristic, and after
    `verify_heuristic`.
    """
    certificate: "Certificate | None" = field(default=None, eq=False, repr=False)
    """The proof, if it was requested: `certify` and `searchkit certify` check it without the search."""
    search: "Search[State, Action] | None" = field(default=None, eq=False, repr=False)
    """The search itself, with everything that it has learned; `result.search.resume()` continues it after a cutoff.

    A result can be pickled and copied, but its search can't: the copy has None.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Return everything but the search, which holds generators, functions and memory of its process."""
        values = {attribute.name: getattr(self, attribute.name) for attribute in fields(type(self))}
        return partial(Result, **{**values, "details": dict(self.details), "search": None}), ()

    @property
    def cost(self) -> Cost | None:
        """The cost of the solution; None without a solution."""
        return None if self.solution is None else self.solution.cost

    @property
    def optimal(self) -> bool:
        """Whether the solution is known to have the least possible cost: its cost equals the lower bound.

        Like the bound, it rests on what `assumes` says. An overestimate of the heuristic on the path is detected and
        named in the warnings; one elsewhere is not.
        """
        return self.solution is not None and self.solution.cost == self.lower_bound

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the solution; empty without a solution, and if a start is a goal: `status` says which."""
        return () if self.solution is None else self.solution.actions

    @property
    def states(self) -> tuple[State, ...]:
        """The states of the solution, the start and the goal included; empty without a solution."""
        return () if self.solution is None else self.solution.states

    def __getattr__(self, name: str) -> Any:
        """Say where the path is, and the counters. Other names have no such hint."""
        hints = {name: f"; it is statistics.{name}" for name in Statistics.__annotations__}
        hint = hints.get(name, "; the path is states, actions and solution" if name == "path" else "")
        raise AttributeError(f"'Result' object has no attribute {name!r}{hint}", name=name, obj=self)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON can hold it: the fields that `searchkit solve --json` prints.

        `cost` is None, and `actions` and `states` are empty, unless the problem is solved. `lower_bound` is None if it
        is infinite: no path exists. Tuples become lists, and a state or action that JSON can't hold becomes its `repr`.
        Fields that an engine does not report, or that were not asked for, are None or empty.
        """
        certificate = self.certificate
        return {
            "engine": self.engine,
            "engine_choice": self.engine_choice or None,
            "backend": self.backend,
            "status": self.status.value,
            "cutoff": self.cutoff or None,
            "optimal": self.optimal,
            "assumes": self.assumes or None,
            "cost": json_number(self.cost),
            "actions": [plain(action) for action in self.actions],
            "states": [plain(state) for state in self.states],
            "partial": None if self.partial is None else self.partial.to_dict(),
            "solutions": [solution.to_dict() for solution in self.solutions],
            "statistics": asdict(self.statistics),
            "lower_bound": json_number(self.lower_bound),
            "warnings": list(self.warnings),
            "details": {name: plain_detail(value) for name, value in self.details.items()},
            "certificate": certificate
            and {
                "file": None,
                "states": certificate.size,
                "lower_bound": json_number(certificate.lower_bound),
            },
        }

    def __repr__(self) -> str:
        return f"<Result: {str(self).partition(chr(10))[0]}>"

    def __str__(self) -> str:
        condition = condition_of(self.assumes)
        if self.solution is not None:
            known = "optimal" if self.optimal else f"at least {self.lower_bound} is needed"
            found = f"solved: cost {self.cost} ({known}{condition}), {quantity(len(self.solution), 'action')}"
        elif self.status is Status.UNSOLVABLE:
            found = f"unsolvable: no path exists{condition}"
        else:
            found = f"cut off by {self.cutoff}: any path costs at least {self.lower_bound}{condition}"
        warnings = "".join(f"\nwarning: {warning}" for warning in self.warnings)
        return f"{found}; {self.engine} expanded {quantity(self.statistics.expanded, 'state')}{warnings}"


def condition_of(assumes: str) -> str:
    """Return the clause that follows a claim which rests on an assumption; "" if it rests on nothing."""
    return " if the heuristic is admissible" if assumes else ""
