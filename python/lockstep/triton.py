"""A compiled Triton kernel and its arguments as files for `lockstep launch`: no GPU is needed.

    launch = write_launch("softmax", kernel, grid=(12,), args={"output_ptr": y, "input_ptr": x, ...},
                          results=["output_ptr"])
    launch.run(options=["-c", "a100"])
    y = launch.result("output_ptr")

kernel is what triton.compile returns, or from_cache(PATH) of Triton's cache. Tensors are NumPy arrays or
PyTorch tensors; docs/user/triton.md has a whole example.
"""

import json
import os
import re
import struct
import subprocess
import sys
from types import SimpleNamespace

import numpy as np

WARP_SIZE = 32


def from_cache(ptx_path):
    """The kernel NAME.ptx in a folder of Triton's cache, with NAME.json beside it."""
    with open(ptx_path) as file:
        ptx = file.read()
    with open(os.path.splitext(ptx_path)[0] + ".json") as file:
        metadata = json.load(file)
    return SimpleNamespace(asm={"ptx": ptx}, metadata=metadata)


class Launch:
    """Files in a folder: kernel.ptx, kernel.launch, the tensors."""

    def __init__(self, folder, layouts):
        self.folder = folder
        self.description = os.path.join(folder, "kernel.launch")
        self._layouts = layouts  # of the results: file, shape, strides in bytes

    def run(self, lockstep="lockstep", options=()):
        """Runs the kernel; options are those of `lockstep launch`, such as -c a100 or --functional."""
        subprocess.run([lockstep, "launch", self.description, *options], check=True)

    def result(self, name):
        """An argument as the kernel has left it, in the shape and with the strides that it had."""
        path, shape, strides = self._layouts[name]
        flat = np.load(os.path.join(self.folder, path))
        return np.lib.stride_tricks.as_strided(flat, shape, strides)


def write_launch(folder, kernel, grid, args, results=()):
    """Writes the files of a launch.

    grid: programs in one to three dimensions. args: a dictionary of the kernel's arguments in their order;
    those that Triton has compiled in (constexpr) are left out. results: names of tensors to be saved after
    the run.
    """
    os.makedirs(folder, exist_ok=True)
    metadata = _Metadata(kernel.metadata)
    ptx = kernel.asm["ptx"]
    name = metadata.get("name") or _only_entry(ptx)
    parameters = _parameters(ptx, name)
    values, kinds = _passed(kernel, args)
    unknown = [r for r in results if not _is_tensor(values.get(r))]
    if unknown:
        raise ValueError(f"results that are no tensors of the kernel: {', '.join(unknown)}")
    grid = (tuple(grid) + (1, 1))[:3]
    cluster = metadata.cluster()
    lines = [
        "ptx kernel.ptx",
        f"kernel {name}",
        "grid " + ",".join(str(g * c) for g, c in zip(grid, cluster)),
        f"block {metadata.get('num_warps', 4) * metadata.get('warp_size', WARP_SIZE)}",
        f"shared {metadata.get('shared', 0)}",
    ]
    if cluster != (1, 1, 1):
        lines.append("cluster " + ",".join(map(str, cluster)))
    if metadata.get("launch_cooperative_grid", False):
        lines.append("cooperative")
    arguments, layouts = _arguments(folder, values, kinds, parameters, results)
    programs = grid[0] * grid[1] * grid[2] * cluster[0] * cluster[1] * cluster[2]
    lines += arguments + _scratch(metadata, len(parameters) - len(values), programs, name)
    lines += [f"save {list(values).index(r)}:{layouts[r][0]}" for r in results]
    with open(os.path.join(folder, "kernel.ptx"), "w") as file:
        file.write(ptx)
    with open(os.path.join(folder, "kernel.launch"), "w") as file:
        file.write("\n".join(lines) + "\n")
    return Launch(folder, layouts)


class _Metadata:
    """What Triton says of a kernel: a dictionary, or an object with attributes."""

    def __init__(self, metadata):
        self._metadata = metadata

    def get(self, key, default=None):
        if isinstance(self._metadata, dict):
            return self._metadata.get(key, default)
        return getattr(self._metadata, key, default)

    def cluster(self):
        return tuple(self.get("cluster_dims") or (self.get("num_ctas", 1), 1, 1))


# -- the module --


def _only_entry(ptx):
    entries = re.findall(r"\.entry\s+([\w$]+)", ptx)
    if len(entries) != 1:
        raise ValueError(f"the module has {len(entries)} kernels, and the metadata names none")
    return entries[0]


def _parameters(ptx, name):
    """The types of the kernel's parameters: "u64", "f32", "b8[128]"."""
    head = re.search(r"\.entry\s+" + re.escape(name) + r"\s*\(([^)]*)\)", ptx)
    texts = re.findall(r"\.param\b([^,]*)", head.group(1)) if head else []
    types = []
    for text in texts:
        array = re.search(r"\[\d+\]", text)
        types.append(re.search(r"\.([usbf]\d+)\b", text).group(1) + (array.group(0) if array else ""))
    return types


