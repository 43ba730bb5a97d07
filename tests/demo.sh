#!/bin/sh
# Runs the six benchmarks at the sizes of the README on a simulated GTX 480 and prints what the machine did.
set -eu
build=${1:-build}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
status=0
echo "Lockstep: six CUDA driver programs on a simulated GeForce GTX 480 (configs/gtx480.yaml)"
for spec in "sdk/vectoradd 1048576" "polybench/gemm 512" "polybench/atax 2048" "sdk/reduction 4194304" \
	"rodinia/bfs 65536" "sdk/histogram 1048576"; do
	set -- $spec
	program=$1 name=${1##*/}
	shift
	"$build/bin/lockstep" run -c configs/gtx480.yaml -o "$out/$name" -q -- "$build/bench/$program" "$@" ||
		status=1
done
echo
printf '%-12s %8s %12s %14s %8s %9s %9s %9s %10s\n' benchmark kernels cycles "thread-instr." IPC "L1 miss" \
	"L2 miss" "row hits" "DRAM GB/s"
for name in vectoradd gemm atax reduction bfs histogram; do
	[ -f "$out/$name/stats.txt" ] || continue
	awk -v name="$name" '
		/Begin Simulation Statistics/ { total = /total/ }
		total && NF >= 2 { v[$1] = $2 }
		END {
			t = v["gpu.picoseconds"] * 1e-12
			printf "%-12s %8d %12d %14d %8.1f %8.1f%% %8.1f%% %8.1f%% %10.1f\n", name,
				v["gpu.kernels"],
				v["gpu.cycles"],
				v["gpu.thread_instructions"], v["gpu.ipc"], 100 * v["sm.l1d.miss_rate"],
					100 * v["l2.miss_rate"],
				100 * v["dram.row_hit_rate"], t ? v["dram.bytes"] / t * 1e-9 : 0
		}' "$out/$name/stats.txt"
done
echo
printf '%-12s %8s  %s\n' benchmark issued \
	"where the other issue slots went (build/bin/lockstep run --profile tells it line by line)"
for name in vectoradd gemm atax reduction bfs histogram; do
	[ -f "$out/$name/stats.txt" ] || continue
	awk -v name="$name" '
		/Begin Simulation Statistics/ { total = /total/ }
		total && sub(/^sm\.issue_slots::/, "", $1) { v[$1] = $2 }
		END {
			printf "%-12s %7.1f%% ", name, 100 * v["issued"] / v["total"]
			all = v["total"]; delete v["total"]; delete v["issued"]
			for (i = 0; i < 4; i++) {
				most = ""
				for (cause in v)
					if (most == "" || v[cause] > v[most])
						most = cause
				printf "%s %s %.1f%%", i ? "," : "", most, 100 * v[most] / all
				delete v[most]
			}
			print ""
		}' "$out/$name/stats.txt"
done
echo
[ $status = 0 ] && echo "all six checked their results against a CPU reference: PASS" ||
	echo "SOME BENCHMARKS FAILED"
exit $status
