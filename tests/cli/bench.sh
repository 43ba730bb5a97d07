#!/bin/sh
# tests/cli/bench.sh BUILD -- lockstep bench: what it selects, prints and writes, and that it says so when a benchmark fails.
set -u
build=${1:?usage: tests/cli/bench.sh BUILD}
lockstep=$(realpath "$build/bin/lockstep")
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
passed=0 failed=0

ok() { passed=$((passed + 1)); }
not_ok() { failed=$((failed + 1)); echo "not ok $*"; }
# is STATUS TEXT COMMAND...: exits with the status, and its output has a line with the text
is() {
	want=$1 text=$2; shift 2
	"$@" >"$out/log" 2>&1
	got=$?
	if [ $got = "$want" ] && grep -qe "$text" "$out/log"; then ok; else not_ok "$*: status $got, no line with \"$text\":"; tail -n 4 "$out/log"; fi
}

is 0 '^sdk/vectoradd$' "$lockstep" bench list
[ "$(grep -c '^[^ ]' "$out/log")" = "$(ls -d "$build"/bench/*/* | wc -l)" ] && ok || not_ok "list leaves some out"

. tests/few.sh
few "$build" "$out" sdk/vectoradd sdk/reduction polybench/gemm
lockstep=$out/few/bin/lockstep
is 0 'tags: .*streaming' "$lockstep" bench list sdk/vectoradd
is 2 'nosuch: no benchmark, suite or tag' "$lockstep" bench run nosuch
is 2 'did you mean vectoradd?' "$lockstep" bench run vectorad
is 2 'run which benchmarks' "$lockstep" bench run
is 2 'expected tiny, small or paper' "$lockstep" bench run all --size huge
is 2 'expected a number from 1' "$lockstep" bench run all -j 0
is 2 'unknown action' "$lockstep" bench walk
is 1 'sm.l1d.wayz' "$lockstep" bench run sdk/vectoradd --set sm.l1d.wayz=3 -o "$out/b"
is 0 '^2 verified, 0 failed' "$lockstep" bench run sdk/vectoradd sdk/reduction sdk/vectoradd --size tiny -j 2 -o "$out/b" --stats sm.loads,dram.activates
head -n 1 "$out/b/bench.csv" | grep -q '^suite,name,size,tags,verified,gpu.kernels,.*sm.loads,dram.activates,dram_gb_per_s' && ok || not_ok "the heading of bench.csv"
# the figures are those of stats.txt, and of a run by hand
"$lockstep" run -q -o "$out/hand" -- "$build/bench/sdk/vectoradd" --size tiny >"$out/log" 2>&1
awk -F, 'FILENAME ~ /csv$/ && FNR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
	FILENAME ~ /csv$/ { if ($2 == "vectoradd") for (i = 6; name[i] != "dram_gb_per_s"; i++) { want[name[i]] = $i; n++ } next }
	/Begin Simulation/ { t = /total of/ } t { split($0, word, " "); if (word[1] in want && want[word[1]] == word[2]) same++ }
	END { exit !(n == 12 && same == n) }' "$out/b/bench.csv" "$out/hand/stats.txt" && ok || not_ok "bench.csv has other figures than a run by hand"
is 0 'verified .* - .* - ' "$lockstep" bench run sdk/vectoradd --size tiny --functional -o "$out/b"
is 0 'no run has a statistic sm.lodes' "$lockstep" bench run sdk/vectoradd --size tiny --stats sm.lodes -o "$out/b"
is 1 'it took longer than --timeout' "$lockstep" bench run polybench/gemm --size paper --timeout 1 -o "$out/b"
is 1 '^0 verified, 1 failed' "$lockstep" bench run polybench/gemm --size paper --timeout 1 -o "$out/b"
: >"$out/file"
is 1 'cannot be written' "$lockstep" bench run sdk/vectoradd --size tiny -o "$out/file/b"

# a program that fails, and one that dies, among others: a tree of links with two false benchmarks
mkdir -p "$out/tree/bin" "$out/tree/bench/sdk"
cp "$lockstep" "$out/tree/bin/"
ln -s "$(realpath "$build/lib")" "$out/tree/lib"
cp "$build/bench/sdk/vectoradd" "$out/tree/bench/sdk/good"
say='case $* in *--describe*) printf "suite: sdk\nname: x\nhelp: x\nsource: x\ntags: x\n"; exit ;; esac'
printf '#!/bin/sh\n%s\necho "x: FAIL: element 3 is 1, expected 2 (1 wrong)"; echo more; exit 1\n' "$say" >"$out/tree/bench/sdk/bad"
printf '#!/bin/sh\n%s\nkill -SEGV $$\n' "$say" >"$out/tree/bench/sdk/dead"
printf '#!/bin/sh\n%s\nexit 0\n' "$say" >"$out/tree/bench/sdk/silent"
chmod +x "$out/tree/bench/sdk"/*
is 1 '^1 verified, 3 failed' "$out/tree/bin/lockstep" bench run all --size tiny -c configs/gtx480.yaml -o "$out/b"
is 1 'element 3 is 1, expected 2' "$out/tree/bin/lockstep" bench run all --size tiny -c configs/gtx480.yaml -o "$out/b"
grep -q 'egmentation' "$out/log" && grep -q 'without saying PASS' "$out/log" && ok || not_ok "what happened to the others"
printf '#!/bin/sh\nexit 3\n' >"$out/tree/bench/sdk/mute"; chmod +x "$out/tree/bench/sdk/mute"
is 1 'sdk/mute does not say what it is' "$out/tree/bin/lockstep" bench list

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
