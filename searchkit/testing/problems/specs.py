"""Checking a `ProblemSpec`: its options and its examples."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from searchkit.errors import SearchkitError
from searchkit.plugin.loading import instance_of, load
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import Example, Parameter, ProblemSpec
from searchkit.problem import SearchProblem
from searchkit.testing.problems.drawings import compare, plugin_faults_raised
from searchkit.testing.problems.survey import last_line, short, survey
from searchkit.testing.reports import Check, Counterexample

PARAMETERS = ("parameters", "every option is documented, and takes its own default")
EXAMPLES = (
    "examples",
    "every example loads, alike each time, with its options left out or given their defaults",
)
STATES = 100
"""The number of states in which an example is compared with itself."""


def check_parameters(spec: ProblemSpec, again: tuple[str, ...]) -> Check:
    """Check the options of a kind of problem."""
    faults = list(_faults_of_options(spec))
    if not faults:
        return Check(*PARAMETERS, "holds")
    case = Counterexample("\n".join(f"{spec.name}: {fault}" for fault in faults), reproduce=again)
    return Check(*PARAMETERS, "fails", faults[0], case)


def _faults_of_options(spec: ProblemSpec) -> Iterator[str]:
    names = [parameter.name for parameter in spec.parameters]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"option {name!r} is there {names.count(name)} times"
    for parameter in spec.parameters:
        if not parameter.name.isidentifier():
            yield f"option {parameter.name!r} can't be written in Python: load(…, {parameter.name}=…)"
        if not parameter.help.strip():
            yield f"option {parameter.name!r} has no help text: give one, Parameter({parameter.name!r}, 'what …')"
        yield from _faults_of_values(parameter)


def _faults_of_values(parameter: Parameter) -> Iterator[str]:
    values = [("default", parameter.default)] if parameter.default is not None else []
    for what, value in [*values, *(("choice", choice) for choice in parameter.choices)]:
        for given in dict.fromkeys((value, str(value)) if isinstance(value, str | int | float) else (value,)):
            try:
                read = parameter.parse(given)
            except SearchkitError as error:
                yield f"option {parameter.name!r} does not take its own {what}: {error}"
                break
            except Exception as error:
                yield (
                    f"option {parameter.name!r}: convert({given!r}) raised {last_line(error)}; expected ValueError for "
                    "a value that it does not take"
                )
                break
            if read != value:
                yield f"option {parameter.name!r} reads its own {what} {given!r} as {read!r}"
                break


def check_examples(spec: ProblemSpec, add: Callable[[Any], None]) -> Check:
    """Load each example with and without its defaults spelt out, and call `add` with the problem."""
    examples = list(spec.examples)
    if spec.instance is not None:
        examples.append(Example(spec.name, None))
    if not examples:
        return Check(*EXAMPLES, "skipped", "no example ships with it")
    if registry().problems.get(spec.name) != spec:
        return Check(
            *EXAMPLES,
            "skipped",
            f"no plugin that is installed brings this {spec.name!r}: nobody can load them",
        )
    faults = []
    for example in examples:
        defaults = {p.name: p.default for p in spec.parameters if p.default is not None}
        call = f"load({example.name!r}, {spec.name!r})"
        try:
            with plugin_faults_raised():
                problem = _made(spec, example, example.options)
                spelt = _made(spec, example, defaults | dict(example.options))
        except Exception as error:
            faults.append((f"{call}: {last_line(error)}", call))
            continue
        difference = compare(survey(problem, STATES), spelt, STATES)
        if difference:
            what, _, before, after = difference
            faults.append(
                (
                    f"example {example.name!r}: {what} is {short(before)}, and {short(after)} if it is loaded again "
                    "with its defaults spelt out",
                    call,
                )
            )
        add(problem)
    if not faults:
        return Check(*EXAMPLES, "holds")
    detail, call = faults[0]
    lines = ("from searchkit import load", f"problem = {call}", "print(problem)")
    case = Counterexample("\n".join(fault for fault, _ in faults), reproduce=lines)
    return Check(*EXAMPLES, "fails", detail, case)


def _made(spec: ProblemSpec, example: Example, options: Mapping[str, Any]) -> SearchProblem[Any, Any]:
    """Load an example, or make it if it has no file. No file of the same name takes its place."""
    if example.path is None:
        return instance_of(spec, options)
    return load(str(example.path), spec.name, **options)
