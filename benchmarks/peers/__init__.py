"""Other libraries on the work that machine code is for, each in an environment of its own.

`NAME.txt` lists what a library needs, exactly; `NAME.py` (a dash is an underscore there) says how it does the work. The
latter runs in that environment, where there is no searchkit: it may import numpy, the library, and what imports no more
than these. It has

- one function for each kind of work that the library can do, named after the kind (see `benchmarks.peers.tasks`). It is
  given the arrays, builds what the library searches, and returns the search: a function without arguments that returns
  the answer, a number, or an array of distances with infinite ones where there is no way; or a pair, that function and
  another one that makes the number of what it returns;
- `LIBRARIES`: the modules to be imported before anything is timed;
- `warm`, where the library compiles or loads code at the first use: a function that makes it do so before that;
- `EASIER`: kind → what makes the library's task smaller than ours, where something does;
- `CANNOT`: why there are no other kinds.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
OURS = "searchkit"
PEERS = tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))


UNDERSCORES = str.maketrans({"-": "_", " ": "_", "+": "_plus"})


def module(name: str) -> str:
    """Return the name of the module that says how a contender does the work."""
    return f"{__name__}.{name.translate(UNDERSCORES)}"