def _passed(kernel, args):
    """The arguments that are no constants of the compilation, by name, and Triton's names of their types."""
    signature = getattr(getattr(kernel, "src", None), "signature", None)
    if signature is None:
        return dict(args), {}
    signature = {str(name): kind for name, kind in signature.items()}
    missing = [n for n, kind in signature.items() if kind != "constexpr" and n not in args]
    if missing:
        raise ValueError(f"arguments of the kernel that are not given: {', '.join(missing)}")
    return {n: args[n] for n, kind in signature.items() if kind != "constexpr"}, signature


def _scratch(metadata, count, programs, name):
    """The pointers that Triton passes behind the arguments: to global scratch memory and to that of the
    profiler, which older versions of Triton 3 have not."""
    if not 0 <= count <= 2:
        raise ValueError(f"{name} has {abs(count)} parameters {'less' if count < 0 else 'more'} than "
                         "arguments; up to two more are Triton's own")
    sizes = [metadata.get(f"{kind}_scratch_size") or 0 for kind in ("global", "profile")][:count]
    return [f"arg u8[{size * programs}]=zero" if size else "arg u64=0" for size in sizes]


# -- arguments --


def _is_tensor(value):
    return isinstance(value, np.ndarray) or hasattr(value, "data_ptr")


def _as_array(tensor):
    """The tensor's memory as a NumPy array, its address, and the type of a format that NumPy has not."""
    if isinstance(tensor, np.ndarray):
        return tensor, tensor.ctypes.data, ""
    address, format_ = tensor.data_ptr(), ""
    tensor = tensor.detach().cpu()
    try:
        return tensor.numpy(), address, ""
    except TypeError:  # bfloat16, float8
        torch = sys.modules["torch"]
        format_ = "bf16[]=" if tensor.dtype == torch.bfloat16 else ""
        raw = {1: torch.uint8, 2: torch.int16}[tensor.element_size()]
        return tensor.view(raw).numpy(), address, format_


def _flat(name, array):
    """The elements from the first to the last in memory, as a row."""
    if array.size == 0 or min(array.strides, default=0) < 0:
        raise ValueError(f"{name}: a tensor without elements, or with a negative stride")
    last = sum((n - 1) * s for n, s in zip(array.shape, array.strides))
    return np.lib.stride_tricks.as_strided(array, (last // array.itemsize + 1,), (array.itemsize,))


def _arguments(folder, values, kinds, parameters, results):
    """A line for each argument; files for the tensors; the layouts of results."""
    lines, layouts, spans = [], {}, {}
    for index, (name, value) in enumerate(values.items()):
        if index >= len(parameters):
            break  # said by _scratch
        if not _is_tensor(value):
            lines.append("arg " + _scalar(name, value, parameters[index], kinds.get(name)))
            continue
        array, address, format_ = _as_array(value)
        flat = _flat(name, array)
        other = _overlapping(spans, name, address, flat.nbytes, results)
        spans[name] = (address, flat.nbytes, index)
        layouts[name] = (f"{name}.out.npy", array.shape, array.strides)
        if other is not None:
            lines.append(f"arg same:{other}")
            continue
        row = array if array.flags.c_contiguous else flat
        np.save(os.path.join(folder, f"{name}.npy"), row)
        lines.append(f"arg {format_}npy:{name}.npy")
    return lines, layouts


def _overlapping(spans, name, address, size, results):
    """The number of the argument that is the same memory; None if there is none. Tensors that overlap in part
    become copies of their own, which a kernel that writes into one of them would notice."""
    for other, (start, length, index) in spans.items():
        if (start, length) == (address, size):
            return index
        if address < start + length and start < address + size and (name in results or other in results):
            raise ValueError(f"{other} and {name} overlap in part, and one of them is a result")
    return None


def _scalar(name, value, parameter, kind):
    """A number, a truth value, or None: a pointer to nothing. kind: as Triton's signature has it."""
    match = re.fullmatch(r"([usbf])(\d+)", parameter)
    if not match:
        raise ValueError(f"{name}: parameters of type {parameter} (tensor descriptors) are not supported")
    bits = int(match.group(2))
    if match.group(1) == "f":
        return f"f{bits}={float(value)!r}"
    if isinstance(value, (float, np.floating)):
        return f"b{bits}={_float_bits(float(value), bits, kind)}"
    value = int(value or 0)
    return f"{'s' if value < 0 else 'u'}{bits}={value}"


def _float_bits(value, bits, kind):
    if kind == "bf16":  # the upper half of an fp32, rounded to the nearest, ties to even
        word = struct.unpack("<I", struct.pack("<f", value))[0]
        return (word + 0x7FFF + (word >> 16 & 1)) >> 16
    return int.from_bytes(struct.pack({16: "<e", 32: "<f", 64: "<d"}[bits], value), "little")
