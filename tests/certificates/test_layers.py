"""Certificates of layers: counts and digests that the checker makes again, instead of records of all arrivals."""

import json
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from searchkit import Certificate, Limits, Result, certify, solve
from searchkit.certificates import Ball, Layer, make
from searchkit.certificates.layers import WORD, digest_of
from searchkit.cli import main
from searchkit.errors import InputFormatError, InvalidOptionError
from searchkit.scale.arrays.digests import halves_of
from searchkit.testing import explore
from searchkit.testing.spaces.digraphs import Edge, WeightedDigraph, digraph
from searchkit.testing.strategies import weighted_digraphs
from searchkit_tiles import SlidingTiles
from tests.kernels.views import compilable
from tests.scale.external.boards import Directed, board, small_layers
from tests.scale.external.test_buckets import dearer, small_buckets


@pytest.fixture(autouse=True, scope="module")
def of_few_states() -> Iterator[None]:
    """Let certificates of small searches have layers too."""
    with patch.object(make, "LARGEST_BALL", 0):
        yield


def searched(
    problem: Any, expansions: int | None = None, small: int = 10**9, engine: str = "external_bfs"
) -> Result[Any, Any]:
    """Return the result of a search on disk with its certificate."""
    with small_layers(small), small_buckets(small):
        limits = Limits(expansions=expansions)
        return solve(problem, engine, backend="compiled", limits=limits, certificate=True)


def certificate_of(problem: Any, expansions: int | None = None, engine: str = "external_bfs") -> Certificate:
    """Return the certificate of a search on disk."""
    certificate = searched(problem, expansions, engine=engine).certificate
    assert certificate is not None
    return certificate


ROADS = digraph(
    "0 -2→ 1, 0 -7→ 2, 1 -4→ 2, 1 -9→ 3, 2 -3→ 3, 2 -5→ 4, 3 -4→ 5, 4 -1→ 5, 5 -1→ 0",
    [0],
    [5],
    {0: 9, 1: 8, 2: 4, 3: 2, 4: 1},
)
ENGINES = ("external_bfs", "external_dijkstra", "external_astar")


@st.composite
def certified(draw: st.DrawFn) -> tuple[Any, Certificate]:
    """Draw a search with a certificate of layers; some are cut off."""
    engine = draw(st.sampled_from(ENGINES))
    graph = (
        draw(weighted_digraphs("unit"))
        if engine == "external_bfs"
        else dearer(draw(weighted_digraphs("int", heuristic="consistent")))
    )
    problem = compilable(graph, "rows")
    result = searched(problem, draw(st.one_of(st.none(), st.integers(1, 8))), engine=engine)
    assert result.certificate is not None
    assume(result.certificate.layers)
    assert result.certificate.lower_bound == result.lower_bound
    return problem, result.certificate


@given(certified())
@settings(max_examples=40)
def test_everything_is_proved(case: tuple[Any, Certificate]) -> None:
    """Solved, unsolvable or cut off: the certificate proves what the search found, and nothing is assumed."""
    problem, certificate = case
    verdict = certify(problem, certificate)
    assert verdict, verdict
    assert certificate.heuristic or verdict.assumed == ()
    assert certificate.heuristic == (certificate.engine == "external_astar")
    assert certificate.size == sum(layer.states for layer in certificate.layers)
    assert_true(problem, certificate)


def assert_true(problem: WeightedDigraph, certificate: Certificate) -> None:
    """Compare what a certificate says with the oracle."""
    best = explore(problem).least_cost()
    assert certificate.lower_bound <= best
    assert certificate.cost is None or certificate.cost >= best
    assert (certificate.status == "unsolvable") == (certificate.lower_bound == inf)
    assert (certificate.status == "solved") == bool(certificate.path)


KINDS = ("count", "digest", "cost", "drop", "repeat", "add", "swap")
Change = Callable[[st.DataObject, Certificate], Certificate]


