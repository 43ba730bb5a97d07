#!/bin/sh
# tests/checkpoints.sh BUILD -- replay --save and --from: a replay that begins with a checkpoint is one that
# has executed what was before as a warm-up, to the byte, from random launches, in other configurations too;
# foreign, cut and damaged checkpoints are refused and break nothing. FULL=1: 200 launches of all workloads.
. tests/lib.sh
compile streams_leave tests/host/streams/streams_leave.c tests/host/streams/streams_random.c
compile texture tests/host/memory/texture.c
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -Wall -Werror ${SANITIZE:-} -I. -o "$out/damage" tests/recordings/damage.c \
	-L"$build/lib" -llockstep -Wl,-rpath,"$PWD/$build/lib" >"$out/log" 2>&1 ||
	not_ok "damage.c is compiled: $(log_tail)"
FULL=${FULL:-}

# the same files but for what says which command made them
same() {
	for file in stats.txt stats.json latency.txt config.yaml; do
		for run in "$1" "$2"; do grep -v command "$run/$file" >"$run/of_$file"; done
		[ -s "$1/of_$file" ] && cmp "$1/of_$file" "$2/of_$file" || return 1
	done
}
seed=31
# random N: sets $random to a number from 1 to N (the constants of Numerical Recipes' quick generator)
random() {
	seed=$(((seed * 1664525 + 1013904223) % 4294967296))
	random=$((seed / 65536 * $1 / 65536 + 1))
}
record() {
	"$lockstep" record -q -o "$out/rec" -- "$@" >"$out/log" 2>&1 || not_ok "$* is recorded: $(log_tail)"
}
launches() {
	"$lockstep" replay -f -q -o "$out/whole" "$out/rec" >"$out/log" 2>&1
	awk '$1 == "gpu.kernels" { v = $2 } END { print v }' "$out/whole/stats.txt"
}
# from LAUNCH "OPTION...": of the recording
from() {
	at=$1 options=$2
	expect "a checkpoint before launch $at" "$lockstep" replay -f -q -o "" --at kernel:$at --save "$out/ck" "$out/rec"
	expect "a warm-up of $((at - 1))" "$lockstep" replay -q --warmup $((at - 1)) $options -o "$out/warm" "$out/rec"
	expect "a replay from launch $at" "$lockstep" replay -q --from "$out/ck" $options -o "$out/from" "$out/rec"
	expect "from launch $at of $(sed -n 's/^# command: //p' "$out/from/stats.txt" | tail -n 1) ($options): the same" \
		same "$out/warm" "$out/from"
}
# points NUMBER "OPTION..." PROGRAM...
points() {
	points=$1 options=$2
	shift 2
	record "$@"
	most=$(launches)
	while [ "$points" -gt 0 ]; do
		points=$((points - 1))
		random "$most"
		from $random "$options"
	done
}

total() { awk -v n="$2" '$1 == n { v = $2 } END { print v + 0 }' "$out/$1/stats.txt"; }
# warp instructions of a run, with timing and without
instructions() { echo $(($(total "$1" gpu.warp_instructions) + $(total "$1" gpu.untimed_warp_instructions))); }

# Within a launch, at a random warp instruction: a replay from there is one whose timing begins there.
# within "OPTION...": of the recording, of which $most launches and $all instructions are known
within() {
	random "$most"
	at=$random
	random $((2 * all / most))
	until "$lockstep" replay -f -q -o "" --at kernel:$at:$random --save "$out/ck" "$out/rec" \
		>"$out/log" 2>&1; do
		grep -q "the run ended before" "$out/log" || not_ok "a checkpoint at kernel:$at:$random: $(log_tail)"
		[ $random -gt 1 ] || return 0
		random=$((random / 2))
	done
	expect "timing from kernel $at:$random on" "$lockstep" replay -q --warmup $((at - 1)) \
		--set gpu.warmup.instructions=$random $1 -o "$out/warm" "$out/rec"
	expect "a replay from kernel:$at:$random" "$lockstep" replay -q --from "$out/ck" $1 -o "$out/from" "$out/rec"
	expect "from kernel:$at:$random of $(sed -n 's/^# command: //p' "$out/from/stats.txt" | tail -n 1): the same" \
		same "$out/warm" "$out/from"
}
# At a random cycle of a run with timing: from there results are right in other configurations, too, and the
# same again. The run itself is not changed by it.
at_cycle() {
	"$lockstep" replay -q -o "$out/timing" "$out/rec" >"$out/log" 2>&1 &&
		[ "$(instructions timing)" = "$all" ] || return 0 # what it does depends on the order of threads
	for try in 1 2 3 4 5 6; do
		random "$(total timing gpu.cycles)"
		"$lockstep" replay -q --at cycle:$random --save "$out/ck" -o "$out/saved" "$out/rec" \
			>"$out/log" 2>&1 && break
		grep -q "no kernel is under way\|several kernels are under way\|all warps of the kernel have" "$out/log" ||
			not_ok "a checkpoint at cycle $random: $(log_tail)"
		random=
	done
	[ -n "$random" ] || return 0
	expect "saving at cycle $random changes nothing" same "$out/timing" "$out/saved"
	for options in "$1" "--set sm.scheduler.policy=lrr --set gpu.sms=3 -c +mrpb"; do
		expect "from cycle $random ($options): results are right" \
			"$lockstep" replay -q --from "$out/ck" $options -o "$out/from" "$out/rec"
		expect "from cycle $random ($options): all instructions are there" \
			[ "$(instructions from)" = "$all" ]
		"$lockstep" replay -q --from "$out/ck" $options -o "$out/again" "$out/rec" >"$out/log" 2>&1
		expect "from cycle $random ($options): the same again" same "$out/from" "$out/again"
	done
}
# middles NUMBER "OPTION..." PROGRAM...
middles() {
	points=$1 options=$2
	shift 2
	record "$@"
	most=$(launches) all=$(total whole gpu.warp_instructions)
	while [ "$points" -gt 0 ]; do
		points=$((points - 1))
		within "$options"
	done
	at_cycle "$options"
}

