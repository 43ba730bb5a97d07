#!/bin/sh
# tests/cachemodel.sh BUILD -- lockstep cachemodel as its users type it: programs and traces, tables, files,
# switches, mistakes.
set -u
build=$(cd "${1:?usage: tests/cachemodel.sh BUILD}" && pwd)
cd "$(dirname "$0")/.." || exit 1
lockstep=$build/bin/lockstep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
ok() { # TITLE CONDITION...
	title=$1
	shift
	if "$@"; then passed=$((passed + 1)); else
		failed=$((failed + 1))
		echo "not ok: $title"
	fi
}
model() { "$lockstep" cachemodel -c gtx480 "$@" 2>"$work/err"; }
has() { grep -qE -e "$1" "$2"; }
# The table's columns of a kernel
field() { awk -v kernel="$2" -v n="$3" '$1 == kernel { print $n; exit }' "$1"; }
refused() { # TITLE STATUS PATTERN ARGUMENTS...
	title=$1 status=$2 pattern=$3
	shift 3
	"$lockstep" cachemodel "$@" >"$work/out" 2>"$work/err"
	got=$?
	ok "$title: status $got" test $got = "$status"
	ok "$title: $(head -n 1 "$work/err")" has "$pattern" "$work/err"
}
atax=$build/bench/polybench/atax
gemm=$build/bench/polybench/gemm

# The same result each time, from a program and from its trace.
model -- "$atax" 64 96 >"$work/one"
model -- "$atax" 64 96 >"$work/two"
times='tracing|^cachemodel:'
grep -vE "$times" "$work/one" >"$work/one.table"
grep -vE "$times" "$work/two" >"$work/two.table"
ok "two runs print the same" cmp -s "$work/one.table" "$work/two.table"
"$lockstep" trace -q -c gtx480 -o "$work/atax.trace" -- "$atax" 64 96 >"$work/out" 2>&1
model --trace "$work/atax.trace" >"$work/three"
grep -vE "$times" "$work/three" >"$work/three.table"
ok "a trace gives what the program gives" cmp -s "$work/one.table" "$work/three.table"
"$lockstep" trace -q -c gtx480 -o "$work/atax.trace.zst" -- "$atax" 64 96 >"$work/out" 2>&1
model --trace "$work/atax.trace.zst" | grep -vE "$times" >"$work/four.table"
ok "a compressed trace, too" cmp -s "$work/one.table" "$work/four.table"
# 64 rows of 96 words are 192 lines, 96 words 3, and the 64 sums 2: each asked for the first time once. Two
# warps ask for 32 lines and one word in each of 96 columns, and for their sums: 2 x (96 x 33 + 1).
ok "atax1: compulsory misses and accesses by hand" test \
	"$(field "$work/one" atax1 3) $(field "$work/one" atax1 5)" = "6338 3.11"

# What the simulator says of the same program.
model --compare -- "$atax" 64 96 >"$work/compared"
ok "the last line of --compare" sh -c "tail -n 1 '$work/compared' | grep -qE \
	'^cachemodel: modelled [0-9.]+ %, simulated [0-9.]+ %, [0-9]+ accesses, [0-9.]+ s against [0-9.]+ s$'"
ok "model and simulator see the same loads" test "$(awk '$1 == "atax1" && NF == 6 { print $5 - $6 }' \
	"$work/compared")" = 0

# Switches and other caches.
model --without associativity --without latencies -- "$atax" 64 96 >"$work/out"
ok "without associativity no such misses" test "$(field "$work/out" atax1 7)" = 0.00
ok "without latencies no latency misses" test "$(field "$work/out" atax1 8)" = 0.00
model --set sm.l1d.ways=64 --set sm.l1d.sets=64 -- "$atax" 64 96 >"$work/out"
ok "a large cache has compulsory misses alone" test \
	"$(field "$work/out" atax1 5)" = "$(field "$work/out" atax1 9)"
model --set cachemodel.seed=1 --set cachemodel.sigma=30 -- "$atax" 64 96 | grep -vE "$times" >"$work/s1"
model --set cachemodel.seed=2 --set cachemodel.sigma=30 -- "$atax" 64 96 | grep -vE "$times" >"$work/s2"
ok "another seed, other latencies" sh -c "! cmp -s '$work/s1' '$work/s2'"
model --set cachemodel.cores=0 --set cachemodel.threads=0 -- "$gemm" 64 >"$work/out"
ok "all cores together leave no CTA out" awk '/CTAs with loads/ { seen = $1 == $3 } END { exit !seen }' \
	"$work/out"

