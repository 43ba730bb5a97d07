"""Arrays in NumPy's files, also where NumPy is not installed."""

import array
import ast
import struct

_MAGIC = b"\x93NUMPY"
_CODES = {"f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q",
          "u1": "B", "u2": "H", "u4": "I", "u8": "Q"}
_KINDS = {code: kind for kind, code in _CODES.items()}


class Array(array.array):
    """Numbers of one type with a shape: Array("f4", [1, 2, 3, 4], (2, 2)).

    Types are f4 f8 i1 i2 i4 i8 u1 u2 u4 u8, as in NumPy. It is flat: a[2] is the third element, in C order.
    """

    def __new__(cls, kind, values=(), shape=None):
        if kind not in _CODES:
            raise ValueError(f"no type {kind}; there are {', '.join(_CODES)}")
        self = super().__new__(cls, _CODES[kind], values)
        self.shape = tuple(shape) if shape is not None else (len(self),)
        count = 1
        for extent in self.shape:
            count *= extent
        if count != len(self):
            raise ValueError(f"{len(self)} values do not have the shape {self.shape}")
        return self

    @property
    def kind(self):
        """The type, as in "f4"."""
        return _KINDS[self.typecode]


def write_npy(path, values):
    """Writes an Array, an array.array, or whatever numpy.save takes."""
    if not isinstance(values, array.array):
        import numpy

        numpy.save(path, numpy.ascontiguousarray(values))
        return
    shape = getattr(values, "shape", (len(values),))
    order = "|" if values.itemsize == 1 else "<"
    head = (f"{{'descr': '{order}{_KINDS[values.typecode]}', 'fortran_order': False, "
            f"'shape': ({''.join(f'{n}, ' for n in shape)}), }}")
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(_MAGIC + b"\x01\x00" + struct.pack("<H", len(head)) + head.encode("ascii"))
        file.write(values.tobytes())


def read_npy(path):
    """A file of numpy.save: a NumPy array if NumPy is installed, else an Array."""
    try:
        import numpy
    except ImportError:
        return _read_plain(path)
    return numpy.load(path)


def _read_plain(path):
    with open(path, "rb") as file:
        start = file.read(8)
        if start[:6] != _MAGIC:
            raise ValueError(f"{path}: no file of NumPy")
        wide = start[6] > 1
        (length,) = struct.unpack("<I" if wide else "<H", file.read(4 if wide else 2))
        head = ast.literal_eval(file.read(length).decode("latin-1"))
        kind = head["descr"][1:]
        if head["fortran_order"] or head["descr"][0] == ">" or kind not in _CODES:
            raise ValueError(f"{path}: elements of type {head['descr']} need NumPy")
        result = Array(kind, (), (0,))
        result.frombytes(file.read())
    result.shape = tuple(head["shape"])
    return result
