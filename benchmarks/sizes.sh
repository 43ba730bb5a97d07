#!/bin/sh
# benchmarks/sizes.sh BUILD [-r] [WORD...] -- what each workload is at the size repro, measured on the GTX
# 480. Writes the tables of docs/results/sizes.md to standard output; docs/results/sizes.md explains the
# columns. Runs every workload but those of benchmarks/ai, or those that the words select, one at a time and
# with timing, into
# BUILD/sizes; with -r it only reads what an earlier run left there. The exit status is 0 if all verified.
set -u
build=${1:?usage: benchmarks/sizes.sh BUILD [-r] [WORD...]}
shift
out=$build/sizes
status=0 read=
[ "${1:-}" != -r ] || { read=1; shift; }
[ $# -gt 0 ] || set -- ispass lonestar mars parboil polybench rodinia sdk
if [ ! "$read" ]; then
	"$build/bin/lockstep" bench run "$@" --size repro -c gtx480 -j 1 --stats sm.warp_cycles -o "$out" \
		>"$out.log" 2>&1
	status=$?
	tail -n 1 "$out.log" >&2
fi
"$build/bin/lockstep" bench list "$@" >"$out.list"

# The arguments and the reason of each workload, one a line: LABEL<tab>ARGUMENTS<tab>REASON.
awk '
	/^[^ ]/ { label = $1 }
	/^    sizes \(/ {
		sub(/; at the size .*/, "")
		sub(/^[^:]*: /, "")
		n = split($0, size, ";")
		arguments = ""
		for (i = 1; i <= n; i++) {
			split(size[i], word, " ")
			arguments = arguments (i > 1 ? " " : "") word[4]
		}
	}
	/^    repro: / { sub(/^    repro: /, ""); print label "\t" arguments "\t" $0 }' "$out.list" >"$out.why"

echo "| workload | arguments | kernels | CTAs | warps | MB | million instr. | kilocycles |" \
	"IPC | L1 | L2 | s |"
echo "|---|---|---|---|---|---|---|---|---|---|---|---|"
while IFS='	' read -r label arguments _; do
	[ -f "$out/$label/stats.txt" ] || continue
	awk -v label="$label" -v arguments="$arguments" '
		# of the launches, the grid with most CTAs
		/ <<<\([0-9,]+\),\([0-9,]+\)>>>: / {
			grid = $0
			sub(/.*<<<\(/, "", grid)
			sub(/\).*/, "", grid)
			n = split(grid, side, ",")
			for (product = 1; n; n--) product *= side[n]
			if (product > ctas) ctas = product
		}
		/KB allocated on the device/ { for (i = 2; i <= NF; i++) if ($i == "KB") mb = $(i - 1) / 1024 }
		/processor time: / { sub(/.*processor time: /, ""); seconds = $1 }
		/: PASS$/ { passed = 1 }
		/Begin Simulation Statistics/ { total = /total of/ }
		total { value[$1] = $2 }
		END {
			cycles = value["gpu.cycles"]
			if (!passed || !cycles) {
				printf "| %s | %s | FAILED |\n", label, arguments
				exit
			}
			printf "| %s | %s | %d | %d | %.1f | %.1f | %.1f | %.0f | %.1f | %.1f %% | %.1f %% | %.1f |\n",
				label, arguments, value["gpu.kernels"], ctas, value["sm.warp_cycles"] / cycles / 15,
				mb, value["gpu.thread_instructions"] / 1e6, cycles / 1e3, value["gpu.ipc"],
				100 * value["sm.l1d.miss_rate"], 100 * value["l2.miss_rate"], seconds
		}' "$out/$label/log.txt" "$out/$label/stats.txt"
done <"$out.why"

echo
echo "| workload | why |"
echo "|---|---|"
awk -F '\t' '{ print "| " $1 " | " $3 " |" }' "$out.why"
exit $status
