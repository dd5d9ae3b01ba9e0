"""Search on disk, and the executors that run its tasks."""
