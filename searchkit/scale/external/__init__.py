"""Search on disk: rounds of pure tasks over sorted files of packed states, and the engines that run them.

A round expands a layer (`tasks.expand`) into files that are divided by the hash of the states, and merges what belongs
together (`tasks.merge`) into the files of the next layer. `docs/explanation/beyond-memory.md` explains it.
"""
