"""Whether a problem is drawn, written and read again, and the examples of its kind."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO

from searchkit.errors import PluginWarning, SearchkitError
from searchkit.plugin.loading import load, write
from searchkit.plugin.places import places_of
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import Example, ProblemSpec
from searchkit.render.drawings import still
from searchkit.render.terminal import to_text
from searchkit.testing.reports import WIDTH
from searchkit.testing.runner import HOLDS, Finding, Trials, last_line
from searchkit.testing.survey import Survey, compare, short

EXAMPLES_LOAD = "examples"
DRAWN = 40
"""The number of states that are drawn, spread over all expanded states."""


@contextmanager
def plugin_faults_raised() -> Iterator[None]:
    """Raise the warnings about faulty plugins as exceptions."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", PluginWarning)
        yield


def drawn(seen: Survey) -> None:
    """Draw the problem, and the paths to its states."""
    places = None
    for place in (-1, *range(0, len(seen.edges), max(1, len(seen.edges) // DRAWN))):
        path = seen.path_to(place) if place >= 0 else ()
        try:
            with plugin_faults_raised():
                places = places or places_of(seen.problem)
                for member in (places.cells, places.label, places.changes, places.position) if path else ():
                    if member is not None:
                        member(path[-1])
                if drawing := still(places, path):
                    to_text(drawing, WIDTH)
        except Exception as error:
            what = f"the path to {short(path[-1])}" if path else "the problem, without a path,"
            why = error if isinstance(error, PluginWarning) else last_line(error)
            seen.note("drawing", f"{what} could not be drawn: {why}", None, *[place][: len(path)])
            return
        if places.ground is None and places.position is None:
            seen.skip("no plugin says where its states are (ProblemSpec.places)", "drawing")
            return


def round_trip(seen: Survey, max_states: int) -> None:
    """Write the problem, load the text, and compare."""
    try:
        with plugin_faults_raised():
            written = write(seen.problem)
            if written is None:
                seen.skip("no plugin writes it (ProblemSpec.write)", "round trip")
                return
            again = load(StringIO(written.text), written.kind, **written.options)
    except (PluginWarning, SearchkitError) as error:
        said = "" if isinstance(error, PluginWarning) else "what was written can't be loaded: "
        seen.note("round trip", said + (last_line(error) if said else str(error)))
        return
    difference = compare(seen, again, seen.answers(range(min(len(seen.edges), max_states))))
    if difference:
        call, before, after = difference
        said = f"{call} was {before}, and is {after} once the problem was written and loaded"
        seen.note("round trip", f"{said}; written as {short(written.text, 1000)}", call)


def try_examples(spec: ProblemSpec, trials: Trials) -> None:
    """Try each example of a kind of problem that is installed."""
    examples = [*spec.examples, *([Example(spec.name, None)] if spec.instance is not None else [])]
    if registry().problems.get(spec.name) != spec:
        examples = []
    trials.enter(EXAMPLES_LOAD, HOLDS if examples else Finding("skipped", "no example of it is installed"))
    for example in examples:
        try:
            with plugin_faults_raised():
                if example.path is None:
                    problem = spec.make(**example.options)
                else:  # by its path: no file of the same name takes its place
                    problem = load(str(example.path), spec.name, **example.options)
        except Exception as error:
            said = f"load({example.name!r}, {spec.name!r}) raised {last_line(error)}"
            trials.enter(EXAMPLES_LOAD, Finding("fails", said))
        else:
            trials.add(problem)
