#!/usr/bin/env python3
"""power.py TIMELINE -- in each window the power of all places is that of the machine."""
import json
import sys

windows = {}
for event in json.load(open(sys.argv[1]))["traceEvents"]:
    if event["ph"] == "C" and "energy" in event["name"]:
        windows.setdefault(event["ts"], {})[event["name"]] = event["args"]
checked = 0
for at, counters in windows.items():
    watts = counters["energy.watts"]["value"]
    place = counters.get("energy.place", {})
    energy = sum(place.values())
    if not watts or not energy:
        continue
    rest = sum(place.get(name, 0) for name in ("network", "chip", "board")) / energy * watts
    places = sum(sum(counters[kind + "[*].energy.watts"].values()) for kind in ("sm", "l2", "dram"))
    assert abs(places + rest - watts) < 1e-6 * watts, (at, places, rest, watts)
    checked += 1
assert checked > 3, checked
