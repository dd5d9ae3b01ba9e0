"""Run the properties of the suite with new examples: `./run fuzz [MINUTES] [ARGUMENTS OF PYTEST]`.

Every engine on every kind of problem, each kernel compared with its engine in Python, every compiled view, translated
programs, and all other properties, with all the examples that they ask for. A failure shows the smallest example, and
what to run to see it again. The exit code is 1 if something failed, and 0 otherwise.
"""

import argparse
import random
import subprocess
import sys
from time import time


def main() -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(
        prog="./run fuzz", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument(
        "minutes", nargs="?", type=float, default=10.0, help="begin no test after so many minutes"
    )
    parser.add_argument(
        "--seed", type=int, help="all examples follow from it; by default another one each time"
    )
    parser.add_argument("--effort", default="1", help="share of its max_examples that a property is tried on")
    given, others = parser.parse_known_args()
    first = random.SystemRandom().randrange(2**32) if given.seed is None else given.seed
    end = time() + 60 * given.minutes
    for seed in range(first, first + 1_000):
        print(f"--seed {seed}", flush=True)
        how = [
            f"--until={end}",
            f"--effort={given.effort}",
            f"--hypothesis-seed={seed}",
            "--hypothesis-profile=fuzz",
        ]
        command = [sys.executable, "-m", "pytest", "-m", "thorough", "-p", "no:cacheprovider", *how]
        code = subprocess.run([*command, "--numprocesses", "auto", *others], check=False).returncode
        if code or time() > end:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
