# curves.sh -- part of volta.sh: CHIP-curves.csv, loads and streams by footprint and by occupancy. Each figure is
# the difference of two launches of probe.ptx, at the clocks of the card that was measured. LONG=1: also those
# that the file says take long.
# shellcheck shell=sh disable=SC2154

# setting NAME: a number of the configuration, with a unit K as a number
setting() {
	"$build/bin/lockstep" config show -c "$config" |
		awk -v name="$1:" '$1 == name { n = $2; if (n ~ /K$/) n *= 1024; print n; exit }'
}

# curve_cycles FOLDER KERNEL GRID BLOCK[@CTAS] ARGUMENT... LAST: cycles of a launch
curve_cycles() {
	folder=$1 kernel=$2 grid=$3 block=${4%@*} ctas=0 given=
	case $4 in *@*) ctas=${4#*@} ;; esac
	shift 4
	for argument; do given="$given --arg $argument"; done
	[ "$grid" != grid ] || grid=$((${argument#*=} / block))
	shared=0
	[ "$ctas" = 0 ] || shared=$((shared_bytes / ctas - shared_reserved))
	[ "$shared" -le "$max_shared" ] || shared=$max_shared
	# shellcheck disable=SC2086
	run "$folder" "$own" launch "$here/probe.ptx" "$kernel" --grid "$grid" --block "$block" --shared "$shared" \
		--set gpu.core_mhz="$core" --set gpu.shader_mhz="$core" --set gpu.xbar_mhz="$core" \
		--set gpu.l2_mhz="$core" --set gpu.dram_mhz="$dram" $given || {
		echo "validate: $kernel $grid $block:" >&2
		tail -n 3 "$folder.log" >&2
		return 1
	}
	awk '$1 == "gpu.cycles" { n = $2 } END { print n }' "$folder/stats.txt"
}

curves() {
	file=$here/$chip-curves.csv
	core=$(sed -n 's/^# clocks.*core \([0-9]*\),.*/\1/p' "$file")
	dram=$(sed -n 's/^# clocks.*DRAM \([0-9]*\).*/\1/p' "$file")
	sms=$(setting sms) shared_bytes=$(setting shared_bytes) shared_reserved=$(setting shared_reserved)
	max_shared=$(setting max_shared_per_cta)
	long_rows=$(sed -n 's/^# only with LONG=1: //p' "$file")
	[ -z "${LONG-}" ] || long_rows=
	grep -v '^#\|^name,' "$file" | grep -v -E "${long_rows:-^\$}" | while IFS=, read -r name value unit work launch long; do
		case $name in "${ONLY-}"*) ;; *) continue ;; esac
		folder=$out/$(printf %s "$name" | tr -c 'A-Za-z0-9' _)
		# shellcheck disable=SC2086
		short=$(curve_cycles "$folder" $launch) || exit 1
		# shellcheck disable=SC2086
		all=$(curve_cycles "$folder" ${launch%=*}="$long") || exit 1
		ours=$(awk -v work="$work" -v cycles=$((all - short)) -v unit="$unit" -v mhz="$core" -v sms="$sms" 'BEGIN {
			if (unit == "cycles") n = cycles / work
			else if (unit == "GB/s") n = work * mhz / 1000 / cycles
			else n = work / cycles / sms
			printf "%.2f", n
		}')
		echo "$(part_of "$name")|$name|$own|$unit|$ours|$value|-|-|gpu-benches"
	done
}
