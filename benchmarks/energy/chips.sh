#!/bin/sh
# benchmarks/energy/chips.sh BUILD -- what the energy models of configs/energy say of their chips, beside
# published power: the tables of docs/results/energy-chips.md, on standard output. What it ran stays in
# BUILD/energy-chips and is not run again: remove it to begin anew. A quarter of an hour of a processor.
set -eu
build=${1:?usage: benchmarks/energy/chips.sh BUILD}
lockstep=$build/bin/lockstep
out=$build/energy-chips
here=$(dirname "$0")
mkdir -p "$out"

# run MACHINE MODEL NAME PROGRAM...: statistics in $out/NAME
run() {
	machine=$1 model=$2 name=$3
	shift 3
	[ ! -f "$out/$name/done" ] || return 0
	rm -rf "${out:?}/$name"
	# shellcheck disable=SC2086
	"$lockstep" run -q --stats-launches all -c $machine --energy "$model" -o "$out/$name" -- "$@" \
		>"$out/$name.log" 2>&1 || { echo "FAILED $name: $(tail -n 1 "$out/$name.log")" >&2; return 0; }
	touch "$out/$name/done"
}

# last NAME: names and values of the last launch. The first of two warms the caches.
last() {
	awk '/Begin Simulation Statistics/ { if (!/# kernel/) exit; delete value }
		/^[a-z]/ { value[$1] = $2 }
		END { for (name in value) print name, value[name] }' "$out/$1/stats.txt"
}

# watts NAME: the estimate with its interval
watts() {
	if [ -f "$out/$1/done" ]; then
		last "$1" | awk '{ v[$1] = $2 } END {
			printf "%.0f +- %.0f", v["energy.watts"], v["energy.watts_interval"] }'
	else
		echo "-"
	fi
}

# idle MODEL SMS: the board with clocks at their highest and nothing to do
idle() {
	"$lockstep" energy show "$1" | awk -v sms="$2" '
		$1 == "constant" { sum += $4; squares += $5 ^ 2 }
		$1 == "idle_sm" { sum += $4 * sms; squares += ($5 * sms) ^ 2 }
		END { printf "%.0f +- %.0f", sum, 1.96 * sqrt(squares) }'
}

sgemm="$build/bench/parboil/sgemm"

# chip MACHINE MODEL SMS TDP IDLE GEMM...
chip() {
	machine=$1 model=$2 sms=$3 tdp=$4 published=$5
	shift 5
	run "$machine" "$model" "$machine-fma" "$build/bench/energymicro" --repeat 4 fp_fma_full
	run "$machine" "$model" "$machine-stream" "$build/bench/energymicro" --repeat 4 dram_read_full
	run "$machine" "$model" "$machine-gemm" "$@"
	echo "| $machine | $(idle "$model" "$sms") | $published | $(watts "$machine-fma") |" \
		"$(watts "$machine-stream") | $(watts "$machine-gemm") | $tdp |"
}

echo "| chip | idle, W | published | multiply-adds, W | stream, W | product of matrices, W | board's limit, W |"
echo "|---|---:|---:|---:|---:|---:|---:|"
chip p100 p100 56 "300 (SXM2)" "35" "$sgemm" 1024 1024 512
chip titanx titanx 28 250 "10 to 15, low clocks" "$sgemm" 1024 1024 512
chip v100 gv100 80 "250 (Quadro GV100), 300 (SXM2)" "38 to 53; 53 to 66 in use" "$sgemm" 1024 1024 512
chip rtx2060s rtx2060s 34 175 "10.4, low clocks" "$sgemm" 1024 1024 512
chip a100 a100 108 400 "42 to 62" "$build/bench/ai/gemm-f16" 2048 2048 2048
chip h100 h100 132 700 "68 to 74; 140 to 145 in use" "$build/bench/ai/gemm-pingpong" 2048 2048 2048
chip h200 h200 132 700 "70 to 78; 120 at full clocks" "$build/bench/ai/gemm-pingpong" 2048 2048 2048

