"""The documented form of what `--json` prints, held strictly: a field that is not documented is a fault."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

SCHEMA = Path(__file__).parents[2] / "docs" / "reference" / "json.schema.json"


def documented() -> Any:
    """Return the schema as it is published."""
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


def strictly(text: str) -> Any:
    """Read JSON, refusing the NaN and infinity that Python's reader takes."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


def check_output(text: str) -> Any:
    """Return the object that a command printed, checked: one line, with the fields of its command and no others."""
    assert text.count("\n") == 1
    value = strictly(text)
    (form,) = [form for name, form in _commands().items() if value["command"] in name]
    errors = [f"{error.json_path}: {error.message}"[:500] for error in form.iter_errors(value)]
    assert errors == []
    return value


@cache
def _commands() -> dict[tuple[str, ...], Draft202012Validator]:
    """Return the commands → what checks their objects; those of one form together."""
    definitions = _strict(documented())["$defs"]
    found = {}
    for definition in definitions.values():
        names = definition.get("properties", {}).get("command", {}).get("enum")
        if names:
            found[tuple(names)] = Draft202012Validator({**definition, "$defs": definitions})
    return found


def commands() -> set[str]:
    """Return the commands that the schema describes."""
    return {name for names in _commands() for name in names}


def _strict(schema: Any) -> Any:
    """Return the schema without room for other fields, except where it gives some."""
    if isinstance(schema, list):
        return [_strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {name: _strict(part) for name, part in schema.items()}
    if strict.get("type") == "object" and "properties" in strict:
        strict.setdefault("additionalProperties", False)
    return strict
