#!/bin/sh
# tests/branches.sh BUILD -- --at, --then, --branch: a branch without changes is the run, to the byte, from
# any point, under every policy; one with other policies is a run that changed to them there; one behind a
# warm-up is a run that has its configuration from the start; the run itself is not changed by its branches;
# mistakes.
# FULL=1: 200 random points over all workloads.
. tests/lib.sh
compile streams_leave tests/host/streams/streams_leave.c tests/host/streams/streams_random.c
FULL=${FULL:-}

# the same files but for what says which command made them
same() {
	for file in stats.txt stats.json latency.txt config.yaml; do
		for run in "$1" "$2"; do grep -v command "$run/$file" >"$run/of_$file"; done
		[ -s "$1/of_$file" ] && cmp "$1/of_$file" "$2/of_$file" || return 1
	done
}
total() { awk -v n="$2" '$1 == n { v = $2 } END { print v }' "$out/$1/stats.txt"; }
# run NAME OPTION... -- PROGRAM...
run() {
	name=$1
	shift
	rm -rf "${out:?}/$name"
	"$lockstep" run -q -o "$out/$name" "$@" >"$out/log" 2>&1 || not_ok "$name: $*: $(log_tail)"
}

seed=31
# random N: sets $random to a number from 1 to N (the constants of Numerical Recipes' quick generator)
random() {
	seed=$(((seed * 1664525 + 1013904223) % 4294967296))
	random=$((seed / 65536 * $1 / 65536 + 1))
}

# from a random cycle of a program, and from a random instruction: POINTS "OPTION..." PROGRAM...
points() {
	points=$1 options=$2
	shift 2
	run plain $options -- "$@"
	while [ "$points" -gt 0 ]; do
		points=$((points - 1))
		random "$(total plain gpu.cycles)"
		at=cycle:$random
		if [ $((points % 2)) = 1 ]; then
			random "$(total plain gpu.thread_instructions)"
			at=instructions:$random
		fi
		run branched $options --at $at --branch same: --branch lrr:sm.scheduler.policy=lrr -- "$@"
		expect "$options $*: the run at $at is not changed by its branches" same "$out/plain" "$out/branched"
		expect "$options $*: a branch at $at is the run" same "$out/plain" "$out/branched/same"
		cp "$out/branched/same/output.txt" "$out/log"
		[ $((points % 4)) = 0 ] || continue
		run then $options --at $at --then sm.scheduler.policy=lrr -- "$@"
		expect "$options $*: a branch at $at is a run that changes there" same "$out/then" "$out/branched/lrr"
	done
}

policies() {
	printf '%s\n' "" "-c +mrpb" "-c +ccws" "-c +dwtcs" "-c +medic" "-c +warppool" "-c +pcal" "-c +pric" "-c +eaf" \
		"-c +swl" "-c +wip" "-c +wms" "-c +stream" "-c +pcbyp" "-c +banked" "-c +rand" "-c +wbyp" \
		"--set sm.scheduler.policy=two_level" "--set gpu.lookahead=true" "-c tests/configs/torture.yaml"
}
if [ -n "$FULL" ]; then
	kinds=$(policies | wc -l) kind=0
	for program in $("$lockstep" bench list | awk '$1 ~ "/" && $1 !~ "^ai/" && NF == 1 { print $1 }'); do
		for points in 1 1 1; do
			kind=$((kind % kinds + 1))
			points $points "$(policies | sed -n ${kind}p)" "$build/bench/$program" --size tiny
		done
	done
else
	points 2 "-c +mrpb" "$build/bench/rodinia/nw" --size tiny
	points 1 "-c +ccws --set gpu.lookahead=true" "$build/bench/polybench/gemm" --size tiny
	sanitized || points 2 "" "$build/bench/polybench/atax" --size tiny
	sanitized || points 1 "--set sm.scheduler.policy=two_level" "$build/bench/mars/pageviewrank" --size tiny
fi

