#!/usr/bin/env python3
"""read_trace.py FILE -- a reader of the files of `lockstep trace` (docs/user/traces.md); prints what
`lockstep trace --print FILE` prints. Needs Python's standard library; for compressed files also the program zstd."""
import struct
import subprocess
import sys
import zlib

KINDS, SPACES = ("load", "store", "atomic"), ("global", "local")
SMALL, LARGE = (1 << 32) - 1, (1 << 64) - 1
BLOCK, NAME = 65536, 4096


def content_of(path):
    """The file's content, as a file, and the program that decompresses it (None: not compressed)."""
    file = open(path, "rb")
    if file.peek(4)[:4] != b"\x28\xb5\x2f\xfd":
        return file, None
    file.close()
    try:
        program = subprocess.Popen(["zstd", "-dcq", "--", path], stdout=subprocess.PIPE)
    except FileNotFoundError:
        raise ValueError("the trace is compressed, and the program zstd is not installed") from None
    return program.stdout, program


class Block:
    """The content of a block, read number by number."""

    def __init__(self, offset, content):
        self.offset, self.content, self.at = offset, content, 0

    def fail(self, what):
        raise ValueError("offset %d: %s" % (self.offset + self.at, what))

    def take(self, count):
        if self.at + count > len(self.content):
            self.fail("the block ends in a record")
        self.at += count
        return self.content[self.at - count:self.at]

    def number(self, maximum=SMALL):
        value, shift, byte = 0, 0, 128
        while byte > 127:
            if self.at == len(self.content):
                self.fail("the block ends in a record")
            byte = self.content[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
        if value > maximum:
            self.fail("a number of more than %d" % maximum)
        return value

    def numbers(self, count):
        return [self.number() for _ in range(count)]

    def signed(self):
        value = self.number(LARGE)
        return ~(value >> 1) if value & 1 else value >> 1


def blocks(file):
    """The blocks; their checksums are right."""
    if file.read(8) != b"LSTRACE1":
        raise ValueError("offset 0: this is no trace of version 1")
    offset = 8
    while True:
        head = file.read(8)
        if not head:
            return
        size, checksum = struct.unpack("<II", head) if len(head) == 8 else (0, 0)
        content = file.read(size) if 0 < size <= BLOCK else b""
        if not content or len(content) != size or zlib.crc32(content) != checksum:
            raise ValueError("offset %d: the block is cut off or damaged" % offset)
        yield Block(offset + 8, content)
        offset += 8 + size


def read_launch(block):
    name = block.take(block.number(NAME - 1)).decode("utf-8", "replace")
    return ("launch", name, block.numbers(3), block.numbers(3), block.number(LARGE), block.number())


def read_access(block, last):
    cta, (warp, uop, line) = block.number(LARGE), block.numbers(3)
    shape, size, mask = block.number(127), block.number(), block.number()
    kind, space, uncached = shape & 3, shape >> 2 & 7, bool(shape & 64)
    if kind >= len(KINDS) or space >= len(SPACES):
        block.fail("an access of an unknown kind or space")
    if uncached and (kind or space):
        block.fail("an uncached access that is no load from global memory")
    if not mask or not size:
        block.fail("an access without lanes or bytes")
    addresses, address, step = {}, last, 0
    for lane in (lane for lane in range(32) if mask >> lane & 1):
        if len(addresses) < 2 or not shape & 32:
            step = block.signed()
        address = addresses[lane] = address + step & LARGE
    return (KINDS[kind], SPACES[space], uncached, cta, warp, uop, line, size, mask, addresses)


def records(file):
    """Tuples: ("launch", name, grid, block, shared, registers), (kind, space, uncached, cta, warp, uop, line, bytes,
    mask, {lane: address}), ("instruction", cta, warp, uop, line, mask), ("end", launches, accesses, instructions)."""
    last, counts, has_ended = 0, [0, 0, 0], False
    for block in blocks(file):
        while block.at < len(block.content):
            kind = block.number()
            if has_ended:
                block.fail("something follows the end of the trace")
            if 1 <= kind <= 3:
                counts[kind - 1] += 1
            if kind in (2, 3) and not counts[0]:
                block.fail("a record of a warp before the first launch")
            if kind == 1:
                last = 0
                yield read_launch(block)
            elif kind == 2:
                access = read_access(block, last)
                last = next(iter(access[9].values()))
                yield access
            elif kind == 3:
                yield ("instruction", block.number(LARGE), *block.numbers(4))
            elif kind == 4:
                has_ended = True
                if [block.number(LARGE) for _ in counts] != counts:
                    block.fail("the record of the end has other counts than the file")
                yield ("end", *counts)
            else:
                block.fail("a record of unknown type %d" % kind)
    if not has_ended:
        raise ValueError("the file is cut off: the record of the end is missing")


def show(record, launches):
    """A record as a line of text."""
    if record[0] == "launch":
        return "launch %d %s grid %d,%d,%d block %d,%d,%d shared %d registers %d" % (
            launches, record[1], *record[2], *record[3], *record[4:])
    if record[0] == "instruction":
        return "instruction cta %d warp %d uop %d line %d mask %08x" % record[1:]
    if record[0] == "end":
        return "end: %d launches, %d accesses, %d instructions" % record[1:]
    place = "%s %s%s cta %d warp %d uop %d line %d bytes %d mask %08x" % (
        record[0], record[1], " uncached" if record[2] else "", *record[3:9])
    return " ".join([place, *("%x" % address for address in record[9].values())])


def main():
    launches = 0
    file, program = content_of(sys.argv[1])
    for record in records(file):
        launches += record[0] == "launch"
        print(show(record, launches))
    if program and program.wait():
        raise ValueError("the zstd stream is cut off or damaged")


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError, IndexError) as error:
        sys.exit("read_trace.py: %s" % error)
