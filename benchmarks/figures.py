"""All measurements that docs/reference/benchmarks.md shows, one after the other; about seven minutes.

Runs the commands limit, memory, growth, overhead, korf and peers, and then plot. Install the environments of the
other libraries first, with `python -m benchmarks peers --install`.
"""

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from benchmarks.documents import RESULTS

PARTS = ("limit", "memory", "growth", "overhead", "korf", "peers.command")
WITH_REFERENCE = ("limit", "memory")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all; return 2 where the reference can't be compiled, otherwise 1 where an answer is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reference", help="the C++ source to measure against")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write to")
    chosen = parser.parse_args(arguments)
    worst = 0
    for part in PARTS:
        print(f"\n{part.partition('.')[0]}\n", flush=True)
        words = [chosen.reference] if part in WITH_REFERENCE else []
        code = import_module(f"benchmarks.{part}").main([*words, "--results", str(chosen.results)])
        if code == 2:
            return 2
        worst = max(worst, code)
    if chosen.results == RESULTS:
        import_module("benchmarks.plot").main([])
    return worst
