#!/bin/sh
# tests/cli/timing_limit.sh BUILD -- a part of each kernel timed (--max-instructions, --max-cycles,
# --max-ctas, --warmup, --warmup-ctas): every benchmark still verifies, says that its timing ended, counts
# what was timed and what was not, and keeps all sums. Runs in the repository root.
. tests/lib.sh

# PROGRAM ARGUMENT...; in build/bench
programs="sdk/vectoradd 3001
polybench/gemm 40
polybench/atax 130 70
sdk/reduction 5003
rodinia/bfs 700
sdk/histogram 6001"
configs="configs/gtx480.yaml tests/configs/torture.yaml"
if left_out; then # slow there
	programs=$(echo "$programs" | sed -n '1p;$p') configs=tests/configs/torture.yaml
	echo "note: under the sanitizers, a sample of the cuts was made"
fi
vectoradd=$build/bench/sdk/vectoradd
atax=$build/bench/polybench/atax


# run DIR OPTION... -- PROGRAM...: what it says goes to log
run() {
	dir=$1
	shift
	"$lockstep" run -o "$out/$dir" "$@" >"$out/log" 2>&1 && grep -q PASS "$out/log"
}
# DIR NAME: the statistic of all kernels together
kernels() { awk -v n="kernel.$2" '$1 == n { s += $2 } END { printf "%.0f\n", s }' "$out/$1/stats.txt"; }
same() { [ -n "$1" ] && [ "$1" = "$2" ] || { echo "  $1 and $2"; false; }; }
more() { [ "$1" -gt "$2" ] || { echo "  $1 is not more than $2"; false; }; }
differ() { ! same_statistics "$1" "$2"; }
# DIR: statistics without the line that names the output folder
plain() { sed 's/"command": .*//; s/"config": .*//' "$out/$1/stats.json"; }
equal_runs() { plain "$1" >"$out/a"; plain "$2" >"$out/b"; cmp "$out/a" "$out/b" &&
	same_statistics "$out/$1/stats.txt" "$out/$2/stats.txt"; }

differ_from_log() { ! grep -q "$1" "$out/log"; }

# In whatever state the warps of a chip are when the timing of their kernel ends, they leave it: while
# instructions are fetched ahead, in a barrier, behind a fence.
while read -r chip limit name arguments; do
	# shellcheck disable=SC2086
	expect "$name on $chip ends its timing at $limit" \
		run chip -q -c "$chip" --set "gpu.timing_limit.$limit" -- "$build/bench/$name" $arguments
	expect "$name on $chip: it has ended" more "$(total chip gpu.timing_limited_kernels)" 0
done <<END
$(if left_out; then echo "v100 instructions=200K polybench/2dconv 150 400"; else cat <<CASES
v100 instructions=1M polybench/2dconv --size small
v100 cycles=4700 polybench/2dconv --size small
titanv instructions=300K polybench/2dconv --size small
a100 instructions=500K polybench/2dconv --size small
h200 instructions=700K polybench/2dconv --size small
h200 cycles=4500 lonestar/bh --size tiny
p100 cycles=3000 sdk/scan --size small
CASES
fi)
END

cat >"$out/fences.ptx" <<'END'
.version 6.0
.target sm_60
.address_size 64
.visible .entry fences(.param .u64 buffer)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	.reg .pred %p;
	ld.param.u64 %rd1, [buffer];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd3, %rd1, %rd2;
	mov.u32 %r2, 0;
LOOP:
	add.u32 %r2, %r2, 1;
	st.global.u32 [%rd3], %r2;
	membar.gl;
	membar.cta;
	membar.sys;
	setp.lt.u32 %p, %r2, 20;
	@%p bra LOOP;
	ret;
}
END
for cycle in 6000 6400 6800 7200 7600; do
	expect "fences under way when timing ends in cycle $cycle" "$lockstep" launch "$out/fences.ptx" fences -q \
		-c h200 --grid 1 --block 96 --arg 'u32[96]=zero' --set "gpu.timing_limit.cycles=$cycle" \
		-o "$out/fences" --save 0:"$out/fence-values"
	values=$(od -An -v -tu4 -w4 "$out/fence-values" | sort -u | tr -d ' ')
	expect "all of them have been executed" same 20 "$values"
	expect "timing has ended" more "$(total fences gpu.untimed_ctas)" 0
done

# what is on its way to other CTAs of a cluster, and a phase of its barrier that is about to end
arrivals="launch tests/hopper/mbarriers.ptx remote -q -c h200 --grid 4 --cluster 4 --block 64 --arg u32[64]=zero"
"$lockstep" $arrivals --functional -o "" --save 0:"$out/arrived" >"$out/log" 2>&1
for cycle in 1300 1600 1900 2000 2100 2300 2900; do
	expect "arrivals under way when timing ends in cycle $cycle" "$lockstep" $arrivals \
		--set "gpu.timing_limit.cycles=$cycle" -o "$out/arrivals" --save 0:"$out/arrivals-values"
	expect "all of them have arrived" cmp "$out/arrived" "$out/arrivals-values"
	expect "timing has ended" more "$(total arrivals gpu.untimed_ctas)" 0
done