# asynchronous CHIP INSTRUCTIONS SHARE PROGRAM...: clusters, bulk copies, live tensor memory: within the first
# launch without timing, and where that share (per cent) of a run with timing is over
asynchronous() {
	chip=$1 at=$2 share=$3
	shift 3
	expect "$* is recorded" "$lockstep" record -q -c $chip -o "$out/rec" -- "$@"
	expect "$1 at kernel:1:$at" "$lockstep" replay -c $chip -f -q -o "" --at kernel:1:$at --save "$out/ck" "$out/rec"
	expect "$1: timing from there on" "$lockstep" replay -c $chip -q --warmup 0 --set gpu.warmup.instructions=$at \
		-o "$out/warm" "$out/rec"
	expect "$1: a replay from there" "$lockstep" replay -c $chip -q --from "$out/ck" -o "$out/from" "$out/rec"
	expect "$1: from kernel:1:$at: the same" same "$out/warm" "$out/from"
	"$lockstep" replay -c $chip -q -o "$out/timing" "$out/rec" >"$out/log" 2>&1
	at=$(($(total timing gpu.thread_instructions) * share / 100)) all=$(instructions timing)
	expect "$1 at instructions:$at" "$lockstep" replay -c $chip -q --at instructions:$at --save "$out/ck" \
		-o "$out/saved" "$out/rec"
	expect "$1: saving changes nothing" same "$out/timing" "$out/saved"
	for mode in "" -f; do
		expect "$1: from instructions:$at $mode: results are right" \
			"$lockstep" replay -c $chip $mode -q --from "$out/ck" -o "$out/from" "$out/rec"
	done
}

# behind FOLDER LAUNCH: what a run counts for that launch and those behind it; maxima are of the whole run
behind() {
	awk -v first="$2" '/^---------- Begin/ { on = split($0, words, "# kernel ") > 1 && words[2] + 0 >= first }
		on && $1 !~ /::max$/' "$out/$1/stats.txt"
}
# timed "OPTION..." PROGRAM...: a checkpoint before a random launch of a run with timing has the timing state
timed() {
	options="$1 --stats-launches all"
	shift
	record "$@"
	"$lockstep" replay -q $options -o "$out/whole" "$out/rec" >"$out/log" 2>&1 || not_ok "$*: $(log_tail)"
	most=$(total whole gpu.kernels)
	[ "$most" -gt 1 ] || return 0
	random $((most - 1))
	at=$((random + 1))
	expect "a checkpoint before launch $at of $* ($options)" \
		"$lockstep" replay -q $options -o "$out/saved" --at kernel:$at --save "$out/ck" "$out/rec"
	expect "saving changes nothing" same "$out/whole" "$out/saved"
	answers 0 "" "$lockstep" replay $options --from "$out/ck" -o "$out/from" "$out/rec"
	expect "all parts are as they were" sh -c "! grep -q 'begin cold' '$out/log'"
	behind whole $at >"$out/of_whole"
	behind from $at >"$out/of_from"
	expect "there is something" [ -s "$out/of_whole" ]
	expect "from launch $at of $* ($options) with its timing state: the same" \
		cmp "$out/of_whole" "$out/of_from"
}

