"""The default problems for an engine, small ones of every kind that it accepts, and how a digraph is made smaller."""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from math import inf
from typing import Any

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from searchkit.errors import InvalidOptionError
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import Cost, SearchProblem, has_cost, has_heuristic
from searchkit.testing import strategies
from searchkit.testing.reports import smallest
from searchkit.testing.spaces.digraphs import Edge, WeightedDigraph, digraph
from searchkit.testing.spaces.space import explore
from searchkit.testing.strategies.digraphs import NEARBY, STATES, Costs, Draws

Strategy = SearchStrategy[Any]
SMALL, LONG = 7, 20
"""Nodes of the digraphs at most, and of one in three: long paths reveal limits in an engine."""
GRID, MAZE = 4, 7
"""Sides of the grids and mazes: small enough to read, large enough for loops."""


def sources_for(spec: EngineSpec | None) -> list[Strategy]:
    """Return strategies of problems that an engine (None: a plain function) accepts; possibly none.

    Weighted digraphs come first, then grids and mazes, if their plugin is installed. An engine that requires more
    capabilities gets all registered kinds of problem that have them.
    """
    drawn = [_digraphs(spec), *_maps(spec)]
    if spec is None:
        return drawn
    meeting = [strategy for strategy in drawn if _meets(strategy, spec)]
    if not meeting:
        kinds = [kind.strategy() for kind in registry().problems.values() if kind.strategy is not None]
        meeting = [strategy for strategy in kinds if _meets(strategy, spec)]
    return [strategy.filter(lambda problem: fits(problem, spec)) for strategy in meeting]


def given_sources(problems: Any) -> list[Strategy]:
    """Return the strategies or the problem of the caller as strategies. Raises `InvalidOptionError`."""
    if hasattr(problems, "initial_states"):
        return [st.just(problems)]
    given = list(problems) if isinstance(problems, Iterable) else [problems]
    for strategy in given:
        if not isinstance(strategy, SearchStrategy):
            raise InvalidOptionError(
                f"problems={problems!r}: expected a problem, or a Hypothesis strategy of problems, or several "
                "of these, such as searchkit.testing.strategies.mazes()"
            )
    return given


def fits(problem: SearchProblem[Any, Any], spec: EngineSpec) -> bool:
    """Whether the engine accepts the problem: costs, heuristic and capabilities, and what it has to prepare."""
    if spec.heuristic == "required" and not has_heuristic(problem):
        return False
    if not all(isinstance(problem, capability) for capability in spec.requires):
        return False
    if spec.consistent and not _guides(problem):
        return False
    if spec.costs == "any" or not has_cost(problem):
        return True
    if spec.costs == "unit":
        return False
    costs = [cost for out in explore(problem).edges.values() for _, _, cost in out]
    if spec.costs == "zero-one":
        return all(cost in (0, 1) for cost in costs)
    return all(cost >= 1 and cost % 1 == 0 for cost in costs)


def _guides(problem: SearchProblem[Any, Any]) -> bool:
    """Whether the heuristic is consistent, 0 at goals, and whole or infinite."""
    edges = explore(problem).edges
    h = {state: problem.heuristic(state) for state in edges}
    return (
        all(value == inf or value % 1 == 0 for value in h.values())
        and not any(h[state] for state in edges if problem.is_goal(state))
        and all(h[state] <= cost + h[to] for state, out in edges.items() for _, to, cost in out)
    )


def _meets(strategy: Strategy, spec: EngineSpec) -> bool:
    """Whether some problem among the first few has the capabilities that the engine requires."""
    return (
        not spec.requires or smallest(strategy, lambda problem: fits(problem, spec), examples=20) is not None
    )


