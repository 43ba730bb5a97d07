# gtx480.sh -- part of validate.sh: bandwidths, latencies and misses of Fermi cards, each at the clocks of its
# card. A figure counts if it was measured on a GTX 480; others are shown without an error. Then the row copy
# of Nugteren et al. on a GTX 470, with errors in percentage points, which do not count either.
# shellcheck shell=sh disable=SC2154
build=${1:-build}
out=$build/validate-out
mkdir -p "$out"
status=0

# measure NAME CONFIGURATION PROGRAM TOPIC...: figures go to $out/NAME.csv
measure() {
	name=$1 config=$2 program=$3; shift 3
	"$build/bin/lockstep" run -q -c "configs/$config.yaml" -o "$out/$name" -- \
		"$build/bench/$program" --csv "$@" >"$out/$name.csv" 2>"$out/$name.log" && return
	echo "validate: $program $*:" >&2
	tail -n 3 "$out/$name.log" >&2
	return 1
}

# Two at a time: the machine may have two processors.
(
	measure sweep gtx480-1550 validate sweep || exit 1
	measure rows gtx470 validate rows
) & one=$!
(
	measure peaks gtx480-1550 validate peaks || exit 1
	measure memory gtx480 validate memory shared latency || exit 1
	measure micro gtx480 micro throughput shared constant
) & two=$!
wait $one || status=1
wait $two || status=1

# The rates of the row copies, in the order of the launches: a line each
awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "l1_hit_rate") rate = i; next }
	{ print 100 * (1 - $rate) }' "$out/rows/launches.csv" >"$out/rates"

awk -v rates="$out/rates" -v measured="$out/measured" "$(cat "$here/errors.awk")"'
	# fields of a line of CSV whose last one may be in quotation marks and hold commas
	function fields(line, f,  i, n) {
		n = split(line, f, ",")
		for (i = 9; i <= n; i++)
			f[8] = f[8] "," f[i]
		gsub(/"/, "", f[8])
	}
	function error(ours, hardware) { return 100 * (ours / hardware - 1) }
	FILENAME ~ /published.csv$/ {
		if (split($0, f, ",") >= 6 && f[1] ~ /^row copy/) {
			row[++rows] = f[1]
			hardware[rows] = f[2]
		}
		next
	}
	FNR == 1 { next }
	{ fields($0, f) }
	f[1] ~ /^chase / { curve[++points] = sprintf("  %-38s %12.2f", f[1], f[3]) }
	f[4] == "" || f[7] == "guide" || (FILENAME ~ /micro.csv$/ && f[7] != "measured") { next }
	{
		if (!shown++)
			printf "%-36s %-13s %10s %10s %8s  %s\n", "figure", "unit", "ours",
				"hardware", "error", "source"
		printf "%-36s %-13s %10.2f %10.2f ", f[1], f[2], f[3], f[4]
		if (f[6] == "GTX 480" && f[7] == "measured") {
			e = error(f[3], f[4])
			errors[++count] = e
			printf "%+6.1f %%  %s\n", e, f[8]
			printf "training|%s|ptx|%s|%s|%s|-|-|%s\n", f[1], f[2], f[3], f[4], f[8] >measured
		} else
			printf "%8s  %s, %s: %s\n", "-", f[6], f[7], f[8]
	}
	END {
		print "\nLatency of loads by footprint, shader cycles " \
			"(no figure of a GTX 480 is known to us):"
		for (i = 1; i <= points; i++)
			print curve[i]
		print "\nRow copy on a GTX 470, L1 miss rate in per cent, error in percentage points " \
			"(not counted below):"
		for (i = 1; i <= rows && (getline rate < rates) > 0; i++) {
			printf "  %-34s %10.2f %10.2f %+8.2f\n", row[i], rate, hardware[i], rate - hardware[i]
			sum += errors_absolute(rate - hardware[i])
		}
		if (rows)
			printf "  mean absolute error %.2f points\n", sum / rows
		errors_sort(errors, count)
		for (i = 1; i <= count; i++)
			within += errors[i] <= 15
		printf "\nvalidate: %d of them within 15 %%\n", within
		print errors_list(errors, count)
		print errors_line(errors, count)
	}' "$here/published.csv" "$out/sweep.csv" "$out/peaks.csv" "$out/micro.csv" "$out/memory.csv" >"$out/table" ||
	status=1
. "$here/plot.sh"
plot gtx480 ptx || status=1
cat "$out/table"
exit $status
