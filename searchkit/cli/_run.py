"""Running a command: from arguments to an exit code, with every error as one message."""

import logging
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from io import StringIO
from typing import TextIO

import typer
from typer.main import get_command

from searchkit.cli._app import app
from searchkit.cli._codes import CUT_OFF, DONE, WRONG_USE
from searchkit.cli._output import silence_stdout
from searchkit.errors import PluginWarning, SearchkitError

TYPER_INTERRUPTED = 130
"""What typer returns for a command that a KeyboardInterrupt ended."""


def run(arguments: Sequence[str] | None) -> int:
    """Run the command line and return the exit code; see `searchkit.cli.main`."""
    if sys.stdout is None:  # closed by the shell, as in `searchkit … >&-`
        sys.stdout = StringIO()
    if hasattr(sys.stdout, "reconfigure"):  # a terminal that can't show a character shows a question mark
        sys.stdout.reconfigure(errors="replace")
    with warnings.catch_warnings():
        warnings.simplefilter("always", PluginWarning)
        warnings.showwarning = _shown_once()
        _show_log()
        try:
            code = _guarded(arguments)
            sys.stdout.flush()
        except BrokenPipeError:
            silence_stdout()
            code = DONE
        except OSError as error:  # a full disk
            silence_stdout()
            code = _report(f"the output can't be written: {error.strerror}")
    return code


def _show_log() -> None:
    """Show what is logged, such as that an engine is being compiled, on standard error."""
    logger = logging.getLogger("searchkit")
    logger.setLevel(logging.INFO)
    logger.handlers = [_Said()]


class _Said(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        _say(record.getMessage())


def _guarded(arguments: Sequence[str] | None) -> int:
    try:
        code = get_command(app).main(arguments, prog_name="searchkit", standalone_mode=False)
    except SystemExit as error:
        if isinstance(error.__context__, BrokenPipeError):  # typer's end when nobody reads its help any more
            return DONE
        return _report(
            f"{_exit_place(error)} called sys.exit({error.code!r}); a problem, an engine or a plugin must not end the "
            "program"
        )
    except KeyboardInterrupt:
        code = TYPER_INTERRUPTED
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        hint = f"; see: {context.command_path} --help" if context is not None else ""
        return _report(error.format_message().rstrip(".") + hint)
    except SearchkitError as error:
        return _report(str(error))
    except BrokenPipeError:
        raise
    except OSError as error:
        return _report(str(error))
    except Exception as error:
        return _report(
            f"{type(error).__name__}: {error}; this is a fault in searchkit or in a plugin: "
            "SEARCHKIT_DEBUG=1 shows where it happened"
        )
    if code == TYPER_INTERRUPTED:
        _say("interrupted")
        return CUT_OFF
    return int(code or 0)


def _exit_place(error: SystemExit) -> str:
    """Return the place in the code that ends the program."""
    trace, place = error.__traceback__, "something"
    while trace is not None:
        place = f"{trace.tb_frame.f_code.co_name} ({trace.tb_frame.f_code.co_filename}:{trace.tb_lineno})"
        trace = trace.tb_next
    return place


def _report(message: str) -> int:
    if os.environ.get("SEARCHKIT_DEBUG", "") not in ("", "0"):
        traceback.print_exc()
    _say(f"error: {message}")
    return WRONG_USE


def _shown_once() -> Callable[..., None]:
    """Return what shows warnings, each once: a file that is read twice to see whose options are whose warns twice."""
    shown: set[str] = set()

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, PluginWarning):
            text = f"warning: {message}"
        else:
            text = warnings.formatwarning(message, category, filename, lineno, line).rstrip()
        if text not in shown:
            shown.add(text)
            _say(text)

    return show


def _say(message: str) -> None:
    typer.echo(message, err=True)
