# tests/statistics.sh -- for tests to read in: statistics of two runs are compared without the comments at the top, which name the run.

# statistics FILE: its lines but for those that begin with #
statistics() { grep -v '^#' "$1"; }

# same_statistics FILE FILE: the same, and not empty
same_statistics() {
	compared=$(mktemp) || return 1
	statistics "$1" >"$compared"
	[ -s "$compared" ] && statistics "$2" | cmp -s - "$compared"
	is_same=$?
	rm -f "$compared"
	return $is_same
}
