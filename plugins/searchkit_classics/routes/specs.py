"""What the plugin registers of this group."""

from searchkit.plugin import Example, Parameter, ProblemSpec, imported_late
from searchkit_classics.options import listing
from searchkit_classics.routes.romania import HEURISTICS as ROMANIA
from searchkit_classics.routes.romania import TOWNS, Romania
from searchkit_classics.routes.tram import Tram
from searchkit_classics.routes.wordladder import HEURISTICS as LADDER
from searchkit_classics.routes.wordladder import WordLadder

GROUP, STRATEGIES = "Routes", "searchkit_classics.routes.strategies"

SPECS = (
    ProblemSpec(
        name="romania",
        summary="the shortest way between two towns of Romania: Arad to Bucharest, 418 km",
        factory=Romania,
        instance=Romania,
        group=GROUP,
        parameters=(
            Parameter("start", "the town to start from", "Arad", choices=tuple(TOWNS)),
            Parameter("goal", "the town to drive to", "Bucharest", choices=tuple(TOWNS)),
            Parameter(
                "heuristic",
                "straight-line, the table of the book; map, measured on the map; zero",
                ROMANIA[0],
                choices=ROMANIA,
            ),
        ),
        examples=(
            Example(
                "iasi",
                None,
                "Timisoara to Iasi: across the whole map",
                {"start": "Timisoara", "goal": "Iasi"},
            ),
        ),
        strategy=imported_late(STRATEGIES, "romanias"),
        always_solvable=True,
    ),
    ProblemSpec(
        name="tram",
        summary="from block 1 to block n of a street, on foot or by a tram that doubles the number: 6 minutes to 10",
        factory=Tram,
        instance=Tram,
        group=GROUP,
        parameters=(
            Parameter("n", "the last block", 10, convert=int),
            Parameter("walk", "the minutes to walk one block", 1, convert=int),
            Parameter("tram", "the minutes of a ride", 2, convert=int),
        ),
        examples=(Example("tram100", None, "to block 100", {"n": 100}),),
        strategy=imported_late(STRATEGIES, "trams"),
        always_solvable=True,
    ),
    ProblemSpec(
        name="wordladder",
        summary="one word into another by changing a letter at a time: words to graph in 7 steps",
        factory=WordLadder,
        instance=WordLadder,
        group=GROUP,
        parameters=(
            Parameter(
                "start", "the first word, by default one of Knuth's 5,757 words of five letters", "words"
            ),
            Parameter("goal", "the last word", "graph"),
            Parameter("heuristic", "letters, those that differ; zero", LADDER[0], choices=LADDER),
            Parameter("words", "all words, such as cat,cot,dot,dog; empty: Knuth's", "", convert=listing),
        ),
        examples=(
            Example("chaos", None, "from chaos to order: 12 steps", {"start": "chaos", "goal": "order"}),
            Example("aloof", None, "a word without neighbours: unsolvable", {"goal": "aloof"}),
        ),
        strategy=imported_late(STRATEGIES, "wordladders"),
    ),
)
