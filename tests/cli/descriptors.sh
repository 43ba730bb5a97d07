#!/bin/sh
# tests/cli/descriptors.sh BUILD -- output files and descriptors: a program closes those that it does not own, or
# has none of the first three; links and files of others lie where results are to be written.
. tests/lib.sh
lockstep=$(realpath "$lockstep")
ptx=$(realpath tests/cli/ptx/endless.ptx)
compile program tests/cli/descriptors.c
mkdir "$out/work"

kernels_are() { [ "$(total "$1" gpu.kernels)" = "$2" ]; }
no_parts() { [ -z "$(find "$out/$1" -name '*.part')" ]; }
# own FILE: there is nothing in it but what the program wrote
own() { [ -s "$1" ] && ! grep -qv '^mine$' "$1"; }

# ---- a program that closes descriptors of others ----

run() { "$lockstep" run -q "$@" -- "$out/program" "$ptx" "$what" "$out/own"; }
run_here() { (cd "$out/work" && run "$@"); }
what=none
answers 0 '^fine$' run -o "$out/reference"
for what in few all taken; do
	rm -f "$out/own"
	answers 0 '^fine$' run_here -o "../$what" --profile --stats-style gpgpusim
	expect "$what: both kernels" kernels_are "$what" 2
	expect "$what: the statistics are whole" \
		sh -c 'sed "/^gpu.dram_trace/d" "$1" | tail -n 1 | grep -q "^-.* End "' - "$out/$what/stats.txt"
	expect "$what: stats.json is whole" [ "$(tail -n 1 "$out/$what/stats.json")" = "}" ]
	expect "$what: the profile is whole" [ -s "$out/$what/profile.txt" ]
	expect "$what: no parts" no_parts "$what"
	[ $what = all ] || expect "$what: the program's file is its own" own "$out/own"
	rm -f "$out/own"
	answers 0 '^fine$' run -o "$out/recorded.$what" # and a recording
	"$lockstep" record -q -o "$out/$what.rec" -- "$out/program" "$ptx" $what "$out/own" >"$out/log" 2>&1
	expect "the recording is replayed" "$lockstep" replay -q -o "$out/replayed" "$out/$what.rec"
	expect "$what: the recording has both kernels" kernels_are replayed 2
done
expect "the statistics are those of a program that closes nothing" \
	same_statistics "$out/reference/stats.txt" "$out/recorded.taken/stats.txt"

what=removed
remove() { "$lockstep" run -q -o "$out/removed" -- "$out/program" "$ptx" removed "$out/removed/stats.txt.part"; }
answers 74 "^lockstep: $out/removed/stats.txt cannot be written: what was written was removed or replaced meanwhile\$" \
	remove
expect "removed: the other files are whole" [ "$(tail -n 1 "$out/removed/stats.json")" = "}" ]

# ---- none of the first three ----

what=none
for closed in '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
	for command in "run -q -o $out/closed" "record -q -o $out/closed.rec" "trace -q -o $out/closed.trace"; do
		rm -rf "$out/closed"*
		eval "'$lockstep' $command -- '$out/program' '$ptx' none - $closed" >"$out/log" 2>&1
		status=$?
		expect "$closed: $command: exit status $status" [ $status = 0 ]
	done
	expect "$closed: the trace" "$lockstep" trace --print "$out/closed.trace"
done
record() { "$lockstep" record -q -o "$out/closed.rec" -- "$out/program" "$ptx" none -; }
record <&- >&- 2>&-
mv "$out/closed.rec" "$out/without.rec"
record >/dev/null
expect "the recording without standard output is that with one" cmp "$out/closed.rec" "$out/without.rec"
expect "the recording is replayed" "$lockstep" replay -q -o "$out/replayed" "$out/closed.rec"
few "$out" sdk/vectoradd sdk/reduction
"$out/few/bin/lockstep" bench run all --size tiny -j 1 -c configs/gtx480.yaml -o "$out/bench" <&- >&- 2>"$out/log"
status=$?
expect "bench without standard output: exit status $status" [ $status = 0 ]
expect "bench without standard output: both verified" [ "$(grep -c ,yes, "$out/bench/bench.csv")" = 2 ]

# ---- files of others ----

echo precious >"$out/precious"
for name in stats.txt stats.txt.part stats.json config.yaml.part latency.txt; do
	rm -rf "$out/links"
	mkdir "$out/links"
	ln -s "$out/precious" "$out/links/$name"
	answers 0 '^fine$' run -o "$out/links"
	expect "a link as $name is not followed" [ "$(cat "$out/precious")" = precious ]
	expect "a link as $name is replaced" [ ! -L "$out/links/$name" ]
	expect "a link as $name: the run is whole" kernels_are links 2
done
ln -s "$out/precious" "$out/link.rec"
expect "a recording is made" "$lockstep" record -q -o "$out/link.rec" -- "$out/program" "$ptx" none -
expect "a recording does not follow a link" [ "$(cat "$out/precious")" = precious ]
expect "the recording is replayed" "$lockstep" replay -q -o "$out/replayed" "$out/link.rec"
rm -rf "$out/links"
mkdir -p "$out/links/stats.txt"
refuses "$out/links/stats.txt cannot be written: Is a directory" run -o "$out/links"
finish
