"""Single kernels of PTX on arrays."""

import array
import os
import tempfile

from .arrays import read_npy, write_npy
from .command import call, run_options
from .results import Results


def launch(ptx, kernel, grid, block, arguments, shared=0, cluster=None, output=None, **options):
    """Runs a kernel of a PTX file, and returns its Results with the list `arrays`.

    ptx: path of the file. grid, block: CTAs and threads, a number or up to three. arguments, in the kernel's
    order: an array (NumPy's, or lockstep.Array), which the kernel gets as the address of a copy in device
    memory; or a scalar with its type, ("u32", 1000). shared: bytes of dynamic shared memory. cluster: CTAs of
    a cluster. output and the other options: as of run(). `arrays` has what the kernel has left in each array,
    and None for scalars. LockstepError if the kernel is refused or faults.
    """
    folder = output or tempfile.mkdtemp(prefix="lockstep-")
    os.makedirs(folder, exist_ok=True)
    words, saved = [], {}
    for number, argument in enumerate(arguments):
        if _is_scalar(argument):
            words += ["--arg", f"{argument[0]}={argument[1]}"]
            continue
        path = os.path.join(folder, f"argument{number}.npy")
        write_npy(path, argument)
        saved[number] = os.path.join(folder, f"result{number}.npy")
        words += ["--arg", f"npy:{path}", "--save", f"{number}:{saved[number]}"]
    if cluster:
        words += ["--cluster", _extent(cluster)]
    printed = call(["launch", "-q", "-o", folder, *run_options(**options), ptx, kernel, "--grid",
                    _extent(grid), "--block", _extent(block), "--shared", shared, *words])
    results = Results(folder, printed)
    results.arrays = [read_npy(saved[n]) if n in saved else None for n in range(len(arguments))]
    return results


def _is_scalar(argument):
    if isinstance(argument, tuple) and len(argument) == 2 and isinstance(argument[0], str):
        return True
    if isinstance(argument, array.array) or hasattr(argument, "__array__"):
        return False
    raise TypeError(f"an argument is an array or a scalar with its type, as in (\"u32\", 1000), and no "
                    f"{type(argument).__name__}")


def _extent(extent):
    return str(extent) if isinstance(extent, int) else ",".join(map(str, extent))
