#!/bin/sh
# tests/cachemodel.sh BUILD -- lockstep cachemodel as its users type it: programs and traces, tables, files,
# switches, mistakes.
. tests/lib.sh
model() { "$lockstep" cachemodel -c gtx480 "$@" 2>"$out/err"; }
has() { grep -qE -e "$1" "$2"; }
# The table's columns of a kernel
field() { awk -v kernel="$2" -v n="$3" '$1 == kernel { print $n; exit }' "$1"; }
atax=$build/bench/polybench/atax
gemm=$build/bench/polybench/gemm

# The same result each time, from a program and from its trace.
model -- "$atax" 64 96 >"$out/one"
model -- "$atax" 64 96 >"$out/two"
times='tracing|^cachemodel:'
grep -vE "$times" "$out/one" >"$out/one.table"
grep -vE "$times" "$out/two" >"$out/two.table"
expect "two runs print the same" cmp -s "$out/one.table" "$out/two.table"
"$lockstep" trace -q -c gtx480 -o "$out/atax.trace" -- "$atax" 64 96 >"$out/out" 2>&1
model --trace "$out/atax.trace" >"$out/three"
grep -vE "$times" "$out/three" >"$out/three.table"
expect "a trace gives what the program gives" cmp -s "$out/one.table" "$out/three.table"
"$lockstep" trace -q -c gtx480 -o "$out/atax.trace.zst" -- "$atax" 64 96 >"$out/out" 2>&1
model --trace "$out/atax.trace.zst" | grep -vE "$times" >"$out/four.table"
expect "a compressed trace, too" cmp -s "$out/one.table" "$out/four.table"
# 64 rows of 96 words are 192 lines, 96 words 3, and the 64 sums 2: each asked for the first time once. Two
# warps ask for 32 lines and one word in each of 96 columns, and for their sums: 2 x (96 x 33 + 1).
expect "atax1: compulsory misses and accesses by hand" test \
	"$(field "$out/one" atax1 3) $(field "$out/one" atax1 5)" = "6338 3.11"

# What the simulator says of the same program.
model --compare -- "$atax" 64 96 >"$out/compared"
expect "the last line of --compare" sh -c "tail -n 1 '$out/compared' | grep -qE \
	'^cachemodel: modelled [0-9.]+ %, simulated [0-9.]+ %, [0-9]+ accesses, [0-9.]+ s against [0-9.]+ s$'"
expect "model and simulator see the same loads" test "$(awk '$1 == "atax1" && NF == 6 { print $5 - $6 }' \
	"$out/compared")" = 0

# Switches and other caches.
model --without associativity --without latencies -- "$atax" 64 96 >"$out/out"
expect "without associativity no such misses" test "$(field "$out/out" atax1 7)" = 0.00
expect "without latencies no latency misses" test "$(field "$out/out" atax1 8)" = 0.00
model --set sm.l1d.ways=64 --set sm.l1d.sets=64 -- "$atax" 64 96 >"$out/out"
expect "a large cache has compulsory misses alone" test \
	"$(field "$out/out" atax1 5)" = "$(field "$out/out" atax1 9)"
model --set cachemodel.seed=1 --set cachemodel.sigma=30 -- "$atax" 64 96 | grep -vE "$times" >"$out/s1"
model --set cachemodel.seed=2 --set cachemodel.sigma=30 -- "$atax" 64 96 | grep -vE "$times" >"$out/s2"
expect "another seed, other latencies" sh -c "! cmp -s '$out/s1' '$out/s2'"
model --set cachemodel.cores=0 --set cachemodel.threads=0 -- "$gemm" 64 >"$out/out"
expect "all cores together leave no CTA out" awk '/CTAs with loads/ { seen = $1 == $3 } END { exit !seen }' \
	"$out/out"

# Files.
model --lines --mshr-effect --sweep all -o "$out/files" -- "$gemm" 64 >"$out/out"
for file in kernels.csv lines.csv distances.csv curve.csv sweep.csv curve.svg distances.svg causes.svg; do
	expect "$file is there" test -s "$out/files/$file"
done
expect "plots are XML" xmllint --noout "$out/files/curve.svg" "$out/files/distances.svg" \
	"$out/files/causes.svg"
