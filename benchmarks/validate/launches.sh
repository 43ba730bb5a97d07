# launches.sh -- part of volta.sh: CHIP-launches.csv, what a profiler counted in launches of the programs of
# benchmarks/. A row is a kernel of a program: the sum over the launches that were counted. A program is held out as a whole.
# Where the card's own two counts of instructions, in all and by class, are apart by more than 3 % they are no property of the
# program (warps wait in loops for others), and the row is left out. So is a launch with another grid or other CTAs than here,
# and a program whose kernel.ptx is no longer what was measured (the lines "# ptx:" have its cksum).
#
#   LAUNCHES=instructions  warp instructions, without timing: some minutes for all programs
#   LAUNCHES=cycles        cycles of each launch, as the profiler lets it run: an hour, a program at a time
# shellcheck shell=sh disable=SC2154

# launch_sums PROGRAM FOLDER: "KERNEL OURS HARDWARE" of each kernel
launch_sums() {
	awk -v program="$1" -v wanted="$LAUNCHES" '
		BEGIN { statistic = wanted == "cycles" ? "cycles" : "warp_instructions" }
		FNR == 1 { file++; names = 0 }
		/^#/ { next }
		!names { names = split($0, name, ","); split("", column); for (i in name) column[name[i]] = i; next }
		{ split($0, row, ",") }
		file == 1 {
			kernel = row[column["kernel"]]
			launch = kernel "," ++launches[kernel]
			ours[launch] = row[column[statistic]]
			shape[launch] = row[column["grid"]] " " row[column["block"]]
			next
		}
		row[column["program"]] == program {
			kernel = row[column["kernel"]]
			launch = kernel "," row[column["launch"]]
			if (!(launch in ours)) next
			if (shape[launch] != row[column["grid"]] " " row[column["block"]]) {
				print "validate: " launch " of " program " is left out: it had another grid or block" >"/dev/stderr"
				next
			}
			n = 0
			for (i = column["memory"]; i <= column["integer"]; i++) n += row[i]
			if (wanted == "instructions" && (n > 1.03 * row[column[wanted]] || n < 0.97 * row[column[wanted]]))
				next
			if (!(kernel in hardware)) order[++kernels] = kernel
			hardware[kernel] += row[column[wanted]]
			sum[kernel] += ours[launch]
		}
		END { for (i = 1; i <= kernels; i++) print order[i], sum[order[i]], hardware[order[i]] }
	' "$2/launches.csv" "$here/$chip-launches.csv"
}

# is_as_measured PROGRAM
is_as_measured() {
	grep -q "^# ptx: $1 $(cksum <benchmarks/"$1"/kernel.ptx | cut -d ' ' -f 1)\$" "$here/$chip-launches.csv"
}

launches() {
	mode=$1
	how="run --functional" # values alone
	[ "$LAUNCHES" = instructions ] || how="run $(sed -n 's/^# profiler:.* as \(.*\)/\1/p' "$here/$chip-launches.csv")"
	for program in $(sed '/^#/d; /^program,/d; s/,.*//' "$here/$chip-launches.csv" | sort -u); do
		case $program in "${ONLY-}"*) ;; *) continue ;; esac
		is_as_measured "$program" || {
			echo "validate: $program is left out: its kernel.ptx has changed since it was measured" >&2
			continue
		}
		folder=$out/$mode-$(echo "$program" | tr / -)
		# shellcheck disable=SC2086
		run "$folder" "$mode" $how -- "$build/bench/$program" --size repro || {
			echo "validate: $program ($mode):" >&2
			tail -n 3 "$folder.log" >&2
			return 1
		}
		part=$(part_of "$program")
		launch_sums "$program" "$folder" | while read -r kernel ours hardware; do
			echo "$part|$program $kernel|$mode|$LAUNCHES|$ours|$hardware|-|-|Nsight Compute"
		done
	done
}
