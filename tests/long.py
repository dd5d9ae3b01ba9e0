"""What `./run test` leaves out and `./run test --long` runs, besides the tests that are marked `long`: CI runs both.

Most of these tests start processes, search something large, or repeat at another size what a cheaper test of the suite
tries. A test of a fault that no cheaper test finds may stand here too, because CI finds it.
"""

PAGES = (
    *("explanation/machine-code", "how-to/check", "how-to/coming-from", "how-to/compare-engines"),
    *("how-to/grade-a-class", "how-to/many-queries", "how-to/search-on-disk", "how-to/solve"),
    *("how-to/watch-a-search", "how-to/write-an-engine"),
    *("reference/testing", "reference/translation", "tutorial/coursework"),
    *("tutorial/make-it-fast", "tutorial/pacman-assignment", "tutorial/ten-problems"),
    *("tutorial/your-own-plugin", "reference/plugins"),
)
"""Pages below `docs` with examples that take seconds: processes, compiling, large maps."""

WHOLE = (
    "benchmarks/tests",
    "tests/mutants/test_problems.py",  # tests/testing/test_check_problem.py has the checks on sound problems
    "plugins/searchkit_coursework/tests/test_checking.py",  # a process for each check
    "plugins/searchkit_coursework/tests/test_attacks.py",  # a process for each attack
    *(f"docs/{page}" if page.endswith("plugins") else f"docs/{page}.md" for page in PAGES),
)
"""Files and folders."""

SINGLE = {
    "tests/core/test_distance_array.py": ("the_array_of_a_grid_is_its_mapping",),
    "tests/testing/test_check_engine.py": ("machine_code_is_compared_with_python",),
    "tests/kernels/test_exactness.py": ("a_graph_of_large_costs",),
    "tests/search/test_compiler.py": ("another_process_compiles",),
    "tests/disk/test_directory.py": ("killed_while_writing",),
    "plugins/searchkit_classics/tests/test_blocks.py": (
        *("klotski_has_25955_states", "the_hardest_boards_of_rush_hour"),
    ),
    "plugins/searchkit_classics/tests/test_pacman.py": ("all_heuristics_are_consistent",),
    "plugins/searchkit_classics/tests/test_plugin.py": ("heuristics_are_graded",),
    "plugins/searchkit_classics/tests/test_sokoban.py": ("the_first_levels_of_microban",),
    "plugins/searchkit_coursework/tests/test_assignments.py": (
        *("ties_cost_no_points_and_dijkstra_for_a_star_does", "a_mistake_fails_the_criteria_that_it_should"),
    ),
    "plugins/searchkit_dungeon/tests/test_jps.py": (
        *("expands_fewer_cells_than_astar", "every_line_of_a_scenario"),
    ),
    "plugins/searchkit_corridor/tests/test_invariants.py": ("other_variants_keep_the_promises_of_an_engine",),
    "plugins/searchkit_dungeon/tests/test_rasters.py": ("least_costs_are_those_of_the_oracle",),
    "plugins/searchkit_dungeon/tests/test_published_lengths.py": ("evenly_spread_lines_with_astar",),
    "plugins/searchkit_graph/tests/test_graph.py": ("every_promise_of_a_problem",),
    "plugins/searchkit_keys/tests/test_exactness.py": ("a_perfect_maze_stays_small",),
    "plugins/searchkit_keys/tests/test_heuristics.py": ("crossings_are_exact_on_the_generated_forests",),
    "plugins/searchkit_local/tests/test_figures.py": ("some_sideways_moves_help",),
    "plugins/searchkit_tiles/tests/test_compiled.py": ("state_by_state",),
    "tests/cli/test_check.py": (
        *("wrong_use_is_one_message", "problems_in_python_files", "a_file_that_can_t_be_loaded_is_wrong_use"),
        "a_plain_file_is_checked",
    ),
    "tests/cli/test_compile.py": ("after_it_nothing_is_compiled", "what_is_compiled_is_counted"),
    "tests/cli/test_contract.py": ("pictures",),
    "tests/cli/test_grade.py": ("ctrl_c_leaves_the_results_so_far", "a_class_in_one_call"),
    "tests/cli/test_plugin_commands.py": (
        *("commands_of_searchkit_load_no_plugin", "json_of_a_plugin_s_command"),
    ),
    "tests/cli/test_process.py": (
        *("stdout_that_is_closed",),
        *("ctrl_c_in_a_comparison_ends_all_of_it",),
        "a_second_ctrl_c_ends_a_search_that_does_not_answer",
        "nothing_is_imported_that_is_not_used",
    ),
    "tests/cli/test_stdin.py": ("a_real_pipe",),
    "tests/cli/test_stepping.py": ("ctrl_c_leaves_the_terminal_as_it_was",),
    "tests/docs/test_notebooks.py": ("the_notebook_runs",),
    "tests/docs/test_reference.py": ("commands_are_documented",),
    "tests/engines/test_ties.py": ("the_hash_seed_changes_nothing",),
    "tests/kernels/test_backends.py": (
        "memory_that_runs_out_is_a_cutoff",
        *("without_numba_nothing_else_is_missed",),
        *("what_a_kernel_calls_may_change",),
    ),
    "tests/kernels/test_code_cache.py": (
        *("numba_is_not_configured_for_the_whole_process",),
        "a_function_within_a_function_has_the_same_key_in_every_process",
    ),
    "tests/plugins/test_adapters.py": ("simpleai_gives_the_same_costs", "aima_python_counts_the_same"),
    "tests/plugins/test_third_party.py": ("the_command_line_names_failed_plugins_and_goes_on",),
    "tests/render/player/test_replay.py": ("a_long_jump_ends_where_steps_end",),
    "tests/render/test_draw.py": ("large_maps_are_embedded_as_images",),
    "tests/search/many/test_processes.py": (
        *("errors_and_cutoffs_come_in_their_places",),
        "what_can_not_be_sent_and_what_is_not_combined",
    ),
    "tests/search/many/test_endings.py": ("the_program_ends_whatever_still_runs",),
    "tests/testing/test_check_problem.py": (
        *("every_installed_problem_answers_alike_in_every_process",),
        "the_lines_of_a_report_show_the_failure_again",
    ),
    "tests/trace/test_file.py": ("a_large_search_is_a_small_file",),
    "tests/search/test_backend.py": ("a_limit_of_addresses_keeps_searches_in_python",),
    "tests/disk/test_executors.py": (
        "processes_end_with_the_one_that_started_them",
        "what_a_script_defines_is_sent",
    ),
    "tests/cli/test_bundled.py": ("a_path_that_is_not_yet_proved_the_best",),
}
"""Tests, without `test_`, by their files.

Those of other libraries (matplotlib, simpleai, aima) are among them, because the extra `suite` does without.
"""

