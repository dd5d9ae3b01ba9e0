"""`searchkit translate`: says whether a problem in plain Python becomes machine code, and how much faster it is."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

from searchkit.cli import kit
from searchkit.errors import InvalidProblemError, MissingExtraError

if TYPE_CHECKING:
    from searchkit.translate.translation import Translation

    Made = tuple[Translation, list[Any]]  # and the states that it was compared on


def translate(
    source: kit.Source,
    problem: kit.Problem = None,
    start: kit.Starts = None,
    goal: kit.Goals = None,
    set: kit.Settings = None,
    assembly: Annotated[
        str | None, kit.option("--assembly", "FILE", "Write the generated code there, as LLVM assembly.")
    ] = None,
    json: kit.Json = False,
) -> int:
    """Say whether a problem can be translated to machine code.

    Looks at about 1,500 of its states, generates the code, and compares it with Python on all of them. Prints how a
    state is stored, how long it took, and how much faster a state is expanded; or the one reason why it stays in
    Python. Nothing is searched.

    Exit code 0: translated; 1: not translated; 2: wrong use or input.

    Example: searchkit translate pegs.py:Line --set holes=110110
    """
    if assembly is not None:
        kit.refuse_unwritable("--assembly", assembly, source)
    task = kit.Request.of(source, problem, start, goal, set).resolve()
    begin = perf_counter()
    made = attempt(task)
    taken = perf_counter() - begin
    if assembly is not None and not isinstance(made, str):
        kit.write_file(Path(assembly), made[0].text)
    report = report_of(task.kind, made, taken)
    if json:
        kit.write_json("translate", report)
    else:
        from searchkit.cli.report import rows

        view = [("view", "its own, which is used instead")] if getattr(task.problem, "compiled", None) else []
        kit.result_console().print(rows((*rows_of(report), *view)))
    return kit.FAILED if isinstance(made, str) else kit.DONE


def attempt(task: kit.Task) -> "Made | str":
    """Return the machine code of a problem and a sample of its states, or the reason why there is none.

    Raises `MissingExtraError` without llvmlite, `InvalidProblemError` if the problem raises an exception.
    """
    try:
        from searchkit.translate.profile import edges_of
        from searchkit.translate.view import PATIENT_MAKING, Maker
    except ImportError as error:
        advice = "install them with: pip install 'statespace-searchkit[fast]'"
        raise MissingExtraError(f"machine code needs numpy and Numba ({error}); {advice}") from error
    maker = Maker(task.problem, seconds=PATIENT_MAKING)  # as `auto` does
    try:
        for state in task.problem.initial_states():
            if not task.problem.is_goal(state):
                edges_of(task.problem, state)
        return maker.make()
    except Exception as error:
        if type(error).__name__ in ("TranslationError", "DifferenceError", "AssemblyError"):
            return str(error)
        if maker.states:
            return f"a fault in the translator ({type(error).__name__}: {error})"
        raised = f"{type(error).__name__}: {error}"
        raise InvalidProblemError(f"{task.kind} raised {raised}, while its states were looked at") from error


def report_of(kind: str, made: "Made | str", taken: float) -> dict[str, Any]:
    """Return the fields that `--json` prints."""
    if isinstance(made, str):
        return {"problem": kind, "translated": False, "reason": made}
    from searchkit.translate.layout import shown
    from searchkit.translate.translation import Comparison

    translation, states = made
    layout = translation.layout
    python, machine = Comparison(translation).speed(states)
    return {
        "problem": kind,
        "translated": True,
        "reason": None,
        "state": shown(layout.root),
        "bits": layout.bits,
        "words": layout.words,
        "states": translation.states,
        "seconds": taken,
        "python": python,
        "machine_code": machine,
    }


def rows_of(report: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the rows that are printed."""
    if not report["translated"]:
        return [("problem", report["problem"]), ("translated", "no"), ("reason", report["reason"])]
    words, python, machine = report["words"], report["python"], report["machine_code"]
    speed = (
        f"{python * 1e6:.3g} µs in Python, {machine * 1e6:.2g} µs in machine code: × {python / machine:.3g}"
    )
    return [
        ("problem", report["problem"]),
        ("translated", "yes"),
        ("state", f"{report['state']}; {report['bits']} bits in {words} word{'s' * (words > 1)}"),
        ("made in", f"{report['seconds']:.2f} s, compared with Python on {report['states']:,} states"),
        ("a state", speed if machine else "none of them is expanded"),
    ]
