"""Checks an installation of the built wheel: run with the environment's own Python, outside the checkout."""

import json
import re
import subprocess
import sys
import tempfile
from importlib.metadata import distribution, distributions, requires, version
from importlib.resources import files
from pathlib import Path

NAME = "statespace-searchkit"
BASE = {"attrs", "pluggy", "rich", "sortedcontainers", "typer"}
COMMAND = Path(sys.executable).parent / "searchkit"


def direct_requirements(name: str) -> set[str]:
    """Return the names of what a distribution needs, extras left out."""
    return {
        re.split(r"[^\w.-]", requirement)[0].lower().replace("_", "-")
        for requirement in requires(name) or ()
        if "extra ==" not in requirement
    }


def searchkit(*arguments: str, code: int = 0) -> str:
    """Run the installed command, show what it prints, and insist on its exit code."""
    print(f"\n$ searchkit {' '.join(arguments)}", flush=True)
    done = subprocess.run(
        [COMMAND, *arguments], capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    print(done.stdout[:2000], done.stderr, sep="", flush=True)
    if done.returncode != code or "Traceback" in done.stderr:
        sys.exit(f"searchkit {' '.join(arguments)} ended with exit code {done.returncode}, expected {code}")
    return done.stdout


def main() -> None:
    """Check the installation; exit with a message at the first thing that is wrong."""
    import searchkit as package

    assert package.__file__ is not None
    home = Path(package.__file__).resolve()
    if Path(sys.prefix).resolve() not in home.parents:
        sys.exit(f"searchkit was imported from {home}, not from the wheel's environment {sys.prefix}")
    if direct_requirements(NAME) != BASE:
        sys.exit(f"the base install needs {sorted(direct_requirements(NAME))}, expected {sorted(BASE)}")
    installed = {(d.metadata["Name"]).lower().replace("_", "-") for d in distributions()}
    print(f"installed: {', '.join(sorted(installed))}")
    if installed & {"numpy", "numba", "pytest", "hypothesis", "mkdocs"}:
        sys.exit("the base install is not light: it brings a package that belongs to an extra")
    names = [str(path) for path in distribution(NAME).files or ()]
    plugins = {
        point.value.partition(".")[0]: point.name
        for point in distribution(NAME).entry_points.select(group="searchkit")
        if not point.value.startswith("searchkit.")
    }
    packages = {name.partition("/")[0] for name in names if name.endswith(".py")}
    if packages != {"searchkit", *plugins}:
        sys.exit(f"the wheel holds {sorted(packages)}, and its plugins are {sorted(plugins)}")
    for package_name in packages:
        if not (files(package_name) / "py.typed").is_file():
            sys.exit(f"{package_name} has no py.typed in the wheel")
    tests = [name for name in names if "/tests/" in name and "/templates/" not in name]
    if tests or not any(name.endswith(".map") for name in names):
        sys.exit("the wheel holds tests, or lacks the maps")
    kinds = {Path(name).suffix for name in names if name.startswith("searchkit/render/player/")}
    if not {".js", ".css", ".html"} <= kinds:
        sys.exit(f"the wheel lacks parts of the player: it has only files that end in {sorted(kinds)}")

    if version(NAME) not in searchkit("--version"):
        sys.exit("searchkit --version does not print the version of the wheel")
    searchkit("demo")
    listing = searchkit("plugins")
    if not all(plugin in listing for plugin in plugins.values()) or "failed" in listing:
        sys.exit("searchkit plugins does not list the bundled plugins as active")
    searchkit("engines")
    for problem in json.loads(searchkit("problems", "--json"))["problems"]:
        example = problem["examples"][0]["name"]
        if json.loads(searchkit("solve", example, "--json"))["status"] != "solved":
            sys.exit(f"{example} was not solved")
    with tempfile.TemporaryDirectory() as directory:
        faulty = Path(directory) / "faulty.txt"
        faulty.write_text("####\n#S?G\n####\n", encoding="utf-8")
        searchkit("solve", str(faulty), code=2)
    print("the wheel works outside the checkout")


if __name__ == "__main__":
    main()
