#!/bin/sh
# benchmarks/energy.sh BUILD [MODEL [CONFIG]] -- what an energy model (default: gtx480, on the machine of that
# name) says of kernels that use one part of the chip, of programs, and of a bit on its way to the registers:
# the first tables of docs/results/energy.md, on standard output. What it ran stays in BUILD/energy.
set -u
build=${1:?usage: benchmarks/energy.sh BUILD [MODEL [CONFIG]]}
model=${2:-gtx480}
config=${3:-gtx480}
out=$build/energy
mkdir -p "$out"

# run NAME OPTION... -- PROGRAM: statistics in $out/NAME
run() {
	name=$1
	shift
	"$build/bin/lockstep" run -q --stats-launches all -c "$config" --energy "$model" -o "$out/$name" "$@" >"$out/$name.log" 2>&1 ||
		echo "FAILED $name: $(tail -n 1 "$out/$name.log")" >&2
}

# statistics NAME [KERNEL]: name and value of the group energy, of the run, or of the last launch of a kernel
statistics() {
	awk -v kernel="${2:-}" '
		/Begin Simulation Statistics/ {
			wanted = kernel == "" ? / # total of | # kernel 1 / : / # kernel / && $9 == kernel
		}
		wanted && /^energy[.]/ { last[$1] = $2 }
		END { for (name in last) print name, last[name] }' "$out/$1/stats.txt"
}

# power TITLE NAME [KERNEL]: a row with the total, its interval, and the components
power() {
	statistics "$2" "${3:-}" | awk -v title="$1" '
		{ value[$1] = $2 }
		function watts(names,  i, n, name, sum) {
			n = split(names, name, " ")
			for (i = 1; i <= n; i++) sum += value["energy.component::" name[i]]
			return sum / value["energy.picoseconds"]
		}
		END { printf "| %s | %.0f +- %.0f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n", title,
			value["energy.watts"], value["energy.watts_interval"], watts("board static"),
			watts("fetch issue"), watts("registers"), watts("execution"), watts("shared L1 caches"),
			watts("L2 NoC"), watts("dram") }'
}

heading() {
	echo "| $1 | W, 95 % | board, static | fetch, issue | registers | execution | memory of SMs |" \
		"L2, network | DRAM |"
	echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
}

# share TITLE NAME: a row with the components in per cent
share() {
	statistics "$2" | awk -v title="$1" '
		{ value[$1] = $2 }
		function part(names,  i, n, name, sum) {
			n = split(names, name, " ")
			for (i = 1; i <= n; i++) sum += value["energy.component::" name[i]]
			return 100 * sum / value["energy.total"]
		}
		END { printf "| %s | %.0f | %.0f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n", title,
			value["energy.watts"], part("board static"), part("fetch issue"), part("registers"),
			part("execution"), part("shared"), part("L1 caches"), part("L2 NoC"), part("dram") }'
}

# bit TITLE REFERENCE WORDS NAME KERNEL PART...: picojoules for each bit of these coefficients and components;
# of those after a / the share of one instruction for 32 words. WORDS is the coefficient whose events are
# words of 32 bits, or bytes if it has that in its name.
bit() {
	title=$1 reference=$2 words=$3 name=$4 kernel=$5
	shift 5
	statistics "$name" "$kernel" |
		awk -v title="$title" -v reference="$reference" -v words="$words" -v parts="$*" '
		{ value[$1] = $2 }
		END {
			moved = value["energy.activity::" words]
			instructions = value["energy.activity::issue"]
			n = split(parts, part, " ")
			for (i = 1; i <= n; i++) {
				share = sub("^/", "", part[i]) ? moved / 32 / instructions : 1
				sum += share * (value["energy.coefficient::" part[i]] + \
					value["energy.component::" part[i]])
			}
			pj = sum / (moved * (words ~ /bytes|interface/ ? 8 : 32))
			printf "| %s | %.1f | %s | %.2f |\n", title, pj, reference, pj / reference
		}'
}

run micro -- "$build/bench/energymicro" --repeat 4 fp_fma_1sm fp_fma_full fp_add_full int_add_full \
	int_mad_full dp_fma_full rcp_full shared_read_full l1_read_full l1_fill_full dram_read_full dram_random_full
run vectoradd -- "$build/bench/sdk/vectoradd" --size repro
run lbm -- "$build/bench/parboil/lbm" --size repro
echo "Kernels that use one part of the chip"
echo
heading kernel
power "f32 multiply-add, on one SM" micro fp_fma_1sm
power "f32 multiply-add" micro fp_fma_full
power "f32 add" micro fp_add_full
power "integer add" micro int_add_full
power "integer multiply-add" micro int_mad_full
power "f64 multiply-add" micro dp_fma_full
power "reciprocal" micro rcp_full
power "loads of shared memory" micro shared_read_full
power "loads that hit in the L1" micro l1_read_full
power "loads that hit in the L2" micro l1_fill_full
power "loads from DRAM, in streams" micro dram_read_full
power "loads from DRAM, at random" micro dram_random_full
power "vector addition from DRAM" vectoradd
power "lattice Boltzmann (lbm) from DRAM" lbm

echo
echo "Programs, each launch timed for its first 10 million thread instructions: shares in %"
echo
echo "| program | W | board, static | fetch, issue | registers | execution | shared | L1, caches |" \
	"L2, network | DRAM |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
for program in "$build"/bench/polybench/* "$build"/bench/rodinia/*; do
	[ -f "$program" ] && [ -x "$program" ] || continue
	workload=${program#"$build/bench/"}
	name=$(echo "$workload" | tr / -)
	case $name in *-unshared) continue ;; esac
	run "$name" --set gpu.timing_limit.instructions=10M -- "$program" --size repro
	share "$workload" "$name"
done | tee "$out/shares"
awk -F'|' '{ n++; for (i = 3; i < NF; i++) sum[i] += $i }
	END { printf "| mean |"; for (i = 3; i < 12; i++) printf i < 5 ? " %.0f |" : " %.1f |", sum[i] / n
		print "" }' "$out/shares"

instruction="/fetch /issue /registers /execution"
echo
echo "Energy of a bit, in pJ, beside measurements on a Tesla K40"
echo
echo "| way | model | K40 | ratio |"
echo "|---|---:|---:|---:|"
bit "shared memory to registers, with the instruction" 5.32 shared_words micro shared_read_full $instruction \
	shared
bit "L1 to registers, with the instruction" 5.85 l1_words micro l1_read_full $instruction L1
bit "L2 to L1" 15.48 l2_bytes micro l1_fill_full l2_look_ups l2_bytes NoC l1_fills
bit "DRAM to L2" 30.55 dram_interface micro dram_read_full l2_fills dram_interface dram_bytes dram_rows \
	dram_open
