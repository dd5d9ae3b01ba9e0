"""Where searchkit keeps what it can make again: compiled code, tables."""

import os
import sys
from pathlib import Path


def user_cache() -> Path:
    """Return searchkit's folder in the user's cache directory; it may not be there yet.

    Raises `RuntimeError` where there is no home directory.
    """
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "searchkit"
