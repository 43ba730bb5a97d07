"""The files of an output folder (docs/user/statistics.md) as Python values."""

import json
import os
import re
from collections.abc import Mapping
from fnmatch import fnmatchcase

from .table import Table, number, read_csv

_BEGIN = "---------- Begin Simulation Statistics ----------"
_LINE = re.compile(r"(\S+)\s+(\S+) # (.*?)(?: \(([^()]*)\))?$")


class Statistics(Mapping):
    """Values by name: stats["sm.l1d.misses"]. A name of several values is given with its part behind two
    colons: stats["sm.issue_slots::issued"]."""

    def __init__(self, entries):
        self._entries = entries  # name: value, unit, description

    def __getitem__(self, name):
        try:
            return self._entries[name][0]
        except KeyError:
            raise KeyError(f"no statistic {name}{_similar(name, self._entries)}") from None

    def __iter__(self):
        return iter(self._entries)

    def __len__(self):
        return len(self._entries)

    def unit(self, name):
        """Its unit, as in "cycles"."""
        return self._entries[name][1]

    def description(self, name):
        """What it counts, in a sentence."""
        return self._entries[name][2]

    def match(self, pattern):
        """The statistics whose names match a pattern with * and ?: stats.match("sm.issue_slots::*")."""
        return Statistics({n: e for n, e in self._entries.items() if fnmatchcase(n, pattern)})

    def table(self):
        """All of them as a table: name, value, unit, description."""
        return Table(["name", "value", "unit", "description"],
                     [(n, *e) for n, e in self._entries.items()])

    def __repr__(self):
        return repr(self.table())


class Results:
    """What a run has written into its output folder. Files are read when they are first asked for.

    folder: the folder. printed: what the program printed on standard output, if lockstep.run or
    lockstep.launch ran it.
    """

    def __init__(self, folder, printed=None):
        self.folder = os.fspath(folder)
        self.printed = printed
        self._sections = None

    def path(self, name):
        """The path of one of the files. FileNotFoundError says which option writes it."""
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            raise FileNotFoundError(f"{path} is not there{_WRITTEN_WITH.get(name, '')}")
        return path

    @property
    def stats(self):
        """The statistics of the whole run."""
        return self._section("total of")

    @property
    def kernels(self):
        """The statistics of each kernel, all its launches added up, by its name: kernels["atax1"]."""
        self._read()
        head = "launches of "
        return {title[len(head):].split(" (")[0]: Statistics(entries)
                for title, entries in self._sections.items() if title.startswith(head)}

    @property
    def launches(self):
        """A row for each launch of a kernel: cycles, instructions, hit rates. Times are in picoseconds."""
        return read_csv(self.path("launches.csv"))

    @property
    def series(self):
        """Statistics over time, a row for each period of core cycles. Written with series=."""
        return read_csv(self.path("series.csv"))

    @property
    def energy(self):
        """Events of the energy model, a row for each launch. Written with energy=."""
        return read_csv(self.path("energy.csv"))

    @property
    def findings(self):
        """What the sanitizer found. Written with sanitize=."""
        return read_csv(self.path("sanitize.csv"))

    @property
    def profile(self):
        """A row for each line of PTX: executions (warps), threads, and the issue slots that it took or lost,
        by cause. Written with profile=True."""
        with open(self.path("profile.json")) as file:
            kernels = json.load(file)["kernels"]
        rows, causes = [], {}
        for kernel in kernels:
            for line in kernel["lines"]:
                causes.update(dict.fromkeys(line.get("slots", ())))
                rows.append((kernel["name"], kernel["functions"][line["function"]]["file"], line))
        fixed = ["line", "text", "executions", "threads"]
        return Table(["kernel", "file", *fixed, *causes],
                     [(kernel, file, *(line.get(f, 0) for f in fixed),
                       *(line.get("slots", {}).get(c, 0) for c in causes)) for kernel, file, line in rows])

    @property
    def config(self):
        """Every parameter in effect, by its path: config["sm.l1d.ways"]."""
        values, parts = {}, []
        with open(self.path("config.yaml")) as file:
            for text in file:
                found = re.match(r"( *)([\w+-]+): *(.*)", text)
                if found:
                    parts[len(found.group(1)) // 2:] = [found.group(2)]
                    value = re.sub(r"(^|\s+)#.*", "", found.group(3)).strip().strip('"')
                    if value:
                        values[".".join(parts)] = {"true": True, "false": False}.get(value, number(value))
        return values

    def _section(self, head):
        self._read()
        for title, entries in self._sections.items():
            if title.startswith(head):
                return Statistics(entries)
        raise KeyError(f"{self.folder}/stats.txt has no section '{head}'")

    def _read(self):
        if self._sections is None:
            with open(self.path("stats.txt")) as file:
                self._sections = _read_sections(file)


_WRITTEN_WITH = {
    "series.csv": ": it is written with series=",
    "energy.csv": ": it is written with energy=",
    "sanitize.csv": ": it is written with sanitize=",
    "profile.json": ": it is written with profile=True",
}


def read(folder):
    """The results in an output folder that a run has left: read("lockstep-out").stats["gpu.cycles"]."""
    return Results(folder)


def _read_sections(lines):
    """Title of each section of stats.txt: name: value, unit, description."""
    sections, entries = {}, None
    for line in lines:
        if line.startswith(_BEGIN):
            entries = sections.setdefault(line[len(_BEGIN):].strip(" #\n"), {})
        elif entries is not None:
            found = _LINE.match(line)
            if found:
                name, value, description, unit = found.groups()
                entries[name] = (number(value), unit or "", description)
    return sections


def _similar(name, entries):
    from difflib import get_close_matches

    near = get_close_matches(name, [n for n in entries if "[" not in n], 1)
    return f"; did you mean {near[0]}?" if near else ""
