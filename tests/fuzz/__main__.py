"""Look for failures that the suite has no example of: `./run fuzz [MINUTES]`.

Every engine on every kind of problem and each backend, every compiled view, and the properties of the suite, with newly
drawn examples. A failure is printed as a file: put it into a folder of tests, and it fails until the fault is fixed.
The exit code is 1 if something failed, and 0 otherwise.
"""

import argparse
import os
import random
import sys
from pathlib import Path
from time import monotonic

from searchkit.errors import SearchkitError
from tests.fuzz.driver import Fuzz
from tests.fuzz.looks import looks

EXAMPLES = 30


def arguments() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    how = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(prog="./run fuzz", description=__doc__, formatter_class=how)
    parser.add_argument(
        "minutes", nargs="?", type=float, help="begin no look after so many minutes (default: 10)"
    )
    parser.add_argument(
        "--seed", type=int, help="what all examples follow from; by default another one each time"
    )
    parser.add_argument("--rounds", type=int, help="look at everything so often, whatever time it takes")
    parser.add_argument(
        "--examples", type=int, default=EXAMPLES, help=f"problems of each look (default: {EXAMPLES})"
    )
    parser.add_argument(
        "--effort",
        type=float,
        default=1,
        help="share of its max_examples that a property is tried on (default: 1)",
    )
    parser.add_argument(
        "--engines", default="", help="names, separated by commas, and nothing but these; or module:function"
    )
    parser.add_argument("--into", type=Path, help="also write the files of failures into this folder")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="looks at a time")
    return parser


def main() -> int:
    """Run the command; return its exit code."""
    given = arguments().parse_args()
    seed = random.SystemRandom().randrange(2**32) if given.seed is None else given.seed
    minutes = given.minutes if given.minutes is not None or given.rounds else 10
    end = None if minutes is None else monotonic() + 60 * minutes
    try:
        every = looks(tuple(filter(None, given.engines.split(","))), given.effort)
    except SearchkitError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{len(every)} looks, --seed {seed}", flush=True)
    fuzz = Fuzz(every, seed, given.examples, given.processes, given.into)
    fuzz.run(given.rounds, end)
    print(f"{fuzz.done} looks done, {len(fuzz.failures)} failed (--seed {seed})")
    return 1 if fuzz.failures else 0


if __name__ == "__main__":
    sys.exit(main())
