#!/bin/sh
# tests/energymicro.sh BUILD -- the energy micro-benchmarks and lockstep energy characterise: results are
# right and wrong ones are noticed; each kernel exercises what its name says; and a fit to power that a known
# model gives for these kernels finds the model.
. tests/lib.sh
has() { grep -qE -e "$1" "$2"; }
program=$build/bench/energymicro
values() { "$lockstep" run -q -f -o "" --set gpu.sms=2 "$@"; }

some='*_8*' # 8 warps, 8 lanes
! sanitized || full || some='[es]*_8lanes'
answers 0 "PASS" values -- "$program" --only "$some"
answers 0 "PASS" values -c ga100 -- "$program" half_8lanes shuffle_8warps tensor_8warps
answers 0 "PASS" values -- "$program" roofline_0_full roofline_24_full
answers 1 "FAIL: roofline_4_full" values -- "$program" --only 'roofline_4_*' --break-reference 1
answers 3 "has none of these kernels" values -- "$program" tensor_full
answers 2 "no such kernel" values -- "$program" tensor
answers 2 "no kernel has such a name" values -- "$program" --only 'tense*'
# a chain of integers, one with a tolerance, memory of an SM, memory of the chip
for kernel in int_add_8lanes sin_8warps shared_write_2warps l2_read_2warps; do
	answers 1 "FAIL: $kernel" values -- "$program" $kernel --break-reference 1
done
answers 1 "FAIL: l2_write_2warps" values -- "$program" l2_write_2warps --break-reference 2
answers 1 "FAIL: atomic_8lanes" values -- "$program" atomic_8lanes --break-reference 2
answers 2 "there are not so many comparisons" values -- "$program" int_add_8lanes --break-reference 2

# Power as a meter says it, which here is one that always says the same; a row that is there is kept.
mkdir "$out/bin"
cat >"$out/bin/nvidia-smi" <<'END'
#!/bin/sh
case "$*" in
*--help-query-gpu*) echo power.draw.instant ;;
*--loop-ms=100) while :; do date '+%Y/%m/%d %T.%3N, 123.45, 1410, 50'; sleep 0.02; done ;;
*lock-gpu-clocks=* | *--reset-gpu-clocks) echo "$2" >>"$CALLS" ;;
*=name\ *) echo A card ;;
*=compute_cap\ *) echo 9.0 ;;
*) echo 7 ;;
esac
END
chmod +x "$out/bin/nvidia-smi"
measure() {
	CALLS=$out/calls BUILD=$build REPEAT=1 SECONDS_EACH=0.3 WARM_UP=0.1 IDLE_SECONDS=0.2 LOCK_MHZ=1410 \
		PATH=$out/bin:$PATH "$lockstep" run -q -f -o "" -- sh benchmarks/energymicro/measure.sh "$@" \
		>"$out/log" 2>&1
}
printf 'kernel,watts\nint_add_8warps,99\n' >"$out/kept.csv"
mkdir "$out/measured"
cp "$out/kept.csv" "$out/measured/power.csv"
measure -o "$out/measured" '[it]n*_add_8*'
expect "measure.sh: power of the kernel that was left" \
	has '^int_add_8lanes,123\.450,0\.000,0\.000,2,[0-9]+,1410,50$' "$out/measured/power.csv"
expect "a row that was there is kept" test "$(grep -c 8warps,99 "$out/measured/power.csv")" = 1
expect "idle power" has '^123\.450,' "$out/measured/idle.csv"
expect "the sensor as published" has 'power.draw.instant each 100 ms; .* mean of 25 ms' "$out/measured/card.txt"
expect "the clock is locked, and released" test "$(tr '\n' ' ' <"$out/calls")" = \
	"--lock-gpu-clocks=1410 --reset-gpu-clocks "
expect "no model is claimed" has "measured power and no model" "$out/log"
CALLS=/dev/null BUILD=$build sh benchmarks/energymicro/measure.sh -o "$out/none" 'fp_fma_*' >"$out/log" 2>&1
expect "without a card a dry run" has "a dry run; nothing is measured, and no model" "$out/log"
expect "its kernels and minutes" has " 15 kernels, 2 times .*: 1\.2 minutes" "$out/log"
expect "it writes nothing" test ! -e "$out/none"

# The columns of the model, and statistics as they are.
statistic() { printf '  - { name: %s, event: "%s", unit: %s, value: 0 }\n' "$1" "$2" "$3"; }
{
	cat configs/energy/gtx480.yaml
	statistic threads gpu.thread_instructions pJ
	statistic warps gpu.warp_instructions pJ
	for class in rcp sqrt log sin exp texture memory_shared memory_global memory_constant atomic; do
		statistic t_$class activity.thread_instructions::$class pJ
	done
	statistic w_shared activity.warp_instructions::memory_shared pJ
	statistic conflicts sm.shared_conflict_cycles pJ
	statistic l1_hits "sm.l1d.hits + sm.l1d.merged" pJ
	statistic l1_misses sm.l1d.misses pJ
	statistic l2_hits l2.hits pJ
	statistic l2_misses l2.misses pJ
	statistic row_hits dram.row_hits pJ
	statistic row_others "dram.row_misses + dram.row_conflicts" pJ
} >"$out/model.yaml"
only=''
if sanitized && ! full; then
	echo "note: energymicro: few kernels under the sanitizers, and no fit"
	only='l1_read_*'
