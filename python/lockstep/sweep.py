"""Sweeps: many runs that one description names, and the database of their results (docs/user/sweeps.md)."""

import json
import os
import sqlite3

from .command import call
from .table import Table


class Sweep:
    """A sweep that is described here. The keys are those of a sweep file:

        sweep = lockstep.Sweep("l1", workloads=["polybench/atax"], size="tiny",
                               factors={"l1": {"16K": {}, "48K": {"config": "gtx480-l1-48k"}}})
        results = sweep.run("l1.db")
        print(results.table("gpu.cycles", "sm.l1d.miss_rate"))
    """

    def __init__(self, name, **keys):
        self.keys = {"name": name, **keys}

    def write(self, path):
        """Writes the sweep file. (It is JSON, which is YAML, too.)"""
        with open(path, "w") as file:
            json.dump(self.keys, file, indent=1)
            file.write("\n")

    def run(self, database, jobs=None, options=()):
        """Runs the points that have no result yet, and returns the Database.

        database: its file, beside which NAME.yaml is written. jobs: how many run at a time (default: as many
        as the processors can run). options: further words for `lockstep sweep`. LockstepError if some jobs
        failed; the others are in the database.
        """
        path = os.path.splitext(database)[0] + ".yaml"
        self.write(path)
        call(["sweep", "-q", path, "-o", database, *(["-j", jobs] if jobs else []), *options])
        return Database(database)


class Database:
    """The database of a sweep. It is read only."""

    def __init__(self, path):
        if not os.path.exists(path):
            raise FileNotFoundError(path)
        self.path = os.fspath(path)

    def query(self, sql, *values):
        """The rows of a query of SQL; experiment/store.sql says what the tables hold."""
        base = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
        try:
            found = base.execute(sql, values)
            return Table([c[0] for c in found.description], found.fetchall())
        finally:
            base.close()

    @property
    def sweeps(self):
        """The names of the sweeps in it."""
        return self.query("SELECT name FROM sweeps ORDER BY id")["name"]

    def table(self, *names, sweep=None):
        """A row for each point: workload, size, seed, base, a column for each factor, the state of its job,
        and these statistics or derived values (default: all derived values). sweep: default: the first."""
        sweep = sweep or self.sweeps[0]
        factors = self.query("SELECT DISTINCT factor FROM levels JOIN sweeps s ON s.id = sweep "
                             "WHERE s.name = ? ORDER BY levels.position", sweep)["factor"]
        names = names or self.query("SELECT d.name FROM derived d JOIN sweeps s ON s.id = d.sweep "
                                    "WHERE s.name = ? ORDER BY d.position", sweep)["name"]
        fixed = ["workload", "size", "seed", "base"]
        columns = [f"p.{name} AS {name}" for name in fixed]
        values = []
        for factor in factors:
            columns.append("(SELECT level FROM point_levels l WHERE l.sweep = p.sweep AND "
                           f"l.number = p.number AND l.factor = ?) AS {_quoted(factor)}")
            values.append(factor)
        columns.append("j.state AS state")
        for name in names:
            columns.append("coalesce((SELECT value FROM results r JOIN statistics t ON t.id = r.statistic "
                           "WHERE r.job = p.job AND t.name = ?), (SELECT value FROM derived_results d "
                           "WHERE d.sweep = p.sweep AND d.number = p.number AND d.name = ?)) "
                           f"AS {_quoted(name)}")
            values += [name, name]
        self._check(names, sweep)
        return self.query(f"SELECT {', '.join(columns)} FROM points p JOIN sweeps s ON s.id = p.sweep "
                          "JOIN jobs j ON j.id = p.job WHERE s.name = ? ORDER BY p.number", *values, sweep)

    def _check(self, names, sweep):
        known = set(self.query("SELECT name FROM statistics")["name"])
        known.update(self.query("SELECT d.name FROM derived d JOIN sweeps s ON s.id = d.sweep "
                                "WHERE s.name = ?", sweep)["name"])
        for name in names:
            if name not in known:
                raise KeyError(f"{self.path} has no statistic or derived value {name}")


def _quoted(name):
    return '"' + name.replace('"', '""') + '"'

