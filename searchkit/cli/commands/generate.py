"""`searchkit generate`: makes new instances with the generators of plugins, each of which is a command."""

from inspect import Parameter, Signature
from pathlib import Path
from secrets import randbelow
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from searchkit.cli import kit
from searchkit.cli.app import command_from
from searchkit.plugin.registry import registry

if TYPE_CHECKING:
    from searchkit.plugin.specs import GeneratorSpec

SEEDS = 2**32
"""A seed that is chosen here is below this number."""
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Write to FILE (replacing it), not to stdout."),
]


class Generators(TyperGroup):
    """The generators of all plugins. If several have the same name, that of the first plugin is used."""

    def __init__(self, **settings: Any):
        super().__init__(**settings)
        found = [spec for problem in registry().problems.values() for spec in problem.generators]
        specs = {spec.name: spec for spec in reversed(found)}
        self.commands = {name: command_from(generator(specs[name]), name) for name in sorted(specs)}


app = typer.Typer(
    cls=Generators, subcommand_metavar="GENERATOR …", add_completion=False, rich_markup_mode=None
)


@app.callback(invoke_without_command=True)
def generate(context: typer.Context) -> None:
    """Make a new instance of a problem.

    Prints the text, or writes it to a file for searchkit solve. Without --seed, a seed is chosen and printed on stderr.

    List the generators: searchkit generate. Their options: searchkit generate GENERATOR --help

    Example: searchkit generate maze --size 61x31 --seed 7 -o maze.txt
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def generator(spec: "GeneratorSpec") -> Any:
    """Return the function of a command that makes an instance, with an option for each parameter."""

    def make(output: Path | None, **given: str | None) -> None:
        seed = None
        if "seed" in given and given["seed"] is None:
            seed = randbelow(SEEDS)
            given["seed"] = str(seed)
        text = spec.generate(**{name: value for name, value in given.items() if value is not None})
        if output is None:
            typer.echo(text, nl=False)
        else:
            kit.write_file(output, text)
        if seed is not None:
            typer.echo(f"seed {seed}: the same map again with --seed {seed}", err=True)

    make.__doc__ = f"{spec.summary[:1].upper()}{spec.summary[1:]}."
    options: dict[str, Any] = {}
    for parameter in spec.parameters:
        choices = f"{' | '.join(map(str, parameter.choices))}: " if parameter.choices else ""
        default = f" (default: {parameter.default})" if parameter.default is not None else ""
        flag = f"--{parameter.name.replace('_', '-')}"
        option = kit.option(flag, "VALUE", f"{choices}{parameter.help}{default}")
        options[parameter.name] = Annotated[str | None, option]
    options["output"] = Output
    taken = [Parameter(n, Parameter.KEYWORD_ONLY, default=None, annotation=of) for n, of in options.items()]
    make.__signature__ = Signature(taken)  # type: ignore[attr-defined]  # what Typer reads
    return make
