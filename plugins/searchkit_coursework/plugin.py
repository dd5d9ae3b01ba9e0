"""The plugin: two commands."""

from searchkit.plugin import CommandSpec, hookimpl


@hookimpl
def searchkit_commands() -> list[CommandSpec]:
    """Return the commands `check` and `grade`."""
    about = "Check a plain file: a search, a heuristic or a problem."
    return [
        CommandSpec("check", about, "searchkit_coursework.check:check"),
        CommandSpec("grade", "Grade submissions by a rubric.", "searchkit_coursework.grade:grade"),
    ]
