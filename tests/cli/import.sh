#!/bin/sh
# lockstep config import: what GPGPU-Sim's options become, that the result loads, runs and gives itself again,
# that everything left out is said, and that mistakes are reported with their place.
. tests/lib.sh
configs=tests/cli/configs

# flat FILE.yaml: "path value" lines
flat() {
	awk '/^[ ]*[a-zA-Z_0-9]+:/ {
		match($0, /^ */); depth = RLENGTH / 2
		name = $1; sub(/:.*/, "", name); part[depth] = name
		path = part[0]; for (i = 1; i <= depth; i++) path = path "." part[i]
		value = $0; sub(/^[^:]*: */, "", value); sub(/ *# .*/, "", value); gsub(/"/, "", value)
		if (value != "" && value !~ /:$/) print path, value
	}' "$1"
}

"$lockstep" config import "$configs/gpgpusim.config" "$configs/gpgpusim.icnt" \
	-o "$out/a.yaml" 2>"$out/summary"
expect "import" [ $? = 0 ]
flat "$out/a.yaml" >"$out/a.flat"
while read -r path value; do
	if grep -qxF "$path $value" "$out/a.flat"; then ok; else
		not_ok "$path: expected $value, found $(grep "^$path " "$out/a.flat")"
	fi
done <<'END'
gpu.sms 15
gpu.partitions 12
gpu.interleave 256
gpu.core_mhz 700
gpu.shader_mhz 700
gpu.xbar_mhz 700
gpu.l2_mhz 700
gpu.dram_mhz 924
sm.max_threads 1536
sm.max_warps 48
sm.max_ctas 8
sm.registers 32768
sm.max_registers_per_cta 32768
sm.shared_bytes 49152
sm.schedulers 2
sm.scheduler.policy gto
sm.sp_units 2
sm.result_buses 2
sm.latency.int_add 7
sm.latency.int_mad 8
sm.latency.convert 7
sm.latency.fp_div 42
sm.latency.dp_max 22
sm.interval.int_div 8
sm.interval.dp_div 130
sm.l1d.sets 32
sm.l1d.ways 4
sm.l1d.line 128
sm.l1d.index fermi
sm.l1d.mshrs 64
sm.l1d.mshr_merge 8
sm.l1d.miss_queue 8
sm.l1d.sectors 1
sm.l1d.allocate on_miss
sm.l1d.write_local back
sm.l1d.write_global evict
sm.l1d.hit_latency 35
sm.constant.sets 64
sm.constant.line 64
sm.constant.allocate on_fill
sm.instruction.mshrs 2
sm.texture.ways 24
sm.shared_latency 26
xbar.flit 40
xbar.arbiter islip
xbar.voq true
xbar.iterations 2
l2.sets 64
l2.ways 8
l2.mshrs 256
l2.mshr_merge 4
l2.port_bytes 32
l2.fetch sectors
l2.request_queue 64
l2.dram_queue 32
l2.fill_queue 16
l2.reply_queue 8
dram.banks 16
dram.bank_groups 4
dram.bus_bytes 4
dram.row_bytes 2048
dram.mapping row:bank:column
dram.tCL 12
dram.tRC 40
dram.tWTR 5
dram.tCCDL 3
dram.tRTP 2
dram.tREFI 0
dram.reply_queue 116
dram.scheduler.policy fr_fcfs
END

# each line says where it comes from; what was left out stands at the end; each option is in one of the two
# counts
has() { expect "no '$2'" grep -qF -- "$2" "$1"; }
has "$out/a.yaml" "# -gpgpu_cache:dl1 $configs/gpgpusim.config:32"
has "$out/a.yaml" "# -flit_size $configs/gpgpusim.icnt:2"
has "$out/a.yaml" "# default"
has "$out/a.yaml" "-gpgpu_num_dp_units: 0: f64 goes through the SFUs there"
has "$out/a.yaml" "-power_simulation_enabled: power model"
has "$out/a.yaml" "-gpgpu_scheduler: said again later"
has "$out/a.yaml" "-ptx_opcode_latency_fp: 3 cycles more"
has "$out/summary" \
	"-gpgpu_shader_regsters: no option of GPGPU-Sim that is known here; did you mean gpgpu_shader_registers?"
