"""For authors of compiled engines: what the compiled engines of searchkit share.

    from searchkit.compiled import kit

    kit.GraphRun, kit.KernelRun     base classes of compiled engines: bounded slices, growing arrays, errors
    kit.control                     stop reasons, and the places in the array of counters
    kit.begin, kit.step, kit.expand the successors of a state, in each form of a graph
    kit.evaluate                    the heuristic
    kit.locate, kit.load_word, …    the records of the states that are reached
    kit.heap                        binary heaps over any arrays
    kit.prefetch, kit.lowest_bit, … instructions of the processor
    kit.variants                    functions with a variant for each form of an argument

The page "Write a compiled engine" of the documentation shows how they work together. Needs the extra `fast`.
"""

from searchkit.compiled.functions import compiled_function, copy_state, kernel, sub_kernel
from searchkit.compiled.inlining import bits_set, highest_bit, lowest_bit, prefetch
from searchkit.compiled.kit import control, heap
from searchkit.compiled.kit.graph import (
    NO_ARRIVAL_MOVE,
    CSRArrays,
    FunctionPointers,
    GridDistanceArrays,
    Probe,
    StencilArrays,
    begin,
    evaluate,
    expand,
    moves_up_to,
    overestimates,
    step,
)
from searchkit.compiled.kit.records import Closed, Records
from searchkit.compiled.kit.run import GraphRun, KernelRun, inexact
from searchkit.compiled.kit.state import are_same, as_number, as_words, hash_of, put_state, state_array
from searchkit.compiled.kit.store import (
    ALL_FLAGS,
    IS_CLOSED,
    IS_DEAD,
    IS_GOAL,
    IS_SEEN,
    cost_of,
    is_goal_node,
    load_word,
    locate,
    move_of,
    prefetch_states,
    set_flags,
    state_of,
    write_arrival,
)
from searchkit.compiled.variants import Variants, variants

__all__ = [
    "ALL_FLAGS",
    "IS_CLOSED",
    "IS_DEAD",
    "IS_GOAL",
    "IS_SEEN",
    "NO_ARRIVAL_MOVE",
    "CSRArrays",
    "Closed",
    "FunctionPointers",
    "GraphRun",
    "GridDistanceArrays",
    "KernelRun",
    "Probe",
    "Records",
    "StencilArrays",
    "Variants",
    "are_same",
    "as_number",
    "as_words",
    "begin",
    "bits_set",
    "compiled_function",
    "control",
    "copy_state",
    "cost_of",
    "evaluate",
    "expand",
    "hash_of",
    "heap",
    "highest_bit",
    "inexact",
    "is_goal_node",
    "kernel",
    "load_word",
    "locate",
    "lowest_bit",
    "move_of",
    "moves_up_to",
    "overestimates",
    "prefetch",
    "prefetch_states",
    "put_state",
    "set_flags",
    "state_array",
    "state_of",
    "step",
    "sub_kernel",
    "variants",
    "write_arrival",
]
