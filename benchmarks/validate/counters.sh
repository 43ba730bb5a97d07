# counters.sh -- part of volta.sh: CHIP-counters.csv, what a profiler counted in launches of counters.ptx. A
# run of each topic of build/bench/validate that has rows makes all its launches, with the published number of
# registers, if there is one, and the profiler's settings; of those of a kernel and a grid, the last one's
# statistics count.
# shellcheck shell=sh disable=SC2154

# counter FOLDER KERNEL GRID STATISTIC[/NUMBER]: its value in that launch
counter() {
	awk -v kernel="$2" -v grid="${3%x*},${3#*x},1" -v statistic="${4%/*}" -v over="${4#*/}" '
		/Begin Simulation Statistics/ { here = index($0, " " kernel " grid " grid " ") }
		here && $1 == statistic { n = $2; found = 1 }
		END { if (found) printf "%.2f", over == statistic ? n : n / over }' "$1/stats.txt"
}

counters() {
	file=$here/$chip-counters.csv
	tool=$(sed -n 's/^# profiler: \([^,]*\).*/\1/p' "$file")
	settings=$(sed -n 's/^# profiler:.* as \(.*\)/\1/p' "$file")
	rows=$(grep "^${ONLY-}" "$file" | grep -v '^#\|^name,')
	for topic in $(echo "$rows" | cut -d, -f4 | sort -u); do
		registers=$(sed -n "s/^# registers.*$topic \([0-9]*\).*/\1/p" "$file")
		folder=$out/counters-$topic
		# shellcheck disable=SC2086
		run "$folder" "$own" run --stats-launches all --set sm.registers_override="${registers:-0}" $settings -- \
			"$build/bench/validate" --csv "$topic" || {
			echo "validate: $topic:" >&2
			tail -n 3 "$folder.log" >&2
			return 1
		}
	done
	[ -z "$rows" ] || echo "$rows" | while IFS=, read -r name value unit topic kernel grid statistic; do
		ours=$(counter "$out/counters-$topic" "$kernel" "$grid" "$statistic")
		[ -n "$ours" ] || { echo "validate: no $statistic of $kernel, grid $grid" >&2; exit 1; }
		echo "$(part_of "$name")|$name|$own|$unit|$ours|$value|-|-|$tool"
	done
}
