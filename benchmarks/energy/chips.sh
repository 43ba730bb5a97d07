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
		>"$out/$name.log" 2>&1 && touch "$out/$name/done" ||
		echo "FAILED $name: $(tail -n 1 "$out/$name.log")" >&2
}

# last NAME: names and values of the last launch. The first of two warms the caches.
last() {
	awk '/Begin Simulation Statistics/ { if (!/# kernel/) exit; delete value }
		/^[a-z]/ { value[$1] = $2 }
		END { for (name in value) print name, value[name] }' "$out/$1/stats.txt"
}

# idle MODEL SMS: watts and half an interval of the board with clocks at their highest and nothing to do
idle() {
	"$lockstep" energy show "$1" | awk -v sms="$2" '
		$1 == "constant" { sum += $4; squares += $5 ^ 2 }
		$1 == "idle_sm" { sum += $4 * sms; squares += ($5 * sms) ^ 2 }
		END { print sum, 1.96 * sqrt(squares) }'
}

# watts NAME IDLE: the estimate with its interval, of the time in which the grid is on the SMs: launches of a
# simulation are short, and measured ones follow each other
watts() {
	if [ ! -f "$out/$1/done" ]; then
		echo "-"
		return 0
	fi
	last "$1" | awk -v idle="${2% *}" '{ v[$1] = $2 } END {
		launch = v["gpu.launch_cycles"] / v["gpu.cycles"]
		busy = (v["energy.watts"] - idle * launch) / (1 - launch)
		printf "%.0f +- %.0f", busy, v["energy.watts_interval"] * busy / v["energy.watts"] }'
}

sgemm="$build/bench/parboil/sgemm"

# chip MACHINE MODEL SMS TDP IDLE GEMM...
chip() {
	machine=$1 model=$2 sms=$3 tdp=$4 published=$5
	shift 5
	run "$machine" "$model" "$machine-fma" "$build/bench/energymicro" --repeat 4 fp_fma_full
	run "$machine" "$model" "$machine-stream" "$build/bench/energymicro" --repeat 4 dram_read_full
	run "$machine" "$model" "$machine-gemm" "$@"
	still=$(idle "$model" "$sms")
	echo "$still" | awk -v start="| $machine |" -v end="| $published |" \
		'{ printf "%s %.0f +- %.0f %s ", start, $1, $2, end }'
	echo "$(watts "$machine-fma" "$still") | $(watts "$machine-stream" "$still") |" \
		"$(watts "$machine-gemm" "$still") | $tdp |"
}

echo "| chip | idle, W | published | multiply-adds, W | stream, W | product of matrices, W |" \
	"board's limit, W |"
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
# roofline CHIP IDLE: a line for each step. What is estimated at the measured rates has the energies of the
# estimate, those of memory at the measured bytes a second, those of instructions at the measured operations.
roofline() {
	for n in $steps; do
		measured=$(grep "^$1,[0-9]*,[0-9]*,$n," "$here/published/roofline.csv") || continue
		[ -f "$out/$1-roofline-$n/done" ] || continue
		last "$1-roofline-$n" | awk -v row="$measured" -v chip="$1" -v n="$n" -v idle="${2% *}" '
			function part(name) { return v["energy.component::" name] / ps }
			{ v[$1] = $2 }
			END {
				split(row, m, ",")
				launch = v["gpu.launch_cycles"] / v["gpu.cycles"]
				watts = (v["energy.watts"] - idle * launch) / (1 - launch)
				ps = v["energy.picoseconds"] * (1 - launch)
				bytes = 1000 * v["dram.bytes"] / ps
				flops = 2000 * v["activity.thread_instructions::fp_fma"] / ps
				flops = n ? flops * (n + 1) / n : bytes / 4
				at = part("board") + part("static") - idle * launch / (1 - launch) + \
					m[6] / bytes * \
					(part("dram") + part("noc") + part("l2") + part("l1")) + \
					m[7] / flops * (part("issue") + part("fp") + part("int"))
				print chip, m[5], m[6], m[7], m[9], bytes, flops, watts,
					v["energy.watts_interval"] * watts / v["energy.watts"], at
			}'
	done
}
{ roofline a100 "$(idle a100 108)"; roofline h200 "$(idle h200 132)"; } >"$out/roofline.txt"
echo
awk '
	function percent(a, b) { return 100 * (a / b - 1) }
	function size(x) { return x < 0 ? -x : x }
	BEGIN {
		print "| chip | operations a byte | measured: GB/s | GFLOP/s | W | model: GB/s | GFLOP/s |" \
			" W, 95 % | off | W at the measured rates | off |"
		print "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
	}
	{
		printf "| %s | %.2f | %.0f | %.0f | %.0f | %.0f | %.0f |", $1, $2, $3, $4, $5, $6, $7
		printf " %.0f +- %.0f | %+.0f %% | %.0f | %+.0f %% |\n", $8, $9, percent($8, $5), $10,
			percent($10, $5)
		n[$1]++; sum[$1] += size(percent($8, $5)); at[$1] += size(percent($10, $5))
		held[$1] += size($8 - $5) <= $9
	}
	END {
		print ""
		for (chip in n)
			printf "%s: %d points, %.1f %% off in the mean, %.1f %% at the measured rates; " \
				"the interval holds %d\n", chip, n[chip], sum[chip] / n[chip],
				at[chip] / n[chip], held[chip]
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
		printf "\nsynthetic: 400 chips drawn about the models by their errors, %d kernels: " \
			"the interval holds %.1f %%\n", kernels, 100 * held / (400 * kernels)
	}'

# Kernels of a GV100: what the fit to the others says of each, and what its authors published.
"$lockstep" energy fit "$here/gv100/activity.csv" "$here/gv100/power.csv" --name Benchmark,Kernel \
	--aliases "$here/gv100/aliases.csv" --cycles Elapsed_Cycles --clock 1417 \
	--prior "$here/gv100/prior.yaml" \
	>"$out/fit.txt" 2>&1
echo
echo "| of | kernels | off in the mean | 95 % | holds |"
echo "|---|---:|---:|---:|---:|"
sed -n 's/^interval of 95 %.*+- \([0-9.]*\) %: it holds \([0-9]*\) of \([0-9]*\) .*/\1 \2 \3/p' \
	"$out/fit.txt" |
	while read -r width held of; do
		mean=$(sed -n 's/^fit: .*absolute error \([0-9.]*\) %.*/\1/p' "$out/fit.txt")
		echo "| the fit to the others | $of | $mean % | +- $width % | $held |"
	done
awk -F , '
	NR > 1 { off[$1, ++n[$1]] = $4 / $3 - 1 }
	END {
		split("HW SASS_SIM PTX_SIM HYBRID", variants, " ")
		for (i = 1; i <= 4; i++) {
			v = variants[i]; sum = squares = held = 0
			for (j = 1; j <= n[v]; j++) {
				o = off[v, j]
				sum += o < 0 ? -o : o
				squares += o * o
			}
			half = 1.96 * sqrt(squares / n[v])
			for (j = 1; j <= n[v]; j++)
				held += off[v, j] <= half && off[v, j] >= -half
			printf "| AccelWattch, %s | %d | %.1f %% | +- %.1f %% | %d |\n", v, n[v],
				100 * sum / n[v], 100 * half, held
		}
	}' "$here/gv100/validation.csv"
