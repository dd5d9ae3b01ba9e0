"""A headless Chromium, the one that is installed: `$SEARCHKIT_CHROMIUM`, or a program of that name on the path."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def executable() -> str | None:
    """Return the path of the browser; None if there is none."""
    given = os.environ.get("SEARCHKIT_CHROMIUM")
    return given or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def browser() -> Iterator[Any]:
    """Start the browser, and end it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox"])
        try:
            yield program
        finally:
            program.close()


class Tab:
    """A page that is open in the browser, with all that it asked for and complained about.

    Args:
        browser: from `browser`.
        file: the page.
        width: of the window, in pixels; the height is 800.
        options: of the browser's context, such as `color_scheme="dark"`.

    """

    def __init__(self, browser: Any, file: Path, width: int = 1280, **options: Any):
        self.context = browser.new_context(viewport={"width": width, "height": 800}, **options)
        self.page = self.context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self._hear(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(file.as_uri())
        self.page.wait_for_selector("html[data-ready]", timeout=60_000)

    def _hear(self, text: str) -> None:
        if not text.startswith("Canvas2D: Multiple readback"):  # tests read pixels, the page does not
            self.complaints.append(text)

    def wait(self, condition: str, seconds: float = 20) -> None:
        """Wait until a condition holds; the page's policy forbids the `eval` that `wait_for_function` needs."""
        end = monotonic() + seconds
        while not self.run(condition):
            assert monotonic() < end, f"after {seconds} s, this does not hold: {condition}"
            self.page.wait_for_timeout(15)

    def run(self, code: str, argument: Any = None) -> Any:
        """Evaluate an expression, or call a function, in the page."""
        return self.page.evaluate(code, argument)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    @property
    def time(self) -> float:
        """The time that the player shows, in expansions."""
        return float(self.run("player.time"))

    def close(self) -> None:
        """Close the page."""
        self.context.close()
