#!/bin/sh
# tests/tune.sh BUILD -- lockstep tune on simulated chips as cards: whether it finds their parameters again.
# The base of each is the chip itself with another value in each parameter that is compared, so that none can
# come from there. What was measured is recorded (tests/tune/CHIP.csv; the first line of each says by which
# commit and command); FULL=1 measures it anew. Then from the recorded results of an H200, a measurement that
# is interrupted and goes on, and mistakes.
. tests/lib.sh

# flat FILE: "path value" of a configuration as `lockstep config show` prints it
flat() {
	awk '{
		match($0, /^ */)
		level = RLENGTH / 2
		split(substr($0, RLENGTH + 1), part, /: */)
		name[level] = part[1]
		sub(/ *#.*/, "", part[2])
		sub(/:$/, "", name[level])
		path = name[0]
		for (i = 1; i <= level; i++) path = path "." name[i]
		if (part[2] != "") print path, part[2]
	}' "$1"
}

# "tolerance in per cent: parameters". Of DRAM the latency of a load is compared, in the trial of the machine:
# a chain of loads falls in step with refresh, so that some values of dram.latency in a row give the same.
common="0: gpu.compute_major gpu.compute_minor gpu.sms gpu.partitions gpu.memory
0: gpu.max_grid_x gpu.copy_engines sm.max_threads sm.max_warps sm.max_ctas 
0: sm.registers sm.max_registers_per_cta sm.shared_bytes
0: sm.max_shared_per_cta sm.shared_reserved sm.schedulers sm.sp_units sm.int_units sm.sfu_units sm.dp_units
0: sm.shared_banks sm.shared_wide_load sm.shared_conflict_latency
0: sm.interval.int_add sm.interval.int_bits sm.interval.int_count sm.interval.int_max sm.interval.int_mul
0: sm.interval.int_mad sm.interval.fp_add sm.interval.fp_mul sm.interval.fp_mad
0: sm.interval.dp_add sm.interval.dp_mul sm.interval.dp_mad
0: sm.interval.sfu sm.interval.convert sm.interval.barrier
0: sm.l1d.sets sm.l1d.ways sm.l1d.line sm.l1d.sectors l2.sets l2.ways l2.banks l2.halves dram.bus_bytes
0.1: gpu.core_mhz gpu.shader_mhz gpu.dram_mhz
2: sm.latency.int_add sm.latency.int_bits sm.latency.int_max sm.latency.int_mul sm.latency.int_mad
2: sm.latency.int_div
2: sm.latency.fp_add sm.latency.fp_mul sm.latency.fp_mad sm.latency.fp_max sm.latency.sfu
2: sm.latency.dp_add sm.latency.dp_mul sm.latency.dp_mad sm.latency.barrier
2: sm.shared_latency sm.l1d.hit_latency sm.constant.hit_latency l2.rop_latency
5: sm.l1d.data_port_bytes xbar.flit l2.port_bytes"
gtx480="0: gpu.interleave
2: sm.latency.convert sm.latency.fp_div sm.latency.dp_div"
v100="0: gpu.interleave l2.fetch
2: sm.latency.dp_div"
a100="2: sm.latency.shuffle"

# compared CHIP: "path tolerance", a line each
compared() {
	{ echo "$common"; eval "echo \"\$$1\""; } | awk -F ': ' '{
		n = split($2, path, " ")
		for (i = 1; i <= n; i++) print path[i], $1 }'
}

# What cannot have another value: the line of the L1, for which the model has one; where textures and shared
# memory are in the L1, its sectors, and the size of shared memory, which stands in another parameter, too.
# Clocks of network and L2, of which the ratio to the SMs is the base's, go with the SMs'; that of DRAM is the
# one in whose cycles the base has times.
gtx480_kept="sm.l1d.line gpu.dram_mhz"
v100_kept="sm.l1d.line gpu.dram_mhz sm.l1d.sectors sm.shared_bytes"
a100_kept=$v100_kept

