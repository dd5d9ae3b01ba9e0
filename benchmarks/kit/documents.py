"""Results of measurements as files in benchmarks/results: JSON, and Markdown if there is a page."""

import json
from pathlib import Path
from typing import Any

from attrs import asdict

from benchmarks.kit.machine import this_machine

RESULTS = Path(__file__).parents[1] / "results"


def document(rows: list[Any], **facts: object) -> dict[str, Any]:
    """Return rows, which are attrs classes, with the machine and the date, as JSON data."""
    return {"machine": asdict(this_machine()), **facts, "rows": [asdict(row) for row in rows]}


def keep(name: str, data: dict[str, Any], folder: Path = RESULTS, markdown: str = "") -> None:
    """Write data to `name`.json in the folder, and a page, if there is one, to `name`.md."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    (folder / f"{name}.json").write_text(text, encoding="utf-8")
    if markdown:
        (folder / f"{name}.md").write_text(markdown, encoding="utf-8")


def kept(name: str, folder: Path = RESULTS) -> dict[str, Any] | None:
    """Return what `keep` wrote last; None where nothing has been measured yet."""
    path = folder / f"{name}.json"
    if not path.is_file():
        return None
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data