CASES = {
    "tests/golden/test_golden.py": ("python[crossing]",),
    "tests/search/test_backend.py": ("a_broken_numba_keeps_searches_in_python[SystemExit(1)]",),
    "plugins/searchkit_graph/tests/test_conversion.py": ("a_matrix_is_the_same_graph[kinds0]",),
    "plugins/searchkit_tiles/tests/test_compiled.py": ("pattern_databases[size3]", "a_24_puzzle"),
    "tests/core/test_distance_array.py": ("large_distances", "an_array_can_not_be_written_to[compiled]"),
    "tests/engines/test_depth.py": ("a_path_of_100_000_actions[rbfs]",),
    "tests/core/test_distance_map.py": ("backends_give_the_same_map[functions]",),
    "tests/cli/test_check.py": ("json_is_the_whole_report",),
    "tests/kernels/test_exactness.py": (
        *(f"costs_that_overflow[{name}]" for name in ("astar", "bfs", "bucket", "greedy", "idastar")),
    ),
    "tests/kernels/test_depth_first.py": ("paths_and_stacks_grow[two words]",),
    "tests/translate/test_solving.py": (
        *("a_layout_that_is_outgrown[external_bfs]", "many[processes:2]", "a_saved_search"),
    ),
    "tests/disk/test_executors.py": ("killed_process_costs_nothing_but_its_task",),
    "tests/certificates/test_every_engine.py": (
        "a_search_in_machine_code_gives_the_same_certificate[dijkstra-crypt]",
    ),
    "tests/kernels/test_queues.py": ("graphs_whose_costs_differ_much[astar-four words]",),
    "tests/kernels/test_memory_limit.py": (
        "a_limit_of_memory_holds[astar-2]",
        "a_limit_of_memory_holds[bfs-2]",
    ),
    "tests/kernels/test_same_answers.py": (
        "on_every_compilable_problem[corridor-engines0]",
        *("on_digraphs[astar-four words]", "on_digraphs[astar-two words]", "on_digraphs[idastar-two words]"),
        "on_digraphs[bfs-four words]",
        "several_starts_and_goals[idastar-two words]",
    ),
    "tests/kernels/test_saved_runs.py": (
        *(
            f"made_up_values_on_digraphs[0-{name}-{form}]"
            for name in ("bfs", "astar", "idastar", "dijkstra", "bucket", "greedy", "zero_one")
            for form in ("two words", "functions")
        ),
    ),
    "tests/plugins/test_copies.py": (
        *("every_example_can_be_copied[keys-vault4]", "every_example_can_be_copied[cube3-checkerboard]"),
        *("every_example_can_be_copied[tiles-8puzzle]", "every_example_can_be_copied[keys-vault]"),
    ),
    "tests/testing/test_check_engine.py": (
        *(f"every_registered_engine_keeps_its_promises[{name}]" for name in ("cbs", "lacam", "odid")),
    ),
}
"""Single cases of tests: they take seconds, most of them to compile kernels."""


def is_long(path: str, name: str) -> bool:
    """Whether the suite leaves out a test of a file, or one case of it."""
    case = name.removeprefix("test_")
    if case.partition("[")[0] in SINGLE.get(path, ()) or case in CASES.get(path, ()):
        return True
    return any(path == place or path.startswith(f"{place}/") for place in WHOLE)
