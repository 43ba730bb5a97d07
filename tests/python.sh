#!/bin/sh
# tests/python.sh BUILD -- the package in python/ without NumPy and pandas: the examples of
# docs/user/python.md and of the tutorial from-a-notebook.md in their order, each of which must print the
# lines of the text behind it; NumPy's files there and back; results and errors as the command has them; with
# pandas, where that is installed, also tables as its data frames.
. tests/lib.sh
command -v python3 >/dev/null || { echo "skipped: python.sh (no python3)"; exit 0; }
PYTHONPATH=$PWD/python LOCKSTEP=$(realpath "$lockstep") PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH LOCKSTEP PYTHONDONTWRITEBYTECODE

# examples PAGE: a page's blocks in a folder with links to what they name
examples() {
	folder=$out/$(basename "$1" .md)
	mkdir "$folder" "$folder/tree"
	ln -s "$PWD/benchmarks" "$folder/tree/benchmarks"
	ln -s "$(realpath "$build")" "$folder/tree/build"
	awk -v to="$folder/" '
		/^```/ && in_block { in_block = 0; next }
		/^```python/ { in_block = 1; file = to "examples.py"; print "print(\"== " ++n "\", flush=True)" >file; next }
		/^```text/ { in_block = 1; file = to n ".text"; next }
		/^```/ { in_block = 1; file = "/dev/null"; next }
		in_block { print >file }' "$1"
	(cd "$folder/tree" && python3 ../examples.py) >"$out/log" 2>&1
	expect "$1: the examples run" [ $? = 0 ] || log_tail
	for text in "$folder"/*.text; do
		n=$(basename "$text" .text)
		awk -v n="$n" '/^== / { on = $2 == n; next } on' "$out/log" >"$out/printed"
		missing=$(grep -cvxFf "$out/printed" "$text")
		expect "$1: example $n prints what the page says" [ "$missing" = 0 ] || log_tail
	done
}
examples docs/user/python.md
examples docs/user/tutorials/from-a-notebook.md

expect "pyproject.toml has the version" grep -qx "version = \"$(cat VERSION)\"" python/pyproject.toml
cat >"$out/more.py" <<'END'
import os, sys
import lockstep
from lockstep.arrays import _read_plain

def check(what, holds):
    print(("ok " if holds else "NOT ") + what)

for kind, values in (("f4", [1.5, -0.0, 2.0**-140]), ("f8", [0.1, 3]), ("i1", [-1, 2]), ("u8", [2**64 - 1])):
    lockstep.write_npy("a.npy", lockstep.Array(kind, values, (1, len(values))))
    back = _read_plain("a.npy")
    check(f"{kind} there and back",
          list(back) == values and back.shape == (1, len(values)) and back.kind == kind)
    check(f"{kind}: elements at a multiple of 64", (os.path.getsize("a.npy") - len(back.tobytes())) % 64 == 0)
for wrong in (lambda: lockstep.Array("f3", [1]), lambda: lockstep.Array("f4", [1, 2], (3,)),
              lambda: _read_plain(sys.argv[0])):
    try:
        wrong()
        check("refused", False)
    except ValueError:
        check("refused", True)

program = sys.argv[1]
r = lockstep.run(program, "--size", "tiny", output="kept", energy="gtx480")
text = open("kept/stats.txt").read()
total = text[text.index("# total of"):].splitlines()[1:]
lines = {line.split()[0]: line.split()[1] for line in total if " # " in line}
check("every statistic of stats.txt, no other", set(lines) == set(r.stats))
check("their values", all(float(lines[n]) == r.stats[n] for n in lines if lines[n] != "nan"))
check("parameters",
      r.config["sm.l1d.line"] == 128 and r.config["sm.scheduler.policy"] == "gto" and len(r.config) > 300)
check("launches", sum(r.launches["cycles"]) == sum(k["kernel.cycles"] for k in r.kernels.values()))
check("rows where", len(r.launches.where(kernel="atax2")) == 1)
check("energy", r.energy["kernel"] == ["atax1", "atax2"])
again = lockstep.read("kept")
check("read again", dict(again.stats.match("gpu.*")) == dict(r.stats.match("gpu.*")))
for wrong, kind in ((lambda: r.series, FileNotFoundError), (lambda: r.launches["cycle"], KeyError),
                    (lambda: lockstep.run("./nothing"), lockstep.LockstepError),
                    (lambda: lockstep.Database("nothing.db"), FileNotFoundError),
                    (lambda: lockstep.launch("x.ptx", "k", 1, 1, [7]), TypeError)):
    try:
        wrong()
        check(f"{kind.__name__}", False)
    except kind as error:
        check(f"{kind.__name__}: {str(error).splitlines()[0]}", True)
with lockstep.Run(program, "--size", "tiny", functional=True) as r:
    folder = r.folder
    check("functional", r.stats["gpu.thread_instructions"] > 0)
check("the folder is gone", not os.path.exists(folder))
try:
    import pandas
    check("pandas", list(r.launches.to_pandas()["kernel"]) == r.launches["kernel"])
except (ImportError, FileNotFoundError):
    pass
print("all said")
END
(cd "$out" && python3 more.py "$OLDPWD/$build/bench/polybench/atax") >"$out/log" 2>&1
expect "more: to its end" grep -qx "all said" "$out/log" || log_tail
while read -r verdict what; do
	case $verdict in
	ok) ok ;;
	NOT) not_ok "$what" ;;
	esac
done <"$out/log"
finish
