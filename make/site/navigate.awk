# make/site/navigate.awk -v site=DIR NAVIGATION PAGE... -- puts the list of pages into each page, with the one
# that is open marked. Pages are rewritten in place.
FNR == NR { split($0, f, "\t"); group[++rows] = f[1]; page[rows] = f[2]; title[rows] = f[3]; next }
FNR == 1 {
	finish()
	out = FILENAME
	here = substr(FILENAME, length(site) + 2)
	root = here
	gsub(/[^\/]+\//, "../", root)
	sub(/[^\/]*$/, "", root)
	# of the forms of an opcode the page of all opcodes is open
	open_page = here
	sub(/^reference\/ptx\/.*/, "reference/ptx.html", open_page)
	lines = 0
}
{ line[++lines] = $0 == "<!--navigation-->" ? list() : $0 }
END { finish() }
function finish(  i) {
	if (!out) return
	for (i = 1; i <= lines; i++) print line[i] >out
	close(out)
}
function escaped(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); return s }
function list(  i, s, is_open) {
	for (i = 1; i <= rows; i++) {
		if (group[i] != group[i - 1]) {
			is_open = has(group[i])
			s = s (i > 1 ? "</ul></details>\n" : "") "<details" (is_open ? " open" : "") "><summary>" \
				group[i] "</summary><ul>\n"
		}
		s = s "<li><a href=\"" root page[i] "\""
		s = s (page[i] == open_page ? " aria-current=\"page\"" : "") ">" escaped(title[i]) "</a></li>\n"
	}
	return s "</ul></details>"
}
function has(name,  i) {
	for (i = 1; i <= rows; i++) if (group[i] == name && page[i] == open_page) return 1
	return name == group[1]
}
