"""Lockstep from Python: run CUDA programs and PTX kernels on a simulated GPU, and read what came out.

    import lockstep

    with lockstep.Run("build/bench/polybench/atax", "--size", "tiny", config="gtx480") as r:
        print(r.stats["sm.l1d.miss_rate"], r.stats.unit("sm.l1d.miss_rate"))
        for launch in r.launches:
            print(launch["kernel"], launch["cycles"])

Everything is done by the command `lockstep`; this package writes its arguments and reads its files
(docs/user/python.md). It needs nothing but Python 3.7 or later. NumPy arrays, pandas and matplotlib are used where
they are installed.
"""

from .arrays import Array, read_npy, write_npy
from .command import LockstepError, call, find
from .launch import launch
from .results import Results, Statistics, read
from .run import Run, run
from .sweep import Database, Sweep
from .table import Table
from .timeline import Timeline, read_timeline

__all__ = [
    "Array", "Database", "LockstepError", "Results", "Run", "Statistics", "Sweep", "Table",
    "Timeline",
    "call", "find", "launch", "read", "read_npy", "read_timeline", "run", "write_npy",
]
