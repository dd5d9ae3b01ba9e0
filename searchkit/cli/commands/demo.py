"""`searchkit demo`: solves an example with several engines."""

from searchkit.cli import kit

ENGINES = ("dijkstra", "astar", "wastar", "greedy")
"""Each of them expands less of the map than the one before it."""
NAME = "crypt"


def demo() -> int:
    """Solve an example with four engines.

    Draws the states that each expanded and the path that it found, and compares them.

    Example: searchkit demo
    """
    from searchkit.cli.commands.compare import compare
    from searchkit.plugin.loading import examples
    from searchkit.plugin.registry import registry

    known, engines = examples(registry()), ",".join(ENGINES)
    name = NAME if NAME in known else next(iter(known), NAME)
    command = f"searchkit compare {name} --engines {engines} --draw"
    kit.result_console().print(f"$ {command}\n", soft_wrap=True)
    return compare(name, engines, max_seconds=5, draw=True)
