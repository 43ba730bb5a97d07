#!/bin/sh
# tests/cli/cases.sh BUILD -- what the lockstep command says and returns, word for word, above all when
# something is wrong. Runs in the repository root. expected/NAME.txt holds the output (both streams) and the
# exit status of each case; RECORD=1 writes these files anew: read the difference before committing it.
. tests/lib.sh
here=tests/cli

# What differs from place to place gets a name.
settle() {
	sed -e "s|$out|TMP|g" -e "s|$PWD/||g" -e "s|\(benchmarks/common/[a-z]*\.c\):[0-9]*:|\1:LINE:|" \
		-e "s|^# lockstep [^,]*, build [0-9a-f]*,|# lockstep VERSION, build ID,|"
}

# judge NAME: the file $out/out against what is expected.
judge() {
	[ -z "${RECORD:-}" ] || cp "$out/out" "$here/expected/$1.txt"
	if diff -u "$here/expected/$1.txt" "$out/out" > "$out/diff" 2>&1; then ok; else
		not_ok "$1"
		cat "$out/diff"
	fi
}

# check NAME ARGUMENT...: lockstep ARGUMENT...
check() {
	name=$1
	shift
	"$lockstep" "$@" > "$out/raw" 2>&1 < /dev/null
	status=$?
	{ cat "$out/raw"; echo "exit status $status"; } | settle > "$out/out"
	judge "$name"
}

# launch NAME KERNEL-FILE KERNEL OPTION...: a quiet launch without an output folder.
launch() {
	name=$1 file=$2 kernel=$3
	shift 3
	check "$name" launch "$here/ptx/$file.ptx" "$kernel" -q -o "" "$@"
}

ptx_errors() {
	launch syntax syntax broken --grid 1 --block 32 --arg 'u32[32]=zero'
	launch undefined-register undefined_register broken --grid 1 --block 32 --arg 'u32[32]=zero'
	launch unknown-opcode unknown_opcode broken --grid 1 --block 32 --arg 'u32[32]=zero'
	check ptx-check ptx --check $here/ptx/vecadd.ptx $here/ptx/syntax.ptx $here/ptx/unknown_opcode.ptx
	check ptx-summary ptx $here/ptx/vecadd.ptx -k vecadd
	check ptx-warnings ptx --parse --dump $here/ptx/suspicious.ptx
	check ptx-code-warning ptx $here/ptx/old_mad.ptx
	check ptx-registers ptx --regs $here/ptx/vecadd.ptx -k vecadd
	check ptx-parse-only ptx --check --parse $here/ptx/unsupported.ptx
	check ptx-no-file ptx --check
	check ptx-versions ptx --check $here/ptx/too_new.ptx
	check ptx-missing-kernel ptx $here/ptx/vecadd.ptx -k vecad
}

# What is said of a kernel's code is said when it is launched, in both modes, and once.
code_warnings() {
	launch code-plain old_mad plain --grid 1 --block 32 --arg 'f32[2]=const(2)' --print 0
	launch code-truncates old_mad truncates --grid 1 --block 32 --arg 'f32[2]=const(2)' --print 0
	launch code-functional old_mad truncates -f --grid 1 --block 32 --arg 'f32[2]=const(2)' --print 0
}

launch_errors() {
	launch missing-kernel vecadd vecad --grid 1 --block 32
	launch argument-count vecadd vecadd --grid 1 --block 32 --arg 'f32[32]=zero' --arg 'f32[32]=iota' \
		--arg u32=32
	launch argument-size vecadd scale --grid 1 --block 32 --arg 'f32[32]=zero' --arg f64=2
	launch argument-kind vecadd scale --grid 1 --block 32 --arg 'f32[32]=zero' --arg u32=2
	launch argument-not-a-buffer vecadd scale --grid 1 --block 32 --arg 'f32[32]=zero' \
		--arg 'f32[32]=zero'
	launch argument-text vecadd scale --grid 1 --block 32 --arg 'f33[32]=zero' --arg 'f32[32]=ones' \
		--arg u8=300 \
		--arg u32
	launch argument-file vecadd scale --grid 1 --block 32 --arg f32[]=file:nosuch.bin --arg f32=2
	launch result-argument vecadd scale --grid 1 --block 32 --arg 'f32[32]=zero' --arg f32=2 --print 2 \
		--sum 1 \
		--save 0
	launch block-too-large vecadd scale --grid 1 --block 2048 --arg 'f32[32]=zero' --arg f32=2
	launch shared-aligned sizes shared --grid 1 --block 32 --shared 128
	launch local-too-large sizes local --grid 1 --block 32
	launch local-too-large-functional sizes local --grid 1 --block 32 --functional
	launch no-room vecadd scale --grid 1 --block 32 --arg 'f32[1G]=zero' --arg f32=2
	launch grid-missing vecadd scale --block 32
	launch grid-text vecadd scale --grid 1,0 --block 32
}

