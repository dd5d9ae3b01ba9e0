"""Recordings of searches: made, replayed, compared, kept in files."""

from searchkit.trace.difference import Difference, first_difference
from searchkit.trace.file import load_recording
from searchkit.trace.recorder import RecordedReplanner, RecordedSearch, Recordings, record, watch
from searchkit.trace.recording import (
    EXPAND,
    IMPROVE,
    KINDS,
    LEAVE,
    NOTE,
    REACH,
    REOPEN,
    Counters,
    Event,
    Events,
    Note,
    Recording,
)
from searchkit.trace.replay import Replay, replay
from searchkit.trace.table import Step, StepTable, trace_table

__all__ = [
    "EXPAND",
    "IMPROVE",
    "KINDS",
    "LEAVE",
    "NOTE",
    "REACH",
    "REOPEN",
    "Counters",
    "Difference",
    "Event",
    "Events",
    "Note",
    "RecordedReplanner",
    "RecordedSearch",
    "Recording",
    "Recordings",
    "Replay",
    "Step",
    "StepTable",
    "first_difference",
    "load_recording",
    "record",
    "replay",
    "trace_table",
    "watch",
]
