"""Whether a problem is drawn, written and read again, and the examples of its kind."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from typing import Any

from searchkit.errors import PluginWarning, SearchkitError
from searchkit.plugin.drawing import Places
from searchkit.plugin.loading import instance_of, load, write
from searchkit.plugin.places import places_of
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import Example, ProblemSpec
from searchkit.problem import SearchProblem
from searchkit.render.drawings import painted, routes_along
from searchkit.render.terminal import to_text
from searchkit.testing.reports import Check, Counterexample
from searchkit.testing.runner import last_line
from searchkit.testing.survey import MISSING, Call, Survey, same, short, survey

DRAWN = 40
"""The number of states that are drawn, spread over all expanded states."""
WIDTH = 110
SMALL = 5_000
"""Drawings with more cells are made without a path only, because that takes long."""


@contextmanager
def plugin_faults_raised() -> Iterator[None]:
    """Raise the warnings about faulty plugins as exceptions."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", PluginWarning)
        yield


def drawn(seen: Survey) -> str:
    """Draw the problem, and the paths to its states; return the reason if that is impossible, or ""."""
    places, small = None, True
    for place in (-1, *range(0, len(seen.edges), max(1, len(seen.edges) // DRAWN))):
        path = seen.path_to(place) if place >= 0 else ()
        what = f"the path to {short(path[-1])}" if path else "the problem, without a path,"
        try:
            with plugin_faults_raised():
                places = places or places_of(seen.problem)
                fault = _fault(places, path) if path else ""
                if drawing := painted(places, path) if small else None:
                    to_text(drawing, WIDTH)
                    small = drawing.width * drawing.height <= SMALL
        except Exception as error:
            fault = f"could not be drawn: {error if isinstance(error, PluginWarning) else last_line(error)}"
        if fault:
            seen.note("drawing", f"{what} {fault}", None, *[place][: len(path)])
            return ""
        if places and places.ground is None and places.position is None:
            return "no plugin says where its states are (ProblemSpec.places)"
    return ""


def _fault(places: Places[Any], path: tuple[Any, ...]) -> str:
    """Return what is wrong with the places on a path, or ""."""
    first, last = (places.cells(path[end]) for end in (0, -1))
    if not places.label(path[-1]):
        return "ends in a state with an empty label"
    for function in (places.changes, places.position):
        if function is not None:
            function(path[-1])
    for number, route in enumerate(routes_along(places, path), 1):
        if len(set(route.cells)) < 2:  # a mover that stays need not be part of the states
            continue
        for end, cells, cell in (("begins", first, route.cells[0]), ("ends", last, route.cells[-1])):
            if cells and cell not in cells:
                return f"is drawn as walks, and walk {number} {end} in {cell}, where the state has {short(cells)}"
    return ""


def round_trip(seen: Survey, max_states: int) -> str:
    """Write the problem, load the text, and compare; return the reason if that is impossible, or ""."""
    try:
        with plugin_faults_raised():
            written = write(seen.problem)
            if written is None:
                return "no plugin writes it (ProblemSpec.write)"
            again = load(StringIO(written.text), written.kind, **written.options)
    except PluginWarning as warning:
        seen.note("round trip", str(warning))
        return ""
    except SearchkitError as error:
        seen.note("round trip", f"what was written can't be loaded: {last_line(error)}")
        return ""
    difference = compare(seen, again, max_states)
    if difference:
        call, before, after = difference
        said = f"{call} was {before}, and is {after} once the problem was written and loaded"
        seen.note("round trip", said, call, numbers=(("written as", short(written.text, 1000)),))
    return ""


def compare(seen: Survey, other: SearchProblem[Any, Any], max_states: int) -> tuple[Call, str, str] | None:
    """Return the first call that another problem answers otherwise, and both answers; None if there is none."""
    told = Survey(other, max_states)
    for _, call, before in seen.answers(range(min(len(seen.edges), max_states))):
        after = told.ask_list(call)
        if before is not MISSING and not same(before, after):
            raised = told.faults["no errors"].detail if after is MISSING else ""
            return call, short(before), raised or short(after)
    return None


EXAMPLES = (
    "examples",
    "every example loads, alike each time, with its options left out or given their defaults",
)
STATES = 100
"""The number of states in which an example is compared with itself."""


def check_examples(spec: ProblemSpec, add: Callable[[Any], None]) -> Check:
    """Load each example with and without its defaults spelt out, and call `add` with the problem."""
    examples = [*spec.examples, *([Example(spec.name, None)] if spec.instance is not None else [])]
    if not examples:
        return Check(*EXAMPLES, "skipped", "no example ships with it")
    if registry().problems.get(spec.name) != spec:
        why = f"no plugin that is installed brings this {spec.name!r}: nobody can load them"
        return Check(*EXAMPLES, "skipped", why)
    for example in examples:
        defaults = {p.name: p.default for p in spec.parameters if p.default is not None}
        call = f"load({example.name!r}, {spec.name!r})"
        fault = ""
        try:
            with plugin_faults_raised():
                problem = _made(spec, example, example.options)
                spelt = _made(spec, example, defaults | dict(example.options))
        except Exception as error:
            fault = f"{call}: {last_line(error)}"
        else:
            difference = compare(survey(problem, STATES), spelt, STATES)
            if difference:
                asked, before, after = difference
                spelt_out = "if it is loaded again with its defaults spelt out"
                fault = f"example {example.name!r}: {asked} is {before}, and {after} {spelt_out}"
            add(problem)
        if fault:
            lines = ("from searchkit import load", f"problem = {call}", "print(problem)")
            return Check(*EXAMPLES, "fails", fault, Counterexample("", reproduce=lines))
    return Check(*EXAMPLES, "holds")


def _made(spec: ProblemSpec, example: Example, options: Mapping[str, Any]) -> SearchProblem[Any, Any]:
    """Load an example, or make it if it has no file. No file of the same name takes its place."""
    if example.path is None:
        return instance_of(spec, options)
    return load(str(example.path), spec.name, **options)
