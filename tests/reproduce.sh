#!/bin/sh
# tests/reproduce.sh BUILD -- `lockstep reproduce` and a small part of `make reproduce`: counts and pages from
# a sweep and from a file of claims, reasons beside what differs, another size, what is there already,
# mistakes.
. tests/lib.sh
has() { grep -qF -e "$1" "$2"; }
lacks() { ! has "$@"; }

cat >"$out/small.yaml" <<'END'
name: small
size: repro
workloads: [{name: polybench/atax, arguments: ["4096", "4096"]}, {name: polybench/gemm, size: paper},
  {name: polybench/syrk, arguments: [--size, repro]}]
base: gtx480
factors: {machine: {none: {}, slow: {l2.rop_latency: 2000}, gone: {sm.l1d.ways: 8}}}
exclude: [{workload: [gemm, syrk], machine: gone}]
baseline: {machine: none}
derived:
  speedup: {value: base(gpu.cycles) / gpu.cycles, unit: times, mean: geometric}
report:
  - figure: printed
    title: First table
    value: speedup
    rows:
      - {what: itself, only: {machine: none}, printed: 1, source: Section 1, why: never said}
      - {what: said to gain, only: {machine: slow}, printed: 2, source: Figure 2, why: it is slow | so}
      - {what: said to lose, only: {machine: slow}, printed: lower}
      - {what: said to be higher, only: {machine: slow}, printed: higher}
      - {what: not printed, only: {machine: slow}}
      - {what: only a bar, printed: a bar, unchecked: the figure is missing}
      - {what: not run, only: {machine: gone}, printed: 1.5}
END
ours=$lockstep
few "$out" polybench/atax polybench/gemm polybench/syrk
lockstep=$out/few/bin/lockstep
sized() { "$lockstep" sweep "$out/small.yaml" --size "$1" -l -o "$out/none.db" >"$out/list"; }
expect "another size" sized tiny
expect "in place of written arguments" has "polybench/atax size='tiny'" "$out/list"
expect "in place of a workload's own size" has "polybench/gemm size='tiny'" "$out/list"
expect "in place of --size among arguments" has "polybench/syrk size='--size tiny'" "$out/list"
expect "the file's own size" sized repro
expect "which changes nothing" sh -c "grep -q \"polybench/atax size='4096 4096'\" '$out/list' &&
	grep -q \"polybench/gemm size='paper'\" '$out/list'"
answers 2 "huge: expected tiny, small" "$lockstep" sweep "$out/small.yaml" --size huge

"$lockstep" sweep "$out/small.yaml" --size tiny -q -j 2 -o "$out/small.db" >"$out/log" 2>&1
expect "its points run" has "0 failed" "$out/log"
cat >"$out/claims.csv" <<'END'
what,measured,printed,quantity,bound,why,unchecked
error,6,6.4,value,,,
"ratio, far",1.1,1.5,ratio,,"a reason, too",
falls,0.9,lower,,,,
at least so much,12,10,value,at_least,,
no number,,268,ratio,,,
bar,,some bar,,,,no numbers
END
"$lockstep" reproduce first="$out/small.db" second="$out/claims.csv" -o "$out/pages" --title "second=The second" \
	--note "A note." >"$out/log" 2>&1
expect "pages are written" test $? = 0
# first: 4 of 6 checked (itself, gain, lose, higher); 2 in direction, of its 3 numbers 1 within 25 %
# second: 4 of 6 checked, all in direction, of its 4 numbers 2 within 25 %
expect "the last line" test "$(tail -n 1 "$out/log")" = \
	"reproduce: 12 claims, 6 in direction, 3 within 25 %, 4 not checked"
expect "each paper" has "second.md: 6 claims, 4 in direction, 2 within 25 %, 2 not checked" "$out/log"
page=$out/pages/first.md
expect "a table of the sweep" has "## First table" "$page"
expect "a reason where it differs" grep -q '^| said to gain | 0\.[0-9]* | 2 | -.* | against | it is slow \\| so |' "$page"
expect "none where it holds" lacks "never said" "$page"
expect "no reason is told" grep -q '^| said to be higher .*| against | no reason is known |' "$page"
expect "what is not printed is no claim" lacks "not printed" "$page"
expect "a bar" has "| only a bar | - | a bar | - | not checked | the figure is missing |" "$page"
expect "points are missing" grep -q '^| not run | - | 1.5 | .*points are missing' "$page"
expect "the second paper" has "# The second" "$out/pages/second.md"
expect "a quoted field" has "| ratio, far | 1.100 | 1.5 | 0.200 | in direction | a reason, too |" "$out/pages/second.md"
expect "a bound" has "| at least so much | 12 | at least 10 | 1.200 | bound met |  |" "$out/pages/second.md"
expect "the summary" has "| [The second](second.md) | 6 | 2 | 4 of 4 (100 %) | 2 of 3 (67 %) | 1 | 0 |" "$out/pages/index.md"
expect "its sum" has "| all | 12 | 4 | 6 of 8 (75 %) |" "$out/pages/index.md"
expect "and what is against" has "**said to gain**" "$out/pages/index.md"
expect "the note" has "A note." "$out/pages/index.md"

