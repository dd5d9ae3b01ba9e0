"""Random numbers that are the same on every machine."""

from collections import Counter
from random import Random

from searchkit_dungeon.generators.chance import below, between, choice, shuffle, take_any


def test_the_same_seed_gives_the_same_numbers_everywhere() -> None:
    """These were drawn on CPython 3.11. They must never change, because every generated map would change."""
    rng = Random(2024)
    letters = list("abcdefgh")
    shuffle(rng, letters)
    drawn = (
        [below(rng, 1000) for _ in range(3)],
        between(rng, 5, 9),
        choice(rng, letters),
        take_any(rng, letters),
    )
    assert ("".join(letters), *drawn) == ("hacgebf", [245, 812, 498], 7, "b", "d")


def test_all_is_equally_likely() -> None:
    """Each of the six orders of three items comes up about as often as the others, and so does each end of a range."""
    rng = Random(0)
    orders: Counter[str] = Counter()
    for _ in range(6000):
        items = list("abc")
        shuffle(rng, items)
        orders["".join(items)] += 1
    assert len(orders) == 6
    assert min(orders.values()) > 850
    assert Counter(between(rng, 2, 4) for _ in range(300)).keys() == {2, 3, 4}


def test_taking_any_empties_the_list() -> None:
    """Every item once."""
    rng, items = Random(0), list(range(20))
    assert sorted(take_any(rng, items) for _ in range(20)) == list(range(20))
    assert not items
