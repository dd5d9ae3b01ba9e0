"""Options that are declared once, and promises of every registered kind of problem about its options."""

import pickle
from inspect import signature
from io import StringIO

import pytest
from hypothesis import given, settings

from searchkit import SearchProblem, load
from searchkit.plugin import (
    InvalidOptionError,
    ProblemSpec,
    UnknownNameError,
    option,
    options_of,
    parameters_of,
    with_options,
)
from searchkit.plugin.loading import write
from searchkit.plugin.registry import registry


@with_options
class Stairs(SearchProblem[int, int]):
    """Stairs."""

    steps: int = option("the number of steps", default=3, least=1, most=9)
    strides: tuple[int, ...] = option("the strides", default=(1, 2), least=1)
    steep: bool = option("whether it is steep", default=False)
    heuristic_name: str = option("exact; zero", default="exact", choices=("exact", "zero"), alias="heuristic")

    def initial_states(self) -> list[int]:
        return [self.steps]

    def successors(self, state: int) -> list[tuple[int, int]]:
        return [(stride, state - stride) for stride in self.strides if stride <= state]

    def is_goal(self, state: int) -> bool:
        return state == 0


SPEC = ProblemSpec("stairs", "stairs", Stairs)


def test_what_follows_from_the_fields() -> None:
    """Signature, conversion, repr, equality, hash, pickling, the written form and the specification."""
    stairs = Stairs(5, strides="1, 3", heuristic="zero")
    assert repr(stairs) == "Stairs(steps=5, strides=(1, 3), heuristic='zero')"
    assert eval(repr(stairs)) == stairs != Stairs()
    assert len({stairs, pickle.loads(pickle.dumps(stairs))}) == 1
    assert list(signature(Stairs).parameters) == ["steps", "strides", "steep", "heuristic"]
    assert options_of(stairs) == {"steps": 5, "strides": (1, 3), "heuristic": "zero"}
    assert [parameter.name for parameter in parameters_of(Stairs)] == [
        "steps",
        "strides",
        "steep",
        "heuristic",
    ]
    assert SPEC.instance is Stairs
    assert SPEC.parse({"steep": "yes"}) == {
        "steps": 3,
        "strides": (1, 2),
        "steep": True,
        "heuristic": "exact",
    }


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"steps": 0}, "steps=0: expected a whole number from 1 to 9; steps is the number of steps"),
        ({"steps": "x"}, "steps=x: expected a whole number from 1 to 9; steps is the number of steps"),
        ({"steps": 2.5}, "steps=2.5: expected a whole number from 1 to 9; steps is the number of steps"),
        (
            {"strides": 0},
            "strides=0: expected whole numbers, at least 1, such as 1,2; strides is the strides",
        ),
        (
            {"strides": []},
            "strides=: expected whole numbers, at least 1, such as 1,2; strides is the strides",
        ),
        ({"steep": "very"}, "steep=very: expected true or false; steep is whether it is steep"),
        (
            {"heuristic": "zerro"},
            "heuristic=zerro: did you mean zero? Expected one of exact, zero; heuristic is exact; zero",
        ),
    ],
)
def test_errors_of_options(given: dict[str, object], message: str) -> None:
    """The constructor and the specification say what was given, what was expected, and what the option is."""
    for make in (Stairs, lambda **options: SPEC.parse(options)):
        with pytest.raises(InvalidOptionError) as error:
            make(**given)
        assert str(error.value) == message


NAMES = sorted(registry().problems)


@pytest.mark.parametrize("name", NAMES)
def test_the_text_of_every_error(name: str) -> None:
    """Out of range, of a wrong type, not a choice, and a name with a letter too much, for every registered option."""
    spec = registry().problems[name]
    for parameter in spec.parameters:
        wrong: list[object] = [number for number in (parameter.least, parameter.most) if number is not None]
        wrong = [wrong[0] - 1, wrong[-1] + 1][: len(wrong)] if len(wrong) == 2 else []  # type: ignore[operator]
        wrong += ["!"] * (bool(parameter.choices) or isinstance(parameter.default, int | float | tuple))
        for value in wrong:
            with pytest.raises(InvalidOptionError, match=f"^{parameter.name}={value}: .*expected ") as error:
                spec.parse({parameter.name: value})
            assert str(error.value).endswith(f"; {parameter.name} is {parameter.help}")
        with pytest.raises(UnknownNameError, match=f"{parameter.name}x'.* {parameter.name}"):
            spec.parse({f"{parameter.name}x": 1})


@pytest.mark.parametrize("name", NAMES)
def test_written_problems_are_equal(name: str) -> None:
    """`load` makes an equal problem of what `write` returns: of the examples, and of small problems."""
    spec = registry().problems[name]
    if spec.strategy is None:
        pytest.skip("no strategy")

    @given(spec.strategy())
    @settings(max_examples=10, database=None, deadline=None)
    def check(problem: SearchProblem[object, object]) -> None:
        written = write(problem)
        if written is not None:
            again = load(StringIO(written.text), written.kind, **written.options)
            assert type(again) is type(problem)
            assert write(again) == written
            assert list(again.initial_states()) == list(problem.initial_states())
            assert again == problem or not parameters_of(type(problem))

    check()


@pytest.mark.parametrize("name", NAMES)
def test_an_option_of_another_kind_of_problem(name: str) -> None:
    """It is an error, whatever names the source: an example, a kind, or a file."""
    spec = registry().problems[name]
    source = spec.name if spec.instance else spec.examples[0].name
    with pytest.raises(UnknownNameError, match="has no option 'cannibal_boats'"):
        load(source, cannibal_boats=8)