def changed_layers(data: st.DataObject, certificate: Certificate, kind: str) -> Certificate:
    """Change a layer or its cost, drop it, repeat it, add one, or swap it with another; costs are adapted to it."""
    layers, costs = list(certificate.layers), list(certificate.costs)
    place = data.draw(st.integers(0, len(layers) - 1))
    layer = layers[place]
    if kind == "count":
        layers[place] = evolve(layer, states=layer.states + data.draw(st.sampled_from([-1, 1, 7])))
    elif kind == "digest":
        layers[place] = evolve(layer, digest=layer.digest ^ 1 << data.draw(st.integers(0, 127)))
    elif kind == "cost":
        costs = costs or list(range(len(layers)))
        costs[place] += data.draw(st.sampled_from([-1, 0, 1, 3]))
    elif kind == "drop":
        del layers[place], costs[place : place + 1]
    elif kind == "repeat":
        layers.insert(place, layer)
        costs[place:place] = [max(0, cost - 1) for cost in costs[place : place + 1]]
    elif kind == "add":
        layers.append(Layer(data.draw(st.integers(0, 3)), data.draw(st.integers(0, WORD))))
        costs += [cost + data.draw(st.integers(1, 3)) for cost in costs[-1:]]
    else:
        other = data.draw(st.integers(0, len(layers) - 1))
        layers[place], layers[other] = layers[other], layer
    return evolve(certificate, layers=tuple(layers), costs=tuple(costs))


@pytest.mark.parametrize("kind", KINDS)
@given(case=certified(), data=st.data())
@settings(max_examples=40)
def test_a_change_in_a_layer_is_rejected(
    kind: str, case: tuple[Any, Certificate], data: st.DataObject
) -> None:
    """There is exactly one list of layers for each bound."""
    problem, certificate = case
    changed = changed_layers(data, certificate, kind)
    assume(changed != certificate)
    verdict = certify(problem, changed)
    assert not verdict.accepted
    assert verdict.objection


@pytest.mark.parametrize("field", ["status", "cost", "lower_bound", "heuristic", "forward"])
@given(case=certified(), data=st.data())
@settings(max_examples=40)
def test_a_change_in_a_claim_is_rejected(
    field: str, case: tuple[Any, Certificate], data: st.DataObject
) -> None:
    """A shorter path, a larger bound, another status, arrivals besides the layers."""
    problem, certificate = case
    values: dict[str, st.SearchStrategy[Any]] = {
        "status": st.sampled_from(["solved", "unsolvable", "cutoff", ""]),
        "cost": st.sampled_from([None, *range(9)]),
        "lower_bound": st.sampled_from([*range(9), 0.5, inf, float("nan")]),
        "heuristic": st.just(not certificate.heuristic),
        "forward": st.just(Ball(1, ((-1, 0, 0),))),
    }
    changed = evolve(certificate, **{field: data.draw(values[field])})
    assume(changed != certificate)
    if field == "heuristic" and certify(problem, changed):  # its values rule nothing out
        assert_true(problem, changed)
    else:
        assert not certify(problem, changed).accepted


@given(case=certified(), data=st.data())
@settings(max_examples=100)
def test_whatever_is_accepted_is_true(case: tuple[Any, Certificate], data: st.DataObject) -> None:
    """An adversary who cuts layers and path and adapts the claims proves nothing false."""
    problem, certificate = case
    layers = certificate.layers[: data.draw(st.integers(1, len(certificate.layers)))]
    path = certificate.path[: data.draw(st.integers(0, len(certificate.path)))]
    costs = [cost + data.draw(st.integers(0, 2)) for cost in certificate.costs]
    changed = evolve(
        certificate,
        status=data.draw(st.sampled_from(["solved", "unsolvable", "cutoff"])),
        cost=data.draw(st.sampled_from([None, len(path) - 1, certificate.cost])),
        lower_bound=data.draw(st.sampled_from([len(layers), *costs[-1:], certificate.lower_bound, inf])),
        path=path,
        layers=layers,
        costs=certificate.costs[: len(layers)],
    )
    if certify(problem, changed):
        assert_true(problem, changed)


