"""Search beyond memory and beyond one machine: saved searches, search on disk, and who runs its tasks."""
