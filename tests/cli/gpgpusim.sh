#!/bin/sh
# --stats-style gpgpusim: the lines that scripts for GPGPU-Sim search for, found by the expressions with which
# they do, carry the numbers of stats.txt; those of kernels add up to the totals; nothing else changes; what
# is wrong ends in clear messages.
. tests/lib.sh
host='gpgpu_simulation_|gpgpu_silicon_slowdown|gpu_total_sim_rate'

# numbers STDOUT: what Accel-Sim's expressions (stats/example_stats.yml) and others' find, as "KERNEL NAME
# VALUE"; kernel 0: the block at the end
cat >"$out/lines" <<'END'
gpu_sim_cycle = *(.*)	kernel	gpu.cycles
gpu_sim_insn = *(.*)	kernel	gpu.thread_instructions
gpu_ipc *= *(.*)	kernel	gpu.ipc
gpu_tot_sim_cycle *= *(.*)	total	gpu.cycles
gpu_tot_sim_insn *= *(.*)	total	gpu.thread_instructions
gpu_tot_ipc *= *(.*)	total	gpu.ipc
gpu_tot_issued_cta = ([0-9]+)	total	sm.ctas
gpgpu_n_tot_w_icount *= *(.*)	total	sm.warp_instructions
gpgpu_n_mem_read_global = ([0-9]+)	total	observe.l2.requests::global_read
gpgpu_n_shmem_bkconflict = ([0-9]+)	total	sm.shared_conflict_cycles
gpgpu_stall_shd_mem\[s_mem\]\[bk_conf\] *= *(.*)	total	sm.shared_conflict_cycles
gpgpu_stall_shd_mem\[gl_mem\]\[resource_stall\] *= *(.*)	total	sm.lsu_stall_cycles
	Total_core_cache_stats_breakdown\[GLOBAL_ACC_R\]\[HIT\] *= *(.*)	total	sm.l1d.hits
	Total_core_cache_stats_breakdown\[GLOBAL_ACC_R\]\[HIT_RESERVED\] *= *(.*)	total	sm.l1d.merged
	Total_core_cache_stats_breakdown\[GLOBAL_ACC_R\]\[MISS\] *= *(.*)	total	sm.l1d.misses
	Total_core_cache_stats_breakdown\[GLOBAL_ACC_W\]\[TOTAL_ACCESS\] *= *(.*)	total	sm.l1d.stores
	Total_core_cache_stats_breakdown\[INST_ACC_R\]\[TOTAL_ACCESS\] *= *(.*)	total	sm.instruction.accesses
	L2_cache_stats_breakdown\[GLOBAL_ACC_R\]\[HIT\] *= *(.*)	total	observe.l2.global_read::hit
	L2_cache_stats_breakdown\[GLOBAL_ACC_R\]\[TOTAL_ACCESS\] *= *(.*)	total	observe.l2.global_read::total
	L2_cache_stats_breakdown\[GLOBAL_ACC_W\]\[TOTAL_ACCESS\] *= *(.*)	total	observe.l2.global_write::total
	L1I_total_cache_misses = ([0-9]+)	total	sm.instruction.misses
total dram reads *= *(.*)	total	dram.read_bursts
total dram writes *= *(.*)	total	dram.write_bursts
icnt_total_pkts_simt_to_mem=([0-9]+)	total	xbar.request.flits
icnt_total_pkts_mem_to_simt=([0-9]+)	total	xbar.reply.flits
END

