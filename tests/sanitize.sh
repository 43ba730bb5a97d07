#!/bin/sh
# tests/sanitize.sh BUILD -- lockstep run --sanitize: small programs with one fault each, and their right
# twins (sanitize/*.ptx). Each fault must be found at its line, and nothing else anywhere. The last line adds
# up. FULL=1 (a minute or more) runs all workloads at size tiny as well, with timing and without: the race of
# parboil/histo and those of LonestarGPU (docs/user/sanitizer.md) are all that may be found.
#
# sanitize: N faults found of N, N false
. tests/lib.sh

faults=0 found=0 false=0
clean_up() { echo "sanitize: $found faults found of $faults, $false false"; }

# entries FILE: a line each: NAME, its options
entries() {
	awk '/^\/\/ launch:/ { options = substr($0, 12) }
		/\.entry/ { sub(/.*\.entry /, ""); sub(/\(.*/, ""); print $0, options }' "$1"
}

# marks FILE NAME: the marked lines of that entry: "FAULT line check kind", "OTHER line"; HOST marks what is
# found at no line
marks() {
	awk -v name="$2" '/\.entry/ { here = $0 ~ (" " name "\\(") }
		here && /\/\/ OTHER/ { print "OTHER", NR }
		here && /\/\/ HOST / { sub(/.*HOST /, ""); print "FAULT", "-", $1, $2 }
		here && /\/\/ FAULT / { sub(/.*FAULT /, ""); print "FAULT", NR, $1, $2 }' "$1"
}

# compare MARKS CSV EXACT: prints how many faults there are, how many of them are found, and how many rows are
# wrong; the rest of the output says which. A fault is found by a row with its line, check and kind. A race
# has two sides, of which time decides which comes first: a row about marked lines alone is not wrong; and
# unless
# EXACT is 1, it will do for the fault.
compare() {
	awk -F, -v exact="$3" '
		FNR == NR { split($0, w, " "); marked[w[2]]; if (w[1] == "FAULT") { n++; check[n] = w[3]
			kind[n] = w[4]; line[n] = w[2] } next }
		FNR > 1 && $6 == "" { $6 = "-" }
		FNR > 1 && !($6 in marked && ($16 == "" || $16 in marked)) { wrong++; text = text "\n  wrong: " $0 }
		FNR > 1 { for (i = 1; i <= n; i++) if ($1 == check[i] && ($6 in marked) &&
			(!exact || ($2 == kind[i] && $6 == line[i]))) is_found[i] = 1 }
		END {
			for (i = 1; i <= n; i++) { found += is_found[i]
				if (!is_found[i]) text = text "\n  missing: line " line[i] ", " check[i] " " kind[i] }
			print n + 0, found + 0, wrong + 0, text
		}' "$1" "$2"
}

# judge LABEL STATUS EXACT [OWN]: $out/marks against the findings in $out/run, and the exit status: 86 if
# there are any, else the program's OWN
judge() {
	own=${4:-0}
	mkdir -p "$out/run"
	[ -e "$out/run/sanitize.csv" ] || echo none >"$out/run/sanitize.csv"
	set -- "$1" "$2" "$(compare "$out/marks" "$out/run/sanitize.csv" "$3" 2>&1)"
	read -r of_these found_now wrong_now text_ <<-end
		$3
	end
	faults=$((faults + of_these)) found=$((found + found_now)) false=$((false + wrong_now))
	wanted=86
	[ "$of_these" != 0 ] || wanted=$own
	[ "$found_now $wrong_now $2" = "$of_these 0 $wanted" ] && ok || {
		not_ok "$1: exit status $2, expected $wanted: $3"
		log_tail 2
	}
}

# Every entry with timing and without; under the sanitizers of the compiler half of them with timing.
sample 2
for file in tests/sanitize/*.ptx; do
	entries "$file" >"$out/entries"
	while read -r name options; do
		marks "$file" "$name" >"$out/marks"
		echo "END 0" >>"$out/marks"
		for mode in "" --functional; do
			[ "$mode" ] || turn || continue
			rm -rf "$out/run"
			"$lockstep" launch "$file" "$name" $options $mode -q --sanitize all -o "$out/run" \
				>"$out/log" 2>&1 </dev/null
			judge "$file: $name $mode" $? "$([ "$mode" ] || echo 1)"
		done
	done <"$out/entries"
done

# ---- the host's side ----

# host CASE STATUS [CHECK KIND [LINE]]: what one case of host.c must give
compile host tests/sanitize/host.c
host() {
	: >"$out/marks"
	[ $# = 2 ] || echo "FAULT ${5:--} $3 $4" >"$out/marks"
	echo "END 0" >>"$out/marks"
	for mode in "" --functional; do
		rm -rf "$out/run"
		"$lockstep" run $mode -q --sanitize all -o "$out/run" -- "$out/host" "$1" $2 >"$out/log" 2>&1
		judge "host.c: $1 $mode" $? 1 "$2"
	done
}
host empty 0 init device 9
host half 0 init device 9
host copied 0 init device 9
host back 0 init copy
host back-pinned 0 init copy
host freed 0 memory use-after-free 9
host inside 0 memory invalid-free
host as-host 0 memory invalid-free
host never 0 memory invalid-free
host twice 0 memory double-free
host leak 0 leak allocation
host leak-context 0 leak allocation
for right in filled copied-right back-right alive once; do host $right 3; done

# accesses of the host to memory of the device, where the host has memory protection keys
compile host_access tests/sanitize/host_access.c
access() { # under AddressSanitizer the signal is the simulator's, too
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:handle_segv=0 "$lockstep" run -q --sanitize=memory -o "$out/run" -- "$out/host_access" "$1" >"$out/log" 2>&1
	status=$?
}
# finds CASE TEXT: the access ends the program, and the finding says what it was
finds() {
	access "$1"
	expect "host access, $1: SIGSEGV ($status)" [ $status = 139 ]
	where="0x[0-9a-f]*, byte 20000 of allocation 1 (0x[0-9a-f]*, 100000 bytes)"
	expect "host access, $1: the finding" grep -q "^  $2 $where" "$out/run/sanitize.txt"
	expect "host access, $1: on the terminal" grep -q "^memory: the host accesses .*: $2 $where" "$out/log"
	expect "host access, $1: its row" grep -q '^"*memory"*,"*host-access"*,1,' "$out/run/sanitize.csv"
}
# permits CASE TEXT: the program ends well, prints the text, and nothing is found
permits() {
	access "$1"
	expect "host access, $1: the end ($status)" [ $status = 0 ]
	expect "host access, $1: $2" grep -q "^$2$" "$out/log"
	expect "host access, $1: no finding" grep -q "0 findings" "$out/log"
}
permits host-memory "host memory: 1 33686018 3 4"
if grep -q 'this host has no memory protection keys' "$out/log"; then
	permits read 1
	echo "skipped: accesses of the host to memory of the device: there are no memory protection keys"
else
	for case in read print thread callback handler freed; do finds $case "a read of"; done
	finds write "a write to"
	permits child "child: Segmentation fault"
	permits kernel-call "read: Bad address"
fi
"$lockstep" run -q -o "" -- "$out/host_access" read >"$out/log" 2>&1
expect "without the option the access goes unnoticed" grep -qx 1 "$out/log"

# ---- what it must not change, and what it must not depend on ----

# sanitized_run NAME OPTION...: a race, run so; the findings and statistics to $out/NAME
sanitized_run() {
	name_=$1
	shift
	"$lockstep" launch tests/sanitize/race.ptx tree --grid 40 --block 128 -q -o "$out/$name_" "$@" \
		>"$out/log" 2>&1
	status=$?
}
sanitized_run off
expect "without the option: status 0" [ $status = 0 ]
sanitized_run on --sanitize all
expect "a finding: status 86" [ $status = 86 ]
expect "the same statistics" same_statistics "$out/off/stats.txt" "$out/on/stats.txt"
expect "no file without the option" [ ! -e "$out/off/sanitize.txt" ]
expect "the line that adds up" grep -q '^lockstep: sanitizer: see .*/sanitize.txt; 1 finding: memory 0, race 1' "$out/log"
for more in "--threads 4" "--error-exitcode 0" "--error-exitcode 7"; do
	sanitized_run again --sanitize all $more
	expect "$more: the same findings" cmp "$out/on/sanitize.txt" "$out/again/sanitize.txt"
	case $more in *exitcode*) expect "$more: status $status" [ $status = "${more#* }" ] ;; esac
