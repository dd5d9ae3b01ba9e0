"""`searchkit demo`: solves an example with several engines."""

from searchkit.cli import kit
from searchkit.errors import UnknownNameError

ENGINES = ("dijkstra", "astar", "wastar", "greedy")
"""Each of them expands less of the map than the one before it."""
NAME = "crypt"


def demo() -> int:
    """Solve an example with four engines.

    Draws the states that each expanded and the path that it found, and compares them.
    The example is the one called crypt, or otherwise the first.

    Example: searchkit demo
    """
    from searchkit.cli.commands.compare import exit_code, gallery, run_engines
    from searchkit.plugin.loading import examples
    from searchkit.plugin.registry import registry

    names = list(examples(registry()))
    if not names:
        raise UnknownNameError("no plugin brings an example to show; see: searchkit plugins")
    name = NAME if NAME in names else names[0]
    task = kit.Request.of(name).resolve(ENGINES)
    rows = run_engines(task, ENGINES, "auto", kit.Limits(seconds=5))
    console = kit.result_console()
    command = f"searchkit compare {name} --engines {','.join(ENGINES)} --draw"
    console.print(f"$ {command}\n", soft_wrap=True)
    for part in gallery(rows, console.width, console.drawing_height, console.means):
        console.print(part)
    console.print(f"\n{rows}", soft_wrap=True)
    return exit_code(rows)
