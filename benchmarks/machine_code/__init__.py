"""Machine code by itself: growth, overhead, cores, the disk, and preparations."""
