"""Where and when a measurement was made, as the tables say it."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

from attrs import frozen

from benchmarks.contenders import CONTENDERS, installed, package

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


def this_machine() -> Machine:
    """Describe this machine, now."""
    versions = {name: installed(name) for name in sorted(filter(None, map(package, CONTENDERS)))}
    return Machine(
        date=datetime.now(UTC).strftime("%Y-%m-%d"),
        cpu=cpu_model(),
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.machine()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        packages={name: version for name, version in versions.items() if version},
    )


def cpu_model() -> str:
    """Return the processor's name."""
    if CPUINFO.exists():
        for line in CPUINFO.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"
