# Functions for table.awk and compare.awk. Runs are lines of figures.awk, fields parted by tabs.
BEGIN { FS = "\t" }

# of count values at[1..count], which are put in order
function median(at, count,   i, j, x) {
	for (i = 2; i <= count; i++) {
		x = at[i]
		for (j = i - 1; j && at[j] > x; j--)
			at[j + 1] = at[j]
		at[j + 1] = x
	}
	return count % 2 ? at[(count + 1) / 2] : (at[count / 2] + at[count / 2 + 1]) / 2
}

# figure[] by name, of the run in $0
function read_figures(figure,   i, part) {
	for (i = 9; i <= NF; i++) {
		split($i, part, "=")
		figure[part[1]] = part[2]
	}
}

# The name of a benchmark without its suite, then its sizes.
function title(program, size) { sub(".*/", "", program); return program " " size }