# compare STDOUT STATS.txt KERNELS: each expression finds in each kernel's block, and what is total in the
# block at the end too, the statistic's value
cat >"$out/compare.awk" <<'END'
BEGIN { FS = "\t" }
FILENAME == wanted {
	if (split($0, f, "\t") == 4) { f[1] = "\t" f[2]; f[2] = f[3]; f[3] = f[4] }
	n++; regexp[n] = f[1]; scope[n] = f[2]; name[n] = f[3]
	next
}
FILENAME == stats {
	if ($0 ~ /Begin Simulation Statistics/) {
		section = $0 ~ /total of/ ? "total" : $0 ~ /# kernel/ ? ++sections : ""
		next
	}
	split($0, g, " ")
	if (section != "") value[section, g[1]] = g[2]
	next
}
/^kernel_name *= *.*/ { kernel++ }
/^GPGPU-Sim: \*\*\* exit detected \*\*\*/ { ended++ }
/^gpgpu_simulation_time *=.*\([0-9]+ sec\).*/ { blocks++ }
{
	for (i = 1; i <= n; i++)
		if (match($0, "^" regexp[i] "$")) {
			number = $0
			sub(/^[^=]*= */, "", number)
			found[blocks + 1, i] = number
		}
}
function near(a, b) { return a == b || (a - b < 6e-5 && b - a < 6e-5) }
END {
	if (ended != 1 || kernel != sections || blocks != kernel + 1) {
		print "blocks: " blocks ", kernels: " kernel " of " sections ", ends: " ended
		bad = 1
	}
	for (i = 1; i <= n; i++) {
		sum = 0
		for (k = 1; k <= kernel; k++) {
			if (found[k, i] == "") {
				print "kernel " k ": nothing found by " regexp[i]
				bad = 1
				continue
			}
			v = value[k, name[i]]
			if (v == "") { print "no statistic " name[i]; bad = 1 }
			sum += v
			if (scope[i] == "total" && name[i] ~ /ipc/) continue # no sum
			if (!near(found[k, i], scope[i] == "kernel" ? v : sum)) {
				print "kernel " k ": " regexp[i] " says " found[k, i] \
					", stats.txt " name[i] " " v " (" sum ")"
				bad = 1
			}
			compared++
		}
		v = value["total", name[i]]
		if (scope[i] != "kernel" && !near(found[kernel + 1, i], v)) {
			print "at the end: " regexp[i] " says " found[kernel + 1, i] ", stats.txt " v
			bad = 1
		}
	}
	print compared
	exit bad || compared < want
}
END
compare() { awk -v wanted="$out/lines" -v stats="$2" -v want=$((24 * $3)) \
	-f "$out/compare.awk" "$out/lines" "$2" "$1"; }

# case_of LABEL KERNELS OPTIONS -- PROGRAM
case_of() {
	label=$1; kernels=$2; shift 2
	"$lockstep" run -q -o "$out/off" --stats-launches all "$@" >"$out/plain" 2>&1 ||
		{ not_ok "$label"; tail -n 3 "$out/plain"; return; }
	"$lockstep" run -q -o "$out/on" --stats-style gpgpusim --stats-launches all "$@" >"$out/stdout" 2>"$out/err" ||
		{ not_ok "$label in the style"; tail -n 3 "$out/err"; return; }
	expect "$label: numbers" compare "$out/stdout" "$out/on/stats.txt" "$kernels"
	grep -vxFf "$out/on/gpgpusim.txt" "$out/stdout" >"$out/own"
	expect "$label: the program's own output" sh -c 'cmp "$1" "$2"' sh "$out/plain" "$out/own"
	grep -v '^observe' "$out/on/stats.txt" >"$out/stats"
	expect "$label: stats.txt changes" same_statistics "$out/off/stats.txt" "$out/stats"
}

case_of atax 2 -- "$build/bench/polybench/atax" 130 70
cp -r "$out/on" "$out/atax"; cp "$out/stdout" "$out/atax.out"
case_of "bfs, many kernels" 10 -- "$build/bench/rodinia/bfs" 700
case_of "gemm in the torture configuration" 1 -c tests/configs/torture.yaml \
	-- "$build/bench/polybench/gemm" 40
case_of "a divergent kernel" 1 -- "$build/bench/sdk/histogram" 6001

# what is worked out of several statistics
value() { total atax "$1"; }
line() { grep -E "$1" "$out/atax/gpgpusim.txt" | tail -n 1; }
near() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(d < 6e-4 && d > -6e-4) }'; }
equal() { # LABEL VALUE EXPECTED
	if [ -n "$2" ] && near "$2" "$3"; then ok; else not_ok "$1: $2, expected $3"; fi
}
equal gpu_tot_occupancy "$(line '^gpu_tot_occupancy = .*% $' | sed 's/.*= \(.*\)%.*/\1/')" \
	"$(awk -v a="$(value sm.warp_cycles)" -v b="$(value observe.occupancy.warp_slots)" \
		'BEGIN { print 100 * a / b }')"
