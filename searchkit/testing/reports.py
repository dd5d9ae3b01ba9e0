"""Reports: promises with their outcomes, and the smallest counterexample, drawn, with the lines that show it again."""

import ast
import builtins
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from random import Random
from textwrap import indent
from typing import Any, Literal, TypeVar

from attrs import asdict, evolve, field, frozen
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import SearchStrategy

import searchkit
from searchkit.basics.text import quantity, state_text
from searchkit.errors import traceback_of_user
from searchkit.plugin.loading import write
from searchkit.plugin.places import places_of
from searchkit.problem import SearchProblem, has_cost
from searchkit.render.draw import draw
from searchkit.render.drawings import Canvas, still
from searchkit.render.terminal import legend, to_text
from searchkit.testing.spaces.digraphs import WeightedDigraph, WithHeuristic

Outcome = Literal["holds", "fails", "skipped", "undecided"]
SIGNS: Mapping[Outcome, str] = {"holds": "✓", "fails": "✗", "skipped": "–", "undecided": "?"}


@frozen
class Counterexample:
    """A case that breaks a promise, reduced as far as possible."""

    drawing: str
    """The problem, drawn as text."""
    paths: tuple[tuple[str, str], ...] = ()
    """(name, drawing as text) of paths: the path that was found, and the expected one."""
    reproduce: tuple[str, ...] = ()
    """Lines of Python that reproduce the failure."""
    problem: Any = field(default=None, eq=False, repr=False)
    """The problem itself."""

    @property
    def parts(self) -> list[str]:
        """What a report shows of it."""
        drawn = any("\n" in path for _, path in self.paths)  # a path on a map shows the map, too
        parts = [] if drawn or not self.drawing else [self.drawing]
        parts += [f"{name}:\n{path}" for name, path in self.paths]
        again = ["to see it again:\n" + indent("\n".join(self.reproduce), "    ")]
        return parts + again * bool(self.reproduce)


@frozen
class Check:
    """One promise and its outcome."""

    name: str
    """A few words, the same in every report: `optimal`, `costs not negative`."""
    promise: str
    """The promise as a sentence."""
    outcome: Outcome
    detail: str = ""
    """What happened instead, or why the check was skipped or is undecided."""
    counterexample: Counterexample | None = None

    def text(self, shown: Collection[str] = ()) -> str:
        """Return the check as text, without parts of the counterexample that were shown before."""
        head = f"{SIGNS[self.outcome]} {self.name}: {self.promise}"
        if self.outcome != "holds":
            head = f"{head}\n  {self.outcome}: {self.detail}"
        parts = self.counterexample.parts if self.counterexample else []
        new = indent("\n\n".join(part for part in parts if part not in shown), "    ")
        return f"{head}\n\n{new}\n" if new else head