# every benchmark, with its timing limited by instructions
echo "$programs" >"$out/programs"
while read -r name arguments; do
	program=$build/bench/$name
	# shellcheck disable=SC2086
	expect "$name verifies when it is cut" run cut --set dram.check=true --max-instructions 2K \
		-- "$program" $arguments
	expect "$name says so on the terminal" \
		grep -q 'thread-instructions in .*, timing ended after [0-9]* thread-instructions,
		[0-9]* CTAs ended and .* without timing' "$out/log"
	expect "$name says so in stats.txt" more "$(kernels cut timing_limit::instructions)" 0
	expect "$name: cut kernels add up" same "$(kernels cut timing_limit::total)" \
		"$(total cut gpu.timing_limited_kernels)"
	expect "$name says so in launches.csv" same \
		"$(grep -c ',timing-limit,' "$out/cut/launches.csv")" \
		"$(total cut gpu.timing_limited_kernels)"
	expect "$name: untimed instructions add up" same "$(kernels cut untimed_thread_instructions)" \
		"$(total cut gpu.untimed_thread_instructions)"
	expect "$name: instructions by kernel" same "$(kernels cut thread_instructions)" \
		"$(total cut gpu.thread_instructions)"
	expect "$name: cycles by kernel" same "$(kernels cut cycles)" "$(total cut gpu.cycles)"
	expect "$name: sums hold" conserves cut
	[ "$name" != bfs ] || continue # how often it writes the same is a matter of order
	# shellcheck disable=SC2086
	run values --functional -- "$program" $arguments
	expect "$name: timed and untimed instructions are all" same \
		"$(total values gpu.thread_instructions)" \
		"$(($(total cut gpu.thread_instructions) + $(total cut gpu.untimed_thread_instructions)))"
done <"$out/programs"

# the other limits, on the program with two kernels
for limit in --max-cycles=500 --max-ctas=1 --warmup=1 \
	--warmup-ctas=1 "--warmup=1 --max-instructions=10K" "--warmup-ctas=1 --max-cycles=1000"; do
	for config in $configs; do
		# shellcheck disable=SC2086
		expect "$limit verifies with $config" run limit -c $config $limit -- "$atax" 300 200
		expect "$limit with $config: sums hold" conserves limit
	done
done
run warm --warmup 1 -- "$atax" 130 70
expect "--warmup is said on the terminal" \
	grep -q 'kernel 1 .*: warm-up, [0-9]* CTAs, [0-9]* thread-instructions in' "$out/log"
expect "--warmup is said in launches.csv" same \
	"$(cut -d , -f 1,6 "$out/warm/launches.csv" | paste -sd ' ')" "launch,timing 1,warm-up 2,timed"
run warm --warmup 1 --stats-launches 1 -- "$atax" 130 70
expect "--warmup is said in stats.txt" same \
	"$(grep -c 'Begin .*# kernel 1 .* warm-up' "$out/warm/stats.txt")" 1
expect "--warmup is said in stats.json" same "$(grep -c '"warmup": true' "$out/warm/stats.json")" 1
expect "--warmup is counted" same "$(total warm gpu.warmup_kernels)" 1
run ctas --max-ctas 3 -- "$vectoradd" 3001
expect "--max-ctas times so many" same "$(kernels ctas ctas)" 3
expect "--max-ctas is said on the terminal" grep -q ', timing ended after 3 CTAs, ' "$out/log"
run cycles --max-cycles 300 -- "$vectoradd" 3001
expect "--max-cycles times so many" same \
	"$(($(kernels cycles cycles) - $(kernels cycles drain_cycles) - $(kernels cycles launch_cycles)))" 300

run all --max-run-instructions 10K -- "$atax" 300 200
expect "--max-run-instructions cuts one kernel and times none after it" \
	grep -q 'kernel 2 .*: not timed, [0-9]* CTAs, [0-9]* thread-instructions in' "$out/log"
expect "--max-run-instructions is said" same \
	"$(kernels all timing_limit::run) $(total all gpu.timing_limited_kernels)" "2 2"

# what is timed of each kernel, by name: on the terminal, in stats.txt, in stats.json
run shares --max-run-instructions 10K -- "$atax" 300 200
share() { awk -v n="kernels.$1::$2" '$1 == n { print $2 }' "$out/shares/stats.txt"; }
expect "kernels.thread_instructions is of the timed part" same "$(share thread_instructions atax1)" \
	"$(total shares gpu.thread_instructions)"
expect "kernels.untimed_thread_instructions adds up" same \
	"$(($(share untimed_thread_instructions atax1) + $(share untimed_thread_instructions atax2)))" \
	"$(total shares gpu.untimed_thread_instructions)"
expect "kernels.timed_share" same "$(share timed_share atax1)" "$(awk -v \
	t="$(share thread_instructions atax1)" -v u="$(share untimed_thread_instructions atax1)" \
	'BEGIN { printf "%.6f\n", t / (t + u) }')"
expect "kernels.never_timed" same "$(share never_timed atax1) $(share never_timed atax2)" "0 1"
expect "shares are said on the terminal" \
	grep -q '^lockstep: kernel atax2: timed 0[.]0 % of its [0-9]* ' "$out/log"
expect "shares are in stats.json" grep -q '"atax2": {"launches": 1, "timed_launches": 0, ' \
	"$out/shares/stats.json"
run whole -- "$atax" 130 70
expect "without a limit the terminal says nothing of shares" differ_from_log "lockstep: kernel atax1: timed"

# the same again; limits that nothing reaches change nothing; a profile has the timed part
run none -- "$atax" 130 70
run far --max-instructions 1G --max-cycles 1G --max-ctas 1G --warmup 0 --warmup-ctas 0 -- "$atax" 130 70
expect "limits that are not reached change nothing" equal_runs none far
run once --max-instructions 12345 --profile -- "$atax" 130 70
run again --max-instructions 12345 -- "$atax" 130 70
expect "cuts repeat, and a profile changes none" equal_runs once again
expect "a cut changes the statistics" differ "$out/none/stats.txt" "$out/once/stats.txt"
expect "a profile is of the timed part" same \
	"$(sed -n 's/.*"executions": \([0-9]*\).*/\1/p' "$out/once/profile.json" |
		awk '{ s += $1 } END { print s }')" \
	"$(total once gpu.warp_instructions)"

finish