equal L2_BW_total "$(line '^L2_BW_total *= *.*GB\/Sec' | sed 's/.*= *\(.*\) GB.*/\1/')" \
	"$(awk -v a="$(value l2.reply_bytes)" -v b="$(value l2.store_bytes)" -v t="$(value gpu.picoseconds)" \
		'BEGIN { print 1000 * (a + b) / t }')"
equal L1D_total_cache_accesses "$(line L1D_total_cache_accesses | sed 's/.*= //')" \
	"$(($(value sm.l1d.hits) + $(value sm.l1d.misses) + $(value sm.l1d.merged) + $(value sm.l1d.stores)))"
# accesses LINES PATTERN: what the last lines of the pattern say, added up
accesses() {
	grep "$2" "$out/atax/gpgpusim.txt" | tail -n "$1" | sed 's/.*Access = \([0-9]*\).*/\1/' |
		awk '{ sum += $1 } END { print sum }'
}
equal "L1D by SM" "$(accesses 15 'L1D_cache_core\[')" \
	"$(line L1D_total_cache_accesses | sed 's/.*= //')"
l2_requests=$(($(value observe.l2.global_read::total) + $(value observe.l2.global_write::total)))
l2_requests=$((l2_requests + $(value observe.l2.instruction_read::total)))
equal L2_total_cache_accesses "$(line '^L2_total_cache_accesses' | sed 's/.*= //')" \
	"$l2_requests"
equal "L2 by slice" "$(accesses 12 '^L2_cache_bank\[')" \
	"$(line '^L2_total_cache_accesses' | sed 's/.*= //')"
equal "bytes answered: sectors at the L2" \
	"$((32 * l2_requests))" \
	"$(($(value l2.reply_bytes) + $(value l2.store_bytes)))"
equal "lines of DRAM channels" "$(grep -c '^DRAM\[[0-9]*\]: .* bks, busW=' "$out/atax/gpgpusim.txt")" 36
equal "n_rd of all channels" \
	"$(grep -oE ' n_rd=[0-9]+' "$out/atax/gpgpusim.txt" | tail -n 12 |
		awk -F= '{ s += $2 } END { print s }')" "$(value dram.read_bursts)"
equal "commands and n_nop are n_cmd" \
	"$(grep -E '^n_cmd=' "$out/atax/gpgpusim.txt" | sed 's/[a-z_]*=//g' |
		awk '{ bad += $1 != $2 + $3 + $4 + $5 + $7 + $8 } END { print bad + 0 }')" 0
distribution=$(line '^Stall:[0-9]+.W0_Idle:[0-9]+.W0_Scoreboard:[0-9]+' | tr '\t' '\n' | awk -F: '/^W[1-9]/ {
	w += $2; next } { s += $2 } END { print w, s }')
equal "W1 to W32" "${distribution% *}" "$(value sm.warp_instructions)"
equal "slots" "$((${distribution#* } + $(value sm.issue_slots::issued)))" "$(value observe.occupancy.slots)"
expect "program, kernel, program" \
	sh -c 'awk "/^atax: 130x70 on/ { a = NR } /^kernel_name = atax1/ { b = NR }
	/^kernel_name = atax2/ { c = NR } /PASS/ { d = NR } /exit detected/ { e = NR }
	END { exit !(a && a < b && b < c && c < d && d < e) }" "$1"' sh "$out/atax.out"

# every name is explained
sed 's/^[	 ]*//; s/\[[0-9]*\].*//; s/ *[:=].*//' "$out/atax/gpgpusim.txt" |
	grep -E '^[A-Za-z]+_[A-Za-z_]+$' | sort -u >"$out/names"
