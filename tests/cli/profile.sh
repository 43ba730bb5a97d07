#!/bin/sh
# tests/cli/profile.sh BUILD -- the profile by PTX line agrees with the statistics, with itself and with the
# source. Runs in the repository root. What the listing looks like is pinned by cases.sh and by the unit
# tests.
. tests/lib.sh


# profiled DIR OPTION... -- PROGRAM...: runs it, with a profile
profiled() { dir=$1; shift; "$lockstep" run -q --profile -o "$out/$dir" "$@" > /dev/null 2>&1; }

# What belongs to a run as a whole, each line "NAME VALUE": sums over all lines of all kernels, and over all
# launches.
from_profile() {
	awk 'function value(key,    p) { p = index($0, "\"" key "\": ");
		return p ? substr($0, p + length(key) + 4) + 0 : 0 }
		/^        \{"function": [0-9]+, "line"/ {
			for (i = split("executions threads requests l1_hits l1_misses l1_merged conflict_cycles", keys,
				" "); i; i--)
				sum[keys[i]] += value(keys[i])
		}
		/^      "launches"/ { launches += value("launches") }
		/^      "cycles"/ { cycles += value("cycles") }
		END { for (key in sum) print key, sum[key] + 0; print "launches", launches;
			print "cycles", cycles }' "$1/profile.json" | sort
}
from_statistics() {
	awk '/Begin Simulation Statistics/ { total = /total/; next } total { v[$1] = $2 }
		END {
			print "executions", v["gpu.warp_instructions"];
				print "threads", v["gpu.thread_instructions"]
			print "requests", v["sm.line_requests"]; print "l1_hits", v["sm.l1d.hits"];
				print "l1_misses", v["sm.l1d.misses"]
			print "l1_merged", v["sm.l1d.merged"];
				print "conflict_cycles", v["sm.shared_conflict_cycles"]
			print "launches", v["gpu.kernels"]; print "cycles", v["gpu.cycles"]
		}' "$1/stats.txt" | sort
}
agrees() {
	from_profile "$1" > "$out/a"
	from_statistics "$1" > "$out/b"
	[ -s "$out/a" ] && diff "$out/a" "$out/b"
}

# Where slots are accounted for: by cause, those of the lines and those of no line are those of the kernels,
# and those of the statistics, but for slots without a warp, which belong to no kernel (they may be charged to
# one that is alone).
slots_sum() {
	awk 'function add(to, text, sign,    parts, n, pair) {
			sub(/^[^{]*\{/, "", text); sub(/\}.*/, "", text)
			for (n = split(text, parts, ", "); n; n--) {
				split(parts[n], pair, /": /); to[substr(pair[1], 2)] += sign * pair[2] }
		}
		FNR == 1 { files++ }
		files == 1 && /Begin Simulation Statistics/ { total = /total/; next }
		files == 1 { if (total && /^sm\.issue_slots::/ && !/::total/) { cause = substr($1, 17);
			stat[cause] = $2 } next }
		/^      "slots"/ { add(all, $0, 1); add(rest, $0, 1) }
		/^      "slots_of_no_line"/ { add(rest, $0, -1) }
		/^        \{"function": [0-9]+, "line"/ && match($0, /"slots": \{[^}]*\}/) {
			add(rest, substr($0, RSTART, RLENGTH), -1) }
		END {
			for (c in rest) if (rest[c]) { print c ": kernels and lines differ by " rest[c];
				bad = 1 }
			for (c in stat) if (all[c] != stat[c] && !(c == "no_warp" && !all[c])) {
				print c ": " all[c] + 0 " charged, " stat[c]; bad = 1 }
			exit bad
		}' "$1/stats.txt" "$1/profile.json"
}

# The source as it stands in the listing, between the heads of functions and what follows them.
source_of() {
	awk '/^(entry|function) .*:$/ { getline; at = index($0, "line  PTX") + 4;
		next } /^$/ || /^=====/ || /^lines that/ { at = 0 }
		at { print substr($0, at + 2) }' "$1/profile.txt"
}
# All of atax: its kernels follow each other in the file, with an empty line in between.
shows_source() {
	source_of "$1" > "$out/a"
	awk '/\.visible \.entry/ { on = 1 } on { print } /^}/ {
		on = 0 }' benchmarks/polybench/atax/kernel.ptx \
		> "$out/b"
	[ -s "$out/b" ] && diff "$out/a" "$out/b"
}

# Executions and threads of each line
executions() {
	line='"function": \([0-9]*\), "line": \([0-9]*\), .*\("executions": [0-9]*, "threads": [0-9]*\)'
	sed -n "s/^        {$line.*/\1 \2 \3/p" "$1/profile.json"
}
same_executions() {
	executions "$1" > "$out/a"
	executions "$2" > "$out/b"
	[ -s "$out/a" ] && diff "$out/a" "$out/b"
}

profile_changes_nothing() { passes plain -- "$@" &&
	same_statistics "$out/plain/stats.txt" "$out/$b/stats.txt"; }

for program in polybench/atax rodinia/bfs sdk/reduction sdk/histogram; do
	b=${program##*/}
	set -- $(size_of $program)
	expect "$b runs profiled" profiled "$b" -- "$build/bench/$program" "$@"
	expect "$b: lines add up to the statistics" agrees "$out/$b"
	expect "$b: slots add up" slots_sum "$out/$b"
	expect "$b: the same statistics without a profile" profile_changes_nothing "$build/bench/$program" \
		"$@"
done
expect "atax runs profiled with every queue of size 1" profiled torture -c tests/configs/torture.yaml \
	-- "$build/bench/polybench/atax" 40 30
expect "atax with every queue of size 1: lines add up" agrees "$out/torture"
expect "atax runs profiled without timing" profiled values --functional \
	-- "$build/bench/polybench/atax" 130 70
expect "atax: the same executions without timing" same_executions "$out/atax" "$out/values"
expect "atax: the listing shows the source" shows_source "$out/atax"
expect "atax: two kernels" [ "$(grep -c '^==========' "$out/atax/profile.txt")" = 2 ]
expect "no profile unless asked for" [ ! -e "$out/plain/profile.txt" ]
if command -v python3 > /dev/null; then
	for b in atax bfs values; do
		expect "$b: profile.json is JSON" python3 -m json.tool "$out/$b/profile.json" /dev/null
	done
else
	echo "skipped: no python3 to read profile.json"
fi
finish