options=$(($(grep -c '^-' "$configs/gpgpusim.config") + $(grep -c = "$configs/gpgpusim.icnt")))
expect "counts" awk -v options="$options" \
	'/carried over, [0-9]* not, 1 of them unknown/ { found = $2 + $6 == options } END {
		exit !found }' "$out/summary"

# the result loads, is the same on standard output, gives itself again, and runs
expect "the result loads" "$lockstep" config check "$out/a.yaml"
"$lockstep" config import "$configs/gpgpusim.config" "$configs/gpgpusim.icnt" >"$out/b.yaml" 2>/dev/null
expect "the same on standard output" cmp "$out/a.yaml" "$out/b.yaml"
"$lockstep" config show -c "$out/a.yaml" >"$out/c.yaml" && flat "$out/c.yaml" >"$out/c.flat"
expect "the same when it is loaded again" diff "$out/a.flat" "$out/c.flat"
verify "a run" run -c "$out/a.yaml" -- "$build/bench/polybench/atax" 130 70
expect "its statistics" grep -q '^gpu.cycles' "$out/run/stats.txt"

# forms of other versions, one at a time: WANTED OPTION VALUE
becomes() {
	printf '%s\n' "$2" >"$out/one.config"
	if "$lockstep" config import "$out/one.config" >"$out/one.yaml" 2>"$out/log" &&
		flat "$out/one.yaml" | grep -qxF "$1"; then ok; else
		not_ok "$2: expected $1"
		flat "$out/one.yaml" | grep "^${1% *} "
		log_tail
	fi
}
becomes "sm.l1d.sets 32" "-gpgpu_cache:dl1 32:128:4,L:L:m:N:H,A:32:8,8"
becomes "sm.l1d.enabled false" "-gpgpu_cache:dl1 none"
becomes "sm.l1d.sectors 4" "-gpgpu_cache:dl1 S:4:128:64,L:L:s:N:L,A:256:8,16:0,32"
becomes "sm.l1d.streaming true" "-gpgpu_cache:dl1 S:4:128:64,L:L:s:N:L,A:256:8,16:0,32"
becomes "sm.l1d.data_port_bytes 32" "-gpgpu_cache:dl1 S:4:128:64,L:L:s:N:L,A:256:8,16:0,32"
becomes "l2.fetch line" "-gpgpu_cache:dl2 64:128:8,L:B:m:W:L,A:32:4,4:0,32"
becomes "l2.index xor" "-gpgpu_cache:dl2 S:32:128:24,L:B:m:L:P,A:192:4,32:0,32"
becomes "sm.global_loads cg" "-gmem_skip_L1D 1"
becomes "sm.scheduler.two_level.active_warps 6" "-gpgpu_scheduler two_level_active:6:0:1"
becomes "sm.limiter.swl.warps 3" "-gpgpu_scheduler warp_limiting:2:3"
becomes "dram.banks 8" "-gpgpu_dram_timing_opt 8:2:8:12:25:10:35:10:7:6:11:1:0:0"
becomes "dram.tWR 11" "-gpgpu_dram_timing_opt 8:2:8:12:25:10:35:10:7:6:11:1:0:0"
becomes "dram.tCCDL 2" "-gpgpu_dram_timing_opt nbk=8:CCD=2:RRD=8:RCD=12:RAS=25:RP=10:RC=35:CL=10:WL=7:CDLR=6:WR=11"
becomes "dram.mapping row:group:bank^row:column" \
	"-gpgpu_dram_timing_opt nbk=16:nbkgrp=4 -dram_bnk_indexing_policy 1 -gpgpu_mem_addr_mapping dramid@8;00000000.00000000.0000RRRR.RRRRRRRR.BBBBCCCC.CCCSSSSS"