faults() {
	launch out-of-bounds-store faults store --grid 1 --block 64 --arg 'u32[60]=zero'
	launch out-of-bounds-functional faults store --functional --grid 1 --block 64 --arg 'u32[60]=zero'
	launch misaligned-load faults misaligned --grid 1 --block 32 --arg 'u32[32]=zero'
	launch barrier-divergent deadlock divergent --grid 1 --block 64
	launch barrier-deadlock deadlock crossed --grid 1 --block 64
	launch barrier-deadlock-functional deadlock crossed --functional --grid 1 --block 64
}

# hang NAME OPTION...: a kernel of hangs.ptx, with timing, without, and on other machines; the reports are the
# same, and end the command with 1 (but for the order of CTAs and the lines at which warps were stopped, which
# are timing's).
hang() {
	kernel=$1
	shift
	case $kernel in # long under the sanitizers; the unit tests have shorter ones
	last_sets | flag_late) left_out && return 0 ;;
	esac
	launch "hang-$kernel" hangs "$kernel" "$@"
	launch "hang-$kernel-functional" hangs "$kernel" --functional "$@"
	sanitized && return 0 # slow there; the same reports
	for option in "--set sm.scheduler.policy=lrr" "--set gpu.sms=1" "-c tests/configs/torture.yaml"; do
		# shellcheck disable=SC2086
		"$lockstep" launch $here/ptx/hangs.ptx "$kernel" -q -o "" $option "$@" 2>&1 < /dev/null |
			sed -n 's/.*device fault: \([a-z ]*\): .*/\1/p' | sort -u | sed "s|^|$option: |"
	done > "$out/out"
	judge "hang-$kernel-options"
}

hangs() {
	hang exited_partner --grid 1 --block 64
	hang half_leaves --grid 2 --block 64 --arg 'u32[1]=zero' --print 0
	hang ring --grid 1 --block 128
	hang left_behind --grid 4 --block 32
	hang divergent_barrier --grid 4 --block 32 --arg 'u32[1]=zero' --print 0
	hang lock_kept --grid 2 --block 64
	hang flag_unset --grid 2 --block 96
	hang last_sets --grid 200 --block 64
	hang flag_late --grid 3 --block 64 --arg u32=300000 --arg 'u32[1]=zero' --print 1
	hang beside_a_long_one --grid 2 --block 64 --arg u32=10000000
	hang time_out --grid 2 --block 64 --arg u32=20000 --arg 'u32[1]=zero' --print 1
	hang shared_cycle --grid 1 --block 64
}

# Several -c: of each key the last one's word, for every command; --set goes over all.
stacked() {
	over="-c $here/configs/over.yaml" further="-c $here/configs/further.yaml"
	while read -r options; do
		echo "$options"
		# shellcheck disable=SC2086
		"$lockstep" run -q -o "$out/run" $options -- "$build/bench/sdk/vectoradd" 100 \
			> "$out/log" 2>&1 ||
			cat "$out/log"
		"$lockstep" launch $here/ptx/vecadd.ptx scale --grid 1 --block 32 --arg 'f32[32]=zero' \
			--arg f32=2 \
			-q -o "$out/launched" $options
		"$lockstep" config show $options > "$out/shown"
		for other in "$out/run/config.yaml" "$out/launched/config.yaml"; \
			do # the same but for how files are called
			sed 's/ *#.*//' "$out/shown" > "$out/values"
			sed '/^#/d; s/ *#.*//' "$other" | cmp - "$out/values"
		done
		awk '/^  lsu_queue:/; /^  [a-z]/ { l1 = /l1d:/ } l1 && /^    ways:/' "$out/shown"
	done <<END > "$out/raw"
-c configs/gtx480.yaml $over
-c gtx480 $over $further
-c gtx480 $further $over
-c gtx480 $over $further --set sm.l1d.ways=5
$over -c volta-l1
END
	settle < "$out/raw" > "$out/out"
	judge config-stacked
}

configuration() {
	check config-typo config check $here/configs/typo.yaml
	check config-range config check $here/configs/range.yaml
	check config-syntax config check $here/configs/syntax.yaml
	check config-check-option config check configs/gtx480.yaml -c nosuch.yaml
	check config-missing-file config show -c nosuch.yaml
	check config-missing-files run -c nosuch.yaml -c gtx480 -c other.yaml -- /bin/true
	check config-misspelt run -c gtx480 -c +mrbp -c gtx48 -- /bin/true
	check config-typo-beneath run -c $here/configs/typo.yaml -c $here/configs/over.yaml -- /bin/true
	stacked
	check config-set-typo run --set sm.l1d.wayz=8 -- /bin/true
	check config-set-range launch $here/ptx/vecadd.ptx scale --grid 1 --block 32 --set sm.max_warps=100 \
		-q \
		-o "" \
		--arg 'f32[32]=zero' --arg f32=2
	check config-set-form config show --set sms
}