def _digraphs(spec: EngineSpec | None) -> Strategy:
    kinds: dict[str, tuple[Costs, ...]] = {
        "unit": ("unit",),
        "zero-one": ("unit", "zero-one"),
        "whole": ("int", "unit"),
        "any": ("int", "unit", "Fraction", "zero-one", "float", "huge"),
    }
    by_use: dict[str, tuple[Any, ...]] = {
        "unused": (False,),
        "backward": (False,),
        "required": ("consistent", "consistent", "admissible", "inconsistent"),
        "optional": ("consistent", False, "consistent", False, "consistent", "admissible", "inconsistent"),
    }
    costs = kinds[spec.costs if spec else "any"]
    heuristics = by_use[spec.heuristic if spec else "optional"]
    kinds_drawn = [
        strategies.weighted_digraphs(cost, nodes, heuristic=heuristic, states=None)
        for cost in costs
        for heuristic in heuristics
        for nodes in (SMALL, SMALL, LONG)
    ]
    traps = [_rivals(cost) for cost in costs if cost in NEARBY and "consistent" in heuristics]
    if "inconsistent" in heuristics and "int" in costs:
        traps.append(_detour())
    return _either(kinds_drawn, traps)


@st.composite
def _either(draw: st.DrawFn, many: list[Strategy], few: list[Strategy]) -> WeightedDigraph:
    """Draw from one of many strategies, or from one of a few, each of which is as likely as a quarter of the many."""
    # one draw, because Hypothesis would copy one of two draws to the other
    number = draw(st.integers(0, len(many) * (4 + len(few)) - 1))
    which, rest = divmod(number, len(many))
    return draw(many[rest] if which < 4 else few[which - 4])  # type: ignore[no-any-return]


@st.composite
def _rivals(draw: st.DrawFn, costs: Costs) -> WeightedDigraph:
    """Draw two paths to goals, one of which costs a little more; the heuristic is exact on the cheaper path only.

    The heuristic is consistent. Any increase delays the cheaper path, and not its rival.
    """
    draws = Draws(draw(st.binary(min_size=14, max_size=14)))
    unit = NEARBY[costs]
    steps = [(1 + draws.below(5)) * unit for _ in range(1 + draws.below(4))]
    cheap = max(unit, sum(steps) - (1 + draws.below(2)) * unit)
    first = min(draws.below(4) * unit, cheap)
    # 0 is the start, 1 and 2 are on the cheaper path, and the others on its rival
    goals = [2, 2 + len(steps)] if draws.rarely(2) else [2]
    dear = [0, *range(3, 2 + len(steps)), goals[-1]]
    edges = [Edge(tail, head, step) for (tail, head), step in zip(pairwise(dear), steps, strict=True)]
    way = [Edge(0, 1, first), Edge(1, 2, cheap - first)]
    if draws.rarely(4):
        way = [Edge(0, 2, cheap)]
    edges = [*way, *edges] if draws.rarely(2) else [*edges, *way]
    table = {1: cheap - first} if len(way) == 2 else {}
    table[0] = min(steps[0] if len(steps) > 1 else cheap, cheap) * draws.below(2)
    return digraph(edges, [0], goals, table, draws.one_of(STATES))


@st.composite
def _detour(draw: st.DrawFn) -> WeightedDigraph:
    """Draw a digraph with an admissible heuristic for which A* expands node 2 too early, at too high a cost.

    The path to it through node 1 costs 2. But h(1) is exact and h(2) is 0, so A* expands node 2 first at its direct
    cost and has to reopen it.
    """
    draws = Draws(draw(st.binary(min_size=24, max_size=24)))
    rest = 2 + draws.below(5)
    direct = 3 + draws.below(rest - 1)
    states = draws.one_of(STATES)
    trap = [Edge(0, 2, direct), Edge(0, 1, 1), Edge(1, 2, 1), Edge(2, 3, rest)]
    others = [Edge(tail % 5, head % 5, 3 + cost % 4) for tail, head, cost, _ in draws.edges(4)]
    graph = digraph([*trap, *others], [0], [3])
    exact = explore(graph).to_goals()
    return digraph(graph.edges, graph.starts, graph.goals, {1: min(rest + 1, exact[1])}, states)


