"""Write the wrong solutions of an assignment as files: python wrong.py search|pacman DIRECTORY.

Each is the reference solution with one typical mistake: the replacements of `solutions/wrong.toml`.
"""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path


def wrong_solutions(assignment: str) -> Iterator[tuple[str, str]]:
    """Yield the file name and the text of each wrong solution of an assignment."""
    folder = Path(__file__).parent / assignment / "solutions"
    solution = (folder / "solution.py").read_text(encoding="utf-8")
    for name, wrong in tomllib.loads((folder / "wrong.toml").read_text(encoding="utf-8")).items():
        text = solution.partition("\n")[2]
        for change in wrong["changes"]:
            if text.count(change["old"]) != 1:
                raise ValueError(f"{name}: solution.py does not have exactly one {change['old']!r}")
            text = text.replace(change["old"], change["new"])
        yield name, f'"""Mistake: {wrong["mistake"]}"""\n{text}'


if __name__ == "__main__":
    assignment, directory = sys.argv[1:]
    Path(directory).mkdir(parents=True, exist_ok=True)
    for name, text in wrong_solutions(assignment):
        (Path(directory) / name).write_text(text, encoding="utf-8")