if [ -n "$FULL" ]; then
	kind=0
	for program in $("$lockstep" bench list | awk '$1 ~ "/" && $1 !~ "^ai/" && NF == 1 { print $1 }'); do
		kind=$((kind % 8 + 1))
		timed "$(printf '%s\n' "" "-c +mrpb" "-c +ccws" "-c tests/configs/torture.yaml" "-c +wip" "-c +stream" \
			"-c v100" "-c h200" | sed -n ${kind}p)" "$build/bench/$program" --size tiny
	done
	kind=0
	for program in $("$lockstep" bench list | awk '$1 ~ "/" && $1 !~ "^ai/" && NF == 1 { print $1 }'); do
		kind=$((kind % 5 + 1))
		middles 3 "$(printf '%s\n' "" "-c +mrpb" "--set sm.scheduler.policy=two_level" "-c +ccws" \
			"-c tests/configs/torture.yaml" | sed -n ${kind}p)" "$build/bench/$program" --size tiny
	done
	for program in $("$lockstep" bench list | awk '$1 ~ "/" && $1 !~ "^ai/" && NF == 1 { print $1 }'); do
		points 3 "" "$build/bench/$program" --size tiny
	done
else
	points 1 "" "$build/bench/rodinia/bfs" --size tiny
	points 1 "--set sm.scheduler.policy=lrr -c +mrpb" "$build/bench/rodinia/gaussian" --size tiny
	sanitized || points 1 "-c mrpb-base-s" "$build/bench/polybench/fdtd2d" --size tiny
	points $(sanitized && echo 1 || echo 2) "" "$out/streams_leave" alike
	middles $(sanitized && echo 1 || echo 2) "" "$build/bench/rodinia/srad" --size tiny
	middles $(sanitized && echo 1 || echo 2) "-c +ccws" "$build/bench/mars/similarityscore" --size tiny
	middles 1 "-c tests/configs/torture.yaml" "$build/bench/sdk/scan" --size tiny
	random 60
	asynchronous h200 $((500 * random)) $((random + 30)) "$build/bench/ai/gemm-cluster" --size tiny
	asynchronous h200 $((20 * random)) $random "$build/tests/hopper/bulk_cluster" tests/hopper
	asynchronous b200 $((100 + 6 * random)) $((random + 20)) "$build/tests/blackwell/transfer" tests/blackwell 1 1
fi

timed "-c +ccws -c +mrpb" "$build/bench/rodinia/bfs" --size tiny
sanitized && [ -z "$FULL" ] || timed "-c +stream --set l2.ways=64 --set l2.sets=8" "$build/bench/rodinia/srad" --size tiny

# what does not fit begins cold, and is named
record "$build/bench/rodinia/bfs" --size tiny
"$lockstep" replay -q -o "" --at kernel:5 --save "$out/ck" "$out/rec" >"$out/log" 2>&1
answers 0 "begin cold: l2 (here: 12 partitions of 256 bytes.*, 32 sets of 8 lines.*in the checkpoint: .*64 sets of 8" \
	"$lockstep" replay -q --from "$out/ck" --set l2.sets=32 -o "$out/from" "$out/rec"
expect "and no other part is" sh -c "! grep -q '; sm\|; dram' '$out/log'"
expect "stats.txt says so" grep -q "begin cold: l2" "$out/from/stats.txt"
answers 0 "begin cold: l2.bypass (here: pcal.*in the checkpoint: none" \
	"$lockstep" replay -q --from "$out/ck" -c +pcal -o "$out/from" "$out/rec"
answers 74 "sampling, whose estimates go over several launches" "$lockstep" replay -q -o "$out/warm" \
	--sample error=5% --at kernel:5 --save "$out/no" "$out/rec"
expect "and there is no file" [ ! -e "$out/no" ]
cp "$out/ck" "$out/with_timing"
cp "$out/rec" "$out/of_timing"

# with timing before the launch that is saved, and timing behind it
record "$build/bench/rodinia/bfs" --size tiny
expect "a checkpoint of a run that goes on with timing" "$lockstep" replay -q --warmup 4 --at kernel:5 --save "$out/timed" \
	-o "$out/warm" "$out/rec"
"$lockstep" replay -f -q -o "" --at kernel:5 --save "$out/ck" "$out/rec" >"$out/log" 2>&1
expect "is that of a run without" cmp "$out/timed" "$out/ck"
expect "a longer warm-up behind it" "$lockstep" replay -q --from "$out/ck" --warmup 6 -o "$out/from" "$out/rec"
expect "the same without it" "$lockstep" replay -q --warmup 6 -o "$out/warm" "$out/rec"
expect "is the same" same "$out/warm" "$out/from"
expect "values only" "$lockstep" replay -q -f --from "$out/ck" -o "" "$out/rec"

