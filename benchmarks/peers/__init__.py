"""Other libraries on the work for which machine code is made, each in its own environment.

`NAME.txt` lists the exact requirements of a library; `NAME.py` (with underscores for dashes) does the work. It runs
in that environment, without searchkit, so it may import only numpy, the library, and modules that import no more than
these. It has

- one function for each kind of work that the library can do, with the name of the kind (see
  `benchmarks.peers.tasks`). Its arguments are the arrays. It builds what the library searches and returns the search:
  a function without arguments that returns the answer, a number, or an array of distances with infinity for
  unreachable places. It may also return a pair: that function, and another one that turns the answer into the number;
- `LIBRARIES`: the modules to import before the timing starts;
- `warm`, if the library compiles or loads code at the first use: a function that triggers it;
- `EASIER`: kind → why the library's task is easier than searchkit's, if it is;
- `CANNOT`: why the other kinds are missing.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
OURS = "searchkit"
PEERS = tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))


UNDERSCORES = str.maketrans({"-": "_", " ": "_", "+": "_plus"})


def module(name: str) -> str:
    """Return the name of the module that says how a contender does the work."""
    return f"{__name__}.{name.translate(UNDERSCORES)}"
