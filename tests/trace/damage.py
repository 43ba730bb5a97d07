#!/usr/bin/env python3
"""damage.py FOLDER -- writes traces of one block whose checksums are right and whose records are not, for
tests/trace.sh: one for each message, which is also printed with the file's name.

damage.py FOLDER TRACE SEED COUNT -- writes random0 to random(COUNT - 1), each TRACE, which is not compressed, with
one to four bytes of its blocks changed at random and checksums that are right."""
import random
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

MAGIC = b"LSTRACE1"


def block(content):
    return struct.pack("<II", len(content), zlib.crc32(content)) + content


def blocks(trace):
    at = len(MAGIC)
    while at < len(trace):
        (size,) = struct.unpack_from("<I", trace, at)
        yield bytearray(trace[at + 8 : at + 8 + size])
        at += 8 + size


def change(content, any_of):
    for _ in range(any_of.randint(1, 4)):
        at = any_of.randrange(len(content))
        content[at] = any_of.choice([0, 1, 127, 128, 255, content[at] ^ 1 << any_of.randrange(8)])


def write_cases(folder):
    for number, (message, content) in enumerate(CASES.items()):
        name = "%s/damaged%d" % (folder, number)
        with open(name, "wb") as file:
            file.write(MAGIC + block(bytes(content)))
        print(name, message)


def write_random(folder, path, seed, count):
    with open(path, "rb") as file:
        trace = file.read()
    for number in range(count):
        any_of = random.Random(seed + number)
        contents = list(blocks(trace))
        change(any_of.choice(contents), any_of)
        with open("%s/random%d" % (folder, number), "wb") as file:
            file.write(MAGIC + b"".join(block(bytes(content)) for content in contents))


if len(sys.argv) == 2:
    write_cases(sys.argv[1])
else:
    write_random(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
