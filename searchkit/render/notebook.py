"""What notebooks show for problems, results, searches and recordings: a picture, numbers, text."""

from collections.abc import Sequence
from functools import singledispatch
from html import escape
from typing import Any

from attrs import evolve

from searchkit.basics.text import visible
from searchkit.render.draw import Picture, draw
from searchkit.result import Result
from searchkit.search.driver import Search
from searchkit.search.limits import Limits
from searchkit.trace.recorder import Recordings
from searchkit.trace.recording import Recording


@singledispatch
def forms(thing: Any) -> dict[str, str]:
    """Return the forms in which a notebook can show something, by MIME type; a thing of no other type is a problem."""
    picture = draw(thing)
    return {"text/plain": _text(repr(thing), picture), "text/html": _picture(picture)}


@forms.register
def _result(result: Result) -> dict[str, str]:  # type: ignore[type-arg]  # singledispatch takes no parameters
    problem = getattr(result.search, "problem", None) if result.search else None
    picture = None if problem is None else draw(problem, result)
    return {"text/plain": _text(str(result), picture), "text/html": _facts(result) + _picture(picture)}


@forms.register
def _search(search: Search) -> dict[str, str]:  # type: ignore[type-arg]
    result = search.run(Limits(expansions=0))
    return _result(evolve(result, cutoff="a pause") if result.cutoff else result)


@forms.register
def _recording(recording: Recording) -> dict[str, str]:  # type: ignore[type-arg]
    return _played([recording])


@forms.register
def _recordings(recordings: Recordings) -> dict[str, str]:
    return _played(recordings)


def _played(recordings: Sequence[Recording[Any, Any]]) -> dict[str, str]:
    text = "\n".join(f"{recording.title}: {recording.summary}" for recording in recordings)
    stills = [
        _picture(draw(recording.problem, recording.result))
        for recording in recordings
        if recording.problem is not None
    ]
    return {"text/plain": visible(text), "text/html": "".join(stills)}


def _text(text: str, picture: Picture | None) -> str:
    return text if picture is None else f"{text}\n{picture}"


def _picture(picture: Picture | None) -> str:
    return "" if picture is None else picture._repr_mimebundle_()["text/html"]


def _facts(result: Result[Any, Any]) -> str:
    """Return the numbers of a result as a table, and its warnings."""
    statistics = result.statistics
    rows = {
        "status": result.status.value if not result.cutoff else f"cut off by {result.cutoff}",
        "cost": "–"
        if result.cost is None
        else f"{result.cost} ({'optimal' if result.optimal else 'not proved optimal'})",
        "lower bound": result.lower_bound,
        "engine": f"{result.engine} ({result.backend})",
        "expanded": f"{statistics.expanded:,}",
        "generated": f"{statistics.generated:,}",
        "reopened": f"{statistics.reopened:,}",
        "seconds": f"{statistics.seconds:.3g}",
    }
    cells = "".join(
        f"<tr><th>{name}</th><td>{escape(visible(str(value)))}</td></tr>" for name, value in rows.items()
    )
    warnings = "".join(f"<p>warning: {escape(visible(warning))}</p>" for warning in result.warnings)
    return f"<table>{cells}</table>{warnings}"