@frozen(repr=False)
class Report:
    """The outcome of the checks of one subject. It is true if no promise fails."""

    subject: str
    """What was checked: `engine astar`, `the heuristic of dungeon`."""
    checks: tuple[Check, ...]
    examples: int = 0
    """The number of cases, over all checks."""
    facts: Mapping[str, Any] = field(factory=dict)
    """Measured facts by name: error statistics of a heuristic, number of states."""

    @property
    def holds(self) -> bool:
        """Whether no check failed."""
        return not self.failures

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if check.outcome == "fails")

    def __bool__(self) -> bool:
        return self.holds

    def __repr__(self) -> str:
        outcomes = [check.outcome for check in self.checks]
        verdict = "holds" if "holds" in outcomes and "undecided" not in outcomes else "nothing fails"
        if not self.holds:
            verdict = f"{len(self.failures)} of {len(self.checks)} promises fail"
        lines = [f"{self.subject}: {verdict} ({quantity(self.examples, 'example')})"]
        reasons, shown = dict[str, list[str]](), list[str]()
        for check in self.checks:
            if check.outcome == "skipped":
                reasons.setdefault(check.detail, []).append(check.name)
            else:
                lines.append(indent(check.text(shown), "  ").rstrip())
                shown += check.counterexample.parts if check.counterexample else []
        skipped = [f"{', '.join(names)} ({reason})" for reason, names in reasons.items()]
        lines += [f"  {SIGNS['skipped']} skipped: {'; '.join(skipped)}"] if skipped else []
        lines += [f"  {name}: {value}" for name, value in self.facts.items()]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data, ready for JSON."""
        plain = asdict(self, filter=lambda attribute, _: attribute.name != "problem")
        return {"holds": self.holds, **plain}

    def or_raise(self) -> "Report":
        """Return the report, or raise `CheckFailure` if a promise fails."""
        if not self.holds:
            raise CheckFailure(self)
        return self


class CheckFailure(AssertionError):  # noqa: N818  # it is to a check what AssertionError is to assert
    """A promise does not hold. `report` says which, and shows the smallest case."""

    _render_traceback_ = traceback_of_user

    def __init__(self, report: Report):
        super().__init__(str(report))
        self.report = report


Case = TypeVar("Case")
EXAMPLES = 200
"""The default number of cases of a check."""
PHASES = (Phase.generate, Phase.shrink)
"""What `smallest` does; tests of what is found, and not of how small it is, leave out shrinking."""


def smallest(
    strategy: SearchStrategy[Case],
    broken: Callable[[Case], bool],
    *,
    examples: int = EXAMPLES,
    seed: int = 0,
) -> Case | None:
    """Return the simplest case found for which `broken` is true, or None if it is false for `examples` cases.

    The same arguments give the same case.
    """
    how = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=PHASES,
        suppress_health_check=list(HealthCheck),
    )
    try:
        return find(strategy, broken, settings=how, random=Random(seed))
    except NoSuchExample:
        return None


WIDTH = 110
STEPS = 24
"""The largest number of steps of a path in words."""
MAX_REPR_CHARS = 2_000
"""The largest number of characters of a `repr` that is taken for an expression."""
HOMES: dict[str, str] = {
    **dict.fromkeys(("digraph", "WithHeuristic"), "searchkit.testing.spaces.digraphs"),
    "StringIO": "io",
    "Fraction": "fractions",
    "inf": "math",
    **{f"check_{name}": "searchkit.testing" for name in ("compiled", "engine", "heuristic", "problem")},
    **dict.fromkeys(searchkit.__all__, "searchkit"),
}
"""The modules of the names that a line may contain."""


def picture(problem: SearchProblem[Any, Any], path: Iterable[Any] = ()) -> str:
    """Return the problem, as it is in the first state of a path, and the path, as text of at most 110 columns.

    Without a path, the problem is shown as `draw` shows it. With one, the path in words follows: its states and the
    costs of its steps, which a drawing need not show.
    """
    states, shown = tuple(path), problem.problem if isinstance(problem, WithHeuristic) else problem
    if not states:
        drawn = str(draw(shown))
        return "" if drawn.startswith("This problem can't be drawn") else drawn
    places, words = places_of(shown), path_in_words(problem, states)
    if places.ground is not None and places.changes is not None and places.routes is not None:
        ground = Canvas(places.ground)
        ground.change(places.changes(states[0]))
        places = evolve(places, ground=ground.drawing())
    drawing = still(places, states)
    if drawing is None or not drawing.width:
        return words
    return f"{to_text(drawing, WIDTH, means='glyphs')}\n{legend([drawing], WIDTH, means='glyphs')}\n{words}"


def path_in_words(problem: SearchProblem[Any, Any], states: Sequence[Any]) -> str:
    """Return the states of a path, the cost of each step and of all: `0 -2→ 1 -1→ 2, cost 3`.

    A step without an action is marked with ?. The middle of a long path is left out. A problem's `label` is used.
    """
    text = problem.label if callable(getattr(problem, "label", None)) else state_text  # type: ignore[attr-defined]
    costs = [_cost_of_step(problem, before, after) for before, after in pairwise(states)]
    words = [text(states[0])]
    words += [
        f"-{'?' if cost is None else cost}→ {text(state)}"
        for cost, state in zip(costs, states[1:], strict=True)
    ]
    if len(costs) > STEPS:
        words[1 + STEPS // 2 : -STEPS // 2] = [f"… {len(costs) - STEPS} steps more …"]
    total = f", cost {sum(costs)}" if costs and None not in costs else ""
    return " ".join(words) + total


def _cost_of_step(problem: SearchProblem[Any, Any], before: Any, after: Any) -> Any:
    """Return the least cost of an action from one state to the other; None if there is none or it is unknown."""
    try:
        costs = [
            problem.cost(before, action, successor) if has_cost(problem) else 1
            for action, successor in problem.successors(before)
            if successor is after or successor == after
        ]
        return min(costs, default=None)
    except Exception:  # a faulty problem is drawn as well
        return None


def reproduce(
    problem: SearchProblem[Any, Any], call: str, otherwise: Iterable[str] = (), named: Iterable[Any] = ()
) -> tuple[str, ...]:
    r"""Return three lines of Python: the imports, `problem = …`, and `call`.

    The problem is made by its expression, if it is a `WeightedDigraph`, or read from the text that its plugin writes
    (`ProblemSpec.write`), or made as its `repr` says. The functions that `call` calls are imported from
    `searchkit` and `searchkit.testing`.

    Args:
        problem: the problem; for a `WithHeuristic`, its problem and the table are written.
        call: an expression in which the problem is called `problem`, such as `solve(problem, "astar")`.
        otherwise: the lines to return if the problem can't be written.
        named: other functions that `call` names; those at the top of a module are imported.

    Example:
        >>> from searchkit.testing.spaces.digraphs import digraph
        >>> print("\n".join(reproduce(digraph("0 -3→ 1", [0], [1]), 'solve(problem, "bfs")')))
        from searchkit import solve; from searchkit.testing.spaces.digraphs import digraph
        problem = digraph("0 -3→ 1", starts=[0], goals=[1])
        solve(problem, "bfs")

    """
    expression = express(problem)
    if expression is None:
        return tuple(otherwise)
    homes = dict(HOMES)
    for thing in (type(problem.problem if isinstance(problem, WithHeuristic) else problem), *named):
        name, home = getattr(thing, "__qualname__", ""), getattr(thing, "__module__", "")
        if home in sys.modules and home != "__main__" and vars(sys.modules[home]).get(name) is thing:
            homes.setdefault(name, home)
    wanted: dict[str, list[str]] = {}
    for name in sorted(names_in(f"({expression}, {call})") & homes.keys()):
        wanted.setdefault(homes[name], []).append(name)
    modules = sorted(wanted, key=lambda home: (home != "searchkit", home))
    imports = "; ".join(f"from {home} import {', '.join(wanted[home])}" for home in modules)
    return (imports, f"problem = {expression}", call)


def express(problem: SearchProblem[Any, Any]) -> str | None:
    """Return an expression that makes the problem; None if there is none."""
    if isinstance(problem, WeightedDigraph):
        return repr(problem)
    if isinstance(problem, WithHeuristic):
        inner = express(problem.problem)
        return inner and f"WithHeuristic({inner}, {dict(problem.values)!r})"
    written = write(problem)
    if written is None:
        made, name = state_text(problem), type(problem).__qualname__
        if len(made) < MAX_REPR_CHARS and names_in(made) == {name}:
            return made
        with suppress(Exception):  # it takes arguments, or compares oddly
            return f"{name}()" if vars(type(problem)()) == vars(problem) else None
        return None
    options = "".join(f", {name}={value!r}" for name, value in written.options.items())
    return f"load(StringIO({written.text!r}), {written.kind!r}{options})"


def names_in(code: str) -> set[str]:
    """Return the names in an expression that are not built in; {"?"} if it is not an expression."""
    try:
        tree = ast.parse(code, mode="eval")
    except SyntaxError:
        return {"?"}
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - set(dir(builtins))
