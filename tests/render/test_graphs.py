"""Pictures of contracted graphs: the places of labels of edges."""

from hypothesis import given
from hypothesis import strategies as st

from searchkit.render.pictures import label_offset

EXTENT = st.floats(0, 500)


@given(st.text("0123456789 (needs)", min_size=1, max_size=20), EXTENT, EXTENT)
def test_labels_are_clear_of_the_nodes(label: str, across: float, down: float) -> None:
    """In the middle of the edge if there is room between the nodes, otherwise next to it, beyond the nodes."""
    right, up = label_offset(label, across, down)
    if (right, up) == (0, 0):
        assert max(across, down) > 16
    else:
        assert (right == 0) == (across >= down)
        assert right + up > 8


def test_a_short_edge_has_its_label_beside_it() -> None:
    """Above a level edge, to the right of an upright one; a long one has it in the middle."""
    assert label_offset("1 (needs d)", 30, 0)[0] == 0 < label_offset("1 (needs d)", 30, 0)[1]
    assert label_offset("1 (needs d)", 0, 10)[1] == 0 < label_offset("1 (needs d)", 0, 10)[0]
    assert label_offset("1 (needs d)", 100, 0) == label_offset("1 (needs d)", 0, 100) == (0, 0)
