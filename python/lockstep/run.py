"""CUDA programs on the simulated GPU."""

import shutil
import tempfile

from .command import call, run_options
from .results import Results


def run(program, *arguments, output=None, **options):
    """Runs a program of the CUDA driver or runtime API, and returns its Results.

    output: the folder for the results (default: a new one under the folder for temporary files). The other
    options are those of command.run_options: config, set, functional, threads, seed, profile, series,
    energy, sample, sanitize, options. LockstepError if the program fails.
    """
    folder = output or tempfile.mkdtemp(prefix="lockstep-")
    try:
        printed = call(["run", "-q", "-o", folder, *run_options(**options), "--", program, *arguments])
    except BaseException:
        if not output:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return Results(folder, printed)


class Run:
    """A run for a with block, behind which its results are deleted unless output names a folder:

        with lockstep.Run("./mine", config="a100") as r:
            print(r.stats["gpu.cycles"])
    """

    def __init__(self, program, *arguments, output=None, **options):
        self._program = (program, *arguments)
        self._options = {"output": output, **options}
        self._results = None

    def __enter__(self):
        self._results = run(*self._program, **self._options)
        return self._results

    def __exit__(self, *_):
        if not self._options["output"]:
            shutil.rmtree(self._results.folder, ignore_errors=True)
