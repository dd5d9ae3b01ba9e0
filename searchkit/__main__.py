"""`python -m searchkit` is the command `searchkit`."""

from searchkit.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
