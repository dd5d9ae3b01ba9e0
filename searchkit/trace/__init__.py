"""Recordings of searches: made, replayed, compared, kept in files."""

from searchkit.trace.file.unpack import load_recording
from searchkit.trace.recorder import RecordedSearch, Recordings, record, watch
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
    "RecordedSearch",
    "Recording",
    "Recordings",
    "Replay",
    "load_recording",
    "record",
    "replay",
    "watch",
]
