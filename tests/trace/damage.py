#!/usr/bin/env python3
"""damage.py FOLDER -- writes traces of one block whose checksums are right and whose records are not, for
tests/trace.sh: one for each message, which is also printed with the file's name."""
import struct
import sys
import zlib

LAUNCH = [1, 1, ord("k"), 1, 1, 1, 32, 1, 1, 0, 8]
END = [4, 1, 1, 0]


def access(shape=32, size=4, mask=3, addresses=(8, 8)):
    return [2, 0, 0, 5, 6, shape, size, mask, *addresses]


CASES = {
    "unknown type 9": LAUNCH + [9],
    "before the first launch": access(),
    "unknown kind or space": LAUNCH + access(shape=3) + END,
    "an access of an unknown kind or space": LAUNCH + access(shape=8) + END,
    "an uncached access that is no load": LAUNCH + access(shape=64 + 1) + END,
    "uncached access that is no load from global memory": LAUNCH + access(shape=64 + 4) + END,
    "without lanes or bytes": LAUNCH + access(mask=0) + END,
    "an access without lanes or bytes": LAUNCH + access(size=0) + END,
    "the record of the end has other counts": LAUNCH + access() + access() + END,
    "something follows the end": LAUNCH + access() + END + LAUNCH,
    "the block ends in a record": LAUNCH + access()[:-1],
    "more than": LAUNCH + access(mask=255, addresses=[255] * 12) + END,
    "is cut off": LAUNCH + access(),
}

for number, (message, content) in enumerate(CASES.items()):
    name = "%s/damaged%d" % (sys.argv[1], number)
    with open(name, "wb") as file:
        content = bytes(content)
        file.write(b"LSTRACE1" + struct.pack("<II", len(content), zlib.crc32(content)) + content)
    print(name, message)
