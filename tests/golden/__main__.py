"""`python -m tests.golden`: list the rows that differ from the file; with `--update`, record them."""

import sys

from tests.golden.rows import FILE, examples, recorded, rows_of, write


def main() -> None:
    """Compare all rows; exit with code 1 if some differ and are not recorded."""
    now = {}
    for example in examples():
        now |= rows_of(example, with_options=False) | rows_of(example, with_options=True)
    before = recorded() if FILE.exists() else {}
    changed = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
    for name in changed:
        print(f"{name}\n  - {before.get(name)}\n  + {now.get(name)}")
    print(f"{len(now)} rows, {len(changed)} changed")
    if "--update" in sys.argv[1:]:
        write(now)
    elif changed:
        sys.exit(1)


main()
