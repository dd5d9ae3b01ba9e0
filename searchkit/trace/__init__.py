"""Recordings of searches: made, replayed, kept in files."""

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
    "load_recording",
    "record",
    "replay",
    "trace_table",
    "watch",
]