becomes "dram.mapping row:bank:column:bank2:column8" \
	"-gpgpu_mem_addr_mapping dramid@8;00000000.00000000.0000RRRR.RRRRRRRR.BBCCCCBB.CCCSSSSS -dram_bnkgrp_indexing_policy 1"
becomes "sm.max_registers_per_thread 255" "-gpgpu_compute_capability_major 7"
becomes "dram.write_high 28" "-dram_seperate_write_queue_enable 1 -dram_write_queue_size 32:28:16"
becomes "gpu.sms 30" "-gpgpu_n_clusters 10 -gpgpu_n_cores_per_cluster 3"
# values that are none of ours are left out, and said
becomes "l2.line 128" "-gpgpu_cache:dl2 16:256:8,L:B:m:W:L,A:16:4,4"
has "$out/one.yaml" "without l2.line = 256: expected 128"

# mistakes: MESSAGE TEXT
says() {
	printf '%s\n' "$2" >"$out/bad.config"
	refuses "$1" sh -c 'cd "$1" && "$2" config import bad.config -o bad.yaml' - "$out" "$command"
	expect "a bad file is left" [ ! -e "$out/bad.yaml" ]
}
command=$(realpath "$lockstep")
says "bad.config:2:21: error: -gpgpu_cache:dl1: expected a number: the line's bytes" "# one
-gpgpu_cache:dl1 32:x:4,L:L:m:N:H,A:32:8,8"
expect "no caret" sh -c 'sed -n 3p "$1" | grep -q "^ *| *^$"' - "$out/log"
says "bad.config:1:29: error: -gpgpu_cache:dl1: expected a write policy: one of RBTEL" \
	"-gpgpu_cache:dl1 32:128:4,L:Z:m:N:H,A:32:8,8"
says "bad.config:1:36: error: -gpgpu_cache:dl1: expected , and the kind of MSHRs" \
	"-gpgpu_cache:dl1 32:128:4,L:L:m:N:H"
says "bad.config:1:18: error: -gpgpu_scheduler: expected lrr, gto, old, two_level_active:... or warp_limiting:... (did you mean gto?)" "-gpgpu_scheduler gtt"
says "bad.config:2:3: error: -gpgpu_dram_timing_opt: expected the name of a timing (did you mean CCD?)" \
	'-gpgpu_dram_timing_opt "nbk=16:
  CCDK=3"'
says "expected : and the DRAM's MHz" "-gpgpu_clock_domains 700:700:700"
says "expected nothing more" "-gpgpu_shader_cta 8x"
says "expected a number" "-gpgpu_shader_cta eight"
says "expected 32: warps have 32 threads here" "-gpgpu_shader_core_pipeline 1024:16"
says "bad.config:1:1: error: expected an option, which begins with -" "gpgpu_n_clusters 15"
says "option -gpgpu_n_clusters has no value" "-gpgpu_n_clusters -gpgpu_n_mem 4"
says "the quotes are not closed" '-gpgpu_dram_timing_opt "nbk=16'
says "expected what a bit is: one of" "-gpgpu_mem_addr_mapping dramid@8;0000RRRR.RXRR"
says "bad.config:1:18: error: sm.l1d: index = fermi does not serve 3 sets" \
	"-gpgpu_cache:dl1 3:128:4,L:L:m:N:H,A:32:8,8"
refuses "no-such.config cannot be read: No such file or directory" "$lockstep" config import no-such.config
refuses "import which files?" "$lockstep" config import
refuses "-o belongs to import" "$lockstep" config show -o "$out/x"
refuses "import takes its files without -c" "$lockstep" config import -c gtx480 "$configs/gpgpusim.config"
refuses "/dev/full cannot be written" "$lockstep" config import "$configs/gpgpusim.config" -o /dev/full

finish