awk -v doc=docs/user/gpgpusim.md 'BEGIN { while ((getline line < doc) > 0) text = text line } {
	name = $0; sub(/_(total_cache|cache_core|cache_bank).*/, "", name); sub(/_(total|R|W)$/, "", name);
		sub(/_(read|write)_(local|global)$/, "", name); sub(/_(texture|const)$/, "", name)
	if (name ~ /^(L1[ICT]|L1D|L1._cache|L2_cache|L2_total_cache_breakdown|Total_core_cache_stats)$/) next
	if (!index(text, name)) { print "not in docs/user/gpgpusim.md: " $0; bad = 1 } n++ } END {
		exit bad || n < 25 }' "$out/names" >"$out/log" && ok ||
			{ not_ok "names"; head -n 3 "$out/log"; }

# the same for any number of threads, through the environment, without a folder; nothing by default; names
# alone without timing
"$lockstep" run -q -o "$out/two" --threads 2 --stats-style gpgpusim --stats-launches all -- "$build/bench/polybench/atax" 130 70 \
	>"$out/stdout" 2>&1
for dir in atax two; do grep -vE "$host" "$out/$dir/gpgpusim.txt" >"$out/$dir.lines"; done
expect "two threads" cmp "$out/atax.lines" "$out/two.lines"
LOCKSTEP_STATS_STYLE=gpgpusim LOCKSTEP_STATS_LAUNCHES=all LOCKSTEP_QUIET=1 LD_LIBRARY_PATH="$build/lib" "$build/bench/polybench/atax" \
	130 70 >"$out/stdout" 2>&1
grep -vE "$host" "$out/stdout" | grep -v '^atax' >"$out/env.lines"
expect "environment, no folder" cmp "$out/atax.lines" "$out/env.lines"
"$lockstep" run -q -o "$out/gem5" --stats-style gem5 -- "$build/bench/polybench/atax" 130 70 \
	>"$out/stdout" 2>&1
if ! grep -q gpu_sim_cycle "$out/stdout" && [ ! -e "$out/gem5/gpgpusim.txt" ]; then ok; else not_ok "gem5"; fi
"$lockstep" run -q -f -o "$out/fun" --stats-style gpgpusim --stats-launches all -- "$build/bench/polybench/atax" 130 70 \
	>"$out/stdout" 2>&1
if grep -q '^gpu_tot_sim_insn = [1-9]' "$out/fun/gpgpusim.txt" &&
	grep -q '^kernel_name = atax2' "$out/stdout" &&
	! grep -q -e cycle -e ipc -e nan "$out/fun/gpgpusim.txt"; then ok; else not_ok "functional"; fi
launch() { "$lockstep" launch benchmarks/peer/ptx/vecadd.ptx vecadd --grid 4 --block 256 "$@"; }
launch -q -o "$out/fault" --stats-style gpgpusim --stats-launches all --arg u64=8 --arg u64=8 --arg u64=8 --arg s32=1024 \
	>"$out/stdout" 2>&1
if grep -q '^kernel_name = vecadd' "$out/stdout" &&
	! grep -q 'exit detected' "$out/stdout"; then ok; else
	not_ok "a fault is no exit"
	head -n 3 "$out/stdout"
fi

# without --stats-launches the block at the end alone, which is the same, and a line that says so
"$lockstep" run -q -o "$out/whole" --stats-style gpgpusim -- "$build/bench/polybench/atax" 130 70 \
	>"$out/stdout" 2>"$out/log"
grep -vE "$host" "$out/whole/gpgpusim.txt" >"$out/whole.lines"
tail -n "$(wc -l <"$out/whole.lines")" "$out/atax.lines" >"$out/end.lines"
expect "the whole run" cmp "$out/end.lines" "$out/whole.lines"
expect "there is no kernel in it" sh -c '! grep -q -e ^kernel_name -e "^gpu_sim_cycle" "$1"' - "$out/whole.lines"
expect "it says how to get them" grep -q 'with --stats-launches all of each kernel launch, too$' "$out/log"

# mistakes
refuses "--stats-style gpgpu-sim: expected gem5 or gpgpusim (did you mean gpgpusim?)" \
	launch --stats-style gpgpu-sim -o "$out/e"
refuses "--stats-style csv: expected gem5 or gpgpusim" "$lockstep" run --stats-style csv \
	-- "$build/bench/polybench/atax" 130 70
refuses "a new file in the output folder" launch --stats-style gpgpusim --set dram.trace=gpgpusim.txt \
	-o "$out/e" --arg f32=1

finish
