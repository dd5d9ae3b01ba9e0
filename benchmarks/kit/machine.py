"""The machine and the date of a measurement, as the tables show them."""

import os
import platform
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from attrs import frozen

CPUINFO = Path("/proc/cpuinfo")


@frozen
class Machine:
    """What a measurement depends on beside the code."""

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


COMPILED = ("statespace-searchkit", "numpy", "numba")
"""What matters to the speed of machine code."""


def installed(distribution: str) -> str | None:
    """Return the version of a distribution, None if it is not installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def this_machine(packages: Iterable[str] = COMPILED) -> Machine:
    """Describe this machine, now, with the versions of those distributions that are installed."""
    versions = {name: installed(name) for name in packages}
    return Machine(
        date=datetime.now(UTC).strftime("%Y-%m-%d"),
        cpu=cpu_model(),
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.machine()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        packages={name: found for name, found in versions.items() if found},
    )


def cpu_model() -> str:
    """Return the processor's name."""
    if CPUINFO.exists():
        for line in CPUINFO.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"
