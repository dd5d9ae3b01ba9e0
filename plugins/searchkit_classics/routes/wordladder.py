"""Word ladders."""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError, unknown
from searchkit_classics.options import listing, one_of

HEURISTICS = ("letters", "zero")


@cache
def knuths_words() -> frozenset[str]:
    """Return the 5,757 English words of five letters that Knuth collected for the Stanford GraphBase (1993)."""
    lines = Path(__file__).with_name("words.dat").read_text(encoding="ascii").splitlines()
    return frozenset(line[:5] for line in lines if not line.startswith("*"))


class WordLadder(SearchProblem[str, str]):
    """Change one word into another, one letter at a time, each step a word (Carroll 1879, "Doublets").

    A state is a word, and an action is the next word. Each step costs 1. Neighbours are not stored: each letter is
    replaced by every other, and what is a word is a neighbour.

    Args:
        start: the first word.
        goal: the last word.
        heuristic: `letters`, the number of letters that differ from those of the goal, or `zero`.
        words: all words of the game, of one length, such as `cat,cot,dot,dog`; "" for Knuth's words of five letters.

    """

    def __init__(
        self,
        start: str = "words",
        goal: str = "graph",
        heuristic: str = HEURISTICS[0],
        words: str | Sequence[str] = "",
    ):
        self.words = frozenset(listing(words).split(",")) if words else None
        known = self.known_words()
        if len(set(map(len, known))) != 1 or not all(map(str.isalpha, known)):
            raise InvalidOptionError(
                f"words={listing(words)}: expected words of one length, such as cat,cot,dot,dog"
            )
        for name, word in (("start", start), ("goal", goal)):
            if word not in known:
                raise InvalidOptionError(
                    f"{name}={word}: "
                    + unknown(
                        "it is not one of the words", word, known, f"expected one of {len(known):,} words"
                    )
                )
        self.start, self.goal = start, goal
        self.heuristic_name = one_of("heuristic", heuristic, HEURISTICS)
        self.letters = sorted(set("".join(known)))

    def known_words(self) -> frozenset[str]:
        """Return all words of the game."""
        return knuths_words() if self.words is None else self.words

    def initial_states(self) -> Iterable[str]:
        """Return the first word."""
        return [self.start]

    def successors(self, state: str) -> Iterable[tuple[str, str]]:
        """Return the words that differ in one letter: the first letter first, in the order of the alphabet."""
        known = self.known_words()
        for place, old in enumerate(state):
            before, after = state[:place], state[place + 1 :]
            for letter in self.letters:
                if letter != old and before + letter + after in known:
                    yield before + letter + after, before + letter + after

    def is_goal(self, state: str) -> bool:
        """Whether this is the last word."""
        return state == self.goal

    def heuristic(self, state: str) -> int:
        """Return the number of letters that still have to change."""
        if self.heuristic_name == "zero":
            return 0
        return sum(one != other for one, other in zip(state, self.goal, strict=True))

    def __repr__(self) -> str:
        words = f" words={','.join(sorted(self.words))}" if self.words else ""
        return f"<WordLadder start={self.start} goal={self.goal} heuristic={self.heuristic_name}{words}>"
