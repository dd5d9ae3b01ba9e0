"""Whether a problem is drawn, written and read again, and the options and examples of its kind."""

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
from searchkit.plugin.specs import Example, Parameter, ProblemSpec
from searchkit.problem import SearchProblem
from searchkit.render.drawings import painted, routes_along
from searchkit.render.terminal import to_text
from searchkit.testing.reports import Check, Counterexample
from searchkit.testing.survey import Survey, last_line, same, short, survey

DRAWN = 40
"""The number of states that are drawn, spread over all expanded states, including the last."""
WIDTH = 110
SMALL = 5_000
"""Drawings with more cells are made for the first state only, because that takes long."""


@contextmanager
def plugin_faults_raised() -> Iterator[None]:
    """Raise the warnings about faulty plugins as exceptions."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", PluginWarning)
        yield


def drawn(seen: Survey) -> str:
    """Draw the problem, and the paths to its states; return the reason if that is impossible, or ""."""
    try:
        with plugin_faults_raised():
            places = places_of(seen.problem)
            small = _draw(places, ())
    except Exception as error:
        seen.note("drawing", f"the problem, without a path, could not be drawn: {_reason(error)}")
        return ""
    if places.ground is None and places.position is None:
        return "no plugin says where its states are (hook searchkit_places)"
    for place in _spread(len(seen.edges)):
        path = seen.path_to(place)
        try:
            with plugin_faults_raised():
                fault = _fault(places, path)
                if small or not place:
                    _draw(places, path)
        except Exception as error:
            fault = f"could not be drawn: {_reason(error)}"
        if fault:
            seen.note("drawing", f"the path to {short(seen.states[place])} {fault}", place)
    return ""


def _draw(places: Places[Any], path: tuple[Any, ...]) -> bool:
    """Draw a path as text. Return whether the drawing is small."""
    drawing = painted(places, path, _hashable(path))
    if drawing is not None:
        to_text(drawing, WIDTH)
    return drawing is None or drawing.width * drawing.height <= SMALL


def _fault(places: Places[Any], path: tuple[Any, ...]) -> str:
    """Return what is wrong with the places on a path, or ""."""
    first, last = (places.cells(path[end]) for end in (0, -1))
    if not places.label(path[-1]):
        return "ends in a state with an empty label"
    if places.changes:
        places.changes(path[-1])
    if places.position:
        places.position(path[-1])
    for number, route in enumerate(routes_along(places, path), 1):
        if len(set(route.cells)) < 2:  # a mover that stays need not be part of the states
            continue
        for end, cells, cell in (("begins", first, route.cells[0]), ("ends", last, route.cells[-1])):
            if cells and cell not in cells:
                return f"is drawn as walks, and walk {number} {end} in {cell}, where the state has {short(cells)}"
    return ""


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, PluginWarning) else last_line(error)


def _spread(count: int) -> list[int]:
    step = max(1, count // DRAWN)
    return sorted({*range(0, count, step), count - 1} - {-1})


def _hashable(path: tuple[Any, ...]) -> tuple[Any, ...]:
    try:
        frozenset(path)
    except Exception:
        return ()
    return path


def round_trip(seen: Survey, max_states: int) -> str:
    """Write the problem, load the text, and compare; return the reason if that is impossible, or ""."""
    try:
        with plugin_faults_raised():
            written = write(seen.problem)
    except PluginWarning as warning:
        seen.note("round trip", str(warning))
        return ""
    if written is None:
        return "no plugin writes it (hook searchkit_write)"
    told = tuple((f"option {name}", repr(value)) for name, value in written.options.items())
    numbers = (("written as", short(written.text, 1000)), *told)
    try:
        with plugin_faults_raised():
            again = load(StringIO(written.text), written.kind, **written.options)
    except (SearchkitError, PluginWarning) as error:
        seen.note("round trip", f"what was written can't be loaded: {last_line(error)}", numbers=numbers)
        return ""
    difference = compare(seen, again, max_states)
    if difference:
        what, at, before, after = difference
        paths = () if at is None else (("the path to this state", seen.path_to(at)),)
        more = (("before", short(before)), ("loaded", short(after)))
        seen.note(
            "round trip",
            f"{what} was {short(before)}, and is {short(after)} once the problem was written and loaded",
            paths=paths,
            numbers=(*numbers, *more),
        )
    return ""


def compare(
    seen: Survey, other: SearchProblem[Any, Any], max_states: int
) -> tuple[str, int | None, Any, Any] | None:
    """Return the first difference of two problems: the call, the state, both answers; None if there is none."""
    found = survey(other, max_states)
    if not same(found.starts, seen.starts):
        return "initial_states()", None, list(seen.starts), list(found.starts)
    for place in range(min(len(seen.edges), max_states)):
        if place >= len(found.edges) or not same(found.states[place], seen.states[place]):
            there = found.states[place] if place < len(found.states) else "no state"
            return f"state {place} of a walk", place, seen.states[place], there
        state = seen.states[place]
        for name, before, after in (
            ("successors", seen.edges, found.edges),
            ("is_goal", seen.goals, found.goals),
            ("heuristic", seen.heuristic_values, found.heuristic_values),
        ):
            if not same(before[place], after[place]):
                return f"{name}({state!r})", place, before[place], after[place]
        for (action, successor), one, two in zip(
            seen.edges[place], seen.costs[place], found.costs[place], strict=True
        ):
            if not same(one, two):
                return f"cost({state!r}, {action!r}, {successor!r})", place, one, two
    return None


PARAMETERS = ("parameters", "every option is documented, and takes its own default")
EXAMPLES = (
    "examples",
    "every example loads, alike each time, with its options left out or given their defaults",
)
STATES = 100
"""The number of states in which an example is compared with itself."""


def check_parameters(spec: ProblemSpec, again: tuple[str, ...]) -> Check:
    """Check the options of a kind of problem."""
    faults = list(_faults_of_options(spec))
    if not faults:
        return Check(*PARAMETERS, "holds")
    case = Counterexample("\n".join(f"{spec.name}: {fault}" for fault in faults), reproduce=again)
    return Check(*PARAMETERS, "fails", faults[0], case)


def _faults_of_options(spec: ProblemSpec) -> Iterator[str]:
    names = [parameter.name for parameter in spec.parameters]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"option {name!r} is there {names.count(name)} times"
    for parameter in spec.parameters:
        if not parameter.name.isidentifier():
            yield f"option {parameter.name!r} can't be written in Python: load(…, {parameter.name}=…)"
        if not parameter.help.strip():
            yield f"option {parameter.name!r} has no help text: give one, Parameter({parameter.name!r}, 'what …')"
        yield from _faults_of_values(parameter)


def _faults_of_values(parameter: Parameter) -> Iterator[str]:
    values = [("default", parameter.default)] if parameter.default is not None else []
    for what, value in [*values, *(("choice", choice) for choice in parameter.choices)]:
        for given in dict.fromkeys((value, str(value)) if isinstance(value, str | int | float) else (value,)):
            try:
                read = parameter.parse(given)
            except SearchkitError as error:
                yield f"option {parameter.name!r} does not take its own {what}: {error}"
                break
            except Exception as error:
                yield (
                    f"option {parameter.name!r}: convert({given!r}) raised {last_line(error)}; expected ValueError for "
                    "a value that it does not take"
                )
                break
            if read != value:
                yield f"option {parameter.name!r} reads its own {what} {given!r} as {read!r}"
                break


def check_examples(spec: ProblemSpec, add: Callable[[Any], None]) -> Check:
    """Load each example with and without its defaults spelt out, and call `add` with the problem."""
    examples = list(spec.examples)
    if spec.instance is not None:
        examples.append(Example(spec.name, None))
    if not examples:
        return Check(*EXAMPLES, "skipped", "no example ships with it")
    if registry().problems.get(spec.name) != spec:
        return Check(
            *EXAMPLES,
            "skipped",
            f"no plugin that is installed brings this {spec.name!r}: nobody can load them",
        )
    faults = []
    for example in examples:
        defaults = {p.name: p.default for p in spec.parameters if p.default is not None}
        call = f"load({example.name!r}, {spec.name!r})"
        try:
            with plugin_faults_raised():
                problem = _made(spec, example, example.options)
                spelt = _made(spec, example, defaults | dict(example.options))
        except Exception as error:
            faults.append((f"{call}: {last_line(error)}", call))
            continue
        difference = compare(survey(problem, STATES), spelt, STATES)
        if difference:
            what, _, before, after = difference
            faults.append(
                (
                    f"example {example.name!r}: {what} is {short(before)}, and {short(after)} if it is loaded again "
                    "with its defaults spelt out",
                    call,
                )
            )
        add(problem)
    if not faults:
        return Check(*EXAMPLES, "holds")
    detail, call = faults[0]
    lines = ("from searchkit import load", f"problem = {call}", "print(problem)")
    case = Counterexample("\n".join(fault for fault, _ in faults), reproduce=lines)
    return Check(*EXAMPLES, "fails", detail, case)


def _made(spec: ProblemSpec, example: Example, options: Mapping[str, Any]) -> SearchProblem[Any, Any]:
    """Load an example, or make it if it has no file. No file of the same name takes its place."""
    if example.path is None:
        return instance_of(spec, options)
    return load(str(example.path), spec.name, **options)
