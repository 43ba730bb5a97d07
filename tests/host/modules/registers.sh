#!/bin/sh
# tests/host/modules/registers.sh BUILD -- registers.c built against our own cuda.h: with scheduled code,
# values that CU_JIT_MAX_REGISTERS or sm.max_registers_per_thread leaves no register for lie in local memory,
# as with .maxnreg; also when a recording is replayed. PTX as written has them in rows, and only fewer CTAs.
. tests/lib.sh
compile registers tests/host/modules/registers.c
export LOCKSTEP_QUIET=1 LD_LIBRARY_PATH="$build/lib"

says() { # SETTINGS MOST...: "REGISTERS BYTES"
	settings=$1; shift
	# shellcheck disable=SC2086
	env LOCKSTEP_OUT="" LOCKSTEP_SET="$(printf '%s\n' $settings)" "$out/registers" "$@" >"$out/log" || return 1
	sed -n 's/^\([0-9]*\) registers, \([0-9]*\) bytes$/\1 \2/p' "$out/log"
}
is() { # EXPECTED-PATTERN SETTINGS MOST...
	pattern=$1; shift
	said=$(says "$@")
	echo "$said" | grep -qx "$pattern" || { echo "$*: $said"; return 1; }
}
scheduled="frontend.timed_code=scheduled gpu.compute_major=3 gpu.compute_minor=5"
expect "as written nothing is spilled" is '24 0' frontend.timed_code=ptx 24
expect "without a limit nothing is spilled" is '[45][0-9] 0' "$scheduled"
expect "CU_JIT_MAX_REGISTERS spills" is '24 [1-9][0-9]*' "$scheduled" 24
expect "so does the chip's limit" is '24 [1-9][0-9]*' "$scheduled sm.max_registers_per_thread=24"
expect "by as much" [ "$(says "$scheduled" 24)" = "$(says "$scheduled sm.max_registers_per_thread=24")" ]
expect "less by a higher one" [ "$(says "$scheduled" 32 | cut -d ' ' -f 2)" -lt "$(says "$scheduled" 24 | cut -d ' ' -f 2)" ]

cycles() { awk '$1 == "gpu.cycles" { n = $2 } END { print n }' "$1/stats.txt"; }
replayed() {
	"$lockstep" record -q -o "$out/rec" -- "$out/registers" 24 &&
		"$lockstep" replay -q -s frontend.timed_code=scheduled -o "$out/replay" "$out/rec" &&
		"$lockstep" run -q -s frontend.timed_code=scheduled -o "$out/run" -- "$out/registers" 24 &&
		[ "$(cycles "$out/run")" = "$(cycles "$out/replay")" ]
}
expect "a replay spills as the program did" replayed
finish