@pytest.mark.parametrize("kind", [SlidingTiles, Directed])
def test_layers_in_files(kind: Any) -> None:
    """The layers of a search whose states are in files have the same digests."""
    expected = certificate_of(board(kind=kind))
    assert [layer.states for layer in expected.layers[:5]] == [1, 2, 3, 5, 6]
    for small in (0, 20):
        result = searched(board(kind=kind), small=small)
        assert result.certificate == expected
        assert certify(board(), result)


def test_a_search_that_left_something_out_is_not_proved() -> None:
    """The layers are made by the definition: a view that leaves out an action is found out."""
    problem = compilable(digraph("0 → 1, 1 → 2, 2 → 3, 0 → 3", [0], [3]), "rows")
    narrow = compilable(digraph("0 → 1, 1 → 2, 2 → 3", [0], [3]), "rows")
    verdict = certify(problem, certificate_of(narrow))
    assert "layer 1 has 1 states, and the problem gives at least 2" in verdict.objection
    assert "layer 1 has 2 states" in certify(narrow, evolve(certificate_of(narrow), layers=(
        Layer(1, digest_of([0], 1)), Layer(2, 0), Layer(1, digest_of([2], 1)),
    ))).objection  # fmt: skip


def test_what_else_is_objected_to() -> None:
    """Actions that do not cost 1, goals in a layer, a problem without a view."""
    lines = {
        "cost": digraph([Edge(0, 1, 1), Edge(1, 2, 2), Edge(2, 3, 1)], [0], [3]),
        "goal": digraph("0 → 1, 1 → 2, 2 → 3", [0], [1, 3]),
    }
    certificate = evolve(
        certificate_of(compilable(digraph("0 → 1, 1 → 2, 2 → 3", [0], [3]), "rows")), status="solved"
    )
    dear = compilable(lines["cost"], "rows")
    assert "its path costs 4, not 3" in certify(dear, certificate).objection
    cut = evolve(certificate, status="cutoff", cost=None, path=())
    assert "from 1 to 2 costs 2" in certify(dear, cut).objection
    assert "layer 1 has the goal 1" in certify(compilable(lines["goal"], "rows"), certificate).objection
    assert "no compiled view" in certify(lines["goal"], certificate).objection


def test_as_far_as_the_limit_allows() -> None:
    """What was made again is proved, the rest is unproved, and the verdict says how far it came."""
    problem = board()
    certificate = certificate_of(problem)
    states = sum(layer.states for layer in certificate.layers[:9])
    for most, proved in {states: 9, states - 1: 8, 0: 0, certificate.size: 11}.items():
        verdict = certify(problem, certificate, states=most)
        bound = () if proved == 0 else (f"no path costs less than {proved}",)
        assert verdict.accepted
        assert verdict.proved == ("a path from a start to a goal costs 11", *bound)
        assert bool(verdict) == (proved == 11)
        if not verdict:
            assert f"no path costs less than 11: {proved} of 11 layers were made again" in verdict.unproved[0]
    assert certify(problem, searched(problem), states=states).unproved
    with pytest.raises(InvalidOptionError, match="expected a whole number"):
        certify(problem, certificate, states=-1)


@given(st.lists(st.integers(0, 2**192 - 1), unique=True, max_size=9), st.randoms())
@settings(max_examples=50)
def test_digests(numbers: list[int], random: Any) -> None:
    """Arrays and numbers have the same digest, in whatever order."""
    words = np.array([[number >> 64 * word & WORD for word in range(3)] for number in numbers], np.uint64)
    random.shuffle(numbers)
    high, low = halves_of(words.reshape(-1, 3))
    assert (high & WORD) << 64 | low & WORD == digest_of(numbers, 3)
    high, low = halves_of(words.reshape(-1))
    assert (high & WORD) << 64 | low & WORD == digest_of(words.reshape(-1).tolist(), 1)


