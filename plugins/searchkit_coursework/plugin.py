"""The plugin: two commands."""

from searchkit.plugin import CommandSpec, hookimpl


@hookimpl
def searchkit_commands() -> list[CommandSpec]:
    """Return the commands `check` and `grade`."""
    return [
        CommandSpec(
            "check",
            "Check a plain file: a search, a heuristic or a problem.",
            "searchkit_coursework.commands.check:app",
        ),
        CommandSpec("grade", "Grade submissions by a rubric.", "searchkit_coursework.commands.grade:app"),
    ]
