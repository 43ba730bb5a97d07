#!/bin/sh
# tests/recordings.sh BUILD -- lockstep record and lockstep replay: replays have the statistics of the
# program's own runs with timing, to the byte, in other configurations too, and end with the memory of the
# recording; what is not kept is refused or said; damaged recordings are refused and break nothing.
. tests/lib.sh
compile streams_leave tests/host/streams/streams_leave.c tests/host/streams/streams_random.c
compile graphs tests/host/streams/graphs.c
compile host_writes tests/recordings/host_writes.c
compile texture tests/host/memory/texture.c
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -Wall -Werror ${SANITIZE:-} -I. -o "$out/damage" tests/recordings/damage.c \
	-L"$build/lib" -llockstep -Wl,-rpath,"$PWD/$build/lib" >"$out/log" 2>&1 ||
	not_ok "damage.c is compiled: $(log_tail)"

# the same files but for what says which command made them
same() {
	for file in stats.txt stats.json latency.txt config.yaml; do
		for run in "$1" "$2"; do grep -v command "$run/$file" >"$run/of_$file"; done
		[ -s "$1/of_$file" ] && cmp "$1/of_$file" "$2/of_$file" || return 1
	done
}
# replays LABEL "OPTION..." "RECORD OPTION..." PROGRAM...: into $out/rec, $out/replay, and the program in
# $out/run
replays() {
	label=$1 options=$2 how=$3
	shift 3
	"$lockstep" record -q $how -o "$out/rec" -- "$@" >"$out/log" 2>&1 ||
		{ not_ok "$label is recorded: $(log_tail)"; return; }
	"$lockstep" run -q $options -o "$out/run" -- "$@" >"$out/log" 2>&1 || not_ok "$label runs: $(log_tail)"
	"$lockstep" replay -q $options -o "$out/replay" "$out/rec" >"$out/log" 2>&1 ||
		not_ok "$label is replayed: $(log_tail)"
	expect "$label: the same statistics" same "$out/run" "$out/replay"
}

# a program that asks for nothing
"$lockstep" record -o "$out/none" -- sh -c ": its arguments" >"$out/log" 2>&1
expect "a program without CUDA ends well" [ $? = 0 ]
expect "and it is said that nothing was recorded" grep -q "none was not written.* sh called no function of CUDA" "$out/log"
"$lockstep" record -o "$out/none" -- sh -c "exit 7" >"$out/log" 2>&1
expect "the status is the program's" [ $? = 7 ]
"$lockstep" record -o "$out/none" -- sh -c 'kill -TERM $$' >"$out/log" 2>&1
expect "as is a signal that ends it" [ $? = 143 ]

# one workload of each kind: several kernels, loops of launches, atomics, constants, textures
for name in polybench/gemm rodinia/bfs rodinia/srad sdk/histogram sdk/montecarlo-pi mars/pageviewrank; do
	replays $name "" "" "$build/bench/$name" --size tiny
done
replays "another policy" "--set sm.scheduler.policy=lrr --set sm.l1d.ways=2" "" \
	"$build/bench/polybench/atax" --size tiny
replays "another machine" "-c mrpb-base-s -c +mrpb" "" "$build/bench/polybench/bicg" --size tiny
replays "streams, events, pinned memory" "" "" "$out/streams_leave" alike
replays "the same with two copy engines" "--set gpu.copy_engines=2" "" "$out/streams_leave" alike
replays "kernels that start before others have ended" "-c h200" "--timed -c h200" \
	"$build/tests/hopper/dependents" tests/hopper
replays "memory that the program writes by itself, and events" "" "" "$out/host_writes"
replays graphs "" --timed "$out/graphs" timed
replays "textures and surfaces" "" "" "$out/texture" tests/ptx/texture.ptx tests/ptx/texref.ptx \
	tests/ptx/sampler.ptx

# a program that launches as often as the order of threads makes it
replays "a program that decides by results" "" --timed "$build/bench/lonestar/sssp" --size tiny
answers 0 PASS "$lockstep" record -q -o "$out/untimed" -- "$build/bench/lonestar/sssp" --size tiny
expect "its launches without timing" "$lockstep" replay -q -o "$out/replay" "$out/untimed"
same "$out/run" "$out/replay" >"$out/log" 2>&1 && not_ok "its launches without timing are the same" || ok

# the memory at the end: of a program whose results depend on the order of its streams
"$lockstep" record -q -o "$out/race" -- "$out/streams_leave" leave >"$out/log" 2>&1
expect "a replay without timing ends with the same memory" "$lockstep" replay -f -q -o "" "$out/race"
answers 1 "has another content .* in 1 places, the first one of 384 bytes at 0x" \
	"$lockstep" replay -q -o "" "$out/race"

# some launches, with the memory that each needs
total() { awk -v n="$2" '$1 == n { v = $2 } END { print v }' "$1/stats.txt"; }
# selects LIST LAUNCHES PROGRAM...
selects() {
	list=$1 launches=$2
	shift 2
	"$lockstep" record -q --kernels "$list" -o "$out/some" -- "$@" >"$out/log" 2>&1 ||
		not_ok "--kernels $list of $1: $(log_tail)"
	expect "--kernels $list of $1 is replayed" "$lockstep" replay -q -o "$out/replay" "$out/some"
	expect "--kernels $list of $1: $launches launches" \
		[ "$(total "$out/replay" gpu.kernels)" = "$launches" ]
}
selects 2 1 "$build/bench/polybench/bicg" 64
"$lockstep" run -q -o "$out/run" -- "$build/bench/polybench/bicg" 64 >"$out/log" 2>&1
selects bicg1,2 2 "$build/bench/polybench/bicg" 64
expect "both kernels are all instructions" \
	[ "$(total "$out/run" gpu.thread_instructions)" = "$(total "$out/replay" gpu.thread_instructions)" ]
