"""The example notebooks run, from the first cell to the last, in a kernel of their own."""

from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
IN_SUITE = "first-search"
"""A kernel takes seconds to start; the others are run by `./run test --long`."""


def outputs(cell: Any) -> list[dict[str, Any]]:
    """Return what a cell showed, by MIME type."""
    return [output["data"] for output in cell.outputs if "data" in output]


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[] if path.stem == IN_SUITE else pytest.mark.long, id=path.stem)
        for path in NOTEBOOKS
    ],
)
def test_the_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an error and without a message on stderr; what is shown last has a picture."""
    nbformat = pytest.importorskip("nbformat", reason="the extra dev has it")
    nbclient = pytest.importorskip("nbclient", reason="the extra dev has it")
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    shown = [data for cell in code for data in outputs(cell)]
    assert [output for cell in code for output in cell.outputs if output.get("name") == "stderr"] == []
    assert all("text/plain" in data for data in shown)
    assert any("data:image/svg+xml;base64," in data.get("text/html", "") for data in shown)
