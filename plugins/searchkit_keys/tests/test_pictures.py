"""Drawings of vaults, and of the graphs that they are contracted to."""

from hypothesis import given, settings

from searchkit import SearchProblem, problem_from
from searchkit.plugin import Drawing
from searchkit.render.drawings import frames, still
from searchkit_keys import (
    ContractedVault,
    ExpandedVault,
    generate_vault,
    searchkit_contract,
    searchkit_places,
    vault,
)
from searchkit_keys.files import VaultProblem
from searchkit_keys.render import site_graph
from searchkit_keys.strategies import vaults
from searchkit_keys.tests.helpers import shipped, solved
from searchkit_keys.vault import Vault


def drawn(problem: VaultProblem) -> Drawing:
    """Solve a problem and draw it."""
    result = solved(problem)
    assert result.search is not None
    expanded = frozenset(result.search.tree.expanded_states())
    drawing = still(problem, result.solution.states if result.solution else (), expanded)
    assert drawing is not None
    return drawing


def test_path_and_order_of_keys() -> None:
    """The path is drawn cell by cell, keys and doors over it, and the legend gives the order of the keys."""
    for contracted in (True, False):
        drawing = drawn(vault(["#b.A.@.a#"], contracted=contracted))
        assert drawing.rows == ("#b1A1@1a#",)
        assert drawing.marks["1"].label == "path (keys in order: a b)"


def test_frames_show_robots_and_what_they_opened() -> None:
    """A key that is held is not drawn, and its doors are open; the path so far is drawn between them."""
    problem = vault(["#b.A.@.a#"], contracted=False)
    result = solved(problem)
    assert result.solution is not None
    rows = [frame.rows[0] for frame in frames(problem, result.solution.states)]
    assert rows[:4] == ["#b.A.&.a#", "#b.A.1&a#", "#b.'.11&#", "#b.'.1&1#"]
    assert rows[-1] == "#&1'1111#"


def test_each_robot_has_its_path_and_its_keys() -> None:
    """Robots keep their numbers, row by row, although states do not distinguish them."""
    problem = ContractedVault(shipped("ignore_other_quadrants_doors_2robots.txt"))
    drawing = drawn(problem)
    assert (drawing.rows[1], drawing.rows[3]) == ("####@Df#", "#eF@22d#")
    assert drawing.marks["1"].label == "path of robot 1 (keys in order: 2f)"
    assert drawing.marks["2"].label == "path of robot 2 (keys in order: 1d 3e)"
    assert drawing.marks["1"].colour != drawing.marks["2"].colour
    assert drawing.marks["1"].glyph != drawing.marks["2"].glyph


def test_expanded_cells_are_shown_on_the_grid() -> None:
    """If the grid is searched; a contracted search expands no cells."""
    rows = ["a...@....", "........."]
    assert "," in "".join(drawn(vault(rows, contracted=False, heuristic="zero")).rows)
    assert "," not in "".join(drawn(vault(rows)).rows)


@settings(deadline=None)
@given(vaults())
def test_every_vault_can_be_drawn(found: Vault) -> None:
    """For both problems, the drawing has the vault's size and shows every letter."""
    for problem in (ContractedVault(found), ExpandedVault(found)):
        drawing = drawn(problem)
        assert (drawing.width, drawing.height) == (len(found.rows[0]), len(found.rows))
        for row, shown in zip(found.rows, drawing.rows, strict=True):
            assert all(mark == there for mark, there in zip(row, shown, strict=True) if mark.isalpha())


def test_other_problems_are_not_drawn() -> None:
    """They are left to the plugins that know them."""
    other: SearchProblem[object, str] = problem_from([((0, 0), 0)], lambda state: [], lambda state: True)
    assert searchkit_places(other) is None
    assert searchkit_contract(other) is None


def test_contracted_graph() -> None:
    """Keys, doors, starts and junctions at their places; edges with steps and the key that is needed."""
    graph = site_graph(Vault.of(("b.A.@..a", "####.#.#", "####c#d#")))
    kinds = {node.label: node.kind for node in graph.nodes}
    assert kinds == {
        "@": "start",
        "a": "key",
        "b": "key",
        "c": "key",
        "d": "key",
        "A": "door",
        "": "junction",
    }
    labels = {edge.ends: edge.label for edge in graph.edges}
    assert labels == {
        ("@ 4,0", "c 4,2"): "2",
        ("@ 4,0", "A 2,0"): "2 (needs a)",
        ("@ 4,0", "junction 6,0"): "2",
        ("a 7,0", "junction 6,0"): "1",
        ("d 6,2", "junction 6,0"): "2",
        ("b 0,0", "A 2,0"): "2 (needs a)",
    }
    assert searchkit_contract(vault(["@.a"])) == site_graph(Vault.of(("@.a",)))


def test_large_vaults_have_small_graphs() -> None:
    """Below a hundred edges for 81x81 cells with 26 keys and as many doors."""
    graph = site_graph(generate_vault(81, 26, 2))
    assert len(graph.edges) < 100
    assert sum(node.kind == "key" for node in graph.nodes) == 26
