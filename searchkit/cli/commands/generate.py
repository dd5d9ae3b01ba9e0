"""`searchkit generate`: makes new instances with the generators of plugins."""

from pathlib import Path
from secrets import randbelow
from typing import TYPE_CHECKING, Annotated, Any

import typer

from searchkit.cli import completion, kit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from searchkit.plugin.specs import GeneratorSpec

app = typer.Typer(add_completion=False, rich_markup_mode=None)

HELP = ("-h", "--help")
SEEDS = 2**32
"""A seed that is chosen here is below this number."""


@app.command(
    add_help_option=False,  # typer does not know the options of a generator
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def generate(
    context: typer.Context,
    generator: Annotated[
        str | None,
        typer.Argument(
            metavar="GENERATOR",
            help="What to make; without it, they are listed.",
            autocompletion=completion.generators,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write to FILE (replacing it), not to stdout."),
    ] = None,
) -> None:
    """Make a new instance of a problem, with the options of its generator.

    Prints the text, or writes it to a file for searchkit solve. Without --seed, a seed is chosen and printed on stderr.

    List the generators: searchkit generate. Their options: searchkit generate GENERATOR --help

    Example: searchkit generate maze --size 61x31 --seed 7 -o maze.txt
    """
    from searchkit.errors import InvalidOptionError

    wants_help = generator in HELP or any(word in HELP for word in context.args)
    if generator is None or generator in HELP:
        if wants_help:
            typer.echo(context.get_help())
        else:
            kit.result_console().print(_listing())
        return
    if generator.startswith("-"):
        raise InvalidOptionError(
            f"{generator}: the generator comes first, then its options: searchkit generate GENERATOR {generator} …; "
            f"the generators are {', '.join(_generators())}"
        )
    spec = _find(generator)
    if wants_help:
        kit.result_console().print(_help(spec))
        return
    text, seed = _make(spec, _read(spec, context.args))
    if output is None:
        typer.echo(text, nl=False)
    else:
        kit.write_file(output, text)
    if seed is not None:
        typer.echo(f"seed {seed}: the same map again with --seed {seed}", err=True)


def _generators() -> "dict[str, list[tuple[str, GeneratorSpec]]]":
    """Return the generators by name, each with the names of the plugins that bring it."""
    from searchkit.plugin.registry import registry

    found: dict[str, list[tuple[str, GeneratorSpec]]] = {}
    for plugin, call in registry().calls("searchkit_problems"):
        for problem in call():
            for spec in problem.generators:
                found.setdefault(spec.name, []).append((plugin, spec))
    return dict(sorted(found.items()))


def _find(name: str) -> "GeneratorSpec":
    from searchkit.errors import PluginError, UnknownNameError, unknown
    from searchkit.plugin.registry import DISABLE_VARIABLE

    every = _generators()
    if name not in every:
        listing = f"there are {', '.join(every) or 'none'}"
        raise UnknownNameError(unknown(f"there is no generator {name!r}", name, every, listing))
    owners = [plugin for plugin, _ in every[name]]
    if len(owners) > 1:
        raise PluginError(
            f"generator {name!r} is brought by several plugins: {' and '.join(owners)}; "
            f"block all but one of them with {DISABLE_VARIABLE}={owners[-1]}"
        )
    return every[name][0][1]


def _read(spec: "GeneratorSpec", words: "Sequence[str]") -> dict[str, str]:
    """Return the values as given, by option."""
    from searchkit.errors import InvalidOptionError, UnknownNameError, unknown

    known = [_flag(parameter.name) for parameter in spec.parameters]
    read: dict[str, str] = {}
    rest = list(words)
    while rest:
        flag, equals, value = rest.pop(0).partition("=")
        if not flag.startswith("-"):
            raise InvalidOptionError(
                f"{flag}: expected an option of generator {spec.name!r}: {', '.join(known)}"
            )
        if flag not in known:
            listing = f"its options are {', '.join(known) or 'none'}"
            raise UnknownNameError(
                unknown(f"generator {spec.name!r} has no option {flag}", flag, known, listing)
            )
        if not equals and not rest:
            raise InvalidOptionError(
                f"{flag}: expected a value after it; see: searchkit generate {spec.name} --help"
            )
        if flag in read:
            raise InvalidOptionError(f"{flag} is given twice; give it once")
        read[flag] = value if equals else rest.pop(0)
    return read


def _make(spec: "GeneratorSpec", given: "Mapping[str, str]") -> tuple[str, int | None]:
    """Return the text, and the seed if this function chose it."""
    from attrs import evolve

    seed = None
    if "--seed" not in given and any(parameter.name == "seed" for parameter in spec.parameters):
        seed = randbelow(SEEDS)
        given = {**given, "--seed": str(seed)}
    # The options are read under their names on the command line, so that error messages quote those.
    typed = evolve(spec, parameters=tuple(evolve(p, name=_flag(p.name)) for p in spec.parameters))
    options = typed.parse(given)
    return spec.make(**{p.name: options[_flag(p.name)] for p in spec.parameters}), seed


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _listing() -> Any:
    brought = [
        (name, plugin, spec.summary) for name, found in _generators().items() for plugin, spec in found
    ]
    table = kit.table(("generator", "plugin", "what it makes"), brought)
    table.caption = "options of one: searchkit generate GENERATOR --help"
    return table


def _help(spec: "GeneratorSpec") -> Any:
    from rich.console import Group
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 2))
    for parameter in spec.parameters:
        choices = f"{' | '.join(map(str, parameter.choices))}: " if parameter.choices else ""
        default = f" (default: {parameter.default})" if parameter.default is not None else ""
        table.add_row(_flag(parameter.name), f"{choices}{parameter.help}{default}")
    table.add_row("-o, --output", "the file to write (replacing it), not stdout")
    return Group(
        f"Usage: searchkit generate {spec.name} [OPTIONS]\n",
        f"  {spec.summary[:1].upper()}{spec.summary[1:]}.\n",
        "Options:",
        table,
    )
