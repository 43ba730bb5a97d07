# peaks.sh -- part of volta.sh: what one instruction of a warp takes when an SM does nothing else (peaks.csv): matrix
# products by type, pairs of f16, shuffles, atomics on one word, uniform shared loads, strided loads that hit the
# L1. The PTX is as it stands, since scheduled code would drop what is repeated.
# shellcheck shell=sh disable=SC2154

# peak KERNEL GRID WORK INSTRUCTIONS: prints the figure
peak() {
	run "$out/peak" ptx launch "$out/peaks.ptx" "$1" --grid "$2" --block 512 --arg 'u64[40000]=zero' --print 0:512 || {
		echo "validate: $1:" >&2
		tail -n 3 "$out/peak.log" >&2
		return 1
	}
	awk -v warps=$(($2 * 16)) -v work="$3" -v each="$4" '/^ *[0-9]+:/ { for (i = 2; i <= NF; i++) if ($i > most) most = $i }
		END { printf "%.4f", work ? work * each * warps / most : most / (each * warps) }' "$out/peak.log"
}

peaks() {
	target=$("$build/bin/lockstep" config show -c "$config" | awk '$1 == "compute_major:" { print $2 < 8 ? "sm_70" : "sm_80"; exit }')
	[ "$chip" != p100 ] || target=sm_60
	strides=$(sed -n "s/^$chip,.*,stride_\([0-9]*\),.*/\1/p" "$here/peaks.csv" | xargs)
	awk -v target="$target" -v block=512 -v strides="$strides" -f "$here/peaks.awk" >"$out/peaks.ptx"
	grep "^$chip," "$here/peaks.csv" | while IFS=, read -r _ name kernel grid work value unit source; do
		case $kernel in # instructions of a thread
		mma*) each=256 ;;
		atomic*) each=16 ;;
		stride*) each=1024 ;;
		half2) each=32768 ;;
		*) each=512 ;;
		esac
		ours=$(peak "$kernel" "$grid" "$work" "$each") || exit 1
		echo "training|$name|ptx|$unit|$ours|$value|-|-|$source"
	done
}