fi
"$lockstep" energy characterise -c gtx480 --set gpu.sms=4 --repeat 1 --energy "$out/model.yaml" \
	${only:+--only "$only"} -o "$out/activity.csv" >"$out/log" 2>&1
expect "characterise" test $? = 0
sanitized && ! full && finish
expect "the last line" has "activity.csv: 164 kernels, .* columns, 7 left out, 0 failed" "$out/log"
expect "what no kernel exercises is named" has "0 in every row: half tensor" "$out/log"
for line in "leakage cannot be told apart from constant" "noc_flits cannot be told apart from l2_bytes and l2_look_ups" \
	"dram_bytes cannot be told apart from l2_fills"; do
	expect "$line" has "note: $line: a fit knows" "$out/log"
done
expect "$(grep condition "$out/log")" has "condition number of the other .*: [1-9][0-9](\.[0-9])?$" "$out/log"

# claim KERNEL EXPRESSION...: holds for the row of the kernel; columns are v["NAME"], rates are r("NAME")
claim() {
	awk -F , -v kernel="$1" "
		function share(a, b) { return a / (a + b) }
		FNR == 1 { for (i = 1; i <= NF; i++) name[i] = \$i; next }
		\$1 == kernel { for (i = 2; i <= NF; i++) v[name[i]] = \$i; found = 1 }
		END { exit !(found && ($2)) }" "$out/activity.csv"
	if [ $? = 0 ]; then ok; else not_ok "$1: $2"; fi
}
for class in int_add int_logic int_mul int_mad fp_add fp_mul fp_fma conversion move; do
	claim ${class}_full "v[\"$class\"] > 0.8 * v[\"threads\"]"
	claim ${class}_8lanes "v[\"$class\"] > 0.8 * v[\"threads\"]"
done
for class in dp_add dp_mul dp_fma; do # few, since the unit is slow
	claim ${class}_full "v[\"$class\"] > 0.5 * v[\"threads\"]"
done
for class in fp_fma_2regs fp_fma_1reg; do claim ${class}_full 'v["fp_fma"] > 0.8 * v["threads"]'; done
for class in rcp sqrt sin exp log; do claim ${class}_full "v[\"t_$class\"] > 0.5 * v[\"threads\"]"; done
for class in int_div fp_div dp_div; do # few, since each takes long
	claim ${class}_8warps "v[\"$class\"] > 0.2 * v[\"threads\"]"
done
claim branch_full 'v["control"] > 0.8 * v["threads"]'
claim divergent_full 'v["threads"] < 24 * v["warps"] && v["control"] + v["fp_fma"] > 0.8 * v["threads"]'
claim barrier_full 'v["control"] > 0.8 * v["threads"]'
claim exchange_full 'v["exchange"] > 0.25 * v["threads"]'
claim compare_full 'v["register_writes"] < 0.65 * v["threads"]'
claim int_add_full 'v["threads"] > 31 * v["warps"]'
claim int_add_8lanes 'v["threads"] < 8.5 * v["warps"]'
claim int_add_16lanes 'v["threads"] > 15 * v["warps"] && v["threads"] < 17 * v["warps"]'
claim int_add_1lane 'v["threads"] < 1.5 * v["warps"]'
claim int_add_1sm 'v["active_sm"] < 1'
claim int_add_halfchip 'v["active_sm"] > 1.5 && v["active_sm"] < 2'
claim int_add_full 'v["active_sm"] > 3'
# loads and stores: how much a lane's word costs
claim shared_read_full 'v["conflicts"] == 0 && v["t_memory_shared"] > 0.3 * v["threads"]'
claim shared_broadcast_full 'v["conflicts"] == 0'
claim shared_conflict2_full 'v["conflicts"] > 0.9 * v["w_shared"]'
claim shared_conflict2_full 'v["conflicts"] <= v["w_shared"]'
claim shared_conflict8_full 'v["conflicts"] > 0.8 * 7 * v["w_shared"]'
claim shared_conflict8_full 'v["conflicts"] <= 7 * v["w_shared"]'
claim shared_conflict32_full 'v["conflicts"] > 0.5 * 31 * v["w_shared"]'
claim shared_write_full 'v["conflicts"] == 0 && v["t_memory_shared"] > 0.4 * v["threads"]'
claim constant_full 'v["t_memory_constant"] > 0.3 * v["threads"] && v["l2_look_ups"] < 0.01 * v["warps"]'
claim texture_full 'v["t_texture"] > 0.2 * v["threads"] && v["texture_cache"] * 32 == v["t_texture"]'
claim texture_lines_full 'v["texture_cache"] == v["t_texture"]'
for kernel in l1_read_full l1_read_2warps l1_lines_full; do
	claim $kernel 'share(v["l1_hits"], v["l1_misses"]) > 0.98 && v["t_memory_global"] > 0.2 * v["threads"]'
