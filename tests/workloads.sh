#!/bin/sh
# tests/workloads.sh BUILD -- every workload, benchmarks/<suite>/<name>, at --size tiny: describes itself in
# full, verifies its results on a timed GTX 480 whose statistics balance (tests/memory/conserve.awk), or on the
# chip that it is for, scheduled and as written, and with each kind of input, and fails, visibly, whichever of
# its references is spoilt. Two at a time. Of those of benchmarks/ai every fifth has its turn. Under the
# sanitizers every fifth: half of them for their values only, with one spoilt reference, the others as above;
# of benchmarks/ai every tenth, for their values only.
. tests/lib.sh


# ---- one workload: what `xargs` below calls, with SUITE/NAME NUMBER ----

# run STATUS WORD options... [-- arguments...]: the program must end with the status, and say the word last.
# It takes seconds: the limit only ends one that hangs.
run() {
	status=$1 word=$2; shift 2
	timeout 600 "$lockstep" run -c "$chip" -q -o "$out/run" "$@" >"$out/log" 2>&1 </dev/null
	got=$?
	[ $got = "$status" ] && tail -n 1 "$out/log" | grep -q "$word"
}

# what the program says of itself: every field, its folder's names, known tags, presets in order
describes_itself() {
	LD_LIBRARY_PATH=$build/lib "$program" --describe >"$out/description" &&
		awk -v suite="${name%/*}" -v name="${name#*/}" -v tags="$(tags)" '
		function bad(text) { print "  " text; wrong = 1 }
		BEGIN { n = split(tags, tag, " "); for (i = 1; i <= n; i++) known[tag[i]] = 1;
			if (!n) bad("benchmarks/README.md has no table of tags") }
		{ field = substr($1, 1, length($1) - 1); seen[field]++ }
		field == "suite" && $2 != suite { bad("suite " $2 " in folder " suite) }
		field == "name" && $2 != name { bad("name " $2 " in folder " name) }
		(field == "help" || field == "source") && (NF < 2 || $2 == "(null)") {
			bad(field " is empty") }
		field == "tags" {
			for (i = 2; i <= NF; i++)
				if (!($i in known)) bad("tag " $i " is not in the table of benchmarks/README.md")
		}
		field == "size" && !($3 > 0 && $3 <= $7 && $4 <= $7 && $5 <= $7 && $6 <= $7 && NF > 7) {
			bad("out of range: " $0) }
		field == "size" { if (!sizes++) tiny = small = repro = paper = 1; tiny *= $3; small *= $4;
			repro *= $5; paper *= $6
			if ($5 < $4 || $5 < $6) less[$2] = $5 + 0 }
		field == "repro" { why = " " $0; gsub(/[,:]/, " ", why) }
		field == "choice" && (NF < 5 || !index("|" $3 "|", "|" $4 "|")) { bad("incomplete: " $0) }
		END {
			n = split("suite name help source tags repro limit", must, " ")
			for (i = 1; i <= n; i++)
				if (seen[must[i]] != 1) bad(must[i] ": " seen[must[i]] + 0 " times")
			if (!seen["size"]) bad("no size")
			if (!(tiny <= small && small <= repro && repro <= paper))
				bad("presets out of order: all sizes multiplied are " tiny ", " small ", " \
					repro ", " paper)
			if (split(why, words, " ") < 3 || why ~ /\(null\)/) bad("no word on repro")
			for (size in less)
				if (!index(why, " " size " "))
					bad("repro does not say why " size " is " less[size] \
						", less than that of small or of paper")
			exit wrong
		}' "$out/description" && LD_LIBRARY_PATH=$build/lib "$program" --help |
			grep -q "^usage: ${name#*/} "
}

# the words of the table of tags
tags() { awk -F '|' '/^## / { here = /Tags/ } here && /^\| `/ { gsub(/[`,]/, " ", $2);
	print $2 }' benchmarks/README.md; }

