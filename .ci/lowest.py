"""Prints the lowest version of each direct requirement that pyproject.toml allows, for pip."""

import tomllib
from pathlib import Path

from packaging.requirements import Requirement

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]
EXTRAS = PROJECT["optional-dependencies"]
WITH_TESTS = {"jsonschema", "pytest-xdist", "sybil"}
"""Of the extra `suite`, what running the tests takes."""


def requirements() -> list[Requirement]:
    """Return what an installation with compiled engines and tests asks for by name."""
    suite = [Requirement(line) for line in EXTRAS["suite"]]
    lines = [*PROJECT["dependencies"], *EXTRAS["fast"], *EXTRAS["testing"]]
    return [*map(Requirement, lines), *(one for one in suite if one.name in WITH_TESTS)]


def main() -> None:
    """Print the constraints."""
    for requirement in requirements():
        if requirement.marker is None or requirement.marker.evaluate():
            (lowest,) = (one.version for one in requirement.specifier if one.operator in (">=", "=="))
            print(f"{requirement.name}=={lowest}")


if __name__ == "__main__":
    main()
