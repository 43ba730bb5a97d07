"""Timelines of runs (docs/user/timeline.md) as tables."""

import gzip
import json

from .table import Table

_VERSION = "lockstep timeline 1"


class Timeline:
    """What a run did in simulated time.

    slices: kernels, copies, CTAs and, with detail, warps, instructions, waits, requests and their stages; a
    row each, with times in picoseconds. counters: a row for each window of a counter and each of its values.
    arrows: a row for each, from one slice to another. sources: the PTX texts. left_out: how many events of
    each kind the file lacks.
    """

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        if data[:4] == b"\x28\xb5\x2f\xfd":
            raise ValueError(f"{path} is a zstd stream: unpack it (zstd -d), or write .json.gz")
        document = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
        if document.get("otherData", {}).get("format") != _VERSION:
            raise ValueError(f"{path} is no timeline of this version of Lockstep ({_VERSION})")
        self.title = document["otherData"].get("title", "")
        self.sources = document["lockstep"]["sources"]
        self.left_out = document["lockstep"]["left_out"]
        self._read(document["traceEvents"])

    def _read(self, events):
        names, tracks, slices, counters, ends = {}, {}, [], [], {}
        for e in events:
            if e["ph"] == "M" and e["name"] == "process_name":
                names[e["pid"]] = e["args"]["name"]
            elif e["ph"] == "M" and e["name"] == "thread_name":
                tracks[e["pid"], e["tid"]] = e["args"]["name"]
            elif e["ph"] == "X":
                begin = round(e["ts"] * 1e6)
                slices.append((names[e["pid"]], tracks[e["pid"], e["tid"]], e["cat"], e["name"], begin,
                               begin + round(e["dur"] * 1e6), e["args"]))
            elif e["ph"] == "C":
                counters += [(e["name"], part, round(e["ts"] * 1e6), value) for part,
                    value in e["args"].items()]
            elif e["ph"] in "sf":
                place = (names[e["pid"]], tracks[e["pid"], e["tid"]], round(e["ts"] * 1e6))
                ends.setdefault((e["cat"], e["id"]), {})[e["ph"]] = place
        self.slices = Table(["process", "track", "category", "name", "begin_ps", "end_ps", "arguments"],
            slices)
        self.counters = Table(["counter", "part", "begin_ps", "value"], counters)
        self.arrows = Table(["category", "from_process", "from_track", "from_ps", "to_process", "to_track",
            "to_ps"],
                            [(key[0], *both["s"], *both["f"]) for key, both in ends.items()])


def read_timeline(path):
    """The Timeline in a file of `lockstep run --timeline`, plain or gzip. ValueError if it is none."""
    return Timeline(path)
