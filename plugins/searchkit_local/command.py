"""`searchkit local`: local search from the command line."""

from collections.abc import Sequence
from statistics import mean
from typing import Annotated, Any

import typer
from rich.console import Console

from searchkit.cli import kit
from searchkit.plugin import UnknownNameError
from searchkit_local.search import CAVEAT, LocalResult, LocalSearch, method_named

COUNTED = ("seed", "value", "goal", "cut_off", "steps", "evaluated", "seconds")
"""What `--json` says of each run."""
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def local(
    source: kit.Source,
    problem: kit.Problem = None,
    method: Annotated[
        str,
        typer.Option("--method", metavar="M", help="hill_climbing, annealing, local_beam or genetic."),
    ] = "hill_climbing",
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="The seed; of several runs, of the first.")
    ] = 0,
    runs: Annotated[
        int,
        typer.Option("--runs", metavar="N", min=1, help="Search N times, with one seed after the other."),
    ] = 1,
    set: kit.Settings = None,
    max_steps: Annotated[
        int | None,
        typer.Option("--max-steps", metavar="N", min=0, help="Stop each run after so many steps."),
    ] = None,
    max_seconds: kit.MaxSeconds = None,
    json: kit.Json = False,
    draw: kit.Draw = None,
) -> int:
    """Look for a state of large value: move to neighbours, and prove nothing.

    The problem needs value(state). Exit code 0: the runs ended by themselves; 3: a limit or Ctrl-C ended them.

    Example: searchkit local complete_queens --method hill_climbing --set sideways=100 --runs 100
    """
    kit.check_options(locals())
    chosen = method_named(method)
    names = {option.name for option in chosen.options}
    settings = kit.read_settings(set or ())
    options = {name: value for name, value in settings.items() if name in names}
    rest = [f"{name}={value}" for name, value in settings.items() if name not in names]
    try:
        task = kit.Request.of(source, problem, settings=rest).resolve()
    except UnknownNameError as error:
        if not rest:
            raise
        raise UnknownNameError(f"{error}; method {method!r} has {', '.join(sorted(names))}") from None
    results: list[LocalResult] = []
    left = max_seconds
    with kit.interruptible() as interruption:
        for number in range(runs):
            search = LocalSearch(task.problem, method, seed=seed + number, **options)
            interruption.watch(search)
            results.append(search.run(kit.Limits(expansions=max_steps, seconds=left)))
            if results[-1].cut_off:
                break
            left = None if left is None else max(0.0, left - results[-1].seconds)
    best = max(results, key=lambda result: (result.goal, result.value))
    if json:
        kit.write_json("local", _object(task.kind, results, best))
    else:
        _show(kit.result_console(), results, best, draw is not False)
    return kit.CUT_OFF if any(result.cut_off for result in results) else kit.DONE


def _object(kind: str, results: Sequence[LocalResult], best: LocalResult) -> dict[str, Any]:
    """Return what `--json` prints: the best run whole, and of each run what can be counted."""
    return {
        "problem": kind,
        "method": best.method,
        "options": {name: kit.plain(value) for name, value in best.options.items()},
        "best": {
            "seed": best.seed,
            "state": kit.plain(best.state),
            "value": kit.json_number(best.value),
            "goal": best.goal,
            "stopped": best.stopped,
            "values": [kit.json_number(value) for value in best.values],
        },
        "runs": [
            {name: kit.plain(getattr(result, name)) for name in COUNTED}
            | {"value": kit.json_number(result.value)}
            for result in results
        ],
    }


def _show(console: Console, results: Sequence[LocalResult], best: LocalResult, draw: bool) -> None:
    """Print the best state that was found, and what became of the runs."""
    if draw:
        console.print(str(best.draw()))
    if len(results) == 1:
        console.print(str(best))
        return
    lines = [f"{best.method}, {len(results)} runs, seeds {results[0].seed} to {results[-1].seed}"]
    for name, goal in (("a goal", True), ("no goal", False)):
        steps = [result.steps for result in results if result.goal is goal]
        average = f", {mean(steps):.1f} steps on average" if steps else ""
        lines.append(f"{name}: {len(steps)} of {len(results)} runs, {len(steps) / len(results):.1%}{average}")
    lines.append(f"the best value: {best.value}, with --seed {best.seed}")
    if not best.goal:
        lines.append(CAVEAT)
    console.print("\n".join(lines))
