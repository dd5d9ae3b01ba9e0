"""The command line. `main` is all of it that other code calls."""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command `searchkit` with these arguments, by default those of the process; return the exit code.

    0: solved, or done. 1: proved unsolvable, a scenario that does not agree, a certificate
    that is rejected, or a promise that `check` finds broken. 2: wrong use or input; one message on
    stderr says what to do, and with SEARCHKIT_DEBUG=1 the traceback as well. 3: cut off by a limit or by Ctrl-C.
    """
    try:
        from searchkit.cli.app import run

        return run(arguments)
    except KeyboardInterrupt:  # before the command has begun, or after its end
        print("interrupted", file=sys.stderr)
        return 3
