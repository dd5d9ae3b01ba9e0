"""Searches for certificates: every registered engine, on graphs full of traps, cut off anywhere."""

from attrs import frozen
from hypothesis import strategies as st

from searchkit import Certificate, EngineSpec, Limits, Result, Search
from searchkit.testing import WeightedDigraph
from tests.helpers import engines_for_digraphs, problems_for

ENGINES = engines_for_digraphs()


@frozen
class Case:
    """A search with a requested certificate."""

    problem: WeightedDigraph
    search: Search[int, int]
    result: Result[int, int]

    @property
    def certificate(self) -> Certificate:
        """Its result."""
        assert self.result.certificate is not None
        return self.result.certificate


@st.composite
def cases(draw: st.DrawFn, spec: EngineSpec | None = None) -> Case:
    """Draw a search of one engine, or of any; some with a cutoff end before it."""
    spec = spec or draw(st.sampled_from(ENGINES))
    problem = draw(problems_for(spec))
    search = Search(problem, spec)
    limits = Limits(expansions=draw(st.one_of(st.none(), st.integers(0, 8))))
    return Case(problem, search, search.run(limits, certificate=True))
