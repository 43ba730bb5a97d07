# make/site/forms.awk -v site=DIR SHELL OPCODES REFUSED VALID -- a page for each opcode that lists its forms;
# SHELL is a page without text.
FNR == 1 { file++ }
file == 1 {
	gsub(/@ROOT@/, "../..")
	if ($0 == "</main>") after = 1
	if (after) tail = tail $0 "\n"
	else head = head $0 "\n"
}
file == 2 { split($0, f, "\t"); count[f[1]] = f[2]; executed[f[1]] = f[3] }
file == 3 { refused[$1] = 1 }
file == 4 {
	name = $1
	sub(/;$/, "", name)
	of = name
	sub(/\..*/, "", of)
	text = $0
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	if (!(of in page)) {
		page[of] = site "/reference/ptx/" of ".html"
		top = head
		gsub(/@TITLE@/, "Forms of " of, top)
		printf "%s<h1>Forms of %s</h1>\n<p><a href=\"../ptx.html\">All opcodes</a>. %d forms, of which " \
			"%d are executed.</p>\n<pre class=\"forms\">", top, of, count[of], executed[of] >page[of]
	}
	print (name in refused ? "<b>refused</b>  " : "executed ") text >page[of]
}
END { for (of in page) printf "</pre>\n%s", tail >page[of] }
