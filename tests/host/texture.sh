#!/bin/sh
# tests/host/texture.sh BUILD -- texture.c built against our own cuda.h and run: with timing, without a texture cache, without an L1, with every queue of size 1, values only, on
# every vector level; and its two faults, whose texts must name what is wrong.
set -eu
build=${1:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CC:-gcc} ${SANITIZE:-} -Ihost -o "$work/texture" tests/host/texture.c -L"$build/lib" -Wl,-rpath-link,"$build/lib" -lcuda -lpthread -lm
export LOCKSTEP_QUIET=1 LD_LIBRARY_PATH="$build/lib" LOCKSTEP_OUT="$work/out"
ptx="tests/ptx/texture.ptx tests/ptx/texref.ptx tests/ptx/sampler.ptx"
"$work/texture" $ptx
# fetches go through the texture cache, surfaces through the L1; all line requests are accounted for
awk '/Begin Simulation Statistics/ { t = /total/; next } t { v[$1] = $2 }
	END { exit !(v["sm.texture.hits"] > 0 && v["sm.texture.misses"] > 0 && v["sm.texture_accesses"] > 0 &&
		v["sm.texture_lines"] == v["sm.texture.accesses"] && v["sm.texture.misses"] == v["sm.texture.fills"] &&
		v["sm.line_requests"] == v["sm.texture.accesses"] + v["sm.l1d.accesses"]) }' "$work/out/stats.txt"
LOCKSTEP_SET=sm.texture.enabled=false "$work/texture" $ptx
LOCKSTEP_SET=sm.l1d.enabled=false "$work/texture" $ptx
LOCKSTEP_CONFIG=tests/configs/torture.yaml "$work/texture" $ptx
for level in base v3 v4; do
	LOCKSTEP_FUNCTIONAL=1 LOCKSTEP_VECTOR=$level "$work/texture" $ptx
done
"$work/texture" $ptx fetch 2> "$work/stderr"
grep -q 'texture.ptx:[0-9]*: device fault: the handle is of no texture.*handle 0x3039' "$work/stderr"
"$work/texture" $ptx store 2> "$work/stderr"
grep -q 'device fault: access outside the surface.*store of 4 bytes at (16, 0, 0)' "$work/stderr"
