# make/site/links.awk -v site=DIR PAGE... -- every link of the pages that stays in the site leads to a page or
# file of it, and to a part that is there. The last line counts; the exit status is 1 if a link leads nowhere.
function normalised(path,  part, n, i, kept, depth) {
	n = split(path, part, "/")
	depth = 0
	for (i = 1; i <= n; i++) {
		if (part[i] == "..") depth--
		else if (part[i] != "." && part[i] != "") kept[++depth] = part[i]
	}
	path = ""
	for (i = 1; i <= depth; i++) path = path (i > 1 ? "/" : "") kept[i]
	return path
}
FNR == 1 {
	pages++
	page = substr(FILENAME, length(site) + 2)
	folder = page
	sub(/[^\/]*$/, "", folder)
	is_there[page]
}
{
	rest = $0
	while (match(rest, / (id|href|src)="[^"]*"/)) {
		word = substr(rest, RSTART + 1, RLENGTH - 2)
		rest = substr(rest, RSTART + RLENGTH)
		value = word
		sub(/^[a-z]*="/, "", value)
		if (word ~ /^id=/) { ids[page, value]; continue }
		if (value ~ /^(https?|mailto):/) { outside++; continue }
		links++
		hash = index(value, "#")
		path = hash ? substr(value, 1, hash - 1) : value
		target = path == "" ? page : normalised(folder path)
		from[target, hash ? substr(value, hash + 1) : ""] = page ": " value
	}
}
function exists(path,  line, is) {
	if (path in is_there) return 1
	is = (getline line <(site "/" path)) >= 0
	close(site "/" path)
	if (is) is_there[path]
	return is
}
END {
	for (key in from) {
		split(key, f, SUBSEP)
		gsub(/%20/, " ", f[1])
		if (!exists(f[1]) || (f[2] != "" && !((f[1], f[2]) in ids))) {
			print "leads nowhere: " from[key]
			broken++
		}
	}
	printf "site: %d pages, %d links, %d broken (and %d links to elsewhere, which are not followed)\n", pages,
		links, broken, outside
	exit broken > 0
}
