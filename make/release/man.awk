# make/release/man.awk -v folder=DIR -v version=1.0.0 -- manual pages from the table of commands.awk:
# DIR/lockstep.1 with what `lockstep --help` prints (the first file), and DIR/lockstep-NAME.1 for each command
# (the second).
function roff(text) {
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	if (text ~ /^[.']/) text = "\\\\&" text
	return text
}
function put(line) { print line >page }
function open_page(name, summary) {
	if (page) close(page)
	page = folder "/" name ".1"
	put(".TH " toupper(roff(name)) " 1 \"\" \"Lockstep " version "\" \"Lockstep\"")
	put(".SH NAME\n" roff(name) " \\- " roff(summary))
	part = "" # of the page
}
function section(name) {
	if (part != name) {
		verbatim(0)
		put(".SH " name)
	}
	part = name
}
# Lines that begin with blanks stay lines.
function verbatim(is) {
	if (is != in_verbatim) put(is ? ".nf" : ".fi")
	in_verbatim = is
}
function text(line) {
	verbatim(line ~ /^ /)
	put(line == "" ? ".PP" : roff(line))
}

FNR == 1 { file++ }
file == 1 && FNR == 1 {
	open_page("lockstep", "a simulated GPU that runs PTX programs and tells where their time goes")
	section("DESCRIPTION")
}
file == 1 && /^usage:/ { section("SYNOPSIS"); sub(/^usage: */, ""); usage = 1 }
file == 1 && usage {
	if ($0 == "") { usage = 0; section("COMMANDS"); next }
	sub(/^ +/, "")
	put(roff($0) "\n.br")
	next
}
file == 1 && part == "COMMANDS" && match($0, /^  [a-z]+ +/) {
	put(".TP\n\\fB" $1 "\\fR (\\fBlockstep\\-" $1 "\\fR(1))\n" roff(substr($0, RLENGTH + 1)))
	next
}
file == 1 && /^Exit status: / { section("EXIT STATUS"); sub(/^Exit status: /, "") }
file == 1 { if ($0 != "") text($0) }

file == 2 { split($0, f, "\t") }
file == 2 && f[1] == "command" { open_page("lockstep-" f[2], f[3]) }
file == 2 && f[1] == "usage" { section("SYNOPSIS"); put(roff(f[2])) }
file == 2 && f[1] == "option" {
	section("OPTIONS")
	put(".TP\n" (f[2] == "-" ? "" : "\\fB" roff(f[2]) "\\fR, ") "\\fB" roff(f[3]) "\\fR" \
		(f[4] == "-" ? "" : " \\fI" roff(f[4]) "\\fR") "\n" roff(f[5]))
}
file == 2 && f[1] == "text" {
	section(part == "EXAMPLES" || f[2] ~ /^  lockstep / ? "EXAMPLES" : "DESCRIPTION")
	text(f[2])
}
