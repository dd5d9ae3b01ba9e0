"""The colours of the player: enough contrast for texts, and steps of lightness that greyscale keeps."""

import re
from itertools import combinations

import pytest

from searchkit.render.player import part
from searchkit.render.scene import luminance

TEXTS = [
    (ink, ground) for ink in ("ink", "dim", "accent", "link") for ground in ("paper", "panel", "button")
] + [("on-accent", "accent")]
OUTLINES = [(line, ground) for line in ("control", "accent") for ground in ("paper", "panel", "button")] + [
    (f"series-{n}", "paper") for n in range(1, 5)
]
STATES = ("floor", "wall", "open", "closed", "again")
HALVES = ("floor", "wall", "open", "closed", "again", "open-2", "closed-2")


def themes() -> dict[str, dict[str, str]]:
    """Return the variables of the light and of the dark theme, from the style sheet."""
    style = part("player.css")
    blocks = {
        name: dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", body))
        for name, body in re.findall(r'^(:root(?:\[data-theme="dark"\])?) \{(.*?)^\}', style, re.S | re.M)
    }
    assert len(blocks) == 2
    light, dark = blocks.values()
    assert light.keys() == dark.keys()
    return {"light": light, "dark": dark}


THEMES = themes()


def lightness(colour: str) -> float:
    """Return CIE L*, 0 to 100: equal steps look equal."""
    y = luminance(colour)
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2.2, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_texts_can_be_read(theme: str) -> None:
    """At least 4.5:1, and 3:1 for outlines and lines (WCAG 2.2, 1.4.3 and 1.4.11)."""
    colours = THEMES[theme]
    low = {pair: ratio for pair in TEXTS if (ratio := contrast(colours[pair[0]], colours[pair[1]])) < 4.5} | {
        pair: ratio for pair in OUTLINES if (ratio := contrast(colours[pair[0]], colours[pair[1]])) < 3
    }
    assert low == {}


@pytest.mark.parametrize("theme", THEMES)
def test_states_differ_in_greyscale(theme: str) -> None:
    """States, floor and wall are at least 12 steps of lightness apart; with both halves of a search 9."""
    for names, least in ((STATES, 12), (HALVES, 9)):
        steps = {name: lightness(THEMES[theme][name]) for name in names}
        close = {
            (a, b): abs(steps[a] - steps[b])
            for a, b in combinations(names, 2)
            if abs(steps[a] - steps[b]) < least
        }
        assert close == {}