# Claims of a sweep, written as a file of claims and read again, are the same claims.
tables() { grep '^|' "$1"; }
"$lockstep" reproduce first="$out/pages/first.csv" second="$out/pages/second.csv" -o "$out/again" \
	--title "second=The second" >"$out/log2" 2>&1
expect "claims as a file: the last line" test "$(tail -n 1 "$out/log2")" = "$(tail -n 1 "$out/log")"
for paper in first second; do
	tables "$out/pages/$paper.md" >"$out/one"
	tables "$out/again/$paper.md" >"$out/two"
	expect "the same tables" cmp "$out/one" "$out/two"
	expect "written again: the same file" cmp "$out/pages/$paper.csv" "$out/again/$paper.csv"
done

"$lockstep" reproduce first="$out/small.db" -o "$out/pages" --remark "another size" >"$out/log" 2>&1
expect "a remark" has "| another size; at the sweep file's own size: it is slow" "$page"

# docs/results/reproduction.md says of each paper whose claims are in sweeps/claims what these say.
for file in sweeps/claims/*.csv; do
	paper=$(basename "$file" .csv)
	"$lockstep" reproduce "$paper=$file" -o "$out/kept" >"$out/log" 2>&1
	counts=$(sed -n 's/^reproduce: \([0-9]*\) claims, \([0-9]*\) in direction, \([0-9]*\) within 25 %, \([0-9]*\) .*/\1 \4 \2 \3/p' \
		"$out/log" | awk '{ printf "| %d | %d | %d |", $1 - $2, $3, $4 }')
	expect "docs/results/reproduction.md has the counts of $file: $counts" grep -qF "| \`$paper\` $counts" docs/results/reproduction.md
done

answers 2 "small.db: expected PAPER=FILE" "$lockstep" reproduce small.db
answers 2 "expected PAPER=FILE" "$lockstep" reproduce ../first=small.db
answers 2 "expected PAPER=TEXT" "$lockstep" reproduce first=small.db --title first
answers 1 "nothing.db" "$lockstep" reproduce first="$out/nothing.db" -o "$out/pages"
answers 1 "nothing.csv" "$lockstep" reproduce first="$out/nothing.csv" -o "$out/pages"
wrong() { # MESSAGE HEADER LINE
	printf '%s\n%s\n' "$2" "$3" >"$out/wrong.csv"
	answers 1 "$1" "$lockstep" reproduce first="$out/wrong.csv" -o "$out/pages"
}
wrong "wrong.csv:2.*printed: expected a number" what,measured,printed a,1,much
wrong "measured: expected a number" what,measured,printed a,much,1
wrong "what: expected" what,measured,printed ,1,1
wrong "unknown word often in the column bound" what,measured,printed,bound a,1,1,often
wrong "printed" what,measured a,1

lockstep=$ours
# The script behind `make reproduce`: one of MRPB's sweeps, and the cache model of one program.
part() {
	ONLY=mrpb-unshared WORKLOADS=polybench/atax REPORT=no SWEEP="-q -j 2" sh sweeps/reproduce.sh "$build" \
		"mrpb reuse" tiny "$out/make" >"$out/log" 2>&1
}
if ! sanitized || full; then
	expect "a part of make reproduce" part
	expect "runs its jobs" has "48 done, 48 run now, 0 failed" "$out/log"
	expect "its last line" sh -c "tail -n 1 '$out/log' |
		grep -qE '^reproduce: [0-9]+ claims, [0-9]+ in direction, [0-9]+ within 25 %, [0-9]+ not checked$'"
	expect "a page for each paper" test -s "$out/make/tiny/mrpb.md" -a -s "$out/make/tiny/reuse.md"
	expect "claims of the cache model" grep -q '^| mean difference, 16 KB | [0-9.]* | 6.4 |' \
		"$out/make/tiny/reuse.md"
	cp "$out/make/tiny/index.md" "$out/index.md"
	expect "it continues" part
	expect "and runs nothing again" has "48 done, 0 run now, 0 failed" "$out/log"
	expect "with the same pages" cmp "$out/index.md" "$out/make/tiny/index.md"
fi
answers 2 "unknown paper x" sh sweeps/reproduce.sh "$build" x tiny "$out/make"
answers 2 "unknown size x" sh sweeps/reproduce.sh "$build" mrpb x "$out/make"
finish