done
for kernel in l1_fill_full l1_fill_2warps; do
	claim $kernel 'share(v["l1_misses"], v["l1_hits"]) > 0.95 && share(v["l2_hits"], v["l2_misses"]) > 0.95'
done
for kernel in l2_read_full l2_read_2warps l2_sectors_full atomic_full atomic_same_full; do
	claim $kernel 'v["l1_hits"] == 0 && share(v["l2_hits"], v["l2_misses"]) > 0.95 && v["l2_hits"] > 1000'
done
for kernel in l2_write_full l2_write_words_full; do
	claim $kernel 'v["dram_bytes"] < 0.05 * v["l2_bytes"] && v["l2_bytes"] > 1e6'
done
claim atomic_full 'v["t_atomic"] > 0.25 * v["threads"]'
claim dram_read_full 'share(v["l2_misses"], v["l2_hits"]) > 0.95 && v["dram_bytes"] > 0.95 * v["l2_bytes"]'
claim dram_write_full 'v["dram_bytes"] > 0.7 * v["l2_bytes"] && v["l2_misses"] < 1000'
claim dram_read_8warps 'share(v["row_hits"], v["row_others"]) > 0.7'
claim dram_random_8warps 'share(v["row_hits"], v["row_others"]) < 0.2 && v["row_others"] > 1000'

# Rates: more warps do more in a second.
rates() { # COLUMN KERNEL...: each higher than the one before
	awk -F , -v column="$1" -v kernels="$2 $3 $4" '
		FNR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
		{ for (i = 2; i <= NF; i++) if (name[i] == column) rate[$1] = $i / $3 }
		END {
			n = split(kernels, k, " ")
			for (i = 2; i <= n; i++)
				if (!(rate[k[i]] > 1.2 * rate[k[i - 1]]))
					exit 1
		}' "$out/activity.csv"
}
expect "steps of multiply-adds" rates fp_fma fp_fma_1warp fp_fma_2warps fp_fma_8warps
expect "steps of shared memory" rates shared_words shared_read_2warps shared_read_8warps shared_read_full
expect "steps of hits in the L1" rates l1_words l1_read_2warps l1_read_8warps l1_read_full

# Power by a model whose coefficients are off from the prior's by up to their errors, measured to within 1 %:
# the fit must find coefficients within 3 standard errors, and what the kernels tell apart much better than
# the prior has it.
awk -F , -v truth="$out/truth" '
	function normal(  s, i) { for (i = 0; i < 12; i++) s += rand(); return s - 6 }
	BEGIN { srand(20) }
	FNR == NR { # lines of the model, joined
		text = text $0 " "
		next
	}
	FNR == 1 {
		n = split(text, item, "- { name: ")
		for (i = 2; i <= n; i++) {
			name = item[i]; sub(/,.*/, "", name)
			value[name] = item[i]; sub(/.* value: /, "", value[name]); value[name] += 0
			error = item[i]
			if (!sub(/.* error: /, "", error)) error = 0
			value[name] += (error + 0) * (2 * rand() - 1)
			if (value[name] < 0) value[name] = 0
			watts[name] = item[i] ~ /unit: W/
			print name " " value[name] " " error + 0 >truth
		}
		for (i = 1; i <= NF; i++) column[i] = $i
		print "kernel,watts"
		next
	}
	{
		p = value["constant"]
		for (i = 4; i <= NF; i++)
			p += value[column[i]] * (watts[column[i]] ? $i : $i * 1e-12 / $3)
		printf "%s,%.6f\n", $1, p * (1 + 0.01 * normal())
	}' "$out/model.yaml" "$out/activity.csv" >"$out/power.csv"
"$lockstep" energy fit "$out/activity.csv" "$out/power.csv" --prior configs/energy/gtx480.yaml \
	>"$out/fit" 2>&1
expect "a fit with the prior" has "^fit: 164 kernels" "$out/fit"
awk -v known_names=" issue int_add int_mul int_mad fp_add fp_mul fp_fma special dp_fma conversion \
shared_words l1_words l2_bytes noc_flits dram_rows " '
	FNR == NR { truth[$1] = $2; error[$1] = $3; next }
	/^coefficient/ { table = 1; next }
	/ rows, / { table = 0 }
	table && ($1 in truth) {
		n++
		if (($3 - truth[$1]) ^ 2 > (3 * $4) ^ 2)
			print $1 ": " $3 " +- " $4 ", truth " truth[$1]
		else
			near++
		if (index(known_names, " " $1 " ") && $4 < 0.6 * error[$1])
			known++
	}
	END {
		print n " coefficients, " near " near, " known " known"
		exit !(n > 40 && near >= n - 1 && known == 15)
	}
	' "$out/truth" "$out/fit" >"$out/log"
found=$?
expect "coefficients are within 3 standard errors, and known: $(tail -n 3 "$out/log")" test $found = 0
finish
