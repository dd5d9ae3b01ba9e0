"""Depths of the cells of a grid: what a path should keep as much of as it can."""

from searchkit_dungeon.terrain import PASSABLE, Terrain

MOST = 255
"""Clearances above this count as this much."""


def clearance(terrain: Terrain) -> bytes:
    """Return how far each cell is from the nearest wall or edge of the map, in steps; 0 for a wall, 255 at most.

    Found for all cells at once: a byte for each in one large number, and each round takes off the outermost cells.
    """
    stride, size = 8 * terrain.stride, len(terrain.weights)
    left = int.from_bytes(terrain.weights.translate(PASSABLE), "little")
    total = 0
    for _ in range(MOST):
        if not left:
            break
        total += left
        left &= left << 8 & left >> 8 & left << stride & left >> stride
    return total.to_bytes(size, "little")


def flat(terrain: Terrain) -> Terrain:
    """Return the same map with floor that costs 1 everywhere."""
    plain, stride = terrain.weights.translate(PASSABLE), terrain.stride
    return Terrain([plain[y * stride : y * stride + terrain.width] for y in range(terrain.height)])