usage() {
	check no-command
	check unknown-command lanch
	check unknown-option launch --gird 1
	check option-without-value launch --grid
	check missing-operand launch vec.ptx
	check config-action config shw
	check config-map config map 0 256 0x600 1M
	check config-map-hash config map 4K 100K \
		--set dram.mapping=row:bank^row:column:group:channel+row:column8
	check config-map-wrong config map 0 --set dram.mapping=row:bank:colum
	check config-map-address config map 12x
	check dram-scheduler-old config show --set dram.scheduler=fcfs
	check dram-trace-name run -o "$out/trace" --set dram.trace=stats.txt \
		-- "$build/bench/polybench/gemm" 32
	check limit-text launch $here/ptx/vecadd.ptx scale --grid 1 --block 32 --max-instructions 5x
	check limit-negative run --max-ctas -1 -- /bin/true
	check limit-missing run --warmup
	check missing-file launch nosuch.ptx scale --grid 1 --block 32 -q -o ""
	check missing-program run -o "" -- nosuch-program
	check missing-program-path run -o "" -- ./nosuch-program
	check program-not-executable run -o "" -- ./Makefile
	COLUMNS=110
	check help --help
	check help-launch launch --help
	COLUMNS=1000
}

results() {
	for mode in "" -functional; do
		launch data-movement$mode data_movement k ${mode:+-$mode} --grid 3 --block 70 \
			--arg 'u32[3360]=zero' \
			--arg u64=81985529216486895 --arg u64=3 --print 0:64 --sum 0
	done
	launch print-and-sum vecadd vecadd --grid 4 --block 64 --arg 'f32[250]=zero' --arg 'f32[250]=iota' \
		--arg 'f32[250]=const(0.5)' --arg u32=250 --print 0:10 --sum 0 --sum 1
	launch register-results register_results k --grid 1 --block 1 --arg 'u32[4]=const(7)' \
		--arg 'u32[3]=zero' --print 1
	launch register-b128 register_b128 k -c h200 --grid 1 --block 1 --arg 'u64[2]=zero' --print 0
	launch link calls k --grid 1 --block 4 --link $here/ptx/callee.ptx --arg 'u32[4]=zero' --print 0
	launch link-missing calls k --grid 1 --block 4 --link $here/ptx/vecadd.ptx --arg 'u32[4]=zero'
	launch link-twice callee other --grid 1 --block 4 --link $here/ptx/callee.ptx --arg 'u32[4]=zero'
	launch stack-overflow callee endless --grid 1 --block 4 --stack 256 --arg 'u32[4]=zero'
	launch print-random vecadd scale --grid 1 --block 8 --arg 'f32[8]=random(1)' --arg f32=2 --print 0 \
		--save "0:$out/saved"
	launch print-file vecadd scale --grid 1 --block 8 --arg "f32[]=file:$out/saved" --arg f32=0.5 \
		--print 0
}

# A program that faults: what was gathered is written all the same.
output_after_fault() {
	"$lockstep" launch $here/ptx/faults.ptx store -q -o "$out/run" --grid 1 --block 64 \
		--arg 'u32[60]=zero' \
		> "$out/raw" 2>&1
	{ echo "exit status $?"; ls "$out/run"; } > "$out/out"
	judge output-after-fault
}

# profile NAME KERNEL-FILE KERNEL OPTION...: the listing of a functional profile, in which no number depends
# on the machine.
profile() {
	name=$1 file=$2 kernel=$3
	shift 3
	"$lockstep" launch "$here/ptx/$file.ptx" "$kernel" -q -o "$out/run" --functional --profile "$@" \
		> "$out/raw" 2>&1
	status=$?
	{ cat "$out/raw"; echo "exit status $status"; cat "$out/run/profile.txt"; } | settle > "$out/out"
	judge "$name"
}

profiles() {
	profile profile-functional profile work --grid 2 --block 64 --arg 'u32[2048]=zero'
	profile profile-linked calls k --grid 1 --block 4 --link $here/ptx/callee.ptx --arg 'u32[4]=zero'
	profile profile-fault faults store --grid 1 --block 64 --arg 'u32[60]=zero'
	launch profile-no-output profile idle --grid 1 --block 32 --arg 'u32[1]=zero' --profile
	check profile-no-output-run run --profile -o "" -- /bin/true
	mkdir -p "$out/taken/profile.json"
	check profile-not-writable launch $here/ptx/profile.ptx idle --grid 1 --block 32 --arg 'u32[1]=zero' \
		-q \
		--profile -o "$out/taken"
}

# Output that a full disk swallows: said so, and no success.
full_disk() {
	[ -w /dev/full ] || return 0
	for command in "list stats" "config show" "--version" "ptx $here/ptx/vecadd.ptx"; do
		"$lockstep" $command 2>&1 > /dev/full
		echo "exit status $?"
	done > "$out/raw"
	settle < "$out/raw" > "$out/out"
	judge full-disk
}

ptx_errors
code_warnings
launch_errors
faults
hangs
configuration
usage
results
output_after_fault
profiles
full_disk
finish