# Files.
model --lines --mshr-effect --sweep all -o "$work/files" -- "$gemm" 64 >"$work/out"
for file in kernels.csv lines.csv distances.csv curve.csv sweep.csv curve.svg distances.svg causes.svg; do
	ok "$file is there" test -s "$work/files/$file"
done
ok "plots are XML" xmllint --noout "$work/files/curve.svg" "$work/files/distances.svg" \
	"$work/files/causes.svg"
ok "four sweeps" test "$(grep -c '^miss rate in %, by' "$work/out")" = 4
ok "in a sweep 1x is as configured" awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["parameter"] == "configured" { rate = $at["miss_rate"] }
	$at["factor"] == 1 && $at["parameter"] != "mshr-effect" && $at["miss_rate"] != rate { bad = 1 }
	END { exit bad }' "$work/files/sweep.csv"
ok "distances add up to accesses" sh -c "test \$(awk -F, 'NR > 1 { n += \$3 } END { print n }' \
	'$work/files/distances.csv') = \$(awk -F, 'NR == 2 { print \$3 }' '$work/files/kernels.csv')"
ok "lines add up to accesses" sh -c "test \$(awk -F, 'NR > 1 { n += \$3 } END { print n }' \
	'$work/files/lines.csv') = \$(awk -F, 'NR == 2 { print \$3 }' '$work/files/kernels.csv')"
ok "the curve falls" awk -F, 'NR > 2 && $4 > last { bad = 1 } { last = $4 } END { exit bad }' \
	"$work/files/curve.csv"

# A trace from elsewhere, written by another program.
python3 docs/examples/write_trace.py "$work/other.trace" >"$work/out" 2>&1
model --set cachemodel.cores=0 --trace "$work/other.trace" >"$work/out"
# two threads of a warp each 128 bytes apart, twice: 2 lines, 4 accesses
ok "a trace from elsewhere" test \
	"$(field "$work/out" made_elsewhere 3) $(field "$work/out" made_elsewhere 5)" = "4 50.00"
# What no launch can have: a CTA of 2048 threads, a CTA or a warp that is not there.
impossible() { # TITLE PATTERN SED-SCRIPT
	sed "$3" docs/examples/write_trace.py >"$work/impossible.py"
	python3 "$work/impossible.py" "$work/impossible.trace"
	refused "$1" 1 "$2" -c gtx480 --trace "$work/impossible.trace"
}
impossible "2048 threads" "launch 1 has CTAs of 2048 threads" 's/(32, 1, 1)/(2048, 1, 1)/'
impossible "a CTA beyond the grid" "access 2 is of CTA 1," 's/load(0, 0, 2/load(1, 0, 2/'
impossible "a warp beyond the CTA" "access 1 is of CTA 0, warp 1," 's/load(0, 0, 1/load(0, 1, 1/'

# Mistakes.
refused "no program" 2 "too few operands" -c gtx480
refused "program not found" 127 "cannot run ./nothing" -- ./nothing
refused "program fails" 1 "ended with status 1" -- false
refused "no kernel" 1 "no kernel was launched by true" -- true
refused "no such trace" 1 "nothing.trace: No such file" --trace "$work/nothing.trace"
head -c 300 "$work/atax.trace" >"$work/cut.trace"
refused "a trace cut off" 1 "offset" --trace "$work/cut.trace"
refused "no such switch" 1 "associativity, mshrs, divergence" --without nothing -- true
refused "no such sweep" 1 "associativity, size, line, mshrs or all" --sweep nothing -- true
refused "the L1 is off" 1 "needs an L1" -c +l1-off -- true
refused "parameter out of range" 1 "miss_latency" --set cachemodel.miss_latency=-1 -- true
refused "no such parameter" 1 "did you mean" --set cachemodel.miss_latencyy=1 -- true
refused "a folder that cannot be" 1 "/proc/nothing" -o /proc/nothing/x --trace "$work/atax.trace"
refused "a trace and a program" 2 "takes no program" --trace x -- true
# Ctrl-C ends the program, and leaves nothing behind.
mkdir "$work/tmp"
TMPDIR=$work/tmp "$lockstep" cachemodel --compare -c gtx480 -- "$gemm" 512 >"$work/out" 2>"$work/err" &
command=$!
while kill -0 $command 2>/dev/null && [ -z "$(ls "$work/tmp")" ]; do sleep 0.05; done
sleep 0.2
kill -TERM $command
wait $command
ok "SIGTERM is status 143" test $? = 143
ok "no folder is left" test -z "$(ls "$work/tmp")"
"$lockstep" cachemodel --parameters >"$work/out"
ok "parameters are explained" has "lambda_min" "$work/out"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
