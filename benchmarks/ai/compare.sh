#!/bin/sh
# benchmarks/ai/compare.sh BUILD [ROW...] -- our kernels beside hardware times of others for the same shapes
# (hardware.csv), all rows or those named: a table in Markdown on standard output. Ours is kernel time, without
# the launch, at the reference's clock, where that is known.
set -eu
build=${1:-build} here=$(dirname "$0")
[ $# = 0 ] || shift
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
trap 'exit 130' INT TERM
rows=$*

echo "| row | reference | chip | shape | theirs, us | again | ours, us | ours / theirs |"
echo "|---|---|---|---|---:|---:|---:|---:|"
while IFS=';' read -r row reference chip shape clock us again config program arguments source <&3; do
	case " ${rows:-$row} " in *" $row "*) ;; *) continue ;; esac
	[ "$row" != row ] || continue
	clocks=
	case $clock in
	[0-9]*) clocks="-s gpu.core_mhz=$clock -s gpu.shader_mhz=$clock -s gpu.xbar_mhz=$clock -s gpu.l2_mhz=$clock" ;;
	esac
	# shellcheck disable=SC2086
	"$build/bin/lockstep" run -q -c "$config" $clocks -s observe.instances=never -o "$out" -- \
		"$build/bench/ai/$program" $arguments >"$out/log" 2>&1 ||
		{ cat "$out/log"; echo "compare.sh: $row fails" >&2; exit 1; }
	ours=$(awk '$1 == "gpu.cycles" { c = $2 } $1 == "gpu.launch_cycles" { l = $2 } $1 == "gpu.picoseconds" { p = $2 }
		END { printf "%.1f", (c - l) * p / c / 1e6 }' "$out/stats.txt")
	ratio=$(awk -v a="$ours" -v b="$us" 'BEGIN { printf "%.2f", a / b }')
	echo "| $row | $reference | $chip | $shape | $us | ${again:--} | $ours | $ratio |"
done 3<"$here/hardware.csv"
