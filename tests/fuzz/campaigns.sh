#!/bin/sh
# tests/fuzz/campaigns.sh BUILD -- random configurations, PTX files changed at random, and calls of the driver API with
# wrong handles: each gives a right result or a message. FULL=1: many more, and others in each run. Recordings,
# checkpoints and traces that are damaged at random are in recordings.sh, checkpoints.sh and trace.sh.
. tests/lib.sh
lockstep=$(realpath "$lockstep")

# Memory that a configuration may ask for: not under AddressSanitizer, where only moderate values are taken.
sanitized || memory="ulimit -v 8000000;"
configured() {
	sh -c "${memory:-} exec timeout 1200 \"\$@\"" - "$lockstep" run -q -o "" --max-cycles 100000 $1 -- \
		"$build/bench/peer" vecadd 1000 >"$out/log" 2>&1
	status=$?
	if grep -q 'out of memory' "$out/log"; then # of the configuration's making: that is a message
		return 0
	fi
	endures $status && { [ $status != 0 ] || grep -q PASS "$out/log"; }
}
campaign 25 600
"$lockstep" config doc >"$out/doc"
awk -v seed=$seed -v count=$count -v most="$(sanitized && echo 16)" -f tests/fuzz/configurations.awk "$out/doc" \
	>"$out/configurations"
accepted=0
while read -r options; do
	configured "$options" && ok || not_ok "status $status: lockstep run $options: $(log_tail 3)"
	accepted=$((accepted + (status == 0)))
done <"$out/configurations"
expect "some configurations are accepted ($accepted of $count)" [ $accepted -gt $((count / 10)) ]

# all_hold NAME: the program whose output is in $out/log says "NAME: N tried, 0 failed"
all_hold() {
	grep -q "^$1: $count tried, 0 failed" "$out/log" && ok || not_ok "$1, seed $seed: $(log_tail 20)"
}
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror ${SANITIZE:-} -I. -I"$build/gen" -o "$out/mutants" \
	tests/fuzz/mutants.c -L"$build/lib" -llockstep -Wl,-rpath,"$(realpath "$build/lib")" -lm -lpthread >"$out/log" 2>&1 ||
	not_ok "mutants.c is compiled: $(log_tail)"
campaign 200 2500
files=$(realpath $(find benchmarks tests -name '*.ptx'))
(cd "$out" && ./mutants $seed $count $files) >"$out/log" 2>&1
all_hold mutants
cat "$out"/mutant-* 2>/dev/null | tail -n 60

awk -f tests/fuzz/handles.awk host/cuda.h >"$out/calls.h"
compile handles -I"$out" tests/fuzz/handles.c
campaign 600 4600
"$lockstep" run -q -f -o "" -- "$out/handles" $seed $count >"$out/log" 2>&1
all_hold handles
finish
