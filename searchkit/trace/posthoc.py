"""Recordings as search traces of Posthoc, version 1.4.0 (https://posthoc-app.pathfinding.ai)."""

import json
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any

from searchkit.basics.files import write_text
from searchkit.trace.log import OWN
from searchkit.trace.recording import EXPAND, LEAVE, NOTE, REACH, REOPEN, Recording

VERSION = "1.4.0"
SCHEMA = Path(__file__).with_name("posthoc.schema.json")
"""The form of what is written, as a JSON Schema."""
VIEW = [
    {
        "$": "rect",
        "x": "${{ $.x }}",
        "y": "${{ $.y }}",
        "width": 1,
        "height": 1,
        "fill": "${{ color[$.type] }}",
    }
]
PIVOT = {"x": "${{ $.x + 0.5 }}", "y": "${{ $.y + 0.5 }}", "scale": 1}


def posthoc_events(recording: Recording[Any, Any]) -> Iterator[dict[str, Any]]:
    """Yield the events of a recording as Posthoc takes them; a `closing` follows each expansion.

    `source` is a start, `generating` a node that is reached, `updating` one that is reached more cheaply, `expanding`,
    `closing`, `destination` the goal. Notes are left out. Numbers that JSON can't hold exactly are rounded.
    """
    known: dict[int, tuple[Any, int]] = {}
    expanding, width = -1, recording.looks.ground.width if recording.looks.ground else 0

    def event(name: str, node: int) -> dict[str, Any]:
        g, parent = known.get(node, (0, -1))
        found: dict[str, Any] = {"type": name, "id": node, "pId": None if parent < 0 else parent}
        h = recording.h(node)
        values = {"g": g} if h is None else {"g": g, "h": h, "f": recording.f(node, g)}
        found |= {key: number for key, value in values.items() if (number := _number(value)) is not None}
        place = recording.place(node)
        if place >= 0 and width:
            found["y"], found["x"] = divmod(place, width)
        return {**found, "state": recording.label(node)}

    for one in recording.events:
        if one.kind == NOTE:
            continue
        if one.kind == EXPAND:
            if expanding >= 0:
                yield event("closing", expanding)
            expanding = one.node
            yield event("expanding", one.node)
            continue
        if one.kind == LEAVE:
            if one.node == expanding:
                expanding = -1
            yield event("closing", one.node)
            continue
        known[one.node] = one.g, one.parent
        if one.kind == REACH:
            yield event(
                "source" if one.parent < 0 and recording.halves[one.node] != OWN else "generating", one.node
            )
        else:
            yield event("reopening" if one.kind == REOPEN else "updating", one.node)
    if expanding >= 0:
        yield event("closing", expanding)
    if recording.goal is not None:
        yield event("destination", recording.goal)


def save_posthoc(recording: Recording[Any, Any], path: str | Path) -> None:
    """Write a recording as a search trace of Posthoc: JSON, which is YAML too, with one event on each line.

    Its states are drawn as cells if they have places on a ground, and always as a search tree. Raises `OSError`.
    """
    on_map = recording.looks.ground is not None and any(
        recording.place(node) >= 0 for node in range(recording.nodes)
    )
    head: dict[str, Any] = {"version": VERSION, "views": {"main": VIEW if on_map else []}}
    if on_map:
        head["pivot"] = PIVOT
    lines = [json.dumps(event, separators=(",", ":")) for event in posthoc_events(recording)]
    begin = json.dumps(head).removesuffix("}")
    write_text(Path(path), f'{begin}, "events": [\n' + ",\n".join(lines) + "\n]}\n")


def _number(value: Any) -> int | float | None:
    """Return a number for JSON; None for infinity and what is larger than any float."""
    if isinstance(value, int) and abs(value) < 2**53:
        return int(value)
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None
