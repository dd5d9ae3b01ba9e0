"""What the suite costs: if it took more CPU time than it may, its end shows the tests that took most.

It is CPU time and not time, because other programs run on the same machine. The processes that tests start are included
as soon as they have ended.
"""

import os
from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from typing import Any

import pytest

BUDGET = 230.0
"""CPU seconds of all processes together: two minutes on two cores."""
SHOWN = 10
"""How many tests are shown."""
BEGUN = pytest.StashKey[float]()


def seconds() -> float:
    """Return the CPU time of this process and of its child processes that have ended."""
    return sum(os.times()[:4])


def most_expensive(spent: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return the tests with the most seconds, all cases of a test together, from seconds by the names of cases."""
    tests = Counter[str]()
    for case, took in spent.items():
        tests[case.partition("[")[0]] += took  # type: ignore[assignment]  # a Counter counts in floats too
    return list(tests.most_common(SHOWN))


def summary(total: float, spent: Mapping[str, float]) -> Iterable[str]:
    """Yield the lines that the suite ends with; none if it is within its budget."""
    if total > BUDGET:
        yield f"The tests took {total:.0f} CPU seconds, and may take {BUDGET:.0f} (CONTRIBUTING.md); most took:"
        for test, took in most_expensive(spent):
            yield f"{took:8.1f} {test}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Take the time before the fixtures of a test are made."""
    item.stash[BEGUN] = seconds()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the time of a test to the last of its reports, which goes to the process that collects them."""
    report = yield
    if call.when == "teardown":
        vars(report)["cpu_seconds"] = seconds() - item.stash[BEGUN]
    return report


class Collected:
    """The times of all tests, in the process that the user started."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the time of a test."""
        took = getattr(report, "cpu_seconds", None)
        if took is not None:
            self.spent[report.nodeid] = took

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Show where the time went, if it was too much."""
        for line in summary(seconds(), self.spent):
            terminalreporter.write_line(line)


def pytest_configure(config: pytest.Config) -> None:
    """Collect the times of the suite, not of `--long` or of a run with more effort, which may take longer."""
    is_suite = (
        not (config.getoption("--long") or config.getoption("--ci")) and config.getoption("--effort") < 1
    )
    if is_suite and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Collected())
