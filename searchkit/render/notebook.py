"""What notebooks show for problems, results, searches and recordings: the player, a picture, numbers, text."""

from collections.abc import Iterable, Sequence
from functools import singledispatch
from html import escape
from typing import Any

from attrs import evolve

from searchkit.basics.notebooks import CELL
from searchkit.basics.text import visible
from searchkit.render.draw import Picture, draw
from searchkit.render.moments import Moments
from searchkit.render.player import page
from searchkit.render.scene import svg_image, to_svg
from searchkit.result import Result, condition_of
from searchkit.search.driver import Search
from searchkit.search.limits import Limits
from searchkit.trace.recorder import Recordings
from searchkit.trace.recording import Recording

HEIGHT = 640
"""The height of the player in a notebook, in pixels."""


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
    return _played([recording], recording.title)


@forms.register
def _recordings(recordings: Recordings) -> dict[str, str]:
    return _played(recordings, " · ".join(recording.title for recording in recordings))


def _played(recordings: Sequence[Recording[Any, Any]], title: str) -> dict[str, str]:
    text = "\n".join(f"{recording.title}: {recording.summary}" for recording in recordings)
    width = 98 // len(recordings)
    stills = [svg_image(_end(recording), recording.summary, width) for recording in recordings]
    return {"text/plain": visible(text), "text/html": framed(page(recordings, title), stills, title)}


def _end(recording: Recording[Any, Any]) -> str:
    """Return a picture of the end of a recording, as SVG. A recording that was read from a file has no problem."""
    if recording.problem is not None:
        return draw(recording.problem, recording.result).svg()
    return to_svg(Moments(recording).go(recording.expansions).scene())


def framed(document: str, stills: Iterable[str], title: str) -> str:
    """Return HTML that shows a page in a frame, over pictures that stay if the notebook takes the frame away.

    The frame has an origin of its own: what runs in it can't read the notebook. A notebook that is not trusted shows
    neither frames nor scripts, but images whose data are in the page.
    """
    return (
        f'<div style="position:relative;min-height:{HEIGHT}px">'
        f'<div style="max-height:{HEIGHT}px;overflow:hidden">{"".join(stills)}</div>'
        f'<iframe title="{escape(visible(title))}" sandbox="allow-scripts" srcdoc="{escape(document)}" '
        f'style="position:absolute;left:0;top:0;width:100%;height:{HEIGHT}px;border:0"></iframe></div>'
    )


def _text(text: str, picture: Picture | None) -> str:
    return text if picture is None else f"{text}\n{picture}"


def _picture(picture: Picture | None) -> str:
    return "" if picture is None else svg_image(picture.svg(), repr(picture))


def _facts(result: Result[Any, Any]) -> str:
    """Return the numbers of a result as a table, and its warnings."""
    statistics = result.statistics
    rows = {
        "status": result.status.value if not result.cutoff else f"cut off by {result.cutoff}",
        "cost": "–"
        if result.cost is None
        else f"{result.cost} ({'optimal' if result.optimal else 'not proved optimal'}"
        f"{condition_of(result.assumes) if result.optimal else ''})",
        "lower bound": result.lower_bound,
        "engine": f"{result.engine} ({result.backend})",
        "expanded": f"{statistics.expanded:,}",
        "generated": f"{statistics.generated:,}",
        "reopened": f"{statistics.reopened:,}",
        "seconds": f"{statistics.seconds:.3g}",
    }
    cells = "".join(
        f"<tr><th {CELL}>{name}</th><td {CELL}>{escape(visible(str(value)))}</td></tr>"
        for name, value in rows.items()
    )
    warnings = "".join(f"<p>warning: {escape(visible(warning))}</p>" for warning in result.warnings)
    return f"<table>{cells}</table>{warnings}"