# spoil CHIP: a configuration with another value in each of them, in $out/CHIP-base.yaml
spoil() {
	eval "kept=\$$1_kept"
	sets=$(awk -v kept=" $kept " 'NR == FNR { wanted[$1]; next }
		(!($1 in wanted) && $1 !~ /xbar_mhz|l2_mhz/) || index(kept, " " $1 " ") { next }
		{ value = 2 * $2 + ($1 ~ /latency/ ? 3 : 0) }
		$2 == "true" { value = "false" }
		$2 == "false" { value = "true" }
		$2 == "pairs" { value = "sectors" }
		$1 ~ /_units$|schedulers$|major$|minor$|reserved$|conflict|wide_load|engines$|l2.banks|grid_x/ {
			value = $2 == 1 ? 2 : 1
		}
		$1 ~ /shared_banks$/ { value = 16 }
		$1 ~ /interval\.|_ctas$/ { value = $2 + 2 }
		$1 ~ /sectors$/ { value = $2 == 1 ? 4 : 1 }
		$1 ~ /memory$/ { value = 2 ^ 30 }
		$1 ~ /max_shared_per_cta$/ { value = $2 / 2 }
		$1 ~ /max_threads$/ { value = 1024 }
		$1 ~ /max_warps$/ { value = 32 }
		{ printf (value ~ /^[0-9.]+$/ ? " --set %s=%.12g" : " --set %s=%s"), $1, value }' \
		"$out/$1.compared" "$out/$1.flat")
	# shellcheck disable=SC2086
	"$lockstep" config show -c "$1" $sets >"$out/$1-base.yaml" 2>"$out/log"
}

chips=0 found=0 asked=0
names="gtx480 v100 a100"
if sanitized && ! full; then
	names=gtx480
	echo "note: tune: one chip under the sanitizers"
fi
for chip in $names; do
	chips=$((chips + 1))
	"$lockstep" config show -c $chip >"$out/$chip.yaml"
	flat "$out/$chip.yaml" >"$out/$chip.flat"
	compared $chip >"$out/$chip.compared"
	spoil $chip
	expect "$chip: another value in each parameter" [ -s "$out/$chip-base.yaml" ]
	csv=tests/tune/$chip.csv
	if full; then
		expect "$chip: measured" "$lockstep" tune -o "$out/$chip-full.yaml" -c $chip --no-trial
		csv=$out/$chip-full.csv
	fi
	answers 0 "^tune: 26 of 26 latencies of the machine within 2 % of the card's" "$lockstep" tune \
		-o "$out/$chip-tuned.yaml" --from "$csv" --base "$out/$chip-base.yaml"
	load=$(awk '/^latency load DRAM  / { print ($7 <= 2 && $7 >= -2) }' "$out/log")
	found=$((found + ${load:-0})) asked=$((asked + 1))
	"$lockstep" config show -c "$out/$chip-tuned.yaml" >"$out/now.yaml" 2>"$out/log"
	flat "$out/now.yaml" >"$out/now.flat"
	flat "$out/$chip-base.yaml" >"$out/base.flat"
	grep -v '^ *#' "$out/$chip-tuned.yaml" >"$out/written.yaml"
	flat "$out/written.yaml" >"$out/written.flat"
	awk -v chip=$chip -v kept=" $kept " '
		FILENAME ~ /compared$/ { tolerance[$1] = $2; asked++; next }
		FILENAME ~ /base.flat$/ { base[$1] = $2; next }
		FILENAME ~ /now.flat$/ { now[$1] = $2; next }
		FILENAME ~ /written.flat$/ { written[$1]; next }
		!($1 in tolerance) { next }
		{
			off = now[$1] == $2 ? 0 : $2 + 0 ? 100 * (now[$1] / $2 - 1) : 100
			if (!($1 in written)) print "not ok: " chip ": " $1 " is not told by a probe"
			else if (base[$1] == $2 && !index(kept, " " $1 " "))
				print "not ok: " chip ": " $1 " is not spoiled in the base"
			else if (off > tolerance[$1] || off < -tolerance[$1])
				print "not ok: " chip ": " $1 " is " now[$1] ", and the card has " $2
			else found++
		}
		END { print found + 0, asked }' "$out/$chip.compared" "$out/base.flat" "$out/now.flat" \
		"$out/written.flat" "$out/$chip.flat" >"$out/verdict"
	grep '^not ok' "$out/verdict"
	failed=$((failed + $(grep -c '^not ok' "$out/verdict")))
	counts=$(tail -n 1 "$out/verdict")
	found=$((found + ${counts% *})) asked=$((asked + ${counts#* }))
	passed=$((passed + ${counts% *}))
done

# The training rows of an H200 (validate/volta.sh says which): its machine is the base's but for these.
training() {
	grep '^#\|^name,' "$1"
	grep -v '^#\|^name,' "$1" | while IFS= read -r line; do
		sum=$(printf %s "${line%%,*}" | cksum)
		[ $((${sum%% *} % 3)) = 0 ] || echo "$line"
	done
}
training benchmarks/validate/h200-figures.csv >"$out/h200.csv"
answers 0 "all else of h[12]00$" "$lockstep" tune -o "$out/h200.yaml" \
	--from benchmarks/validate/h200-device.csv --from "$out/h200.csv" \
	--from benchmarks/validate/h200-curves.csv
"$lockstep" config show -c "$out/h200.yaml" >"$out/now.yaml" 2>"$out/log"
flat "$out/now.yaml" >"$out/now.flat"
for pair in sm.sp_units=4 sm.dp_units=2 sm.latency.int_max=4 sm.latency.convert_int=17 sm.shared_latency=23 \
	sm.l1d.hit_latency=31 gpu.partitions=96 l2.sets=320 dram.tCL=40 sm.interval.int_mad=2; do
	expect "h200: $pair, not $(grep "^${pair%=*} " "$out/now.flat")" \
		grep -qx "${pair%=*} ${pair#*=}" "$out/now.flat"
done

# Measured now: one topic, then another behind it; a second file of the same name is refused; interrupted.
answers 0 "^tune: 26 of 26 latencies" "$lockstep" tune -o "$out/now.yaml" -c v100 --probe latency
refuses "$out/now.csv is there already; --resume goes on with it" \
	"$lockstep" tune -o "$out/now.yaml" -c v100 --probe barrier
answers 0 "^tune: validate l1-rings: 31 rows" \
	"$lockstep" tune -o "$out/now.yaml" -c v100 --probe l1-rings --resume --no-trial
expect "the topics that were there are not measured again" [ "$(grep -c '^done ' "$out/now.csv")" = 3 ]
expect "the L1 of a V100 has 256 ways" grep -qx '    ways: 256' "$out/now.yaml"
"$lockstep" tune -o "$out/cut.yaml" -c v100 --probe barrier --probe slices >"$out/log" 2>&1 &
for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	! grep -q '^done micro barrier' "$out/cut.csv" 2>/dev/null || break
	sleep 0.4
done
kill -INT $!
wait $!
expect "interrupted" [ $? = 130 ]
expect "an interruption says how to go on" \
	grep -q "interrupted in slices; --resume goes on behind the topics that are in $out/cut.csv" "$out/log"
expect "what was whole is there" [ "$(grep -c '^done ' "$out/cut.csv")" = 2 ]

# Mistakes.
refuses "-o needs the name of a file that ends in .yaml" "$lockstep" tune
refuses "-o needs the name of a file that ends in .yaml" "$lockstep" tune -o chip.yml
refuses "--probe latncy: no such topic" "$lockstep" tune -o "$out/a.yaml" --probe latncy
refuses "--from measures nothing" "$lockstep" tune -o "$out/a.yaml" --from x.csv -c v100
refuses "$out/none.csv cannot be read" "$lockstep" tune -o "$out/a.yaml" --from "$out/none.csv"
printf 'name,value,unit\ndevice SMs,80,\nlatency int add,four,cycles\n' >"$out/word.csv"
refuses "$out/word.csv:3: error: value: 'four' is no finite number" \
	"$lockstep" tune -o "$out/a.yaml" --from "$out/word.csv"
printf 'name,value,unit\ndevice SMs,80\n' >"$out/short.csv"
refuses "$out/short.csv:2" "$lockstep" tune -o "$out/a.yaml" --from "$out/short.csv"
printf 'name,value,unit\nlatency int add,4,cycles\n' >"$out/few.csv"
refuses 'no row "device compute capability major"' "$lockstep" tune -o "$out/a.yaml" --from "$out/few.csv"
refuses "there is no file and no configuration v10; did you mean" "$lockstep" tune -o "$out/a.yaml" \
	--from "$out/few.csv" --base v10
if ldconfig -p 2>/dev/null | grep -q libcuda.so.1; then
	echo "note: tune: there is a CUDA driver here"
else
	refuses "there is no CUDA driver here (libcuda.so.1 is not found); -c CONFIG takes a simulated chip" \
		env -u LD_LIBRARY_PATH "$lockstep" tune -o "$out/a.yaml"
fi

echo "tune: $chips chips, $found parameters found again of $asked"
finish