# each value of each choice but the preset's, which the other runs have, and files
choices() {
	awk '$1 == "choice:" { n = split($3, v, "|");
		for (i = 1; i <= n; i++) if (v[i] != $4 &&
		v[i] !~ /^[A-Z]/) print "--" $2 " " v[i] }' "$out/description"
}

# spoil up to MOST references, one a run: each run must fail; behind the last the program must say how many
# there were, at least one
spoilt_references() {
	k=1
	while run 1 FAIL --functional -- "$program" --size tiny --break-reference $k; do
		ok
		k=$((k + 1))
		[ $k -le "$1" ] || return 0
	done
	[ $k -gt 1 ] && [ $got = 2 ] && grep -q "there are only $((k - 1)) comparisons" "$out/log"
}

one() {
	name=$1 program=$build/bench/$1 number=$2 all=1 chip=gtx480
	! sanitized || full || [ $((number % 10)) = $SLOT ] || all=0
	expect "$name is built" [ -x "$program" ]
	expect "$name --describe" describes_itself
	eval "$(sed -n 's/^chip: \([a-z0-9]*\)$/chip=\1/p' "$out/description")"
	if [ $all = 1 ]; then
		expect "$name" run 0 PASS -- "$program" --size tiny
		if [ $chip = gtx480 ]; then
			expect "$name: the statistics balance" conserves run
		else
			expect "$name, timed as written" run 0 PASS -s frontend.timed_code=ptx -- "$program" --size tiny
		fi
		choices >"$out/choices"
		while read -r choice; do
			expect "$name $choice" run 0 PASS --functional -- "$program" --size tiny $choice
		done <"$out/choices"
		spoilt_references "$(if sanitized && ! full; then echo 2; else echo 100; fi)"
	else
		expect "$name" run 0 PASS --functional -- "$program" --size tiny
		spoilt_references 1
	fi && ok || {
		not_ok "$name --break-reference $k: status $got"
		log_tail
	}
}

if [ $# -gt 1 ]; then
	one "$2" "$3"
	finish
fi

# ---- all of them ----

# Under the sanitizers every fifth, by the commit's turn.
ls benchmarks/*/*/host.c | awk -F / -v step="$(sanitized && ! full && echo 5 || echo 1)" -v slot=$SLOT \
	-v every="$(full && echo 1 || { sanitized && echo 10 || echo 5; })" \
	'($2 != "ai" ? (NR - slot) % step : (NR - slot - 5) % every) == 0 { print $2 "/" $3, NR }' >"$out/list"
expect "there are workloads" [ -s "$out/list" ]
xargs -P 2 -L 1 sh -c 'sh "$0" "$1" "$3" "$4" >"$2/$4.result" 2>&1' "$0" "$build" "$out" <"$out/list"
while read -r name number; do
	result=$(tail -n 1 "$out/$number.result")
	sed '$d' "$out/$number.result"
	case $result in
	*" passed, "*" failed")
		passed=$((passed + ${result%% *}))
		result=${result#*, }
		failed=$((failed + ${result%% *}))
		;;
	*) not_ok "$name: its test broke off: $result" ;;
	esac
done <"$out/list"

# a wrong kernel, and a spoilt reference on the timed machine: status 1 and the word, through `lockstep run`
vectoradd=$build/bench/sdk/vectoradd chip=gtx480
sed 's/add\(\.rn\)*\.f32/sub.f32/' benchmarks/sdk/vectoradd/kernel.ptx >"$out/wrong.ptx"
expect "a wrong kernel" run 1 'FAIL: element 0 is .*wrong)$' \
	-- "$vectoradd" --size tiny --ptx "$out/wrong.ptx"
expect "a spoilt reference" run 1 'FAIL: element 10005 is .*(1 wrong)$' \
	-- "$vectoradd" --size tiny --break-reference 1
sanitized && ! full && echo "note: under the sanitizers, every fifth workload was run, every tenth in full"
finish
