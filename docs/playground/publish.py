"""Puts what the playground needs into the built documentation: what searchkit offers as data, Python, and an editor."""

import json
import os
import sys
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from searchkit import Example, Parameter, available_engines, available_problems, load
from searchkit.cli.commands.lists import engine_object
from searchkit.errors import SearchkitError
from searchkit.render.player import compact, digest, part, script
from searchkit.search.auto import fitting_engines

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from runtime import UnavailableError, files_for_browsers  # noqa: E402

REQUIRED = "SEARCHKIT_DOCS_COMPLETE"
"""If this variable of the environment is set, documentation without Python for the browser is an error."""
LARGEST_TEXT = 6000
"""Characters of an example that is shown for editing; larger ones are loaded by their names."""
LEFT_OUT = ("reve", "warehouse")
"""Examples that take too long here, or need machine code."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Put the files of the playground in their places (called by MkDocs)."""
    config.extra["playground_policy"] = policy()  # for the template of the page
    for name, content in contents().items():
        files.append(File.generated(config, f"playground/{name}", content=content))
    return files


def policy() -> str:
    """Return the security policy of the page: files of this site only, and nothing that is written into the page.

    The player is a document within the page and has its own policy besides this one: its script and its style are
    allowed by their digests.
    """
    code, style = digest(script()), digest(compact(part("player.css")))
    return (
        f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {code}; style-src 'self' {style}; "
        "worker-src 'self' blob:; connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'"
    )


def contents() -> dict[str, Any]:
    """Return the files of the playground by name, in addition to those that are in the repository's folder.

    Raises `SystemExit` if Python for the browser is required and can't be had; otherwise that is a warning.
    """
    found: dict[str, Any] = {"answers.txt": (HERE / "answers.py").read_bytes()}
    try:
        found |= files_for_browsers()
    except UnavailableError as error:
        if os.environ.get(REQUIRED):
            raise SystemExit(f"the playground has no Python: {error}") from error
        print(f"WARNING: the playground is built without Python and only says so: {error}", file=sys.stderr)
    wheels = [name.removeprefix("python/") for name in found if name.endswith(".whl")]
    build = sha256(b"".join(content for content in found.values())).hexdigest()[:16]
    page = catalogue(wheels) | {"build": f"searchkit-{build}"}
    return found | {"catalogue.json": json.dumps(page, ensure_ascii=False, indent=1)}


def catalogue(wheels: list[str]) -> dict[str, Any]:
    """Return what the page offers, from the registry: engines and options with their promises, examples, wheels."""
    problems = available_problems()
    dungeon = problems["dungeon"]
    maps = {
        example.name: example.path.read_text(encoding="utf-8")
        for example in dungeon.examples
        if example.path is not None and example.path.suffix == ".txt"
    }
    fitting = fitting_engines(load("gates", moves=8)) + fitting_engines(load("random512"))
    others = [spec for spec in problems.values() if spec is not dungeon]
    examples = [example_file(s.name, e) for s in others for e in s.examples if e.name not in LEFT_OUT]
    in_python = [spec for spec in available_engines().values() if not spec.machine_code_only]
    return {
        "wheels": wheels,
        "engines": [
            engine_object(spec) | {"options": [option(each) for each in spec.options if not each.file]}
            for spec in in_python
        ],
        "map_engines": [spec.name for spec in in_python if spec in fitting],
        "map_options": [
            option(parameter) | ({"default": "4"} if parameter.name == "moves" else {})  # of maps as texts
            for parameter in dungeon.parameters
            if parameter.name not in ("start", "goal")
        ],
        "maps": [{"name": name, "text": text.strip("\n")} for name, text in maps.items()],
        "code": [
            {"name": path.stem, "text": path.read_text(encoding="utf-8")}
            for path in sorted((HERE / "problems").glob("*.py"), reverse=True)
        ],
        "file_options": {s.name: [option(each) for each in s.parameters if not each.file] for s in others},
        "examples": sorted(examples, key=lambda one: not one["text"]),  # those that can be edited come first
    }


def option(parameter: Parameter) -> dict[str, Any]:
    """Return an option as data; all values are texts."""
    default, choices = parameter.default, [str(choice) for choice in parameter.choices]
    if isinstance(default, bool):
        default, choices = str(default).lower(), ["true", "false"]  # the page shows a switch
    default = "" if default is None else str(default)
    return {"name": parameter.name, "help": parameter.help, "default": default, "choices": choices}


def example_file(kind: str, example: Example) -> dict[str, Any]:
    """Return an example as data, with text and options if it can be edited: it is short and needs no other file."""
    text = "" if example.path is None else example.path.read_text(encoding="utf-8")
    try:
        load(StringIO(text if len(text) <= LARGEST_TEXT else ""), kind, **example.options)
    except SearchkitError:
        text = ""
    options = {name: str(value) for name, value in example.options.items() if text}
    about = {"problem": kind, "name": example.name, "summary": example.summary}
    return about | {"text": text, "options": options}