def _maps(spec: EngineSpec | None) -> list[Strategy]:
    """Return the mazes and grids; none if their plugin is not installed."""
    found = []
    for name, size in (("mazes", MAZE), ("grids", GRID)):
        try:
            found.append(getattr(strategies, name)(size=size))
        except AttributeError:
            continue
    if spec is None or spec.heuristic != "unused":  # an inconsistent heuristic on a map that can be drawn
        found = [st.one_of(maps, maps.flatmap(strategies.heuristics_for)) for maps in found]
    return found


REDUCTIONS = 400
"""The largest number of problems that are tried to make a counterexample smaller."""


def reduced(problem: Any, broken: Callable[[Any], bool]) -> Any:
    """Return the smallest problem found for which `broken` is true; other problems than digraphs unchanged."""
    if not isinstance(problem, WeightedDigraph):
        return problem
    left, found = REDUCTIONS, True
    while found:
        found = False
        for smaller in _smaller(problem):
            left -= 1
            if left < 0:
                return problem
            if broken(smaller):
                problem, found = smaller, True
                break
    return problem


def _smaller(graph: WeightedDigraph) -> Iterator[WeightedDigraph]:
    """Yield graphs that are simpler by one step each."""
    yield from _without_a_node(graph)
    if graph.states != "int":
        yield evolve(graph, states="int")
    for index in range(len(graph.edges)):
        yield _made(graph, [*graph.edges[:index], *graph.edges[index + 1 :]])
    if len(graph.starts) > 1:
        for index in range(len(graph.starts)):
            yield evolve(graph, starts=graph.starts[:index] + graph.starts[index + 1 :])
    if len(graph.goals) > 1:
        for goal in sorted(graph.goals):
            yield evolve(graph, goals=graph.goals - {goal})
            for other in sorted(graph.goals - {goal}):
                yield _merged(graph, goal, other)
    table = dict(graph.table or {})
    for node in table:
        yield _made(graph, graph.edges, {other: cost for other, cost in table.items() if other != node})


def _without_a_node(graph: WeightedDigraph) -> Iterator[WeightedDigraph]:
    """Yield the graph without each inner node, with its edges joined or removed."""
    for node in graph.nodes:
        if node in graph.starts or node in graph.goals:
            continue
        rest = [edge for edge in graph.edges if node not in (edge.tail, edge.head)]
        into = [edge for edge in graph.edges if edge.head == node != edge.tail]
        out = [edge for edge in graph.edges if edge.tail == node != edge.head]
        yield _made(graph, rest)
        if len(into) * len(out) <= len(into) + len(out):
            joined = [Edge(one.tail, two.head, _sum(one.cost, two.cost)) for one in into for two in out]
            yield _made(graph, [*rest, *joined])
            yield _made(graph, [*joined, *rest])


def _merged(graph: WeightedDigraph, goal: int, other: int) -> WeightedDigraph:
    """Return the graph in which another goal takes the place of this one."""
    now = {goal: other}
    edges = [
        evolve(edge, tail=now.get(edge.tail, edge.tail), head=now.get(edge.head, edge.head))
        for edge in graph.edges
    ]
    starts = tuple(now.get(start, start) for start in graph.starts)
    return _made(evolve(graph, starts=starts, goals=graph.goals - {goal}), edges)


def _sum(one: Cost | None, two: Cost | None) -> Cost | None:
    return None if one is None or two is None else one + two


def _made(graph: WeightedDigraph, edges: Any, table: dict[int, Cost] | None = None) -> WeightedDigraph:
    """Return the graph with other edges and heuristic values, with nodes numbered without gaps."""
    edges, values = tuple(edges), graph.table if table is None else table
    nodes = {*graph.starts, *graph.goals, *(end for edge in edges for end in (edge.tail, edge.head))}
    number = {node: index for index, node in enumerate(sorted(nodes))}
    return digraph(
        [Edge(number[edge.tail], number[edge.head], edge.cost) for edge in edges],
        [number[start] for start in graph.starts],
        [number[goal] for goal in graph.goals],
        None
        if graph.table is None or values is None
        else {number[node]: cost for node, cost in values.items() if node in number},
        graph.states,
    )
