# tests/cookbook.awk -- OUTPUT TEXT: whether the output has each line of the text, figures included; of a line
# that ends in "..." what stands before. Says what was wanted and what was printed instead. -v record=FILE:
# writes the text with what was printed there.

# As it is compared: with single blanks, and without the hash of a job, which depends on the simulator's
# build.
function plain(line,    word) {
	gsub(/[ \t]+/, " ", line)
	gsub(/^ | $/, "", line)
	if (split(line, word, " ") > 3 && word[2] ~ /^(done|open)$/ && word[3] ~ /^[0-9a-f]+$/ && length(word[3]) == 8)
		sub(word[3], "HASH", line)
	return line
}
function words(line) {
	gsub(/[-+]?[0-9][0-9.]*(e[-+]?[0-9]+)?/, "N", line)
	return line
}
function is_shown(wanted, printed) {
	return sub(/ *\.\.\.$/, "", wanted) ? index(printed " ", wanted " ") == 1 : wanted == printed
}
# how many words stand in both at the same place
function likeness(a, b,    i, n, count, in_a, in_b) {
	n = split(a, in_a, " ")
	split(b, in_b, " ")
	for (i = 1; i <= n; i++) count += in_a[i] == in_b[i]
	return count
}
# the printed line with these words and most of these figures
function best_for(wanted,    i, best, most, like) {
	most = -1
	for (i = 1; i <= lines; i++) {
		like = likeness(wanted, plain(printed[i]))
		if (is_shown(words(wanted), words(plain(printed[i]))) && like > most) {
			most = like
			best = printed[i]
		}
	}
	return best
}
# the printed line as far as the wanted one goes
function cut(line, wanted,    n, part, start) {
	if (!sub(/ *\.\.\.$/, "", wanted)) return line
	for (n = split(wanted, part, " "); n && match(line, /^ *[^ ]+/); n--) {
		start = start substr(line, 1, RLENGTH)
		line = substr(line, RLENGTH + 1)
	}
	return start " ..."
}

FNR == NR { printed[++lines] = $0; next }
{
	for (i = 1; i <= lines && !is_shown(plain($0), plain(printed[i])); i++) continue
	best = i <= lines ? $0 : best_for(plain($0))
	if (best == "" || (best != $0 && !record)) {
		missing = 1
		print "wanted:  " $0 "\nprinted: " (best == "" ? "no line with these words" : best)
	}
	text = text (best == "" || best == $0 ? $0 : cut(best, $0)) "\n"
}
END {
	if (record) printf "%s", text >record
	exit missing
}
