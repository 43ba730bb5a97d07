# awk -F '\t' -f count.awk LINES: the table of `make bench-count`, from lines of callgrind.awk.
!($1 in seen) { seen[$1] = 1; kernel[++kernels] = $1 }
{ value[$1, $2] = $3 }

END {
	n = split("SM,fetch,scoreboard,results,issue,collectors,control flow,issue slots,execution," \
		"load/store,time of loads,L1,crossbars,L2,DRAM,events,other,total,L1I misses,L1D misses," \
		"mispredicts", row, ",")
	printf "%-26s", "for a warp instruction"
	for (k = 1; k <= kernels; k++) printf " %10s", kernel[k]
	for (i = 1; i <= n; i++) {
		printf "\n%-26s", row[i] (row[i] == "total" ? " host instructions" : "")
		for (k = 1; k <= kernels; k++) printf " %10.0f", value[kernel[k], row[i]]
	}
	printf "\ncount:"
	for (k = 1; k <= kernels; k++) {
		printf "%s %s %.0f", (k > 1 ? "," : ""), kernel[k], value[kernel[k], "total"]
		if (kernel[k] ~ /144$/) # many SMs, whose state does not fit the first cache
			printf " misses %.0f", value[kernel[k], "L1D misses"]
	}
	print ""
}
