"""The playground: what comes out of an address is checked, the build takes only what it knows, examples are solved."""

import json
import re
from collections.abc import Iterator
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.error import URLError

import pytest

from searchkit import available_engines, load

FOLDER = Path(__file__).parents[2] / "docs" / "playground"


@pytest.fixture(scope="module")
def modules() -> Iterator[dict[str, ModuleType]]:
    """Return the modules that build the playground and answer for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        yield {name: import_module(name) for name in ("runtime", "publish")}


@pytest.fixture(scope="module")
def catalogue(modules: dict[str, ModuleType]) -> Any:
    """Return what the page offers, as it reads it."""
    return json.loads(json.dumps(modules["publish"].catalogue(["one.whl"])))


def test_the_catalogue_has_all_engines_with_their_promises(catalogue: Any) -> None:
    """All but those of machine code, in the order of the registry, and with the options of each."""
    engines = available_engines()
    assert [one["name"] for one in catalogue["engines"]] == [
        n for n in engines if not engines[n].machine_code_only
    ]
    for one in catalogue["engines"]:
        spec = engines[one["name"]]
        assert (one["optimal"], one["complete"]) == (spec.optimal, spec.complete)
        assert [option["name"] for option in one["options"]] == [option.name for option in spec.options]
    assert {"astar", "corridor", "bidirectional"} <= set(catalogue["map_engines"])
    assert not {"cbs", "jps", "odid", "lacam"} & set(catalogue["map_engines"])
    assert {"corridor", "graph", "keys", "robots", "tiles"} <= {
        one["problem"] for one in catalogue["examples"]
    }


# ---- the address


@pytest.fixture(scope="module")
def check(catalogue: Any) -> Any:
    """Return a function that has a state checked as the page does, in JavaScript: the state, or the complaint."""
    quickjs = pytest.importorskip("quickjs", reason="the extra dev has it")
    source = re.sub(r"^export ", "", (FOLDER / "state.js").read_text(encoding="utf-8"), flags=re.MULTILINE)
    context = quickjs.Context()
    context.eval(source)
    context.eval(f"const catalogue = {json.dumps(catalogue)};")
    context.eval(
        """function look(text) {
            try { return JSON.stringify(shared(checkedState(JSON.parse(text), catalogue))); }
            catch (error) { return JSON.stringify("! " + error.message); }
        }"""
    )
    return lambda state: json.loads(context.get("look")(json.dumps(state)))


RUNS = [{"engine": "astar", "options": {"ties": "fifo"}}]
MAP = {"version": 1, "tab": "map", "runs": RUNS, "map": "S.#\n..G", "mapOptions": {"moves": "8"}}
FILE: dict[str, Any] = {
    "version": 1,
    "tab": "file",
    "runs": RUNS,
    "file": {"text": "1 2\n3 0", "example": "", "problem": "tiles", "options": {"heuristic": "zero"}},
}
PYTHON = {"version": 1, "tab": "python", "runs": RUNS, "code": "problem = None </script>"}


@pytest.mark.parametrize(
    ("state", "complaint"),
    [
        (None, "not a playground of version 1"),
        (MAP | {"tab": "constructor"}, "the tab"),
        (MAP | {"map": "S.\n<img src=x>"}, "row 2 of the map has characters"),
        (MAP | {"map": "S.G\n."}, "row 2 of the map is not as long"),
        (MAP | {"map": 7}, "not a text"),
        (MAP | {"map": "." * 97}, "at most 96×64"),
        (MAP | {"map": "." * 7000}, "at most 6208"),
        (MAP | {"runs": RUNS * 4}, "between 1 and 3"),
        (MAP | {"runs": [{"engine": "toString"}]}, "there is no engine toString"),
        (MAP | {"runs": [{"engine": "astar", "options": {"__class__": "x"}}]}, "has no option __class__"),
        (MAP | {"runs": [{"engine": "wastar", "options": {"weight": "1" * 61}}]}, "at most 60"),
        (MAP | {"mapOptions": {"start": "1,1"}}, "the map has no option start"),
        (MAP | {"mapOptions": [1]}, "not an object"),
        (FILE | {"file": {"text": "", "example": "passwd"}}, "there is no example passwd"),
        (FILE | {"file": FILE["file"] | {"options": {"file": "x"}}}, "tiles has no option file"),
        (PYTHON | {"code": "#" * 20_001}, "at most 20000"),
    ],
)
def test_a_bad_state_is_one_complaint(check: Any, state: Any, complaint: str) -> None:
    """An address may come from anybody."""
    answer = check(state)
    assert isinstance(answer, str)
    assert answer.startswith("! ")
    assert complaint in answer


def test_what_the_page_offers_can_be_shared(check: Any, catalogue: Any) -> None:
    """Every map, file and code that can be chosen passes the check, is written again as it was read, and is loaded."""
    assert [check(state) for state in (MAP, FILE, PYTHON)] == [MAP, FILE, PYTHON]
    for one in catalogue["maps"]:
        assert check(MAP | {"map": one["text"]}) == MAP | {"map": one["text"]}
    for one in catalogue["examples"]:
        file = {"text": one["text"], "example": one["name"], "problem": one["problem"], "options": {}}
        assert check(FILE | {"file": file}) == FILE | {"file": file}
        load(StringIO(one["text"]) if one["text"] else one["name"], one["problem"], **one["options"])
    for one in catalogue["code"]:
        assert check(PYTHON | {"code": one["text"]}) == PYTHON | {"code": one["text"]}


# ---- what is downloaded


def test_without_network_the_build_says_so_in_one_line(
    modules: dict[str, ModuleType],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The rest of the documentation is built; where completeness is required, it is an error."""

    def offline(address: str, timeout: float) -> Any:
        raise URLError("no route to host")

    publish = modules["publish"]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(modules["runtime"], "urlopen", offline)
    monkeypatch.delenv(publish.REQUIRED, raising=False)
    found = publish.contents()
    assert sorted(found) == ["answers.txt", "catalogue.json"]
    assert json.loads(found["catalogue.json"])["wheels"] == []
    [line] = capsys.readouterr().err.splitlines()
    assert "without Python" in line
    assert "no route to host" in line
    monkeypatch.setenv(publish.REQUIRED, "1")
    with pytest.raises(SystemExit, match="no route to host"):
        publish.contents()


def test_modules_import_those_beside_them(modules: dict[str, ModuleType]) -> None:
    """Names of packages become names of files; the licence comes first."""
    files = {
        "package.json": b'{"exports": {"import": "./dist/index.js"}}',
        "LICENSE": b"MIT",
        "dist/index.js": b"import { a, b } from '@codemirror/state';\nexport { c } from \"crelt\";\nlet x;",
    }
    assert modules["runtime"].module(files).decode().splitlines()[1:] == [
        "MIT*/",
        'import { a, b } from "./codemirror-state.js";',
        'export { c } from "./crelt.js";',
        "let x;",
    ]
