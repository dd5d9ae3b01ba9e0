"""States and actions of the bundled problems are values: equal, hashable, readable, the same in another process."""

import pickle
from itertools import islice

import pytest

from searchkit import available_problems, load

EXAMPLES = [
    (spec.name, example.name)
    for spec in available_problems().values()
    for example in sorted(spec.examples, key=lambda example: example.size)[:2]
]


@pytest.mark.parametrize(("kind", "example"), EXAMPLES)
def test_states_and_actions_are_values(kind: str, example: str) -> None:
    """States and actions of two copies of a problem are equal; actions of vaults were compared by identity."""
    problems = load(example, kind), load(example, kind)
    states = [next(iter(problem.initial_states())) for problem in problems]
    assert states[0] == states[1]
    for _ in range(3):
        steps, others = ([*islice(problem.successors(states[0]), 5)] for problem in problems)
        assert steps == others
        for value in (value for step in steps for value in step):
            assert pickle.loads(pickle.dumps(value)) == value
            assert len({value, pickle.loads(pickle.dumps(value))}) == 1
            assert " at 0x" not in repr(value)
        if steps:
            states[0] = steps[0][1]
