"""`python -m benchmarks`: everything that is measured, by sub-command."""

import sys
from collections.abc import Sequence
from importlib import import_module

COMMANDS = {
    "limit": ("benchmarks.limit", "searchkit compiled, next to hand-tuned C++: limit REFERENCE.cpp"),
    "peers": (
        "benchmarks.peers.command",
        "searchkit compiled, next to other libraries, each in its environment",
    ),
    "growth": ("benchmarks.growth", "how time grows with size"),
    "overhead": ("benchmarks.overhead", "what a small search costs; observers, certificates, ties"),
    "auto": ("benchmarks.auto", "what auto costs, next to the better backend"),
    "memory": ("benchmarks.memory", "memory per state, next to C++: memory REFERENCE.cpp"),
    "korf": ("benchmarks.korf", "Korf's hundred 15-puzzles"),
    "many": ("benchmarks.many", "one map, many queries, on one core and on several"),
    "plot": (
        "benchmarks.plot",
        "draw what was measured, and write the tables of docs/reference/benchmarks.md",
    ),
    "figures": ("benchmarks.figures", "all of the above, one after the other: figures REFERENCE.cpp"),
    "python": (
        "benchmarks.in_python",
        "searchkit in Python, next to a hand-written loop and other libraries",
    ),
    "ties": ("benchmarks.ties", "every order of ties of every engine, in Python"),
    "inconsistent": ("benchmarks.inconsistent", "which A* is right with inconsistent heuristics"),
    "vaults": ("benchmarks.vaults", "keys and doors: contraction against grid"),
    "robots": ("benchmarks.robots", "engines for robots that move at once"),
    "power": ("benchmarks.power", "which planted defects check_engine finds, and with how many seeds"),
    "shares": ("benchmarks.shares", "how many of the problems that strategies draw are not trivial"),
    "corridors": ("benchmarks.corridors", "coarse-to-fine search against breadth-first"),
}
"""command → its module, whose `main(arguments)` returns an exit code, and what it measures."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the first argument names; return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or words[0] in ("-h", "--help", "help"):
        print(usage())
        return 0
    if words[0] not in COMMANDS:
        print(f"error: there is no command {words[0]!r}\n\n{usage()}", file=sys.stderr)
        return 2
    sys.argv[0] = f"python -m benchmarks {words[0]}"  # which the help of a command begins with
    return int(import_module(COMMANDS[words[0]][0]).main(words[1:]))


def usage() -> str:
    """Return the list of commands."""
    lines = [f"  {name:<13} {summary}" for name, (_, summary) in COMMANDS.items()]
    return "\n".join(
        ["usage: python -m benchmarks COMMAND [OPTIONS]      (COMMAND --help says more)", "", *lines]
    )


if __name__ == "__main__":
    sys.exit(main())
