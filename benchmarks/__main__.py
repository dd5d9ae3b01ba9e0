"""The command `python -m benchmarks`, with one sub-command for each measurement."""

import sys
from collections.abc import Sequence
from importlib import import_module

COMMANDS = {
    "limit": ("benchmarks.limit", "machine code compared with hand-tuned C++"),
    "peers": ("benchmarks.peers.command", "machine code compared with other libraries"),
    "python": ("benchmarks.python.command", "the engines in Python compared with a hand-written loop"),
    "auto": ("benchmarks.auto", "the cost of auto compared with the better backend"),
    "translate": ("benchmarks.translate", "plain Python as machine code: which problems, how soon, and how fast"),
    "scale": ("benchmarks.scale", "searches beyond memory: states a CPU-second, memory, disk, efficiency"),
    "robots": ("benchmarks.robots", "engines for robots that move at the same time"),
    "power": ("benchmarks.power", "which planted defects check_engine finds, and with how many seeds"),
    "pages": ("benchmarks.pages", "write the tables of the documentation and the README"),
}  # fmt: skip
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
