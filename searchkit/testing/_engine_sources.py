"""What an engine is tried on where the caller does not say: small problems of every kind that it takes."""

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from searchkit.capabilities import has_cost, has_heuristic
from searchkit.errors import InvalidOptionError
from searchkit.plugins import registry
from searchkit.problem import SearchProblem
from searchkit.specs import EngineSpec
from searchkit.testing import strategies
from searchkit.testing.digraphs import Edge, WeightedDigraph, digraph
from searchkit.testing.smallest import smallest
from searchkit.testing.space import explore
from searchkit.testing.strategies.digraphs import COSTS
from searchkit.testing.strategies.heuristics import FLAGS

Strategy = SearchStrategy[Any]
WAY = 6
"""Most nodes of a digraph with a way through all of them."""
GRID, MAZE = 4, 7
"""Sides of the grids and mazes: small enough to be looked through, large enough for loops."""


def sources_for(spec: EngineSpec | None) -> list[Strategy]:
    """Return strategies of problems that an engine (None: a plain function) takes; none where there are no such.

    Weighted digraphs come first; then grids and mazes, if the plugin that brings them is installed. An engine that
    requires more than these offer gets all registered kinds of problem that meet it.
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
    """Return what the caller gave, strategies or one problem, as strategies. Raises `InvalidOptionError`."""
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
    """Whether the engine takes the problem: its costs, its heuristic and its capabilities."""
    if spec.heuristic == "required" and not has_heuristic(problem):
        return False
    if not all(isinstance(problem, capability) for capability in spec.requires):
        return False
    if spec.costs == "any" or not has_cost(problem):
        return True
    edges = explore(problem).edges.values() if spec.costs == "zero-one" else ()
    return spec.costs == "zero-one" and all(cost in (0, 1) for out in edges for _, _, cost in out)


def _meets(strategy: Strategy, spec: EngineSpec) -> bool:
    """Whether some problem among the first few has the capabilities that the engine requires."""
    return (
        not spec.requires or smallest(strategy, lambda problem: fits(problem, spec), examples=20) is not None
    )


def _digraphs(spec: EngineSpec | None) -> Strategy:
    kinds: dict[str, tuple[str, ...]] = {
        "unit": ("unit",),
        "zero-one": ("unit", "zero-one"),
        "any": ("int", "unit", "zero-one", "Fraction", "float", "huge"),
    }
    estimates: dict[str, tuple[Any, ...]] = {
        "unused": (False,),
        "required": ("consistent", "admissible", "inconsistent"),
        "optional": (False, "consistent", "admissible", "inconsistent"),
    }
    costs = kinds[spec.costs if spec else "any"]
    heuristics = estimates[spec.heuristic if spec else "optional"]
    anything = st.one_of(
        [
            strategies.weighted_digraphs(costs=cost, heuristic=heuristic)  # type: ignore[arg-type]  # they are literals
            for heuristic in heuristics
            for cost in costs
        ]
    )
    # not one_of: Hypothesis would give each of its branches, of which `anything` has many, the same weight
    kinds_of_graph = [_with_ways(costs, heuristics), anything]
    if "inconsistent" in heuristics and "int" in costs:
        kinds_of_graph.append(_with_detour())
    return st.sampled_from(kinds_of_graph).flatmap(lambda chosen: chosen)


@st.composite
def _with_ways(draw: st.DrawFn, costs: tuple[str, ...], heuristics: tuple[Any, ...]) -> WeightedDigraph:
    """Draw a digraph with a way from node 0 to the last, and with shortcuts and detours: a search has to choose.

    Among any digraphs, half have no path at all, and few have one that is improved on the way.
    """
    size = draw(st.integers(2, WAY))
    node, cost = st.integers(0, size - 1), COSTS[draw(st.sampled_from(costs))]
    way = [Edge(tail, tail + 1, draw(cost)) for tail in range(size - 1)]
    fewest = draw(st.sampled_from([0, size]))
    others = draw(st.lists(st.builds(Edge, node, node, cost), min_size=fewest, max_size=2 * size))
    if draw(st.booleans()):  # each action of the way has a rival
        others += [Edge(edge.tail, edge.head, draw(cost)) for edge in way]
    edges = [*others, *way] if draw(st.booleans()) else [*way, *others]
    starts = [0, *draw(st.lists(node, max_size=1))]
    graph = digraph(edges, starts[::-1] if draw(st.booleans()) else starts, [size - 1])
    heuristic = draw(st.sampled_from(heuristics))
    return draw(strategies.heuristics_for(graph, **FLAGS[heuristic])) if heuristic else graph


@st.composite
def _with_detour(draw: st.DrawFn) -> WeightedDigraph:
    """Draw a digraph with an admissible heuristic that leads an A* to expand node 2 too early, at too high a cost.

    The way to it through node 1 costs 2. But h(1) is exact and h(2) is 0, so that node 2 is expanded at its direct cost
    first, and has to be opened again.
    """
    rest = draw(st.integers(2, 6))
    direct = draw(st.integers(3, rest + 1))
    trap = [Edge(0, 2, direct), Edge(0, 1, 1), Edge(1, 2, 1), Edge(2, 3, rest)]
    node = st.integers(0, 4)
    others = draw(st.lists(st.builds(Edge, node, node, st.integers(3, 6)), max_size=4))
    graph = digraph([*trap, *others], [0], [3])
    exact = explore(graph).to_goals()
    return digraph(graph.edges, graph.starts, graph.goals, {1: min(rest + 1, exact[1])})


def _maps(spec: EngineSpec | None) -> list[Strategy]:
    """Return the mazes and grids; none without the plugin that brings them."""
    found = []
    for name, size in (("mazes", MAZE), ("grids", GRID)):
        try:
            found.append(getattr(strategies, name)(size=size))
        except AttributeError:
            continue
    if spec is None or spec.heuristic != "unused":  # an inconsistent heuristic on a map that can be drawn
        found = [st.one_of(maps, maps.flatmap(strategies.heuristics_for)) for maps in found]
    return found
