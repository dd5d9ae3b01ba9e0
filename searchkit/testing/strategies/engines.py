"""Small problems of every kind that an engine accepts."""

from itertools import pairwise
from math import inf
from pkgutil import resolve_name
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from searchkit.errors import MissingCapabilityError
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import SearchProblem, has_cost
from searchkit.search.auto import missing_capabilities
from searchkit.testing.reports import smallest
from searchkit.testing.spaces.digraphs import Edge, WeightedDigraph, digraph
from searchkit.testing.spaces.space import explore, is_consistent
from searchkit.testing.strategies.digraphs import NEARBY, STATES, Costs, Draws, weighted_digraphs
from searchkit.testing.strategies.heuristics import heuristics_for

Strategy = SearchStrategy[Any]
SMALL, LONG = 7, 20
"""Nodes of the digraphs at most, and of one in three: long paths reveal limits in an engine."""
GRID, MAZE = 4, 7
"""Sides of the grids and mazes: small enough to read, large enough for loops."""


def problems_for(engine: EngineSpec | str) -> Strategy:
    """Draw problems that an engine accepts, those that `check_engine` tries.

    They are weighted digraphs, mazes and grids, if the plugin of these is installed. An engine that requires more
    capabilities gets all registered kinds of problem that have them.

    Raises:
        UnknownNameError: there is no engine of this name.
        MissingCapabilityError: no registered kind of problem has what the engine requires.

    """
    return st.one_of(sources_for(registry().engine(engine) if isinstance(engine, str) else engine))


def sources_for(spec: EngineSpec) -> list[Strategy]:
    """Return the strategies of `problems_for`, digraphs first."""
    drawn = [_digraphs(spec), *_maps(spec)]
    kinds = [kind.strategy() for kind in registry().problems.values() if kind.strategy is not None]
    for strategies in (drawn, kinds):
        meeting = [strategy for strategy in strategies if _meets(strategy, spec)]
        if meeting:
            return [strategy.filter(lambda problem: accepts(spec, problem)) for strategy in meeting]
    names = " and ".join(capability.__name__ for capability in spec.requires)
    raise MissingCapabilityError(f"no registered problem has a Hypothesis strategy and meets {names}")


def accepts(engine: EngineSpec, problem: SearchProblem[Any, Any]) -> bool:
    """Whether an engine accepts a small problem: its capabilities, costs and heuristic."""
    if missing_capabilities(problem, engine):
        return False
    if engine.costs == "unit" and has_cost(problem):
        return False
    if engine.costs == "any" and not engine.consistent:
        return True
    space = explore(problem)
    costs = {cost for out in space.edges.values() for _, _, cost in out}
    if engine.consistent:
        h = {state: problem.heuristic(state) for state in space.edges}
        if any(value != inf and value % 1 for value in h.values()) or not is_consistent(h, space):
            return False
    if engine.costs == "zero-one":
        return costs <= {0, 1}
    return engine.costs != "whole" or all(cost >= 1 and cost % 1 == 0 for cost in costs)


def _meets(strategy: Strategy, spec: EngineSpec) -> bool:
    """Whether the engine accepts one of the first few problems."""
    return not spec.requires or smallest(strategy, lambda one: accepts(spec, one), examples=20) is not None


def _digraphs(spec: EngineSpec) -> Strategy:
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
    costs = kinds[spec.costs]
    heuristics = by_use[spec.heuristic]
    many = [
        weighted_digraphs(cost, nodes, heuristic=heuristic, states=None)
        for cost in costs
        for heuristic in heuristics
        for nodes in (SMALL, SMALL, LONG)
    ]
    few = [_rivals(cost) for cost in costs if cost in NEARBY and "consistent" in heuristics]
    # one draw, because Hypothesis would copy one of two draws to the other; each of the few is drawn a quarter as often
    return st.sampled_from(many * 4 + few * len(many)).flatmap(lambda drawn: drawn)


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


def _maps(spec: EngineSpec) -> list[Strategy]:
    """Return the mazes and grids; none if their plugin is not installed."""
    kinds = registry().problems.values()
    found: list[Strategy] = [
        resolve_name(kind.strategies[name])(size=size)
        for name, size in (("mazes", MAZE), ("grids", GRID))
        for kind in kinds
        if name in kind.strategies
    ]
    if spec.heuristic != "unused":  # an inconsistent heuristic on a map that can be drawn
        found = [st.one_of(maps, maps.flatmap(heuristics_for)) for maps in found]
    return found