done
for level in $vector_levels; do
	LOCKSTEP_VECTOR=$level sanitized_run again --sanitize all
	expect "vectors $level: the same findings" cmp "$out/on/sanitize.csv" "$out/again/sanitize.csv"
done
# while spinning is looked for, stores are watched by two
for check in leak race; do
	answers 0 "2000 2000 2000" "$lockstep" launch tests/sanitize/counts.ptx counts --grid 1 --block 32 -q -o "" \
		--sanitize $check -s gpu.hang_check=500 --arg 'u32[32]=zero' --print 0:3
done
sanitized_run again --sanitize init
expect "a race is not looked for" [ $status = 0 ]
refuses "--sanitize rase: expected memory, race" "$lockstep" run --sanitize race,rase -- true
refuses "--error-exitcode x: expected an exit status" "$lockstep" run --error-exitcode x -- true
answers 86 "parboil/histo\|histo: .*PASS" "$lockstep" run --sanitize race -q -o "$out/run" -- \
	"$build/bench/parboil/histo" --size tiny
for workload in sdk/reduction polybench/gemm; do
	answers 0 "sanitizer: 0 findings" "$lockstep" run --sanitize all -q -o "$out/run" -- \
		"$build/bench/$workload" --size tiny
done

# programs for Hopper: asynchronous products and copies, clusters
for program in attention gemm cluster_sums; do
	answers 0 "sanitizer: 0 findings" "$lockstep" run -c h200 --sanitize race,init,sync -q -o "$out/run" -- \
		"$build/tests/hopper/$program" tests/hopper
