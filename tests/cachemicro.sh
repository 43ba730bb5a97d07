#!/bin/sh
# tests/cachemicro.sh BUILD -- the micro-benchmarks of the L1 on a simulated GTX 470: values are right, a
# wrong one is noticed, and the simulated L1 has the sets and the MSHRs that were measured on the card.
. tests/lib.sh

program=$build/bench/cachemicro
run="$lockstep run -q -o $out/run -c configs/gtx470.yaml --"

for topic in "rowcopy 32" "setindex 12" "mshrs 2 3"; do
	answers 0 PASS $run "$program" $topic
	answers 1 FAIL $run "$program" $topic --break-reference 1
	answers 0 PASS "$lockstep" run -q -o "" --functional -- "$program" $topic
done
answers 2 "no such topic" $run "$program" rows
if sanitized && ! full; then
	echo "note: cachemicro: three runs of the program, no tables, under the sanitizers"
	finish
fi

# table TOPIC: its table to $out/TOPIC
table() { OUT=$out/tables sh benchmarks/cachemicro/cachemicro.sh "$build" $1 >"$out/$1" 2>"$out/log"; }
expect "the programs of Figure 3" table rowcopy
expect "the programs of Figure 7" table setindex
expect "the programs of Figure 9" table mshrs

# Figure 3: ours, by threads. The card's rate at 32 and nearly at 64 threads, which share the L1; then rows of
# one warp drive out those of others, but not all.
miss_rates() {
	awk '$1 ~ /^[0-9]+$/ { ours[$1] = $2; rows++ }
		END { exit !(rows == 6 && ours[32] > 2.93 && ours[32] < 3.33 && ours[64] >= ours[32] &&
			ours[64] < 6 && ours[128] > 25 && ours[256] > 25 && ours[512] > 25 &&
			ours[1024] > 25 && ours[1024] < 95) }' "$out/rowcopy"
}
expect "Figure 3: $(grep -E '^ +[0-9]' "$out/rowcopy" | awk '{ printf " %s: %s", $1, $2 }')" miss_rates

expect "Figure 7: the row of stride 2^12" \
	grep -qE '^  2\^12 +(50\.00 +){5}100\.00 +4 +4 +4$' "$out/setindex"
expect "Figure 7: $(tail -n 2 "$out/setindex")" \
	grep -q '^cachemicro setindex: 84 of 84 cells and 14 of 14 rows agree with the hash$' "$out/setindex"

for apart in 4096 128; do
	expect "Figure 9: $(cat "$out/mshrs")" grep -q "^cachemicro mshrs, $apart bytes apart: steps of one \
warp at loads 7 13 19 (GTX 470: 7 13 19), free loads of 6 of 6 rows as on the GTX 470, of 12 of 12 as by 64 \
MSHRs and 6 a warp\$" "$out/mshrs"
done
for row in "10 6" "11 5" "13 4" "17 3"; do
	rows=$(awk -v warps=${row% *} -v free=${row#* } '$1 == warps && $10 == free && $12 == free { rows++ }
		END { print rows + 0 }' "$out/mshrs")
	expect "Figure 9: ${row% *} warps, ${row#* } loads, in both tables" [ "$rows" = 2 ]
done

# A machine with other limits must not pass for the card: with 32 MSHRs, 10 warps have 3 free loads
cycles() {
	"$lockstep" run -q -o "" -c configs/gtx470.yaml --set sm.l1d.mshrs=$1 -- \
		"$program" mshrs 10 4 --apart 128 |
		sed -n 's/.*: \([0-9]*\) cycles/\1/p' | xargs
}
few=$(cycles 32) many=$(cycles 64)
expect "32 MSHRs: $few, 64 MSHRs: $many" \
	[ "${few% *}" = "${many% *}" -a "${few##* }" -gt $((${many##* } + 50)) ]
finish
