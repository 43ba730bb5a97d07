# make/site/commands.awk -v folder=DIR -- a page for each command from the table of make/release/commands.awk.
BEGIN { FS = "\t" }
function put(line) { print line >page }
function fence(is) {
	if (is != in_fence) put("```")
	in_fence = is
}
function verbatim(text) { gsub(/`/, "'", text); return "`" text "`" }
# what Markdown would read as its own
function plain(text) {
	gsub(/[*_<>|]/, "\\\\&", text)
	gsub(/docs\/user\/[a-z-]+\.md/, "[&](../../&)", text)
	return text
}
$1 == "command" {
	if (page) { fence(0); close(page) }
	page = folder "/" $2 ".md"
	put("# lockstep " $2 "\n\n" toupper(substr($3, 1, 1)) substr($3, 2) ".\n")
	options = 0
}
$1 == "usage" { put("```\n" $2 "\n```\n\n## Options\n") }
$1 == "option" {
	put("* " ($2 == "-" ? "" : verbatim($2) ", ") verbatim($3 ($4 == "-" ? "" : " " $4)) " - " plain($5))
}
$1 == "text" && !in_text[page]++ { put("\n## Description\n") }
$1 == "text" && $2 ~ /^  / { fence(1); put($2); next }
$1 == "text" { fence(0); put(plain($2)) }
END { fence(0) }
