"""`searchkit new`: writes a plugin package or a rubric from the templates in `searchkit/cli/templates`."""

import re
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from searchkit.basics.files import reporting_unwritable, write_file
from searchkit.cli import kit
from searchkit.errors import InvalidOptionError

app = typer.Typer(add_completion=False, rich_markup_mode=None)

NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
MAX_CHARS = 30
"""Characters of a name at most, so that no line of the package becomes too long."""
TEMPLATES = Path(__file__).parents[1] / "templates"
ENDING = ".txt"
"""The suffix of a template's name; without it, it is the name of the file that the template makes."""


@app.callback()
def new() -> None:
    """Begin a package of your own, or a rubric.

    Example: searchkit new plugin frog
    """


@app.command()
def rubric(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")] = Path("rubric.toml"),
) -> None:
    """Write a rubric that grades two searches and a heuristic. No existing file is overwritten.

    Example: searchkit new rubric
    """
    if file.exists():
        raise InvalidOptionError(f"{file} is there already, and nothing is overwritten; name another file")
    kit.write_file(file, (TEMPLATES / f"rubric.toml{ENDING}").read_text(encoding="utf-8"))
    typer.echo(
        f"{file}: searchkit grade {quote(str(file))} student.py gives points; --check-rubric tries it."
    )


@app.command()
def plugin(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="What the plugin and its kind of problem are called.")
    ],
    dir: Annotated[
        Path | None, kit.option("--dir", "D", "The directory to make (default: searchkit-NAME).")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="With costs, a heuristic, a drawing, a file format and tests.")
    ] = False,
) -> None:
    """Write a plugin package that works as it is.

    It has a problem with an option, the hook, and a pyproject.toml. With --full, also all that a finished plugin has,
    and a README with the next steps. No existing file is overwritten.

    Example: searchkit new plugin frog
    """
    root, made = write_package(name, dir, full)
    first = next(path for path in made if path.suffix == ".py")
    typer.echo(f"{root}: {len(made)} files, to begin with {first.name}. Next:")
    package = '".[dev]"' if full else "."
    typer.echo(f"  cd {quote(str(root))} && python -m pip install --editable {package}")
    if full:
        typer.echo("  python -m pytest && python -m mypy")
    typer.echo(f"  searchkit solve {name}{' --draw' if full else ''}")


def words_for(name: str) -> dict[str, str]:
    """Return placeholder → text for the templates. Raises `InvalidOptionError` for a name that can't be used."""
    if not NAME.fullmatch(name) or len(name) > MAX_CHARS:
        raise InvalidOptionError(
            f"plugin name {name!r}: expected at most {MAX_CHARS} lower-case letters and digits, a letter first, "
            "words joined by - or _: jugs, sliding-tiles"
        )
    from searchkit.plugin.loading import examples
    from searchkit.plugin.registry import registry

    identifier = name.replace("-", "_")
    module = f"searchkit_{identifier}"
    found = registry()
    taken = {plugin.name for plugin in found.plugins} | {*found.problems, *examples(found)}
    if iskeyword(name) or name in taken or find_spec(module):
        reason = "a word of Python's own" if iskeyword(name) else "installed already"
        raise InvalidOptionError(f"plugin name {name!r}: it is {reason}; choose another")
    return {
        "@NAME@": name,
        "@IDENTIFIER@": identifier,
        "@MODULE@": module,
        "@DISTRIBUTION@": f"searchkit-{identifier.replace('_', '-')}",
    }


def write_package(name: str, directory: Path | None, full: bool = False) -> tuple[Path, list[Path]]:
    """Write the package of a new plugin; return its directory and its files. Nothing is overwritten.

    Raises `InvalidOptionError` for a name or a directory that can't be used, and if the package can't be written.
    """
    words = words_for(name)
    root = directory or Path(words["@DISTRIBUTION@"])
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise InvalidOptionError(
            f"{root} is there already, and nothing is overwritten; name another with --dir"
        )
    folder, made = TEMPLATES / ("full" if full else "small"), []
    for template in sorted(folder.rglob(f"*{ENDING}")):
        place = str(template.relative_to(folder)).removesuffix(ENDING)
        for mark, word in words.items():
            place = place.replace(mark, word)
        text = template.read_text(encoding="utf-8")
        for mark, word in words.items():
            text = text.replace(mark, word)
        with reporting_unwritable(root / place):
            (root / place).parent.mkdir(parents=True, exist_ok=True)
            write_file(root / place, text)
        made.append(root / place)
    return root, made
