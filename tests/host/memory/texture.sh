#!/bin/sh
# tests/host/memory/texture.sh BUILD -- texture.c built against our own cuda.h and run: with timing, without a
# texture cache, without an L1, with every queue of size 1, values only, on every vector level; and its two
# faults, whose texts must name what is wrong.
. tests/lib.sh
compile texture tests/host/memory/texture.c
export LOCKSTEP_QUIET=1 LD_LIBRARY_PATH="$build/lib" LOCKSTEP_OUT="$out/out"
ptx="tests/ptx/texture.ptx tests/ptx/texref.ptx tests/ptx/sampler.ptx"

# fetches go through the texture cache, surfaces through the L1; all line requests are accounted for
adds_up() {
	totals "$out/out/stats.txt" | awk '{ v[$1] = $2 }
		END { exit !(v["sm.texture.hits"] > 0 && v["sm.texture.misses"] > 0 &&
			v["sm.texture_accesses"] > 0 &&
			v["sm.texture_lines"] == v["sm.texture.accesses"] &&
				v["sm.texture.misses"] == v["sm.texture.fills"] &&
			v["sm.line_requests"] == v["sm.texture.accesses"] + v["sm.l1d.accesses"]) }'
}

expect "timed" "$out/texture" $ptx
expect "line requests add up" adds_up
expect "without a texture cache" env LOCKSTEP_SET=sm.texture.enabled=false "$out/texture" $ptx
expect "without an L1" env LOCKSTEP_SET=sm.l1d.enabled=false "$out/texture" $ptx
expect "every queue of size 1" env LOCKSTEP_CONFIG=tests/configs/torture.yaml "$out/texture" $ptx
for level in $vector_levels; do
	expect "values only, vector level $level" env LOCKSTEP_FUNCTIONAL=1 LOCKSTEP_VECTOR=$level \
		"$out/texture" $ptx
done
answers 0 'texture.ptx:[0-9]*: device fault: the handle is of no texture.*handle 0x3039' "$out/texture" $ptx \
	fetch
answers 0 'device fault: access outside the surface.*store of 4 bytes at (16, 0, 0)' "$out/texture" $ptx store
finish
