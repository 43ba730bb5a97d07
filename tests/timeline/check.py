"""check.py TIMELINE STATS [whole] -- the rules of a timeline's file, each by its name, and the sums that must
equal stats.txt. With `whole` the detail is of all SMs and cycles, so that its sums do, too. Prints a line for
each rule that is broken; the exit status is 1 if there is any."""
import gzip
import json
import re
import sys
from collections import Counter, defaultdict
from decimal import Decimal

path, stats_path = sys.argv[1:3]
whole = "whole" in sys.argv[3:]
raw = open(path, "rb").read()
text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode()
broken = []


def rule(name, holds, what=""):
    if not holds:
        broken.append(name)
        print("broken: " + name + (f": {what}" if what else ""))


document = json.loads(text, parse_float=Decimal, parse_int=Decimal)
events = document["traceEvents"]
lines = [line for line in text.split("\n") if line.startswith('{"ph"')]
rule("each event has a line of its own", len(lines) == len(events))
rule("the format and its version are said", re.fullmatch(r"lockstep timeline \d+",
    document["otherData"]["format"]))
rule("phases are those of the format", {e["ph"] for e in events} <= set("MXCsfi"))

slices = [e for e in events if e["ph"] == "X"]
named, processes = set(), set()
for e in events:
    if e["ph"] == "M" and e["name"] == "thread_name":
        rule("a track is named once", (e["pid"], e["tid"]) not in named)
        named.add((e["pid"], e["tid"]))
    if e["ph"] == "M" and e["name"] == "process_name":
        processes.add(e["pid"])
for e in events:
    if e["ph"] in "Xsfi":
        rule("a track is named before it is used", (e["pid"], e["tid"]) in named, e)
    rule("a process is named", e["pid"] in processes)

tracks = defaultdict(list)
for e in slices:
    rule("a slice has a category, a name and arguments",
        e["cat"] and e["name"] and isinstance(e["args"], dict), e)
    rule("times are not negative", e["ts"] >= 0 and e["dur"] > 0, e)
    rule("times are whole picoseconds", (e["ts"] * 1000000) % 1 == 0)
    tracks[e["pid"], e["tid"]].append((e["ts"], e["ts"] + e["dur"], e["cat"]))
for track, found in tracks.items():
    found.sort(key=lambda s: (s[0], -s[1]))
    open_ends = []
    for begin, end, category in found:
        while open_ends and open_ends[-1] <= begin:
            open_ends.pop()
        rule("slices of a track nest", not open_ends or end <= open_ends[-1], (track, begin, end, category))
        open_ends.append(end)

flows = defaultdict(dict)
for e in events:
    if e["ph"] in "sf":
        rule("an arrow has one beginning and one end", e["ph"] not in flows[e["cat"], e["id"]])
        flows[e["cat"], e["id"]][e["ph"]] = e
for ends in flows.values():
    rule("an arrow has both ends", set(ends) == {"s", "f"})
    for e in ends.values():
        inside = any(b <= e["ts"] < end for b, end, _ in tracks[e["pid"], e["tid"]])
        rule("an arrow's ends lie in slices", inside, e)
    if set(ends) == {"s", "f"}:
        rule("an arrow goes forward in time", ends["s"]["ts"] <= ends["f"]["ts"] + Decimal("0.000003"), ends)

counters = defaultdict(list)
for e in events:
    if e["ph"] == "C":
        rule("counters have numbers", e["args"] and all(isinstance(v, Decimal) for v in e["args"].values()),
            e)
        counters[e["name"]].append(e)
for name, found in counters.items():
    at = [e["ts"] for e in found]
    rule("windows of a counter follow each other", at == sorted(set(at)), name)

# ---- sums ----
stats = {}
for line in open(stats_path):
    found = re.match(r"(\S+)\s+(-?[\d.]+)\s", line)
    if found:  # the part of the whole run is the last
        stats[found[1]] = Decimal(found[2])


def equal(name, here, there):
    rule(name + " equals stats.txt", here == there, f"{here} here, {there} there")


kernels = [e for e in slices if e["cat"] == "kernel"]
equal("number of kernels", len(kernels), stats["gpu.kernels"])
if len(kernels) == 1:
    equal("cycles of the kernel", kernels[0]["args"]["cycles"], stats["gpu.cycles"])
equal("number of CTAs", sum(e["cat"] == "cta" for e in slices), stats["gpu.ctas"])
equal("warp instructions of the kernels", sum(e["args"]["warp instructions"] for e in kernels),
      stats["gpu.warp_instructions"])


def summed(name):
    sums = Counter()
    for e in counters[name]:
        sums.update(e["args"])
    return sums


if "sm.warp_instructions" in counters:
    equal("sum of the counter of warp instructions", summed("sm.warp_instructions")["value"],
          stats["sm.warp_instructions"])
equal("sum of the counter of DRAM bytes", summed("dram.bytes")["value"], stats["dram.bytes"])
for cause, slots in summed("sm.issue_slots").items():
    equal("issue slots of " + cause, slots, stats["sm.issue_slots::" + cause])
if whole:
    instructions = [e for e in slices if e["cat"] == "instruction"]
    equal("number of instructions in the detail", len(instructions), stats["sm.warp_instructions"])
    equal("threads of instructions in the detail", sum(e["args"]["lanes"] for e in instructions),
          stats["sm.thread_instructions"])
    waits = Counter()
    for e in slices:
        if e["cat"] == "wait":
            waits[e["name"]] += e["args"]["cycles"]
    for role in ("other", "producer", "consumer", "both"):
        for name, value in stats.items():
            if name.startswith(f"observe.roles.{role}::") and name.split("::")[1] not in ("total", "issued"):
                waits[name.split("::")[1]] -= value
    rule("cycles of waits by cause equal observe.roles", not any(waits.values()),
        {c: v for c, v in waits.items() if v})
    sources = document["lockstep"]["sources"]
    for e in instructions[:200]:
        text = sources[int(e["args"]["source"])]["text"].split("\n")[int(e["args"]["line"]) - 1]
        rule("an instruction has the text of its PTX line", e["name"][:90] in " ".join(text.split()),
            (e["name"], text))
    replies = sum(e["cat"] == "request" for e in slices)
    rule("there are requests with stages", replies and sum(e["cat"] == "stage" for e in slices) > replies)
sys.exit(1 if broken else 0)
