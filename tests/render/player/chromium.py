"""A headless Chromium, the one that is installed: `$SEARCHKIT_CHROMIUM`, or a program of that name on the path."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = os.environ.get("SEARCHKIT_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
"""The path of the browser; None if there is none."""


@contextmanager
def browser() -> Iterator[Any]:
    """Start the browser, and end it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield program
        finally:
            program.close()