# refused with the place
answers 1 "this is a recording and no checkpoint of one" "$lockstep" replay -q -o "" --from "$out/rec" "$out/rec"
answers 1 "entry 1 (checkpoint): this is a checkpoint: give its recording" "$lockstep" replay -q -o "" "$out/ck"
answers 1 "the checkpoint is behind 4 launches without timing; --warmup cannot be less" \
	"$lockstep" replay -q -o "" --from "$out/ck" --warmup 2 "$out/rec"
answers 1 "missing: No such file" "$lockstep" replay -q -o "" --from "$out/missing" "$out/rec"
head -c 2000 "$out/ck" >"$out/cut"
answers 1 "cut: offset 23: the file is cut off" "$lockstep" replay -q -o "" --from "$out/cut" "$out/rec"
answers 74 "the run ended before kernel:99:1" "$lockstep" replay -f -q -o "" \
	--at kernel:99:1 --save "$out/no" "$out/rec"
answers 2 "not possible with a point within a launch that is not timed" "$lockstep" replay -q -o "$out/warm" \
	--at kernel:1:5 --branch a: "$out/rec"
"$lockstep" replay -f -q -o "" --at kernel:5:300 --save "$out/within" "$out/rec" >"$out/log" 2>&1
answers 1 "the checkpoint is behind 4 launches without timing; --warmup cannot be less" \
	"$lockstep" replay -q -o "" --from "$out/within" --warmup 3 "$out/rec"
answers 1 "has other code here: the section frontend must be as it was" \
	"$lockstep" replay -q -o "" --from "$out/within" --set frontend.timed_code=scheduled "$out/rec"
expect "a longer warm-up behind a launch in the middle" \
	"$lockstep" replay -q --from "$out/within" --warmup 6 -o "$out/from" "$out/rec"
"$lockstep" replay -q --warmup 6 -o "$out/warm" "$out/rec" >"$out/log" 2>&1
expect "is the same" same "$out/warm" "$out/from"
answers 2 "a checkpoint is before a launch" "$lockstep" replay -f -q -o "" --at cycle:5 --save "$out/no" "$out/rec"
answers 2 "and --at where: it was not given" "$lockstep" replay -f -q -o "" --save "$out/no" "$out/rec"
cp "$out/rec" "$out/first"
record "$build/bench/polybench/bicg" 64
answers 1 "entry 1 (checkpoint): it belongs to another recording than" \
	"$lockstep" replay -q -o "" --from "$out/ck" "$out/rec"

# a byte, at every place of the head and at some of the rest
size=$(wc -c <"$out/ck")
for at in 0 18 19 22 23 27 31 38 39 100 $((size / 2)) $((size - 40)) $((size - 24)) $((size - 9)) $((size - 1)); do
	cp "$out/ck" "$out/flipped"
	byte=$(od -An -tu1 -j "$at" -N 1 "$out/ck" | tr -d ' ')
	printf "\\$(printf %o $((byte ^ 16)))" | dd of="$out/flipped" bs=1 seek="$at" conv=notrunc 2>/dev/null
	answers 1 "flipped: offset [0-9]*: " "$lockstep" replay -q -o "" --from "$out/flipped" "$out/first"
done

# damage with right checksums: an error or none, and nothing else
refused=0
damaged() { # CHECKPOINT RECORDING SEED
	"$out/damage" "$1" "$out/damaged" "$3" || not_ok "damage $3 is done to $1"
	timeout 600 "$lockstep" replay ${timing--f} -q -o "" --from "$out/damaged" "$2" >"$out/log" 2>&1
	status=$?
	endures $status && [ $status -le 1 ] || not_ok "damage $3 to $1: status $status: $(log_tail 3)"
	refused=$((refused + (status == 1)))
}
campaign $(sanitized && echo 6 || echo 12) 80
all=$(seq $seed $((seed + count - 1)))
for seed in $all; do damaged "$out/ck" "$out/first" "$seed"; done
record "$out/texture" tests/ptx/texture.ptx tests/ptx/texref.ptx tests/ptx/sampler.ptx
"$lockstep" replay -f -q -o "" --at kernel:3 --save "$out/ck" "$out/rec" >"$out/log" 2>&1
for seed in $all; do damaged "$out/ck" "$out/rec" "$seed"; done
record "$build/bench/rodinia/srad" --size tiny
for middle in kernel:2:5001 cycle:20000; do
	"$lockstep" replay $([ $middle = cycle:20000 ] || echo -f) -q -o "" --at $middle --save "$out/ck" \
		"$out/rec" >"$out/log" 2>&1
	for seed in $all; do damaged "$out/ck" "$out/rec" "$seed"; done
done
timing=
for seed in $all; do damaged "$out/with_timing" "$out/of_timing" "$seed"; done
expect "most damage is noticed ($refused of $((5 * count)))" [ $refused -gt $((5 * count / 2)) ]
finish
