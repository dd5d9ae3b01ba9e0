"""The least number of crossings with a boat or a torch that somebody has to bring back."""

from math import inf


def fewest_trips(people: int, room: int, here: bool) -> float:
    """Return the least number of trips in both directions that bring people across, with nothing else in the way.

    Args:
        people: how many have not crossed yet.
        room: how many cross in one trip, each of whom can bring back the boat.
        here: whether the boat is on their side.

    """
    if not here:
        return 1 + fewest_trips(people + 1, room, True) if people else 0
    if people <= room:
        return 1
    return inf if room == 1 else 1 + 2 * -(-(people - room) // (room - 1))
