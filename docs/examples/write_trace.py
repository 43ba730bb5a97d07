#!/usr/bin/env python3
"""write_trace.py FILE -- writes a small trace by hand: how traces from elsewhere are fed into `lockstep cachemodel`
(docs/user/traces.md describes the records). Needs only Python's standard library."""
import struct
import sys
import zlib


def number(value):
    """Seven bits a byte, low bits first."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def signed(value):
    return number(2 * value if value >= 0 else -2 * value - 1)


def launch(name, grid, block, shared, registers):
    text = name.encode()
    return number(1) + number(len(text)) + text + b"".join(map(number, grid + block + (shared, registers)))


def load(cta, warp, uop, line, size, addresses, last):
    """A load of global memory by the lowest lanes; last: the first address of the launch's load before."""
    mask = (1 << len(addresses)) - 1
    head = b"".join(map(number, (2, cta, warp, uop, line, 0, size, mask)))
    steps = [b - a for a, b in zip([last] + addresses, addresses)]
    return head + b"".join(map(signed, steps))


def main(path):
    content = launch("made_elsewhere", (1, 1, 1), (32, 1, 1), 0, 10)
    content += load(0, 0, 1, 12, 4, [0x10000, 0x10080], 0)
    content += load(0, 0, 2, 13, 4, [0x10004, 0x10084], 0x10000)
    content += b"".join(map(number, (4, 1, 2, 0)))  # the end: launches, accesses, instructions
    with open(path, "wb") as file:
        file.write(b"LSTRACE1" + struct.pack("<II", len(content), zlib.crc32(content)) + content)


if __name__ == "__main__":
    main(sys.argv[1])
