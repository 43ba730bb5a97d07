"""The command `lockstep`: where it is, and how it is called."""

import os
import shutil
import subprocess


class LockstepError(Exception):
    """The command refused its input, or the program or kernel failed.

    status: its exit status (lockstep --help lists them). message: what it printed on standard error.
    """

    def __init__(self, command, status, message):
        super().__init__(f"{' '.join(command)}: exit status {status}\n{message.strip()}")
        self.command = command
        self.status = status
        self.message = message


def find():
    """The path of the command: $LOCKSTEP, else `lockstep` of PATH, else that of the source tree or of the
    installation which holds this package."""
    chosen = os.environ.get("LOCKSTEP") or shutil.which("lockstep")
    if chosen:
        return chosen
    tree = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for place in (os.path.join(tree, "build", "bin"), os.path.join(tree, "..", "..", "bin")):
        if os.access(os.path.join(place, "lockstep"), os.X_OK):
            return os.path.normpath(os.path.join(place, "lockstep"))
    raise FileNotFoundError(
        "the command lockstep is not in PATH; the environment variable LOCKSTEP can name it")


def call(arguments, cwd=None):
    """Calls `lockstep` with these arguments and returns what it printed on standard output.

    LockstepError if its exit status is not 0.
    """
    command = [find(), *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)
    if done.returncode:
        raise LockstepError(command, done.returncode, done.stderr)
    return done.stdout


def run_options(config="gtx480", set=None, functional=False, threads=1, seed=None, profile=False,
                series=None, energy=None, sample=None, sanitize=None, options=()):
    """The options that `lockstep run` and `lockstep launch` share, as a list of arguments.

    config: name or file of a configuration, or a list of them, of which later ones override earlier ones.
    set: a dictionary of parameters, {"sm.l1d.ways": 8}. functional: values only, without timing.
    threads: of the host. seed: of the model's random choices. profile: True also writes the profile by line.
    series: (period in core cycles, names of statistics with * and ?). energy: an energy model.
    sample: half of the 95 % interval of a kernel's time that is allowed, as in "3%".
    sanitize: checks, as in "memory,race". options: further words of the command line, as they are.
    """
    words = []
    for name in [config] if isinstance(config, (str, os.PathLike)) else config:
        words += ["-c", os.fspath(name)]
    for path, value in (set or {}).items():
        words += ["--set", f"{path}={_text(value)}"]
    if functional:
        words.append("--functional")
    if threads != 1:
        words += ["--threads", str(threads)]
    if seed is not None:
        words += ["--seed", str(seed)]
    if profile:
        words.append("--profile")
    if series:
        period, names = series
        words += ["--series", f"{period}:{names if isinstance(names, str) else ','.join(names)}"]
    for option, value in (("--energy", energy), ("--sample", sample and f"error={sample}"),
                          ("--sanitize", sanitize)):
        if value:
            words += [option, str(value)]
    return words + [str(o) for o in options]


def _text(value):
    """A parameter's value as the command reads it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