selects 2,4-6 4 "$build/bench/rodinia/bfs" --size tiny
selects 3-5 3 "$build/bench/rodinia/gaussian" --size tiny
answers 74 "there is no recording: none of 2 launches is one of --kernels bicg,3-" \
	"$lockstep" record -q --kernels bicg,3- -o "$out/none" -- "$build/bench/polybench/bicg" 64
expect "and no file" [ ! -e "$out/none" ]

# in a sweep, in the place of a program
cat >"$out/sweep.yaml" <<END
name: recordings
workloads:
  - {label: recorded, program: ./rec}
base: gtx480
factors:
  scheduler:
    lrr: {sm.scheduler.policy: lrr}
    gto: {sm.scheduler.policy: gto}
END
"$lockstep" record -q -o "$out/rec" -- "$build/bench/polybench/bicg" 64 >"$out/log" 2>&1
"$lockstep" run -q --set sm.scheduler.policy=lrr -o "$out/run" -- "$build/bench/polybench/bicg" 64 >"$out/log" 2>&1
answers 0 "2 points" "$lockstep" sweep "$out/sweep.yaml" -o "$out/sweep.db"
expect "its cycles are those of the program" grep -q "lrr.*,$(total "$out/run" gpu.cycles)," "$out/sweep.csv"

# the same recording is the same file
"$lockstep" record -q -o "$out/once" -- "$build/bench/polybench/atax" 64 >"$out/log" 2>&1
mv "$out/once" "$out/twice"
"$lockstep" record -q -o "$out/once" -- "$build/bench/polybench/atax" 64 >"$out/log" 2>&1
expect "the same recording is the same file" cmp "$out/once" "$out/twice"
"$lockstep" replay -q -f -o "" "$out/once" >"$out/log" 2>&1 || not_ok "values only: $(log_tail)"
expect "no file is left over" [ ! -e "$out/once.part" ]

# no recording, and why; what was there before stays
echo before >"$out/kept"
answers 3 "there is no recording: the program ended in a function that a stream ran" \
	"$lockstep" record -q -o "$out/kept" -- "$out/streams_leave" call
expect "the file from before stays" [ "$(cat "$out/kept")" = before ]
answers 1 "nowhere/rec cannot be written: " "$lockstep" record -q -o "$out/nowhere/rec" -- "$build/bench/polybench/atax" 64

# refused with the place
answers 1 "missing: No such file" "$lockstep" replay "$out/missing"
answers 1 "Makefile: offset 0: this is no recording" "$lockstep" replay Makefile
"$lockstep" record -q -o "$out/large" -- "$build/bench/polybench/atax" 600 >"$out/log" 2>&1
head -c 3000 "$out/once" >"$out/cut"
answers 1 "cut: offset 23: the file is cut off" "$lockstep" replay "$out/cut"
answers 1 "entry [0-9]* (allocation): .* bytes of device memory, .* are free" \
	"$lockstep" replay -o "" --set gpu.memory=1048576 "$out/large"

# damage with right checksums: an error or none, and nothing else
refused=0
damaged() {
	"$out/damage" "$1" "$out/damaged" "$2" || not_ok "damage $2 is done to $1"
	timeout 600 "$lockstep" replay -f -q -o "" "$out/damaged" >"$out/log" 2>&1
	status=$?
	endures $status && [ $status -le 1 ] || not_ok "damage $2 to $1: status $status: $(log_tail 3)"
	refused=$((refused + (status == 1)))
}
"$lockstep" record -q -o "$out/textures" -- "$out/texture" tests/ptx/texture.ptx tests/ptx/texref.ptx \
	tests/ptx/sampler.ptx >"$out/log" 2>&1
"$lockstep" record -q -o "$out/alike" -- "$out/streams_leave" alike >"$out/log" 2>&1
campaign 8 134
for damage in $(seq $seed $((seed + count - 1))); do
	damaged "$out/alike" "$damage"
	damaged "$out/textures" "$damage"
	damaged "$out/once" "$damage"
done
damaged "$out/alike" 1079 # copies of rows that all lie in one place had no end
expect "most damage is noticed ($refused of $((3 * count + 1)))" [ $refused -gt $((3 * count / 2)) ]

# a library of recordings: made, listed, usable in a sweep, and not made twice
library() { sh benchmarks/record.sh "$build" tiny "$out/library" polybench/atax rodinia/bfs >"$out/log" 2>&1; }
expect "a library of recordings" library
expect "its list" [ "$(awk '$2 == 2 && /atax/ || $2 == 14 && /bfs/' "$out/library/list.txt" | wc -l)" = 2 ]
cp -p "$out/library/polybench-atax.rec" "$out/before"
rm "$out/library/rodinia-bfs.rec"
expect "again" library
expect "what is there is not made again" [ ! "$out/library/polybench-atax.rec" -nt "$out/before" ]
expect "what is not is" [ -s "$out/library/rodinia-bfs.rec" ]
expect "a sweep of it" "$lockstep" sweep -q "$out/library/workloads.yaml" -o "$out/library/db"
answers 2 "record: unknown size huge" sh benchmarks/record.sh "$build" huge "$out/none"
finish