# another order of CTAs, and a policy with other parameters
gemm="$build/bench/polybench/gemm"
run two --at cycle:5000 --branch block:gpu.dispatch.policy=block,sm.scheduler.policy=two_level \
	--branch gto:sm.scheduler.gto.max_run=1 -- "$gemm" --size tiny
run then --at cycle:5000 --then gpu.dispatch.policy=block,sm.scheduler.policy=two_level -- "$gemm" --size tiny
expect "two policies change together" same "$out/then" "$out/two/block"
run then --at cycle:5000 --then sm.scheduler.gto.max_run=1 -- "$gemm" --size tiny
expect "a parameter of a policy changes" same "$out/then" "$out/two/gto"
expect "and then the run is another" sh -c "! cmp -s '$out/two/stats.txt' '$out/two/gto/stats.txt'"
expect "what has changed stands in the results" \
	grep -q '^# note: from cycle:5000 on: sm.scheduler.gto.max_run=1' "$out/two/gto/stats.txt"

# behind a warm-up: any configuration
bfs="$build/bench/rodinia/bfs"
run warm --warmup 4 --at kernel:5 --branch ways:sm.l1d.ways=8 --branch sms:gpu.sms=5,gpu.dispatch.policy=fill \
	--branch mrpb:+mrpb --branch same: -- "$bfs" --size tiny
run plain --warmup 4 -- "$bfs" --size tiny
expect "a warm-up's run is not changed by branches" same "$out/plain" "$out/warm"
expect "a branch behind a warm-up is the run" same "$out/plain" "$out/warm/same"
run plain --warmup 4 --set sm.l1d.ways=8 -- "$bfs" --size tiny
expect "another L1 behind a warm-up" same "$out/plain" "$out/warm/ways"
run plain --warmup 4 --set gpu.sms=5 --set gpu.dispatch.policy=fill -- "$bfs" --size tiny
expect "other SMs behind a warm-up" same "$out/plain" "$out/warm/sms"
run plain --warmup 4 -c +mrpb -- "$bfs" --size tiny
expect "an overlay behind a warm-up" same "$out/plain" "$out/warm/mrpb"
expect "a branch has what the program prints" grep -q PASS "$out/warm/mrpb/output.txt"

# a branch with a configuration of its own; one branch at a time; how each ended
cat >"$out/own" <<-END
	config $PWD/configs/gtx480-l1-48k.yaml
	config $PWD/configs/+mrpb.yaml
	set gpu.warmup.kernels=4
END
run warm --warmup 4 --at kernel:5 --branch-jobs 1 --branch "own:@$out/own" --branch ways:sm.l1d.ways=8 -- "$bfs" --size tiny
run plain -c gtx480-l1-48k -c +mrpb --warmup 4 -- "$bfs" --size tiny
expect "another configuration behind a warm-up" same "$out/plain" "$out/warm/own"
expect "how branches ended" [ "$(awk '{ print $1, $2 }' "$out/warm/branches.txt" | tr '\n' ' ')" = "own 0 ways 0 " ]
run plain --warmup 4 -- "$bfs" --size tiny
expect "the run behind its branches is not changed by them" same "$out/plain" "$out/warm"

# sweeps: jobs that begin with the same warm-up are branches of one run, with the facts of separate runs; half
# of the jobs under the sanitizers
seeds="1, 2" also=", ways8: {sm.l1d.ways: 8}" share=1
! sanitized || [ -n "${FULL:-}" ] || { seeds=1 also='' share=2; }
cat >"$out/fork.yaml" <<-END
	workloads:
	  - {label: bfs, program: $PWD/$bfs, arguments: [--size, tiny]}
	  - {label: bicg, program: $PWD/$build/bench/polybench/bicg, arguments: [64]} # ends before the point
	set: {gpu.warmup.kernels: 4}
	factors:
	  l1: {16K: {}, ways8: {sm.l1d.ways: 8}, mrpb: {config: +mrpb}}
	  scheduler: {gto: {}, lrr: {sm.scheduler.policy: lrr}}
	seeds: [$seeds]
