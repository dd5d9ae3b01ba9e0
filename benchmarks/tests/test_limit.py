from pathlib import Path

import pytest

from benchmarks.limit import main


def test_a_reference_that_is_not_there_is_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    """The one argument is a C++ source; anything else is exit code 2 and one line."""
    assert main(["nowhere.cpp"]) == 2
    assert "nowhere.cpp is not a file; expected the C++ source" in capsys.readouterr().out


def test_a_reference_that_can_not_be_compiled_is_said_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """So is a file that is no C++, or a machine without a compiler."""
    source = tmp_path / "reference.cpp"
    source.write_text("this is not C++")
    assert main([str(source)]) == 2
    assert "can't be compiled with g++" in capfd.readouterr().out