expect "four sweeps" test "$(grep -c '^miss rate in %, by' "$out/out")" = 4
expect "in a sweep 1x is as configured" awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["parameter"] == "configured" { rate = $at["miss_rate"] }
	$at["factor"] == 1 && $at["parameter"] != "mshr-effect" && $at["miss_rate"] != rate { bad = 1 }
	END { exit bad }' "$out/files/sweep.csv"
expect "distances add up to accesses" sh -c "test \$(awk -F, 'NR > 1 { n += \$3 } END { print n }' \
	'$out/files/distances.csv') = \$(awk -F, 'NR == 2 { print \$3 }' '$out/files/kernels.csv')"
expect "lines add up to accesses" sh -c "test \$(awk -F, 'NR > 1 { n += \$3 } END { print n }' \
	'$out/files/lines.csv') = \$(awk -F, 'NR == 2 { print \$3 }' '$out/files/kernels.csv')"
expect "the curve falls" awk -F, 'NR > 2 && $4 > last { bad = 1 } { last = $4 } END { exit bad }' \
	"$out/files/curve.csv"

# A trace from elsewhere, written by another program.
python3 docs/examples/write_trace.py "$out/other.trace" >"$out/out" 2>&1
model --set cachemodel.cores=0 --trace "$out/other.trace" >"$out/out"
# two threads of a warp each 128 bytes apart, twice: 2 lines, 4 accesses
expect "a trace from elsewhere" test \
	"$(field "$out/out" made_elsewhere 3) $(field "$out/out" made_elsewhere 5)" = "4 50.00"
# What no launch can have: a CTA of 2048 threads, a CTA or a warp that is not there.
impossible() { # TITLE PATTERN SED-SCRIPT
	sed "$3" docs/examples/write_trace.py >"$out/impossible.py"
	python3 "$out/impossible.py" "$out/impossible.trace"
	answers 1 "$2" "$lockstep" cachemodel -c gtx480 --trace "$out/impossible.trace"
}
impossible "2048 threads" "launch 1 has CTAs of 2048 threads" 's/(32, 1, 1)/(2048, 1, 1)/'
impossible "a CTA beyond the grid" "access 2 is of CTA 1," 's/load(0, 0, 2/load(1, 0, 2/'
impossible "a warp beyond the CTA" "access 1 is of CTA 0, warp 1," 's/load(0, 0, 1/load(0, 1, 1/'

# Mistakes.
answers 2 "too few operands" "$lockstep" cachemodel -c gtx480
answers 127 "cannot run ./nothing" "$lockstep" cachemodel -- ./nothing
answers 1 "ended with status 1" "$lockstep" cachemodel -- false
answers 1 "no kernel was launched by true" "$lockstep" cachemodel -- true
answers 1 "nothing.trace: No such file" "$lockstep" cachemodel --trace "$out/nothing.trace"
head -c 300 "$out/atax.trace" >"$out/cut.trace"
answers 1 "offset" "$lockstep" cachemodel --trace "$out/cut.trace"
answers 2 "associativity, mshrs, divergence" "$lockstep" cachemodel --without nothing -- true
answers 2 "associativity, size, line, mshrs or all" "$lockstep" cachemodel --sweep nothing -- true
answers 1 "needs an L1" "$lockstep" cachemodel -c +l1-off -- true
answers 2 "miss_latency" "$lockstep" cachemodel --set cachemodel.miss_latency=-1 -- true
answers 2 "did you mean" "$lockstep" cachemodel --set cachemodel.miss_latencyy=1 -- true
answers 1 "/proc/nothing" "$lockstep" cachemodel -o /proc/nothing/x --trace "$out/atax.trace"
answers 2 "takes no program" "$lockstep" cachemodel --trace x -- true
# Ctrl-C ends the program, and leaves nothing behind.
mkdir "$out/tmp"
TMPDIR=$out/tmp "$lockstep" cachemodel --compare -c gtx480 -- "$gemm" 512 >"$out/out" 2>"$out/err" &
command=$!
while kill -0 $command 2>/dev/null && [ -z "$(ls "$out/tmp")" ]; do sleep 0.05; done
sleep 0.2
kill -TERM $command
wait $command
expect "SIGTERM is status 143" test $? = 143
expect "no folder is left" test -z "$(ls "$out/tmp")"
"$lockstep" cachemodel --parameters >"$out/out"
expect "parameters are explained" has "lambda_min" "$out/out"
finish
