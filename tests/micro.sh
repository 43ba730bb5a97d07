#!/bin/sh
# tests/micro.sh BUILD -- the micro-benchmarks: values are right in every mode, and what they measure is what
# the configuration in effect declares: latencies, intervals, banks, read from the config.yaml of the run,
# under two configurations.
. tests/lib.sh


# measure NAME options... -- topics...: the figures go to $out/NAME.csv, the configuration to
# $out/NAME/config.yaml
measure() {
	name=$1; shift
	options=
	while [ "$1" != -- ]; do options="$options $1"; shift; done
	shift
	if "$lockstep" run -q -o "$out/$name" --set gpu.sms=1 $options -- "$build/bench/micro" --csv "$@" \
		>"$out/$name.csv" 2>"$out/log" && grep -q PASS "$out/log"; then
		ok
	else
		not_ok "micro $* under $options"
		tail -n 3 "$out/log"
	fi
}

# judge NAME: figures against the configuration; a line for each that is wrong, then how many are right.
judge() {
	awk '
		FNR == NR {    # config.yaml: nesting by indentation, two blanks a level
			match($0, /^ */)
			level = RLENGTH / 2
			split(substr($0, RLENGTH + 1), part, /: */)
			path[level] = part[1]
			sub(/ *#.*/, "", part[2])
			key = path[0]
			for (i = 1; i <= level; i++)
				key = key "." path[i]
			c[key] = part[2]
			next
		}
		FNR == 1 { split("", v); next }
		{ split($0, f, ","); v[f[1]] = f[3]; count++ }
		function expect(name, value, tolerance) {
			if (!(name in v))
				print "not ok " name ": not measured"
			else if (v[name] - value > tolerance || value - v[name] > tolerance)
				print "not ok " name ": " v[name] ", the configuration says " value
			else
				right++
		}
		# cycles for one link of a chain: to within the second digit behind the point
		function latency(name, class) {
			expect("latency " name, ratio * c["sm.latency." class], 0.005)
		}
		# results for a shader cycle: units, or the schedulers if those are slower
		function throughput(name, units, class,  rate) {
			rate = c["sm." units "_units"] / c["sm.interval." class]
			if (rate > c["sm.schedulers"])
				rate = c["sm.schedulers"]
			expect("throughput " name, 32 * rate / ratio, 0.02 * 32 * rate / ratio)
		}
		function gcd(a, b) { return b ? gcd(b, a % b) : a }
		END {
			ratio = int(c["gpu.shader_mhz"] / c["gpu.core_mhz"] + 0.5)
			if (ratio < 1)
				ratio = 1
			latency("int add", "int_add"); latency("int logic", "int_add")
			latency("int shift", "int_bits"); latency("int max", "int_max")
			latency("int mul", "int_mul"); latency("int mad", "int_mad")
			latency("int div", "int_div"); latency("f32 add", "fp_add")
			latency("f32 mul", "fp_mul"); latency("f32 mad", "fp_mad")
			latency("f32 max", "fp_max"); latency("f32 div", "fp_div")
			latency("sfu rcp", "sfu"); latency("sfu sin", "sfu"); latency("sfu sqrt", "sfu")
			latency("convert", "convert"); latency("f64 add", "dp_add")
			latency("f64 mul", "dp_mul"); latency("f64 mad", "dp_mad")
			latency("f64 div", "dp_div")
			throughput("int add", "sp", "int_add"); throughput("int logic", "sp", "int_add")
			throughput("int min max", "sp", "int_max"); throughput("int shift", "sp", "int_bits")
			throughput("int bit field", "sp", "int_bits")
			throughput("int popc", "sp", "int_count")
			throughput("int mul", "sp", "int_mul"); throughput("int mad", "sp", "int_mad")
			throughput("int sad", "sp", "int_bits"); throughput("f32 add", "sp", "fp_add")
			throughput("f32 mul", "sp", "fp_mul"); throughput("f32 mad", "sp", "fp_mad")
			throughput("convert", "sp", "convert"); throughput("sfu rcp", "sfu", "sfu")
			throughput("f64 add", "dp", "dp_add"); throughput("f64 mul", "dp", "dp_mul")
			throughput("f64 mad", "dp", "dp_mad")
			# lanes that share a bank: gcd of stride and banks, as long as 32 lanes go round
			for (s = 1; s <= 32; s++)
				expect("shared stride " s, ratio * gcd(s, 32), 0.02 * ratio * gcd(s, 32))
			wide = 32 / (4 * (1 + c["sm.shared_wide_load"])) / ratio
			expect("shared load 128-bit", wide, 0.02 * wide)
			expect("shared load 64-bit", 16 / ratio, 0.02 * 16 / ratio)
			for (n = 1; n <= 32; n *= 2)
				expect("constant " n " distinct words", ratio * n, 0.02 * ratio * n)
			one = v["issue f32 mul: 16 even warps"]
			expect("issue f32 mul: 16 even warps", 32 / ratio / c["sm.interval.fp_mul"],
				0.64 / ratio)
			expect("issue f32 mul: 16 warps", 2 * one, 0.04 * one)
			print right + 0
		}' "$out/$1/config.yaml" "$out/$1.csv" >"$out/verdict"
	grep '^not ok' "$out/verdict" | sed "s/^not ok/not ok $1:/"
	failed=$((failed + $(grep -c '^not ok' "$out/verdict")))
	passed=$((passed + $(tail -n 1 "$out/verdict")))
}

# Loose round robin: the last warps are not left alone in the end, so that rates are those of the steady
# state.
topics="latency throughput issue shared constant"
timed=
if sanitized && ! full; then timed=constant; echo "note: micro: right values alone under the sanitizers"; else
measure fermi -c configs/gtx480.yaml --set sm.scheduler.policy=lrr -- $topics
judge fermi
# The instruction cache is off: at twice the SM clock, misses of the long loops would cost more than 2 %.
measure other -c configs/gtx480.yaml --set sm.scheduler.policy=lrr --set gpu.core_mhz=1401 \
	--set sm.latency.int_add=13 --set sm.latency.int_bits=7 --set sm.latency.sfu=31 \
	--set sm.latency.dp_mad=40 --set sm.interval.fp_mad=3 --set sm.interval.int_bits=4 --set sm.interval.int_count=5 \
	--set sm.sfu_units=2 --set sm.shared_wide_load=0 --set sm.instruction.enabled=false -- $topics
judge other
fi

# values in every mode, all topics
measure gto --set sm.scheduler.policy=gto -- $timed banks occupancy l1 barrier divergence control
measure functional --functional \
	-- latency throughput issue banks shared constant l1 barrier divergence control
measure torture -c tests/configs/torture.yaml -- latency l1 divergence control

# lanes: each latency is that of its class
measure hopper -c configs/h200.yaml -- lanes
for pair in "mul high:int_high" "s32 to f32:convert" "f32 to s32:convert_int" "f32 to f16x2:convert_half" \
	"bit reverse:int_count" "shuffle:shuffle" "match:match" "reduce:reduce"; do
	class=${pair#*:}
	if awk -v name="lanes latency ${pair%:*}" -v class="$class:" '
		FNR == NR { if ($1 == "latency:") inside = 1; if (inside && $1 == class) { want = $2; inside = 0 } next }
		{ split($0, f, ",") }
		f[1] == name && want && f[3] - want < 0.05 && want - f[3] < 0.05 { found = 1 }
		END { exit !found }' "$out/hopper/config.yaml" "$out/hopper.csv"; then
		ok
	else
		not_ok "micro lanes: ${pair%:*} has not the latency of its class ($class)"
	fi
done

"$lockstep" run -q -o "$out/wrong" -- "$build/bench/micro" latncy >"$out/log" 2>&1
if grep -q "micro: latncy: no such topic" "$out/log"; then ok; else not_ok "a topic that does not exist"; fi

finish
