"""Word ladders."""

from collections.abc import Iterable
from functools import cache, cached_property
from itertools import product
from pathlib import Path
from typing import Any

from searchkit import SearchProblem
from searchkit.plugin import Example, Mark, Places, ProblemSpec, option, picture, unknown, with_options


@cache
def knuths_words() -> frozenset[str]:
    """Return the 5,757 English words of five letters that Knuth collected for the Stanford GraphBase (1993)."""
    lines = Path(__file__).with_name("words.dat").read_text(encoding="ascii").splitlines()
    return frozenset(line[:5] for line in lines if not line.startswith("*"))


def words_of(value: Any) -> tuple[str, ...]:
    """Return the words of a text such as `cat,cot,dot`, or of a sequence. Raises ValueError."""
    words = tuple(
        [str(word).strip() for word in (value.split(",") if isinstance(value, str) else value) if word]
    )
    if len(set(map(len, words))) > 1 or not all(map(str.isalpha, words)):
        raise ValueError("expected words of one length, such as cat,cot,dot,dog")
    return words


@with_options
class WordLadder(SearchProblem[str, str]):
    """Change one word into another, one letter at a time, each step a word (Carroll 1879, "Doublets").

    A state is a word, and an action is the next word. Each step costs 1. Neighbours are not stored: each letter is
    replaced by every other, and what is a word is a neighbour.
    """

    start: str = option(
        "the first word, by default one of Knuth's 5,757 words of five letters", default="words"
    )
    goal: str = option("the last word", default="graph")
    heuristic_name: str = option(
        "letters, those that differ; zero", default="letters", choices=("letters", "zero"), alias="heuristic"
    )
    words: tuple[str, ...] = option(
        "all words, such as cat,cot,dot,dog; empty: Knuth's", default=(), convert=words_of
    )

    def __attrs_post_init__(self) -> None:
        for name, word in (("start", self.start), ("goal", self.goal)):
            if word not in self.known:
                what = f"{name}={word}: it is not one of the words"
                raise ValueError(
                    unknown(what, word, self.known, f"expected one of {len(self.known):,} words")
                )

    @cached_property
    def known(self) -> frozenset[str]:
        """All words of the game."""
        return frozenset(self.words) or knuths_words()

    @cached_property
    def letters(self) -> list[str]:
        """All letters of these, in the order of the alphabet."""
        return sorted(set("".join(self.known)))

    def initial_states(self) -> Iterable[str]:
        """Return the first word."""
        return [self.start]

    def successors(self, state: str) -> Iterable[tuple[str, str]]:
        """Return the words that differ in one letter: the first letter first, in the order of the alphabet."""
        for place, old in enumerate(state):
            before, after = state[:place], state[place + 1 :]
            for letter in self.letters:
                if letter != old and before + letter + after in self.known:
                    yield before + letter + after, before + letter + after

    def is_goal(self, state: str) -> bool:
        """Whether this is the last word."""
        return state == self.goal

    def heuristic(self, state: str) -> int:
        """Return the number of letters that still have to change."""
        if self.heuristic_name == "zero":
            return 0
        return sum(one != other for one, other in zip(state, self.goal, strict=True))


TYPE = {
    **{letter: Mark(letter, "#9aa3b2") for letter in "abcdefghijklmnopqrstuvwxyz"},
    **{
        letter: Mark(letter.lower(), "#3ddc84", "letter of the last word")
        for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    },
}
"""Keys of letters; those in their places have capital letters as keys."""


def places(problem: WordLadder) -> Places[str]:
    """Return the word, with the letters that the last word has there in another colour."""
    others = {letter: Mark(letter, "#9aa3b2") for letter in problem.letters if letter not in TYPE}

    def rows(word: str) -> list[str]:
        pairs = zip(word, problem.goal, strict=True)
        return ["".join(one.upper() if one == other and one in TYPE else one for one, other in pairs)]

    return picture(rows, problem.start, TYPE | others, label=str)


SMALL = ["".join(letters) for letters in product("abc", repeat=3)]

SPEC = ProblemSpec(
    "wordladder",
    "one word into another by changing a letter at a time: words to graph in 7 steps",
    WordLadder,
    group="Routes",
    examples=(
        Example("chaos", None, "from chaos to order: 12 steps", {"start": "chaos", "goal": "order"}),
        Example("aloof", None, "a word without neighbours: unsolvable", {"goal": "aloof"}),
    ),
    small={
        "start": ("aaa", "aba", "bca"),
        "goal": ("ccc", "cab", "aba"),
        "words": [
            [w for n, w in enumerate(SMALL) if n % 7 not in out] for out in ((), (1,), (1, 4), (3, 4, 5))
        ],
    },
    places=places,
)
