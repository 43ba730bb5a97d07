#!/bin/sh
# tests/validate.sh BUILD -- a taste of `make validate`: values are right in timed and functional runs,
# latencies are what the configuration declares, the misses of a copy that fits the L1 are the compulsory
# ones, and the table adds up.
. tests/lib.sh


# measure NAME options... -- topics...: figures go to $out/NAME.csv
measure() {
	name=$1; shift
	options=
	while [ "$1" != -- ]; do options="$options $1"; shift; done
	shift
	if "$lockstep" run -q -o "$out/$name" $options -- "$build/bench/validate" --csv "$@" \
		>"$out/$name.csv" 2>"$out/log" &&
		grep -q PASS "$out/log"; then ok; else not_ok "validate $* under $options"; \
			tail -n 3 "$out/log"; fi
}

# figure NAME FIGURE
figure() { awk -F, -v name="$2" '$1 == name { print $3 }' "$out/$1.csv"; }

measure latency -c configs/gtx480.yaml -- latency
# a hit in the L1 costs the same however much of the L1 it is one of; beyond each cache, loads cost more
if awk -v l1="$(figure latency 'chase 8 KB')" -v l1_too="$(figure latency 'chase 16 KB')" \
	-v l2="$(figure latency 'chase 256 KB')" \
	-v dram="$(figure latency 'chase 4096 KB')" -v rows="$(figure latency 'latency load DRAM')" 'BEGIN {
		d = l1 - l1_too
		exit !(l1 > 0 && d * d < 9 && l2 > 2 * l1 && dram > 1.1 * l2 && rows > dram) }'; then ok; else
	not_ok "latencies: $(tr '\n' ' ' <"$out/latency.csv")"; fi

# six CTAs on one SM; L1 and L2 do not depend on how many SMs there are
if sanitized && ! full; then echo "note: validate: latencies and one row copy under the sanitizers"; else
	measure peaks -c configs/gtx480-1550.yaml --set gpu.sms=1 -- peaks
	measure functional --functional -- latency peaks rows
fi
"$lockstep" launch -q -o "$out/rows" -c configs/gtx470.yaml benchmarks/validate/kernel.ptx row_copy --grid 1 \
	--block 32 \
	--arg 'f32[32768]=iota' --arg 'f32[32768]=zero' >"$out/log" 2>&1
if grep -q '^kernel.l1_miss_rate  *0.031250 ' "$out/rows/stats.txt"; then ok; else not_ok \
	"row copy of 32 rows: not one miss a line"; fi

"$lockstep" run -q -o "$out/wrong" -- "$build/bench/validate" latncy >"$out/log" 2>&1
if grep -q "validate: latncy: no such topic" "$out/log"; then ok; else not_ok "a topic that does not exist"; \
	fi

finish
