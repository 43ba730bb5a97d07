# make/site/declared.awk -v kind=parameter|statistic -- the tables of `lockstep config doc` or `lockstep list
# stats`, with each row on one line: a heading for each name, so that links and the search find it.
function plain(text) {
	gsub(/[*_<>|]/, "\\\\&", text)
	gsub(/docs\/user\/[a-z-]+\.md/, "[&](../&)", text)
	return text
}
# not of a name such as tRCD
function sentence(text) {
	return plain(text ~ /^[a-z][a-z ]/ ? toupper(substr(text, 1, 1)) substr(text, 2) : text)
}
function field(i,  text) {
	text = i < columns ? substr($0, from[i], from[i + 1] - from[i]) : substr($0, from[i])
	sub(/ +$/, "", text)
	return text
}
/^[^ ]/ { path = $1; print "\n## " path; is_header = 1; next }
is_header {
	is_header = columns = 0
	for (at = 1; at <= length($0); at++)
		if (substr($0, at, 1) != " " && substr($0, at - 1, 1) == " ") from[++columns] = at
	next
}
kind == "parameter" && NF {
	printf "\n### `%s.%s`\n\n%s.\nDefault `%s`, %s%s.\n", path, field(1), sentence(field(5)), field(2),
		plain(field(3)), field(4) == "-" ? "" : ", in " plain(field(4))
}
kind == "statistic" && NF {
	printf "\n### `%s.%s`\n\n%s.%s\n", path, field(1), sentence(field(3)),
		field(2) == "-" ? "" : " In " plain(field(2)) "."
}