END
{ echo "name: fork" && echo "fork: false" && cat "$out/fork.yaml"; } >"$out/alone.yaml"
sweep() { "$lockstep" sweep "$out/$1.yaml" -o "$out/$1.db" -j 2 ${2:-} >"$out/$1.log" 2>&1; }
expect "a sweep with forks" sweep fork --keep
expect "a sweep without" sweep alone
for kind in fork alone; do "$lockstep" sweep --facts "$out/$kind.db" >"$out/$kind.facts"; done
expect "forks and separate runs have the same facts" cmp "$out/fork.facts" "$out/alone.facts"
expect "24 jobs of it" [ "$(cut -d, -f2 "$out/fork.facts" | sort -u | wc -l)" = $((24 / share + 1)) ]
expect "bfs has been forked" [ "$(ls "$out"/fork.work/*/branch | wc -l)" -ge $((20 / share)) ]
expect "bicg could not" grep -q "jobs that begin alike could not all be branches of one run" "$out/fork.log"
printf 'workloads: gemm\nfork: maybe\n' >"$out/bad.yaml"
answers 1 "fork: expected true or false" "$lockstep" sweep "$out/bad.yaml" -o "$out/bad.db"

# `at`: policies of levels are on from a point, up to which jobs are one run
cat >"$out/at.yaml" <<-END
	workloads:
	  - {label: bfs, program: $PWD/$bfs, arguments: [--size, tiny]}
	at: cycle:9000
	factors:
	  scheduler: {gto: {}, two: {sm.scheduler.policy: two_level, sm.scheduler.two_level.active_warps: 4}}
	  dispatch: {rr: {}, fill: {gpu.dispatch.policy: fill}}
	  l1: {16K: {}$also}
END
{ echo "name: at" && echo "fork: false" && cat "$out/at.yaml"; } >"$out/then.yaml"
expect "a sweep that changes at a cycle, with forks" sweep at --keep
expect "a sweep without" sweep then
for kind in at then; do "$lockstep" sweep --facts "$out/$kind.db" >"$out/$kind.facts"; done
expect "forks at a cycle and separate runs have the same facts" cmp "$out/at.facts" "$out/then.facts"
expect "all jobs were branches but the two that run for both processors" [ "$(ls "$out"/at.work/*/branch | wc -l)" = $((8 / share - 2)) ]
run then --at cycle:9000 --then gpu.dispatch.policy=fill -- "$bfs" --size tiny
cycles=$(awk '$1 == "gpu.cycles" { v = $2 } END { print v }' "$out/then/stats.txt")
expect "which are those of lockstep run --at --then" \
	[ "$(awk -F, -v c="$cycles" '$10 == "gpu.cycles" && $12 == c' "$out/at.facts" | wc -l)" -ge 1 ]
echo "at: cycles:5" | cat "$out/fork.yaml" - >"$out/bad.yaml"
answers 1 "at: expected cycle:N, instructions:N or kernel:N" "$lockstep" sweep "$out/bad.yaml" -o "$out/bad.db"
printf 'workloads: [{name: polybench/gemm, arguments: [32]}]\nat: cycle:9999999
factors: {s: {gto: {}, lrr: {sm.scheduler.policy: lrr}}}\n' >"$out/late.yaml"
answers 1 "s=lrr: exit status 74: lockstep: error: the run ended before cycle:9999999" \
	"$lockstep" sweep -q "$out/late.yaml" -o "$out/late.db"
printf 'workloads: gemm\nat: cycle:5\nfactors: {l1: {a: {}, b: {sm.l1d.ways: 8}}}\n' >"$out/bad.yaml"
answers 1 "at: no level sets a parameter of sm.scheduler or gpu.dispatch" \
	"$lockstep" sweep "$out/bad.yaml" -o "$out/bad.db"

# kernels of several streams, in a recording, which each branch reads on from its own place
"$lockstep" record -q -o "$out/rec" -- "$out/streams_leave" alike >"$out/log" 2>&1 || not_ok "recorded: $(log_tail)"
expect "a replay" "$lockstep" replay -q -o "$out/plain" "$out/rec"
expect "a replay with branches" "$lockstep" replay -q -o "$out/replay" --at cycle:200000 --branch same: \
	--branch fill:gpu.dispatch.policy=fill "$out/rec"
