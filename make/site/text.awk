# make/site/text.awk -v path=PATH SHELL FILE -- a file of the repository as a page: SHELL, a page without
# text, with it.
BEGIN {
	root = "./" path
	gsub(/[^\/]+\//, "../", root)
	sub(/\/?[^\/]*$/, "", root)
	sub(/^\.\.\/?/, "./", root)
}
FNR == 1 { file++ }
file == 1 {
	gsub(/@ROOT@/, root)
	gsub(/@TITLE@/, path)
	if ($0 == "</main>") after = 1
	if (after) tail = tail $0 "\n"
	else print
}
file == 1 && /<main / { print "<h1>" path "</h1>\n<pre>" }
file == 2 { gsub(/&/, "\\&amp;"); gsub(/</, "\\&lt;"); print }
END { printf "</pre>\n%s", tail }
