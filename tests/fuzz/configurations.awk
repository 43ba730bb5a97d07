# tests/fuzz/configurations.awk -- from the manual of parameters (lockstep config doc): -v count=N lines, each of one
# to eight options of random parameters with values in their ranges, after -v seed=N; with -v most=N at most N
# times the default.
BEGIN { FS = "  +"; srand(seed) }
/^[a-z]/ { section = $1; next }
!section || NF < 5 || $2 == "key" || $4 == "a text" { next }
{ parameters++; key[parameters] = section "." $2; standard[parameters] = $3; range[parameters] = $4 }

function below(n) { return int(rand() * n) }
# of a number: an end of the range, one near the default, or any, with small ones as likely as large ones
function number(at, low, high,    kind, value) {
	kind = below(6)
	if (most && high > standard[at] * most && standard[at] > 0)
		high = standard[at] * most
	if (kind == 0) value = low
	else if (kind == 1) value = high
	else if (kind == 2) value = standard[at] * 2
	else if (kind == 3) value = standard[at] / 2
	else value = low + exp(rand() * log(high - low + 1)) - 1
	if (kind == 5) value = 2 ^ int(log(value + 1) / log(2))
	value = value < low ? low : value > high ? high : value
	return range[at] ~ /\./ ? sprintf("%.3f", value) : sprintf("%.0f", int(value))
}
function value_of(at,    words, n) {
	if (range[at] ~ /^-?[0-9.]+ to [0-9.]+$/) {
		split(range[at], words, " to ")
		return number(at, words[1] + 0, words[2] + 0)
	}
	n = split(range[at], words, / or |, */)
	return words[1 + below(n)]
}
END {
	for (i = 0; i < count; i++) {
		line = ""
		for (n = 1 + below(8); n; n--) {
			at = 1 + below(parameters)
			line = line " --set " key[at] "=" value_of(at)
		}
		print line
	}
}
