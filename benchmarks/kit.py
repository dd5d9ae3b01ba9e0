"""What all measurements need: the machine and the date, spreads, and results as files in benchmarks/results."""

import json
import os
import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

from attrs import asdict, frozen

RESULTS = Path(__file__).parent / "results"
CPUINFO = Path("/proc/cpuinfo")
COMPILED = ("statespace-searchkit", "numpy", "numba")
"""The distributions on which the speed of machine code depends."""


@frozen
class Spread:
    """The median of several measurements, and their range."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """Return the spread of at least one value."""
        return cls(median(values), min(values), max(values))


@frozen
class Machine:
    """What a measurement depends on besides the code."""

    date: str
    cpu: str
    cores: int
    system: str
    python: str
    packages: dict[str, str]
    """distribution → version; those not installed are left out."""

    def __str__(self) -> str:
        versions = ", ".join(f"{name} {version}" for name, version in self.packages.items())
        return f"{self.date}, {self.cpu}, {self.cores} cores, {self.system}, {self.python}; {versions}"


def this_machine(packages: Iterable[str] = COMPILED) -> Machine:
    """Describe this machine, now, with the versions of those distributions that are installed."""
    versions = {}
    for name in packages:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return Machine(
        date=datetime.now(UTC).strftime("%Y-%m-%d"),
        cpu=cpu_model(),
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.machine()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        packages=versions,
    )


def cpu_model() -> str:
    """Return the processor's name."""
    if CPUINFO.exists():
        for line in CPUINFO.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"


def document(rows: Sequence[Any], **facts: object) -> dict[str, Any]:
    """Return rows, which are attrs classes, with the machine and the date, as JSON data."""
    return {"machine": asdict(this_machine()), **facts, "rows": [asdict(row) for row in rows]}


def keep(name: str, data: dict[str, Any], folder: Path = RESULTS) -> None:
    """Write data to `name`.json in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    (folder / f"{name}.json").write_text(text, encoding="utf-8")


def kept(name: str, folder: Path = RESULTS) -> dict[str, Any]:
    """Return what `keep` wrote last."""
    data: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return data
