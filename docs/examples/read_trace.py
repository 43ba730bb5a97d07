#!/usr/bin/env python3
"""read_trace.py FILE -- a reader of the files of `lockstep trace` (docs/traces.md); prints what
`lockstep trace --print FILE` prints. Needs only Python's standard library."""
import struct
import sys
import zlib

KINDS, SPACES = ("load", "store", "atomic"), ("global", "local")


def blocks(file):
    """The contents of the blocks."""
    if file.read(8) != b"LSTRACE1":
        raise ValueError("offset 0: this is no trace of version 1")
    while True:
        offset, head = file.tell(), file.read(8)
        if not head:
            return
        size, checksum = struct.unpack("<II", head) if len(head) == 8 else (-1, 0)
        content = file.read(size) if 0 < size <= 65536 else b""
        if len(content) != size or zlib.crc32(content) != checksum:
            raise ValueError("offset %d: the block is cut off or damaged" % offset)
        yield content


def numbers(content):
    """The numbers of a block; send(n) gives n bytes instead."""
    at = 0
    while at < len(content):
        value = shift = 0
        while True:
            byte = content[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        wanted = yield value
        if wanted is not None:
            at += wanted
            yield content[at - wanted:at]


def records(file):
    """Tuples: ("launch", name, grid, block, shared, registers), (kind, space, uncached, cta, warp, uop, line, bytes,
    mask, {lane: address}), ("instruction", cta, warp, uop, line, mask), ("end", launches, accesses, instructions)."""
    last, has_ended = 0, False
    for content in blocks(file):
        stream = numbers(content)
        for kind in stream:
            take = lambda count: [next(stream) for _ in range(count)]
            if kind == 1:
                name = stream.send(next(stream)).decode("utf-8", "replace")
                values, last = take(8), 0
                yield ("launch", name, values[0:3], values[3:6], values[6], values[7])
            elif kind == 2:
                cta, warp, uop, line, shape, size, mask = take(7)
                lanes, step, addresses = [lane for lane in range(32) if mask >> lane & 1], 0, {}
                for i, lane in enumerate(lanes):
                    if i < 2 or not shape & 32:
                        step = next(stream)
                        step = step >> 1 if not step & 1 else ~(step >> 1)
                    address = (addresses[lanes[i - 1]] if i else last) + step & (1 << 64) - 1
                    addresses[lane] = address
                last = addresses[lanes[0]]
                yield (KINDS[shape & 3], SPACES[shape >> 2 & 7], bool(shape & 64), cta, warp, uop, line, size, mask,
                       addresses)
            elif kind == 3:
                yield ("instruction", *take(5))
            elif kind == 4:
                has_ended = True
                yield ("end", *take(3))
            else:
                raise ValueError("a record of unknown type %d" % kind)
    if not has_ended:
        raise ValueError("the file is cut off: the record of the end is missing")


def main():
    launches = 0
    with open(sys.argv[1], "rb") as file:
        for r in records(file):
            if r[0] == "launch":
                launches += 1
                print("launch %d %s grid %d,%d,%d block %d,%d,%d shared %d registers %d"
                      % (launches, r[1], *r[2], *r[3], r[4], r[5]))
            elif r[0] == "instruction":
                print("instruction cta %d warp %d uop %d line %d mask %08x" % r[1:])
            elif r[0] == "end":
                print("end: %d launches, %d accesses, %d instructions" % r[1:])
            else:
                print("%s %s%s cta %d warp %d uop %d line %d bytes %d mask %08x"
                      % (r[0], r[1], " uncached" if r[2] else "", *r[3:9]), *("%x" % a for a in r[9].values()))


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError, IndexError, RuntimeError) as error:
        sys.exit("read_trace.py: %s" % error)
