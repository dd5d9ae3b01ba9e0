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

from searchkit.compiled.functions import compiled_function as compiled_function
from searchkit.compiled.functions import copy_state as copy_state
from searchkit.compiled.functions import kernel as kernel
from searchkit.compiled.functions import sub_kernel as sub_kernel
from searchkit.compiled.inlining import bits_set as bits_set
from searchkit.compiled.inlining import highest_bit as highest_bit
from searchkit.compiled.inlining import lowest_bit as lowest_bit
from searchkit.compiled.inlining import prefetch as prefetch
from searchkit.compiled.kit import control as control
from searchkit.compiled.kit import heap as heap
from searchkit.compiled.kit.graph import SearchSpace as SearchSpace
from searchkit.compiled.kit.graph import as_number as as_number
from searchkit.compiled.kit.graph import as_words as as_words
from searchkit.compiled.kit.graph import begin as begin
from searchkit.compiled.kit.graph import evaluate as evaluate
from searchkit.compiled.kit.graph import expand as expand
from searchkit.compiled.kit.graph import state_array as state_array
from searchkit.compiled.kit.graph import step as step
from searchkit.compiled.kit.run import GraphRun as GraphRun
from searchkit.compiled.kit.run import KernelRun as KernelRun
from searchkit.compiled.kit.store import ALL_FLAGS as ALL_FLAGS
from searchkit.compiled.kit.store import IS_CLOSED as IS_CLOSED
from searchkit.compiled.kit.store import IS_GOAL as IS_GOAL
from searchkit.compiled.kit.store import IS_SEEN as IS_SEEN
from searchkit.compiled.kit.store import cost_of as cost_of
from searchkit.compiled.kit.store import is_goal_node as is_goal_node
from searchkit.compiled.kit.store import load_word as load_word
from searchkit.compiled.kit.store import locate as locate
from searchkit.compiled.kit.store import prefetch_states as prefetch_states
from searchkit.compiled.kit.store import set_flags as set_flags
from searchkit.compiled.kit.store import state_of as state_of
from searchkit.compiled.kit.store import write_arrival as write_arrival
from searchkit.compiled.variants import variants as variants
