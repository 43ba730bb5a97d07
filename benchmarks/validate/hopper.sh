# hopper.sh -- part of volta.sh: CHIP-hopper.csv, what others measured of products of warpgroups, bulk copies, clusters
# and barriers, by the topics that measure the same here (hopper.cu, copies.ptx), at the clocks of the cards measured.
# shellcheck shell=sh disable=SC2154

hopper() {
	file=$here/$chip-hopper.csv
	core=$(sed -n 's/^# clocks.*core \([0-9]*\),.*/\1/p' "$file")
	dram=$(sed -n 's/^# clocks.*DRAM \([0-9]*\).*/\1/p' "$file")
	measured=$out/hopper.log
	: >"$measured"
	topics=$(sed -n 's/^# topics: //p' "$file")
	for topic in ${topics:-products clusters barriers copies}; do
		run "$out/hopper-$topic" "$own" run --set gpu.core_mhz="$core" --set gpu.shader_mhz="$core" \
			--set gpu.xbar_mhz="$core" --set gpu.l2_mhz="$core" --set gpu.dram_mhz="$dram" \
			-- "$build/bench/validate" --csv $topic || {
			echo "validate: $topic:" >&2
			tail -n 3 "$out/hopper-$topic.log" >&2
			return 1
		}
		cat "$out/hopper-$topic.log" >>"$measured"
	done
	grep -v '^#\|^name,' "$file" | while IFS=, read -r name value unit source; do
		ours=$(awk -F, -v name="$name" '$1 == name { print $3; exit }' "$measured")
		[ -n "$ours" ] || { echo "validate: no topic prints '$name'" >&2; continue; }
		echo "$(part_of "$name")|$name|$own|$unit|$ours|$value|-|-|$source"
	done
}
