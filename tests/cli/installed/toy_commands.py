"""The command of the toy plugin: a function with the options of `searchkit.cli.kit`."""

from searchkit.cli import kit


def starts(
    source: kit.Source, problem: kit.Problem = None, set: kit.Settings = None, json: kit.Json = False
) -> int:
    """Count the start states of a problem.

    Exit code 1: there is none.

    Example: searchkit starts meadow
    """
    task = kit.Request.of(source, problem, settings=set).resolve()
    count = len(list(task.problem.initial_states()))
    if json:
        kit.write_json("starts", {"problem": task.kind, "starts": count})
    else:
        kit.result_console().print(f"{task.kind}: {count} start states")
    return kit.DONE if count else kit.FAILED
