#!/bin/sh
# tests/workloads.sh BUILD -- every workload, benchmarks/<suite>/<name>, at --size tiny: describes itself in full, verifies its results on a timed GTX 480 whose
# statistics balance (tests/memory/conserve.awk) and with each kind of input, and fails, visibly, whichever of its references is spoilt. Two at a time.
# Under the sanitizers every fourth: half of them for their values only, with one spoilt reference, the others as above.
set -u
build=${1:?usage: tests/workloads.sh BUILD}
lockstep=$build/bin/lockstep
passed=0 failed=0

ok() { passed=$((passed + 1)); }
not_ok() { failed=$((failed + 1)); echo "not ok $*"; }

# ---- one workload: what `xargs` below calls, with OUT SUITE/NAME NUMBER ----

# run STATUS WORD options... [-- arguments...]: the program must end with the status, and say the word last
run() {
	status=$1 word=$2; shift 2
	timeout 100 "$lockstep" run -q -o "$out" "$@" >"$out.log" 2>&1
	got=$?
	[ $got = "$status" ] && tail -n 1 "$out.log" | grep -q "$word"
}

show() { tail -n 3 "$out.log" | cut -c 1-300; }

# what the program says of itself: every field, its folder's names, known tags, presets in order
describes_itself() {
	LD_LIBRARY_PATH=$build/lib "$program" --describe >"$out.description" && awk -v suite="${name%/*}" -v name="${name#*/}" -v tags="$(tags)" '
		function bad(text) { print "  " text; wrong = 1 }
		BEGIN { n = split(tags, tag, " "); for (i = 1; i <= n; i++) known[tag[i]] = 1; if (!n) bad("benchmarks/README.md has no table of tags") }
		{ field = substr($1, 1, length($1) - 1); seen[field]++ }
		field == "suite" && $2 != suite { bad("suite " $2 " in folder " suite) }
		field == "name" && $2 != name { bad("name " $2 " in folder " name) }
		(field == "help" || field == "source") && (NF < 2 || $2 == "(null)") { bad(field " is empty") }
		field == "tags" { for (i = 2; i <= NF; i++) if (!($i in known)) bad("tag " $i " is not in the table of benchmarks/README.md") }
		field == "size" && !($3 > 0 && $3 <= $6 && $4 <= $6 && $5 <= $6 && NF > 6) { bad("out of range: " $0) }
		field == "size" { if (!sizes++) tiny = small = paper = 1; tiny *= $3; small *= $4; paper *= $5 }
		field == "choice" && (NF < 5 || !index("|" $3 "|", "|" $4 "|")) { bad("incomplete: " $0) }
		END {
			n = split("suite name help source tags limit", must, " ")
			for (i = 1; i <= n; i++) if (seen[must[i]] != 1) bad(must[i] ": " seen[must[i]] + 0 " times")
			if (!seen["size"]) bad("no size")
			if (!(tiny <= small && small <= paper)) bad("presets out of order: all sizes multiplied are " tiny ", " small ", " paper)
			exit wrong
		}' "$out.description" && LD_LIBRARY_PATH=$build/lib "$program" --help | grep -q "^usage: ${name#*/} "
}

# the words of the table of tags
tags() { awk -F '|' '/^## / { here = /Tags/ } here && /^\| `/ { gsub(/[`,]/, " ", $2); print $2 }' benchmarks/README.md; }

# each value of each choice but the preset's, which the other runs have, and files
choices() {
	awk '$1 == "choice:" { n = split($3, v, "|"); for (i = 1; i <= n; i++) if (v[i] != $4 && v[i] !~ /^[A-Z]/) print "--" $2 " " v[i] }' "$out.description"
}

# spoil up to MOST references, one a run: each run must fail; behind the last the program must say how many there were, at least one
spoilt_references() {
	k=1
	while run 1 FAIL --functional -- "$program" --size tiny --break-reference $k; do
		ok
		k=$((k + 1))
		[ $k -le "$1" ] || return 0
	done
	[ $k -gt 1 ] && [ $got = 2 ] && grep -q "there are only $((k - 1)) comparisons" "$out.log"
}

one() {
	out=$1/$3 name=$2 program=$build/bench/$2 number=$3 all=1
	[ -z "${SANITIZE:-}" ] || [ $((number % 4)) = 0 ] || return
	[ -z "${SANITIZE:-}" ] || [ $((number % 8)) = 0 ] || all=0
	if [ ! -x "$program" ]; then not_ok "$name: not built"; return; fi
	if describes_itself >"$out.log" 2>&1; then ok; else not_ok "$name --describe"; show; fi
	if [ $all = 1 ]; then
		if run 0 PASS -c gtx480 -- "$program" --size tiny; then ok; else not_ok "$name: status $got"; show; fi
		if awk -f tests/memory/conserve.awk "$out/config.yaml" "$out/stats.txt" >"$out.log" 2>&1; then ok; else not_ok "$name: the statistics do not balance"; show; fi
		choices | while read -r choice; do
			run 0 PASS --functional -- "$program" --size tiny $choice && echo ok || { echo "not ok $name $choice: status $got"; show; }
		done >"$out.choices"
		passed=$((passed + $(grep -c '^ok$' "$out.choices")))
		failed=$((failed + $(grep -c '^not ok' "$out.choices")))
		grep -v '^ok$' "$out.choices"
		spoilt_references 100
	else
		if run 0 PASS --functional -- "$program" --size tiny; then ok; else not_ok "$name: status $got"; show; fi
		spoilt_references 1
	fi && ok || { not_ok "$name --break-reference $k: status $got"; show; }
	rm -rf "$out"
}

if [ $# -gt 1 ]; then
	shift
	one "$@"
	echo "$passed passed, $failed failed"
	exit 0
fi

# ---- all of them ----

out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
ls benchmarks/*/*/host.c | awk -F / '{ print $2 "/" $3, NR }' >"$out/list"
[ -s "$out/list" ] && ok || not_ok "there are no workloads"
xargs -P 2 -L 1 sh -c 'sh "$0" "$1" "$2" "$3" "$4" >"$2/$4.result" 2>&1' "$0" "$build" "$out" <"$out/list"
while read -r name number; do
	result=$(tail -n 1 "$out/$number.result")
	sed '$d' "$out/$number.result"
	case $result in
	*" passed, "*" failed") passed=$((passed + ${result%% *})) result=${result#*, } failed=$((failed + ${result%% *})) ;;
	*) not_ok "$name: its test broke off: $result" ;;
	esac
done <"$out/list"

# a wrong kernel, and a spoilt reference on the timed machine: status 1 and the word, through `lockstep run`
out=$out/wrong program=$build/bench/sdk/vectoradd
sed 's/add\(\.rn\)*\.f32/sub.f32/' benchmarks/sdk/vectoradd/kernel.ptx >"$out.ptx"
run 1 'FAIL: element 0 is .*wrong)$' -c gtx480 -- "$program" --size tiny --ptx "$out.ptx" && ok || { not_ok "a wrong kernel: status $got"; show; }
run 1 'FAIL: element 10005 is .*(1 wrong)$' -c gtx480 -- "$program" --size tiny --break-reference 1 && ok || { not_ok "a spoilt reference: status $got"; show; }
[ -z "${SANITIZE:-}" ] || echo "note: under the sanitizers, every fourth workload was run, every eighth in full"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
