"""The command line. Other code calls only `main`, and commands of plugins import `searchkit.cli.kit`."""

import atexit
import gc
import sys

TYPE_CHECKING = False  # nothing that takes time is imported here, because Ctrl-C is handled only in `main`
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Run the command `searchkit` with these arguments, by default those of the process; return the exit code.

    0: solved, or done. 1: proved unsolvable, or something that was checked does not hold: a scenario, a certificate, a
    promise. 2: wrong use or input; one message on stderr says what to do, with SEARCHKIT_DEBUG=1 after a traceback.
    3: cut off by a limit or by Ctrl-C.
    """
    thresholds = gc.get_threshold()
    # Imports make many objects and no garbage. Looking for it takes a third of the time of a short command.
    gc.set_threshold(100_000, 20, 100)
    if arguments is None:
        atexit.register(gc.freeze)
    try:
        from searchkit.cli.app import run

        return run(arguments)
    except KeyboardInterrupt:  # before the command begins, or after its end
        print("interrupted", file=sys.stderr)
        return 3
    finally:
        gc.set_threshold(*thresholds)
        if arguments is None:
            import signal

            # While the interpreter ends, Ctrl-C would print a traceback.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
