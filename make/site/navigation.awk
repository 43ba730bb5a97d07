# make/site/navigation.awk TITLES ORDER PAGES -- the pages by group, as rows GROUP <tab> PAGE <tab> TITLE.
# Pages of docs come in the order in which docs/README.md names them.
BEGIN {
	FS = OFS = "\t"
	split("Start|User guide|Reference|Results|Design|Source", group, "|")
	start["README.md"] = 1; start["docs/README.md"] = 2; start["CHANGELOG.md"] = 3
}
FNR == 1 { file++ }
file == 1 { title[$1] = $2 }
file == 2 { sub(/^.*\//, "", $1); if (!($1 in place)) place[$1] = FNR }
file == 3 {
	name = $1
	sub(/^.*\//, "", name)
	key = $1 ~ /^docs/ && name in place ? place[name] : 9999
	if ($1 in start) { in_group = 1; key = start[$1] }
	else if ($1 ~ /^docs\/(user|tutorials)/) in_group = 2
	else if ($1 ~ /^reference\/commands\/README/) { in_group = 3; key = 1 }
	else if ($1 ~ /^reference\/commands/) { in_group = 3; key = 2 }
	else if ($1 ~ /^reference/) { in_group = 3; key = 3 }
	else if ($1 ~ /^docs\/results|^sweeps|^benchmarks/) in_group = 4
	else if ($1 ~ /^docs\/design|^DEVIATIONS|^ARCH|^CONTRIB/) { in_group = 5; if ($1 !~ /\//) key = 0 }
	else if ($1 ~ /\.md$/) { in_group = 6; key = 1 }
	else next
	row[++rows] = sprintf("%d%05d%s", in_group, key, in_group == 6 ? $1 : title[$1]) FS group[in_group] FS $2 FS \
		title[$1]
}
END {
	for (i = 2; i <= rows; i++) # there are few
		for (j = i; j > 1 && row[j - 1] > row[j]; j--) {
			r = row[j]
			row[j] = row[j - 1]
			row[j - 1] = r
		}
	for (i = 1; i <= rows; i++) { split(row[i], f, FS); print f[2], f[3], f[4] }
}
