#!/bin/sh
# tests/trace.sh BUILD -- lockstep trace on a whole program: the same accesses as a run with timing counts, the
# same file each time, the same text from the reader in Python, and messages for mistakes.
. tests/lib.sh

program=$build/bench/polybench/atax
"$lockstep" trace -q -o "$out/a" -- "$program" 64 64 >"$out/log" 2>&1 || not_ok "atax is traced: $(log_tail)"
"$lockstep" trace --print "$out/a" >"$out/text" 2>"$out/log" || not_ok "the trace is printed: $(log_tail)"
"$lockstep" run -q -o "$out/run" -- "$program" 64 64 >"$out/log" 2>&1 || not_ok "atax runs: $(log_tail)"

# loads, stores, and lines of 128 bytes of each access; the last of each statistic is that of the whole run
counted() { awk '$1 == "load" { loads++ } $1 == "store" { stores++ }
	$2 == "global" {
		split("", seen)
		for (i = 15; i <= NF; i++) {
			n = length($i)
			line = substr($i, 1, n - 2) (substr($i, n - 1, 1) ~ /[89a-f]/)
			lines += !(line in seen)
			seen[line]
		}
	}
	END { print loads, stores, lines }' "$1"; }
counted "$out/text" >"$out/traced"
awk '$1 == "sm.loads" { loads = $2 } $1 == "sm.stores" { stores = $2 } $1 == "sm.line_requests" { lines = $2 }
	END { print loads, stores, lines }' "$out/run/stats.txt" >"$out/timed"
[ "$(cut -d ' ' -f 1 "$out/timed")" -gt 0 ] && cmp -s "$out/traced" "$out/timed" && ok ||
	not_ok "loads, stores, lines: traced $(cat "$out/traced"), timed $(cat "$out/timed")"
# one load less is noticed
sed '0,/^load/{/^load/d}' "$out/text" >"$out/fewer"
[ "$(counted "$out/fewer")" != "$(cat "$out/timed")" ] && ok || not_ok "a missing load is noticed"

"$lockstep" trace -q -o "$out/b" -- "$program" 64 64 >"$out/log" 2>&1
cmp -s "$out/a" "$out/b" && ok || not_ok "a second run gives another trace"

"$lockstep" trace -q --instructions -o "$out/i" -- "$program" 64 64 >"$out/log" 2>&1
"$lockstep" trace --print "$out/i" >"$out/all" 2>&1
grep -v -e '^instruction' -e '^end' "$out/all" >"$out/accesses"
grep -v '^end' "$out/text" | cmp -s - "$out/accesses" && ok || not_ok "--instructions changes accesses"
grep -q '^instruction' "$out/all" && ok || not_ok "--instructions records instructions"

# a sample: the CTAs that the whole trace has of it, and nothing else; 2 x 256 threads of CTAs 0 3 6 and 1 4 7
"$lockstep" trace -q -o "$out/whole" -- "$build/bench/polybench/gemm" 48 >"$out/log" 2>&1
"$lockstep" trace --print "$out/whole" >"$out/gemm" 2>&1
# sampled SAMPLE CTA...: exactly these CTAs are recorded
sampled() {
	"$lockstep" trace -q --sample "$1" -o "$out/sample" -- "$build/bench/polybench/gemm" 48 >"$out/log" 2>&1
	"$lockstep" trace --print "$out/sample" 2>>"$out/log" | grep -v ^end >"$out/of_sample"
	sample=$1
	shift
	awk -v list="$*" 'BEGIN { n = split(list, c, " "); for (i = 1; i <= n; i++) is[c[i]] }
		/^launch/ || (!/^end/ && $4 in is)' "$out/gemm" >"$out/of_whole"
	[ "$(wc -l <"$out/of_whole")" -gt 1 ] && cmp -s "$out/of_whole" "$out/of_sample" && ok ||
		not_ok "--sample $sample: $(diff "$out/of_whole" "$out/of_sample" | head -n 2 | cut -c 1-80)"
}
sampled 3:2:512 0 1 3 4
sampled 3:1:0 0 3 6 9
sampled 4:1:1 0
sampled 2:2:640 0 1 2 3 4
sampled 1:9:2303 0 1 2 3 4 5 6 7

# accesses of each kind; the timed run finds as many uncached requests, each of one line
compile launch tests/trace/launch.c
kernel="$program_ tests/trace/accesses.ptx accesses"
"$lockstep" trace -q -o "$out/k" -- $kernel >"$out/log" 2>&1 || not_ok "the kernel is traced: $(log_tail)"
"$lockstep" trace --print "$out/k" >"$out/kinds" 2>"$out/log" || not_ok "its trace is printed: $(log_tail)"
sed -nE 's/ cta 0 warp 0 uop [0-9]+//p' "$out/kinds" >"$out/seen"
cmp -s "$out/seen" tests/trace/accesses.txt && ok ||
	not_ok "accesses: $(diff tests/trace/accesses.txt "$out/seen" | head -n 6)"
"$lockstep" run -q -o "$out/run_kinds" -- $kernel >"$out/log" 2>&1 || not_ok "the kernel runs: $(log_tail)"
uncached=$(grep -c uncached "$out/seen") timed=$(total run_kinds sm.l1d.uncached)
[ "$uncached" = "$timed" ] && ok || not_ok "$uncached uncached loads are traced; timed: $timed"

# what comes before a fault is recorded
kernel="$program_ tests/trace/accesses.ptx faulty"
"$lockstep" trace -q -o "$out/f" -- $kernel >"$out/log" 2>&1 && not_ok "a kernel that stores nowhere is fine"
"$lockstep" trace --print "$out/f" 2>"$out/log" | cut -d ' ' -f 1-3 >"$out/before"
printf '%s\n' 'launch 1 faulty' 'load global cta' 'end: 1 launches,' | cmp -s - "$out/before" && ok ||
	not_ok "before a fault: $(cat "$out/before") $(log_tail)"

# python_agrees TRACE TEXT: the reader in Python prints what lockstep has printed
python_agrees() {
	python3 docs/examples/read_trace.py "$1" >"$out/python" 2>&1
	cmp -s "$2" "$out/python" && ok || not_ok "Python reads $(diff "$2" "$out/python" | head -n 4)"
}
if command -v python3 >/dev/null; then
	python_agrees "$out/i" "$out/all"
	python_agrees "$out/k" "$out/kinds"
else
	echo "note: no python3: its reader of traces is not tested"
fi

# compressed: the same content, the same file each time; found out by its first bytes
"$lockstep" trace -q -o "$out/a.zst" -- "$program" 64 64 >"$out/log" 2>&1 || not_ok "compressed: $(log_tail)"
"$lockstep" trace -q -o "$out/b.zst" -- "$program" 64 64 >"$out/log" 2>&1
cmp -s "$out/a.zst" "$out/b.zst" && ok || not_ok "a second run gives another compressed trace"
mv "$out/b.zst" "$out/renamed"
"$lockstep" trace --print "$out/renamed" 2>"$out/log" | cmp -s "$out/text" - && ok ||
	not_ok "the compressed trace has other content: $(log_tail)"
[ $((2 * $(wc -c <"$out/a.zst"))) -lt "$(wc -c <"$out/a")" ] && ok || not_ok "compression saves nothing"
if command -v python3 >/dev/null && command -v zstd >/dev/null; then
	zstd -dcq "$out/a.zst" | cmp -s - "$out/a" && ok || not_ok "zstd finds another content"
	python_agrees "$out/a.zst" "$out/text"
else
	echo "note: no zstd: compressed traces are read by lockstep alone"
fi

# refused STATUS MESSAGE OPTION...
refused() {
	status=$1 message=$2
	shift 2
	"$lockstep" trace "$@" >"$out/log" 2>&1
	[ $? = "$status" ] && grep -q "$message" "$out/log" && ok || not_ok "$message: $(log_tail)"
}
head -c 1000 "$out/a" >"$out/cut"
refused 1 'offset 8: the file is cut off in a block' --print "$out/cut"
half=$(($(wc -c <"$out/a.zst") / 2))
head -c $half "$out/a.zst" >"$out/cut"
refused 1 '/cut: offset [0-9]*: the file is cut off: its zstd stream does not end' --print "$out/cut"
{ cat "$out/cut" && echo damage && tail -c +$((half + 8)) "$out/a.zst"; } >"$out/damaged"
refused 1 '/damaged: offset [0-9]*: the zstd stream is damaged' --print "$out/damaged"
if command -v python3 >/dev/null; then
	# both readers find the same mistakes
	python3 tests/trace/damage.py "$out" >"$out/cases" || not_ok "damaged traces cannot be written"
	while read -r file message; do
		refused 1 "$message" --print "$file"
		python3 docs/examples/read_trace.py "$file" >"$out/log" 2>&1 &&
			not_ok "Python accepts: $message"
		grep -q "$message" "$out/log" && ok || not_ok "Python: $message: $(log_tail)"
	done <"$out/cases"
	# damage with right checksums: a message, or other numbers
	campaign 12 400
	python3 tests/trace/damage.py "$out" "$out/a" $seed $count || not_ok "damaged traces cannot be written"
	for number in $(seq 0 $((count - 1))); do
		for reader in "trace --print" "cachemodel -t"; do
			timeout 600 "$lockstep" $reader "$out/random$number" >"$out/log" 2>&1
			status=$?
			endures $status && [ $status -le 1 ] && ok ||
				not_ok "$reader of damage $((seed + number)): status $status: $(log_tail 3)"
		done
		rm "$out/random$number"
	done
	python=$(python3 -c 'import sys; print(sys.executable)')
	PATH=$out "$python" docs/examples/read_trace.py "$out/a.zst" >"$out/log" 2>&1
	grep -q 'the program zstd is not installed' "$out/log" && ok || not_ok "without zstd: $(log_tail)"
	for damaged in cut damaged text; do
		python3 docs/examples/read_trace.py "$out/$damaged" >"$out/log" 2>&1 &&
			not_ok "Python accepts $damaged"
		grep -q 'read_trace.py: ' "$out/log" && ok || not_ok "Python reads $damaged: $(log_tail)"
	done
fi
refused 1 'offset 0: this is no trace' --print "$out/text"
refused 1 'No such file' --print "$out/none"
refused 2 'takes no program' --print "$out/a" -- "$program"
refused 2 'too few operands'
refused 1 'the sample 3:2: expected CORES:MODELLED:THREADS' --sample 3:2 -o "$out/s" -- "$program" 64 64
refused 1 'the sample 0:1:2: expected' --sample 0:1:2 -o "$out/s" -- "$program" 64 64
LOCKSTEP_TRACE=$out/t LOCKSTEP_PROFILE=1 LOCKSTEP_FUNCTIONAL=1 LOCKSTEP_OUT=$out/o \
	LD_LIBRARY_PATH=$build/lib "$program" 64 64 >"$out/log" 2>&1 &&
	not_ok "a trace and a profile in one run are accepted"
grep -q 'a trace and a profile cannot be made' "$out/log" && ok || not_ok "profile: $(log_tail)"
refused 1 'cannot be written' -q -o "$out/none/a" -- "$program" 64 64
finish
