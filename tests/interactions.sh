#!/bin/sh
# tests/interactions.sh BUILD -- lockstep interactions as its users type it: a small factorial sweep, its effects
# against sums made from the results, a part of the combinations, causes, files, and mistakes.
. tests/lib.sh
has() { grep -qE -e "$1" "$2"; }

cat >"$out/small.yaml" <<'END'
name: small
size: tiny
workloads: [polybench/2mm, polybench/syrk, rodinia/nn, rodinia/btree]
base: gtx480
factors:
  scheduler: {lrr: {sm.scheduler.policy: lrr}, gto: {sm.scheduler.policy: gto}}
  l1: {16K: {}, 48K: {config: gtx480-l1-48k}}
  limiter: {none: {}, swl-4: {sm.limiter.policy: swl, sm.limiter.swl.warps: 4}}
baseline: {scheduler: lrr, l1: 16K, limiter: none}
interactions:
  values: [gpu.ipc, {value: sm.l1d.miss_rate, linear: true, least: true}]
  classes: {bound: [polybench/*], graph: [rodinia/*]}
END
few "$out" polybench/2mm polybench/syrk rodinia/nn rodinia/btree
lockstep=$out/few/bin/lockstep
study() { (cd "$out" && "$lockstep" interactions "$@") >"$out/log" 2>&1; }
study small.yaml -o small.db -q -j 2 --csv effects
expect "a study runs" test $? = 0
expect "the last line" sh -c "tail -n 1 '$out/log' | \
	grep -qE '^interactions: 32 points, 12 effects, [0-9]+ of them beyond their interval$'"
expect "all combinations: nothing is lost" has 'at most 1.00 times as wide' "$out/log"
expect "classes have a best combination each" test "$(grep -cE '^  (bound|graph) +2 ' "$out/log")" = 4

# The interaction of gto and 48K by hand: the mean over the limiters and workloads of what both do beyond each.
expect "an interaction by hand" awk -F , -v csv="$out/small.csv" '
	FNR == 1 && FILENAME == csv { for (i = 1; i <= NF; i++) column[$i] = i; next }
	FILENAME == csv {
		sign = ($column["scheduler"] == "gto" ? 1 : -1) * ($column["l1"] == "48K" ? 1 : -1)
		sum += sign * log($column["gpu.ipc"])
	}
	FILENAME != csv && $1 == "scheduler=gto x l1=48K" { found = $3; n++ }
	END { d = sum / 8 - found; exit !(n == 1 && d < 1e-6 && d > -1e-6) }' \
	"$out/small.csv" "$out/effects/gpu.ipc.csv"

study small.db --why scheduler=gto,l1=48K --value gpu.ipc
expect "causes of a pair" has '^  L1 misses per load .*[0-9]' "$out/log"
expect "issue slots of a pair" has 'issue slots, %: l1_miss' "$out/log"
if command -v gnuplot >/dev/null; then
	study small.db --value gpu.ipc --heat heat.svg
	expect "a heat map" has '<svg' "$out/heat.svg"
	expect "with the levels" has 'limiter: swl-4' "$out/heat.svg"
	# A name is no command of gnuplot's, and no markup.
	sed 's/swl-4:/"swl-4`touch ran` <b>":/' "$out/small.yaml" >"$out/names.yaml"
	study names.yaml -o small.db -q --value gpu.ipc --heat "it's.svg"
	expect "names as they are" has 'limiter: swl-4`touch ran` &lt;b' "$out/it's.svg"
	expect "no name is a command" test ! -e "$out/ran"
	study small.yaml -o small.db -q
fi

# A part of the combinations, again from the database: the same to the last digit.
sed 's/^name: small/name: part/; s/^interactions:/design: {runs: 7}\n&/' "$out/small.yaml" >"$out/part.yaml"
if sanitized && ! full; then echo "note: interactions: all combinations alone under the sanitizers"; else
	study part.yaml -o part.db -q -j 2
	expect "a part: which estimates are aliased most" has 'aliased most, with a correlation of [01].[0-9]+: ' "$out/log"
	expect "7 of 8 combinations" has '4 of 4 workloads, 7 of 8 combinations, 7 parameters' "$out/log"
	cp "$out/log" "$out/first"
	study part.db
	expect "the same from the database" sh -c "sed '/^sweep:/d' '$out/first' | diff - '$out/log'"
fi

# Mistakes.
sed 's/runs: 7/runs: 6/' "$out/part.yaml" >"$out/few.yaml"
answers 1 "few.yaml:.*6 of 8 combinations cannot tell all main effects" "$lockstep" interactions "$out/few.yaml" \
	-o "$out/few.db"
answers 2 "no level 64K of a factor l1" "$lockstep" interactions "$out/small.db" --why scheduler=gto,l1=64K
answers 2 "two levels of one factor" "$lockstep" interactions "$out/small.db" --why l1=48K,l1=16K
answers 2 "FACTOR=LEVEL,FACTOR=LEVEL was expected" "$lockstep" interactions "$out/small.db" --why l1=48K
answers 1 "gpu.icp.*gpu.ipc" "$lockstep" interactions "$out/small.db" --value gpu.icp
sed 's/valuse//; s/values: /valuse: /' "$out/small.yaml" >"$out/wrong.yaml"
answers 1 "unknown key valuse" sh -c "cd '$out' && '$lockstep' interactions wrong.yaml -o small.db -q"
sed '/l1: {16K/d; /limiter: {none/d; s/, l1: 16K, limiter: none//' "$out/small.yaml" >"$out/one.yaml"
answers 1 "two factors and two workloads at least" "$lockstep" interactions "$out/one.yaml" -o "$out/one.db" -q
answers 1 "none.yaml cannot be read" "$lockstep" interactions "$out/none.yaml"
finish
