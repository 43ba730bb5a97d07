"""monitor.py COMMAND... -- operates the page of `lockstep run --monitor 0` or `sweep --monitor 0`, which the
command starts: its address, the token, what it says of the machine, pause, continue, stop; the log of a
failed job. Prints a line for each check: "ok" or "not ok", and what."""
import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request

process = subprocess.Popen(sys.argv[1:], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
address, said = None, []
for line in process.stderr:
    said.append(line)
    found = re.search(r"monitor: (http://127\.0\.0\.1:\d+/[0-9a-f]{32}/)$", line)
    if found:
        address = found[1]
        break


def check(what, holds):
    print(("ok: " if holds else "not ok: ") + what)


def get(path, method="GET"):
    try:
        request = urllib.request.Request(path, method=method, data=b"" if method == "POST" else None)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""


def state_when(holds):
    """The first state for which it holds; None after a minute without."""
    for _ in range(600):
        status, text = get(address + "state")
        found = json.loads(text)
        if status == 200 and holds(found):
            return found
        time.sleep(0.1)
    return None


check("an address is printed", address)
if not address:
    print("".join(said))
    sys.exit()
root = address.rsplit("/", 2)[0]
check("without the token nothing is answered", get(root + "/")[0] == 403 and get(root + "/state")[0] == 403)
check("nor with another", get(root + "/" + "0" * 32 + "/state")[0] == 403)
status, page = get(address)
check("the page is there", status == 200 and page.startswith("<!DOCTYPE html>") and "</html>" in page)
check("what there is not is not found", get(address + "nothing")[0] == 404)
check("nor does a button that there is not work", get(address + "explode", "POST")[0] == 409)

if sys.argv[2] == "run":
    s = state_when(lambda s: s["processes"] and s["processes"][0]["machine"]["kernels"])
    check("it says what the machine is at", s)
    machine = s["processes"][0]["machine"] if s else {"queues": [], "waits": [], "kernels": [{}]}
    names = {q["name"] for q in machine["queues"]}
    check("queues from the SM to DRAM", {"L1 MSHRs", "L2 requests", "L2 MSHRs", "DRAM reads"} <= names)
    check("queues hold no more than fits", all(q["used"] <= q["room"] and q["most"] <= q["size"] and
                                               q["full"] <= q["count"] for q in machine["queues"]))
    check("as many warps wait as are resident",
        sum(w["warps"] for w in machine["waits"]) <= machine["resident"]
          and machine["resident"] > 0)
    check("warps have causes and lines", all(w["cause"] and w["line"] for w in machine["waits"]))
    check("pause", get(address + "pause", "POST")[0] == 204)
    check("it is paused", state_when(lambda s: s["paused"]))
    time.sleep(0.3)
    first = json.loads(get(address + "state")[1])
    time.sleep(1)
    check("nothing happens then", first == json.loads(get(address + "state")[1]))
    check("continue", get(address + "continue", "POST")[0] == 204)
    cycle = first["processes"][0]["machine"]["cycle"]
    check("it goes on", state_when(lambda s: s["processes"][0]["machine"]["cycle"] > cycle))
    check("stop", get(address + "stop", "POST")[0] == 204)
    rest = process.stderr.read()
    process.wait()
    check("it has ended with results", "interrupted: what is in" in rest)
else:
    s = state_when(lambda s: s["failures"])
    check("it says which job has failed", s)
    name = s["failures"][0]["name"] if s else "none"
    check("and why", s and s["failures"][0]["why"])
    status, log = get(address + "text/" + name)
    check("its log is there", status == 200 and log)
    others = {get(address + path)[0] for path in ("text/../" + name, "text/x")}
    check("other files are not", others == {404})
    process.terminate()
    process.stderr.read()
    process.wait()
try:
    get(address + "state")
    check("behind the end nobody answers", False)
except urllib.error.URLError:
    check("behind the end nobody answers", True)
