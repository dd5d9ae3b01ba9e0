"""The command `python -m benchmarks`, with one sub-command for each measurement."""

import sys
from collections.abc import Sequence
from importlib import import_module

COMMANDS = {
    "limit": ("benchmarks.cpp.limit", "machine code compared with hand-tuned C++: limit REFERENCE.cpp"),
    "peers": (
        "benchmarks.peers.command",
        "machine code compared with other libraries, each in its own environment",
    ),
    "growth": ("benchmarks.machine_code.growth", "how time grows with size"),
    "overhead": (
        "benchmarks.machine_code.overhead",
        "the overhead of a small search, observers, certificates and ties",
    ),
    "auto": ("benchmarks.machine_code.auto", "the cost of auto compared with the better backend"),
    "translate": (
        "benchmarks.machine_code.translate",
        "plain Python as machine code: which problems, how soon, and how fast",
    ),
    "memory": ("benchmarks.cpp.memory", "memory for each state compared with C++: memory REFERENCE.cpp"),
    "scale": (
        "benchmarks.machine_code.scale",
        "searches beyond memory: states a CPU-second, memory, disk, efficiency",
    ),
    "korf": ("benchmarks.problems.korf", "Korf's hundred 15-puzzles"),
    "many": ("benchmarks.machine_code.many", "one map, many queries, on one core and on several"),
    "plot": (
        "benchmarks.pages.plot",
        "draw the results, and write the tables of the documentation",
    ),
    "all": ("benchmarks.pages.every", "the figures of the documentation, in 20 minutes: all [REFERENCE.cpp]"),
    "python": (
        "benchmarks.python.in_python",
        "the engines in Python compared with a hand-written loop and other libraries",
    ),
    "versions": (
        "benchmarks.python.versions",
        "the engines in Python under several versions of Python: versions PYTHON …",
    ),
    "ties": ("benchmarks.python.ties", "every order of ties of every engine, in Python"),
    "inconsistent": ("benchmarks.python.inconsistent", "which A* is optimal with inconsistent heuristics"),
    "vaults": ("benchmarks.problems.vaults", "keys and doors: contraction compared with the grid"),
    "robots": ("benchmarks.problems.robots", "engines for robots that move at the same time"),
    "power": (
        "benchmarks.testing.power",
        "which planted defects check_engine finds, and with how many seeds",
    ),
    "player": (
        "benchmarks.recorded.player",
        "the page that plays searches: its size, and its speed in Chromium",
    ),
    "corridors": (
        "benchmarks.problems.corridors",
        "coarse-to-fine search compared with breadth-first search",
    ),
}
"""command → its module, whose `main(arguments)` returns an exit code, and a summary."""


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