def test_the_file(tmp_path: Path) -> None:
    """It is read back as it was written."""
    certificate = certificate_of(board())
    certificate.save(tmp_path / "layers")
    lines = (tmp_path / "layers").read_text().splitlines()
    assert lines[0] == "searchkit certificate 2"
    assert json.loads(lines[1])["layers"] == 11
    assert re.fullmatch("1 [0-9a-f]{32}", lines[14])
    assert len(lines) == 2 + 12 + 11 + 1
    assert Certificate.load(tmp_path / "layers") == certificate
    certificate = certificate_of(compilable(ROADS, "rows"), engine="external_astar")
    certificate.save(tmp_path / "costs")
    lines = (tmp_path / "costs").read_text().splitlines()
    assert lines[0] == "searchkit certificate 3"
    assert re.fullmatch("9 1 [0-9a-f]{32}", lines[-2])
    assert Certificate.load(tmp_path / "costs") == certificate


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (r'"layers": 11', '"layers": 12', "line 26: expected a layer: 'end 25 "),
        (r'"layers": 11', '"layers": 10', "line 25: expected the end line"),
        (r'"layers": 11', '"layers": 0', "line 2: expected the header, one JSON object: layers should be at least 1"),
        (r'"layers": 11', '"layers": -3', "layers should be a number of lines, not -3"),
        (r'"layers": 11', '"layers": 1e9', "layers should be a number of lines, not 1000000000.0"),
        (r'"layers": 11', '"layer": 11', "it should be an object with the members"),
        (r"\n1 (\w{32})\n", r"\n0 \1\n", "line 15: expected a layer: '0 "),
        (r"\n1 (\w{32})\n", r"\n-1 \1\n", "is not a number of states ≥ 1"),
        (r"\n1 (\w{32})\n", rf"\n{'9' * 31} \1\n", "is not a number of states ≥ 1"),
        (r"\n1 (\w{31})\w\n", r"\n1 \1\n", "a digest of 32 hexadecimal digits"),
        (r"\n1 (\w{31})\w\n", r"\n1 \1X\n", "a digest of 32 hexadecimal digits"),
        (r"\n1 (\w{32})\n", r"\n2 \1\n", "the file was changed"),
    ],
)  # fmt: skip
def test_hostile_files(tmp_path: Path, old: str, new: str, message: str) -> None:
    """One error each, with the line, whatever the counts and digests are."""
    path = tmp_path / "layers"
    certificate_of(board()).save(path)
    text = path.read_text()
    changed = re.sub(old, new, text, count=1)
    assert changed != text
    path.write_text(changed)
    with pytest.raises(InputFormatError, match=re.escape(message)):
        Certificate.load(path)


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`solve` writes it, `certify` makes the layers again; a forged file with a right digest is rejected."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "board").write_text("5 1 2\n3 4 0\n", encoding="utf-8")
    solving = ("solve", "board", "--problem", "tiles", "--engine", "external_bfs", "--no-draw")
    assert main([*solving, "--backend", "compiled", "--certificate", "proof"]) == 0
    assert re.search(r"certificate +proof, \d+ states *\n", capsys.readouterr().out)
    assert main(["certify", "board", "proof"]) == 0
    assert "no path costs less than 11" in capsys.readouterr().out
    assert main(["certify", "board", "proof", "--backend", "compiled"]) == 0
    assert "the compiled view has the successors" in capsys.readouterr().out
    assert main(["certify", "board", "proof", "--max-states", "50"]) == 3
    shown = capsys.readouterr().out
    assert "no error found, and not all is proved" in shown
    assert "no path costs less than 11: 8 of 11 layers were made again" in shown
    lines = (tmp_path / "proof").read_text().splitlines()[:-1]
    lines[-1] = "1" + lines[-1]
    text = "".join(f"{line}\n" for line in lines).encode()
    (tmp_path / "proof").write_bytes(text + f"end {len(lines)} {sha256(text).hexdigest()}\n".encode())
    assert main(["certify", "board", "proof"]) == 1
    assert "rejected: layer 10 has 1" in capsys.readouterr().out