# roofline CHIP MACHINE: measured and estimated power of a sweep of operations a byte
steps="0 1 4 24 40 56 72 96 128 200 256 400"
sweep() {
	for n in $steps; do
		run "$2" "$1" "$1-roofline-$n" "$build/bench/energymicro" "roofline_${n}_full"
	done
}
sweep a100 "a100 --set gpu.dram_mhz=1215" # the measured ones have 40 GB
sweep h200 h200
roofline() {
	for n in $steps; do
		measured=$(awk -F , -v chip="$1" -v n="$n" '$1 == chip && $4 == n' "$here/published/roofline.csv")
		if [ -z "$measured" ] || [ ! -f "$out/$1-roofline-$n/done" ]; then continue; fi
		last "$1-roofline-$n" | awk -v row="$measured" -v chip="$1" -v steps="$n" '
			{ v[$1] = $2 }
			END {
				split(row, m, ",")
				ps = v["energy.picoseconds"]
				printf "%s %d %.2f %.0f %.0f %.0f %.1f %.1f %.0f %.0f %.0f %.0f\n", chip, steps, m[5],
					m[6], m[7], m[9], v["energy.watts"], v["energy.watts_interval"],
					1000 * v["dram.bytes"] / ps,
					2000 * v["activity.thread_instructions::fp_fma"] / ps,
					v["energy.component::dram"] / ps, v["energy.component::noc"] / ps
			}'
	done
}
{ roofline a100; roofline h200; } >"$out/roofline.txt"
echo
awk '
	BEGIN {
		print "| chip | operations a byte | measured: GB/s | GFLOP/s | W | model: GB/s | GFLOP/s | W, 95 % | off |"
		print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
	}
	{
		off = 100 * ($7 / $6 - 1)
		printf "| %s | %.2f | %d | %d | %d | %d | %d | %.0f +- %.0f | %+.0f %% |\n", $1, $3, $4, $5, $6, $9, $10,
			$7, $8, off
		sum[$1] += off < 0 ? -off : off; n[$1]++; held[$1] += $6 >= $7 - $8 && $6 <= $7 + $8
	}
	END {
		print ""
		for (chip in n)
			printf "%s: %d points, %.1f %% off in the mean; the interval holds %d\n", chip, n[chip],
				sum[chip] / n[chip], held[chip]
	}' "$out/roofline.txt"

# Synthetic chips: drawn about the model by its errors, those of a coefficient and of a scale once for all
# kernels of a chip, the model's own once for each kernel.
for chip in a100 h200; do
	for n in $steps; do
		[ ! -f "$out/$chip-roofline-$n/done" ] || last "$chip-roofline-$n" | sed "s/^/$chip-$n /"
	done
done | awk '
	function normal(  s, i) { for (i = 0; i < 12; i++) s += rand(); return s - 6 }
	$2 ~ /^energy[.](deviation|scale_deviation)::/ && $2 !~ /::total$/ { part[$1, $2] = $3; name[$2] = 1 }
	$2 == "energy.model_deviation" { own[$1] = $3 }
	$2 == "energy.interval" { interval[$1] = $3 * 1e12; kernels++ }
	END {
		srand(1)
		for (draw = 0; draw < 400; draw++) {
			for (p in name) z[p] = normal()
			for (k in interval) {
				off = own[k] * normal()
				for (p in name) off += z[p] * part[k, p]
				held += off <= interval[k] && off >= -interval[k]
			}
		}
		printf "\nsynthetic: of 400 chips drawn about the models by their errors the interval holds %.1f %% (%d kernels)\n",
			100 * held / (400 * kernels), kernels
	}'

# Kernels of a GV100: what the fit to the others says of each, and what its authors published.
"$lockstep" energy fit "$here/gv100/activity.csv" "$here/gv100/power.csv" --name Benchmark,Kernel \
	--aliases "$here/gv100/aliases.csv" --cycles Elapsed_Cycles --clock 1417 --prior "$here/gv100/prior.yaml" \
	>"$out/fit.txt" 2>&1
echo
tail -n 1 "$out/fit.txt"