done

# ---- every workload ----

# workload NAME MODE: the findings in the workload, each of which is false but for those of parboil/histo, and
# those between CTAs in three of LonestarGPU's, whose kernels race on purpose (docs/user/sanitizer.md)
workload() {
	rm -rf "$out/run"
	case $1 in ai/*) chip=h200 ;; *) chip=gtx480 ;; esac
	timeout 600 "$lockstep" run -c $chip $2 -q --sanitize all -o "$out/run" -- "$build/bench/$1" --size tiny \
		>"$out/log" 2>&1 </dev/null
	status=$? wanted=0
	case $1 in
	parboil/histo) wanted=86 kind=. kernel=histogram ;;
	lonestar/bfs | lonestar/bh | lonestar/sssp) wanted=86 kind='^device-' kernel="^${1#*/}_" ;;
	*) kind=^none$ kernel=. ;;
	esac
	wrong=$(awk -F, -v kind="$kind" -v kernel="$kernel" \
		'NR > 1 && !($1 == "race" && $2 ~ kind && $4 ~ kernel)' "$out/run/sanitize.csv" | wc -l)
	false=$((false + wrong))
	[ "$status $wrong" = "$wanted 0" ] && ok || {
		not_ok "$1 $2: exit status $status, $wrong findings"
		log_tail
	}
}
if [ "${FULL:-}" ]; then
	for source in benchmarks/*/*/host.c; do
		name=${source#benchmarks/}
		for mode in "" --functional; do workload "${name%/host.c}" "$mode"; done
	done
fi

finish
