"""What notebooks show for problems, results, searches and recordings: the player, a picture, numbers, text."""

from collections.abc import Iterable
from functools import singledispatch
from html import escape
from typing import Any

from attrs import evolve

from searchkit.basics.text import visible
from searchkit.render.draw import draw
from searchkit.render.moments import Moments
from searchkit.render.player import page
from searchkit.render.scene import svg_image, to_svg
from searchkit.result import Result
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
    return {"text/plain": f"{thing!r}\n{picture}", "text/html": picture.html()}


@forms.register
def _result(result: Result) -> dict[str, str]:  # type: ignore[type-arg]  # singledispatch takes no parameters
    text, html = str(result), f"<pre>{escape(visible(str(result)))}</pre>"
    if result.search:
        picture = draw(result.search.problem, result)
        text, html = f"{text}\n{picture}", html + picture.html()
    return {"text/plain": text, "text/html": html}


@forms.register
def _search(search: Search) -> dict[str, str]:  # type: ignore[type-arg]
    result = search.run(Limits(expansions=0))
    return _result(evolve(result, cutoff="a pause") if result.cutoff else result)


@forms.register(Recording)
@forms.register(Recordings)
def _played(thing: Recording[Any, Any] | Recordings) -> dict[str, str]:
    recordings = [thing] if isinstance(thing, Recording) else thing
    title = " · ".join(recording.title for recording in recordings)
    text = "\n".join(f"{recording.title}: {recording.summary}" for recording in recordings)
    width = 98 // len(recordings)
    stills = [
        svg_image(to_svg(Moments(one).go(one.expansions).scene()), one.summary, width) for one in recordings
    ]
    return {"text/plain": visible(text), "text/html": framed(page(recordings, title), stills, title)}


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
