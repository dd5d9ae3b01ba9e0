"""One step for all robots at once, by priority inheritance with backtracking (PIBT; Okumura et al. 2022).

Each robot moves as near to its goal as the robots before it allow. A robot that blocks another one moves first and
inherits its priority. Two robots that have to change places in a corridor do so where a junction lets them pass: the
one with priority steps back, and pulls the other one after it (the operation *swap* of Okumura 2023b).
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, sub_kernel

NO_ROBOT = -1


class Crew(NamedTuple):
    """The arrays with which a step is computed; int32."""

    robot_at: Any
    """Location → the robot there before the step, or `NO_ROBOT`."""
    taken: Any
    """Location → the robot there after the step, or `NO_ROBOT`."""
    after: Any
    """Robot → its location after the step, or −1 if it has not chosen."""
    moving: Any
    """The robots that are choosing; each but the first one was pushed by the one before it."""
    at: Any
    """For each of them, the number of its next choice, and the robot that it pulls."""
    choices: Any
    """For each of them, the locations that it can choose, best ones first."""
    keys: Any
    """Room for the keys by which choices are sorted, int64."""


@compiled_function
def shuffled(turn: Any, robot: Any, way: Any) -> Any:
    """Return a number of 32 bits that looks random, by which a robot orders its ways in a turn."""
    mixed = (turn * 0x9E3779B1 + np.int64(robot) * 0x85EBCA6B + way * 0xC2B2AE35) & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    return mixed ^ mixed >> 12


@compiled_function
def _exits(roads: Any, crew: Any, behind: Any, ahead: Any) -> Any:
    """Return the number of ways on from `ahead`, and the last one; dead ends where a robot is at home don't count."""
    exits, onward = 0, ahead
    for way in range(roads.degrees[ahead]):
        location = roads.ways[ahead, way]
        robot = crew.robot_at[location]
        at_home = robot != NO_ROBOT and roads.goals[robot] == location
        if location != behind and not (at_home and roads.degrees[location] == 1):
            exits, onward = exits + 1, location
    return exits, onward


@sub_kernel
def _must_swap(roads: Any, crew: Any, pusher: Any, puller: Any, behind: Any, ahead: Any) -> Any:
    """Whether two robots want to pass each other, if one pushes the other one along the corridor from `behind`."""
    wants, other = roads.distances[pusher], roads.distances[puller]
    while wants[ahead] < wants[behind]:
        exits, onward = _exits(roads, crew, behind, ahead)
        if exits >= 2:
            return False
        if exits == 0:
            break
        behind, ahead = ahead, onward
    return other[behind] < other[ahead] and (wants[behind] == 0 or wants[ahead] < wants[behind])


@sub_kernel
def _can_swap(roads: Any, crew: Any, behind: Any, ahead: Any) -> Any:
    """Whether the corridor from `behind` leads to a junction where two robots can pass each other."""
    start = behind
    while ahead != start:
        exits, onward = _exits(roads, crew, behind, ahead)
        if exits != 1:
            return exits >= 2
        behind, ahead = ahead, onward
    return False


@compiled_function
def _partner(roads: Any, crew: Any, robot: Any, here: Any, first: Any) -> Any:
    """Return the robot that has to change places with this one, whose first choice is given, and can; or `NO_ROBOT`."""
    if first == here:
        return NO_ROBOT
    other = crew.robot_at[first]
    if (
        other != NO_ROBOT
        and crew.after[other] < 0
        and _must_swap(roads, crew, robot, other, here, first)
        and _can_swap(roads, crew, first, here)
    ):
        return other
    for way in range(roads.degrees[here]):
        beside = roads.ways[here, way]
        behind = crew.robot_at[beside]
        if (
            behind != NO_ROBOT
            and beside != first
            and _must_swap(roads, crew, behind, robot, here, first)
            and _can_swap(roads, crew, first, here)
        ):
            return behind
    return NO_ROBOT


@compiled_function
def _begin(roads: Any, crew: Any, here: Any, turn: Any, depth: Any, robot: Any) -> None:
    """Let a robot choose: write its choices."""
    location, choices, keys = here[robot], crew.choices[depth], crew.keys
    degree = roads.degrees[location]
    for way in range(degree + 1):
        there = roads.ways[location, way] if way < degree else location
        key = np.int64(roads.distances[robot, there]) << 32 | shuffled(turn, robot, way)
        place = way
        while place > 0 and keys[place - 1] > key:
            keys[place], choices[place] = keys[place - 1], choices[place - 1]
            place -= 1
        keys[place], choices[place] = key, there
    follower = _partner(roads, crew, robot, location, choices[0])
    if follower != NO_ROBOT:
        for place in range((degree + 1) // 2):
            choices[place], choices[degree - place] = choices[degree - place], choices[place]
    crew.moving[depth], crew.at[depth, 0], crew.at[depth, 1] = robot, 0, follower


@compiled_function
def collides(crew: Any, here: Any, robot: Any, location: Any) -> Any:
    """Whether a robot that moves to a location changes places with another one."""
    other = crew.robot_at[location]
    return other != NO_ROBOT and other != robot and crew.after[other] == here[robot]


@compiled_function
def take(crew: Any, robot: Any, location: Any) -> None:
    """Let a robot be at a location after the step."""
    crew.after[robot], crew.taken[location] = location, robot


@sub_kernel
def move(roads: Any, crew: Any, here: Any, turn: Any, first: Any) -> Any:
    """Choose a location for a robot, and for robots in its way; return False if it has to stay where it is."""
    _begin(roads, crew, here, turn, 0, first)
    depth = 0
    pushed = moved = False  # whether a robot that was pushed has just chosen, and whether it moved
    while depth >= 0:
        robot, at, follower = crew.moving[depth], crew.at[depth, 0], crew.at[depth, 1]
        done = pushed and moved
        pushed, degree = False, roads.degrees[here[robot]]
        while not done and at <= degree:
            location = crew.choices[depth, at]
            at += 1
            if crew.taken[location] != NO_ROBOT or collides(crew, here, robot, location):
                continue
            take(crew, robot, location)
            other = crew.robot_at[location]
            if other != NO_ROBOT and crew.after[other] < 0:
                pushed = True
                break
            done = True
        crew.at[depth, 0] = at
        if pushed:
            depth += 1
            _begin(roads, crew, here, turn, depth, crew.robot_at[crew.after[robot]])
            pushed = False
            continue
        if done:
            pulls = follower != NO_ROBOT and at == 1
            if pulls and crew.after[follower] < 0 and crew.taken[here[robot]] == NO_ROBOT:
                take(crew, follower, here[robot])
        else:
            take(crew, robot, here[robot])  # the robot that pushed wants this location and can't take it
        pushed, moved = True, done
        depth -= 1
    return moved
