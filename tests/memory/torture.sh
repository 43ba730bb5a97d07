#!/bin/sh
# Whether tests/configs/torture.yaml is what it says: every queue, buffer and file of entries that the machine
# has, as declared (lockstep config doc), stands at its smallest. A queue that somebody adds later, and
# forgets there, is named here.
. tests/lib.sh

# path, smallest value: of all parameters that are counted in things that wait in line
"$lockstep" config doc | awk '
	NF == 1 { group = $1; next }
	$1 == "key" { unit = index($0, "unit"); range = index($0, "range"); next }
	unit {
		split(substr($0, range), r, " "); split(substr($0, unit), u, " ")
		if (u[1] ~ /^(packets|requests|entries|replies|collectors|buses)$/)
			print group "." $1, r[1]
	}' >"$out/smallest"
"$lockstep" config show -c tests/configs/torture.yaml | awk '
	/^[^ #]/ { depth0 = $1 }
	{ match($0, /^ */); d = RLENGTH / 2; name[d] = $1; sub(/:$/, "", name[d]) }
	$2 != "" && $2 !~ /^#/ { path = name[0]; for (i = 1; i <= d; i++) path = path "." name[i];
		print path, $2 }' >"$out/values"

queues=$(wc -l <"$out/smallest")
expect "at least 15 queues in the manual, found $queues" [ "$queues" -ge 15 ]
while read -r path smallest; do
	case $path in
	# thresholds and limits that are no sizes; 0 is "none"
	dram.write_high | dram.write_low | observe.*) continue ;;
	l2.warp_type.*.warmup | l2.warp_type.*.least | l2.bypass.*.warmup | l2.bypass.*.filter_clear) continue ;;
	# 0 is no limit
	sm.request_buffer.mrpb.entries) smallest=1 ;;
	# 0 is none of its own
	dram.write_queue) smallest=1 ;;
	esac
	value=$(awk -v p="$path" '$1 == p { print $2 }' "$out/values")
	expect "$path is $value in tests/configs/torture.yaml, could be $smallest" [ "$value" = "$smallest" ]
done <"$out/smallest"
finish