expect "several streams: a branch is the run" same "$out/plain" "$out/replay/same"
expect "a replay that changes" "$lockstep" replay -q -o "$out/then" --at cycle:200000 \
	--then gpu.dispatch.policy=fill "$out/rec"
expect "several streams: a branch is a run that changes" same "$out/then" "$out/replay/fill"
answers 74 "there are no branches: the program has several threads" "$lockstep" run -q -o "$out/threads" \
	--at cycle:200000 --branch same: -- "$out/streams_leave" alike
"$lockstep" record -q -o "$out/rec" -- "$bfs" --size tiny >"$out/log" 2>&1 || not_ok "bfs is recorded: $(log_tail)"
expect "a replay has branches" "$lockstep" replay -q -o "$out/replay" --warmup 4 --at kernel:5 \
	--branch ways:sm.l1d.ways=8 --branch sms:gpu.sms=5 "$out/rec"
run plain --warmup 4 --set sm.l1d.ways=8 -- "$bfs" --size tiny
expect "a replay's branch is the program's run" same "$out/plain" "$out/replay/ways"

# mistakes
wrong() { # MESSAGE OPTION...
	message=$1
	shift
	answers "${status:-2}" "$message" "$lockstep" run -q -o "$out/wrong" "$@" -- "$gemm" 32
}
wrong "expected kernel:N (before launch N starts), kernel:N:M (within it, for --save), cycle:N" --at cycles:5 --branch a:
wrong "expected kernel:N" --at cycle:0 --branch a:
wrong "none was given" --at cycle:5
wrong "and --at where: it was not given" --branch a:
wrong "expected NAME:CHANGES" --at cycle:5 --branch lrr
wrong "expected a number from 1 to 1000" --at cycle:5 --branch a: --branch-jobs 0
wrong "--branch a: .*/none cannot be read" --at cycle:5 --branch "a:@$out/none"
echo "sett x=1" >"$out/own"
status=1 wrong "own:1:1: error: expected .config FILE. or .set PATH=VALUE." --at cycle:5 --branch "a:@$out/own"
wrong "expected NAME:CHANGES" --at cycle:5 --branch ../lrr:
wrong "two branches of this name" --at cycle:5 --branch a: --branch a:
wrong "sm.l1d.ways cannot change while kernels are timed" --at cycle:5 --branch a:sm.l1d.ways=8
wrong "--then sm.l1d.ways=8: sm.l1d.ways cannot change" --at kernel:1 --then sm.l1d.ways=8
wrong "sm.l1d.wais (did you mean sm.l1d.ways?)" --at cycle:5 --branch a:sm.l1d.wais=8
wrong "gpu.warmup says what comes before" --at kernel:2 --branch a:gpu.warmup.kernels=8
wrong "not possible with --functional" -f --at cycle:5 --branch a:
wrong "not possible with --threads" --threads 2 --at cycle:5 --branch a:
answers 74 "the run ended before cycle:99999999: nothing has changed" "$lockstep" run -q -o "$out/late" \
	--at cycle:99999999 --then sm.scheduler.policy=lrr -- "$gemm" 32
answers 74 "branch a ended with status 1: see .*/late/a/output.txt" "$lockstep" run -q -o "$out/late" \
	--at kernel:2 --branch a:sm.l1d.ways=8 -- "$bfs" --size tiny
expect "and there it says why" grep -q "sm.l1d.ways cannot change while kernels are timed" "$out/late/a/output.txt"
answers 74 "branch a ended with status 1" "$lockstep" run -q -o "$out/late" --warmup 1 \
	--at kernel:2 --branch a:gpu.memory=256M -- "$bfs" --size tiny
expect "and there it says why" grep -q "gpu.memory cannot be another one" "$out/late/a/output.txt"
finish
