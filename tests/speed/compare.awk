# awk -v build=B -v other=O -v stamp=DATE,COMMIT,MACHINE -v csv=FILE -f median.awk -f compare.awk DIFFER RUNS:
# two builds whose runs were taken in turn. Ratio: of the medians, how many times as fast build is; spread:
# of each pair of runs. DIFFER: whose statistics do.
FILENAME == ARGV[1] { differs[$1, $2, $3, $4] = 1; next }
{
	key = $1 SUBSEP $2 SUBSEP $3 SUBSEP $4
	if (!(key in known)) { known[key] = 1; order[++cases] = key }
	processor[key, $5, ++count[key, $5]] = $6
	wall[key, $5, count[key, $5]] = $7
	if (!$8) by_wall[key] = 1
}

# A build that does not say processor time is compared by the clock on the wall.
function taken(key, which, i) { return key in by_wall ? wall[key, which, i] : processor[key, which, i] }

function middle_of(key, which,   i, at) {
	for (i = 1; i <= count[key, which]; i++) at[i] = taken(key, which, i)
	return median(at, count[key, which])
}

function row(key,   k, i, now, before, pair, low, high, n) {
	split(key, k, SUBSEP)
	n = count[key, build]
	now = middle_of(key, build); before = middle_of(key, other)
	for (i = 1; i <= n; i++) {
		pair = taken(key, other, i) / taken(key, build, i)
		if (i == 1 || pair < low) low = pair
		if (i == 1 || pair > high) high = pair
	}
	sum += log(before / now)
	same = key in differs ? "differ" : "same"
	different += key in differs
	walls += key in by_wall
	printf "%-22s %-10s %5d %10.4f %10.4f %8.3f %8.3f %8.3f  %s\n", title(k[2], k[3]), k[4], n,
		before, now, before / now, low, high, same
	print stamp "," k[1] "," k[2] "," k[3] "," k[4] "," n "," other "," before "," build "," now \
		"," before / now "," low "," high "," same >csv
}

END {
	printf "%-22s %-10s %5s %10s %10s %8s %8s %8s  %s\n", "benchmark", "mode", "runs",
		"other s", "this s", "ratio", "least", "most", "statistics"
	print "date,commit,machine,set,benchmark,size,mode,runs,other,other_seconds,this,this_seconds," \
		"ratio,least,most,statistics" >csv
	for (c = 1; c <= cases; c++) row(order[c])
	if (walls)
		print "note: seconds by the clock on the wall: one of the builds does not say processor time"
	printf "bench: geometric mean %.3f x %s, statistics %s\n", exp(sum / cases), other,
		different ? "of " different " differ" : "the same"
}
