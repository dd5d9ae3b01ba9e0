"""Layers of a certificate that are made again as machine code, by the compiled view."""

from math import inf

import pytest
from attrs import evolve

from searchkit import certify
from searchkit.errors import InvalidOptionError, MissingCapabilityError
from searchkit.testing.spaces.digraphs import Edge, digraph
from tests.certificates.test_layers import ENGINES, ROADS, certificate_of, of_few_states, searched
from tests.kernels.views import compilable, view_of
from tests.scale.external.boards import board

__all__ = ["of_few_states"]  # a fixture that is used for all tests here


def test_as_machine_code() -> None:
    """The view makes the same layers, and the verdict says that it was used; forged layers are rejected."""
    problem = board()
    certificate = certificate_of(problem)
    verdict = certify(problem, certificate, backend="compiled")
    assert verdict
    assert verdict.proved == certify(problem, certificate).proved
    assert verdict.assumed[0].startswith("the compiled view has the successors, costs and goals")
    unproved = certify(problem, searched(problem), backend="compiled", states=46)
    assert "8 of 11 layers were made again, with 46 of" in unproved.unproved[0]
    exhausted = compilable(digraph("0 → 1, 1 → 2, 2 → 0, 1 → 3", [0], []), "functions")
    endless = certificate_of(exhausted)
    assert certify(exhausted, endless, backend="compiled").proved == ("no path exists",)
    more = evolve(endless, layers=endless.layers[:2])
    assert "no state is left after layer 1" in certify(exhausted, more, backend="compiled").objection
    for place, layer in enumerate(certificate.layers):
        for changed in (
            evolve(layer, states=layer.states + 1),
            evolve(layer, states=layer.states - 1),
            evolve(layer, digest=layer.digest ^ 1 << 64),
        ):
            layers = (*certificate.layers[:place], changed, *certificate.layers[place + 1 :])
            forged = evolve(certificate, layers=layers)
            assert f"layer {place} has" in certify(problem, forged, backend="compiled").objection


@pytest.mark.parametrize("engine", ENGINES[1:])
def test_costs_as_machine_code(engine: str) -> None:
    """The view proves what the definition does, as far as the limit allows; forged layers and bounds are rejected."""
    problem = compilable(ROADS, "functions")
    certificate = certificate_of(problem, engine=engine)
    assert certificate.costs == ((0, 2, 6, 9, 11) if engine == "external_dijkstra" else (0, 2, 6, 9))
    for most in (None, *range(certificate.size)):
        expected = certify(problem, certificate, states=most)
        verdict = certify(problem, certificate, states=most, backend="compiled")
        assert (verdict.proved, verdict.unproved) == (expected.proved, expected.unproved)
        assert verdict.assumed[: len(expected.assumed)] == expected.assumed
    changes = [evolve(certificate, lower_bound=bound) for bound in (11.5, 10, inf)]
    for place, layer in enumerate(certificate.layers):
        layers = list(certificate.layers)
        layers[place] = evolve(layer, digest=layer.digest ^ 1)
        changes.append(evolve(certificate, layers=tuple(layers)))
    cut = {"status": "cutoff", "cost": None, "path": ()}
    changes.append(evolve(certificate, layers=certificate.layers[:-1], costs=certificate.costs[:-1], **cut))
    changes.append(evolve(certificate, lower_bound=certificate.lower_bound + 1, **cut))
    for forged in changes:
        for backend in ("python", "compiled"):
            assert not certify(problem, forged, backend=backend).accepted


def test_a_wrong_view_is_found_out_or_assumed() -> None:
    """States of each layer are compared with the problem; costs and goals are looked at in every state."""
    whole = digraph("0 → 1, 1 → 2, 2 → 3, 0 → 3", [0], [3])
    narrow = compilable(digraph("0 → 1, 1 → 2, 2 → 3", [0], [3]), "functions")
    cut = evolve(certificate_of(narrow), status="cutoff", cost=None, path=())
    assert certify(narrow, cut, backend="compiled").proved == ("no path costs less than 3",)
    wrong = view_of(whole, narrow.compiled())  # type: ignore[attr-defined]  # it is compilable
    assert "the problem disagrees" in certify(wrong, cut, backend="compiled").objection
    early = compilable(digraph("0 → 1, 1 → 2, 2 → 3", [0], [1, 3]), "functions")
    assert "layer 1 has the goal 1" in certify(early, cut, backend="compiled").objection
    dear = compilable(digraph([Edge(0, 1, 1), Edge(1, 2, 2), Edge(2, 3, 1)], [0], [3]), "functions")
    assert "an action to 2 costs 2; expected 1" in certify(dear, cut, backend="compiled").objection
    rows = compilable(digraph("0 → 1, 1 → 2, 2 → 3", [0], [3]), "rows")
    with pytest.raises(MissingCapabilityError, match="use backend='python'"):
        certify(rows, certificate_of(rows), backend="compiled")
    with pytest.raises(InvalidOptionError, match="'python' or 'compiled'"):
        certify(rows, certificate_of(rows), backend="fast")
