# make/release/commands.awk -- the help of commands (lockstep NAME --help, each option on one line) as a
# table, from which manual pages, completions and pages of the site are made. Its rows, with tabs between the
# fields:
#   command NAME SUMMARY        begins a command; what follows is its own
#   usage   LINE
#   word    NAME                an operand that the command names, such as `show` of lockstep config
#   option  LETTER NAME VALUE HELP    LETTER and VALUE are "-" where there is none
#   text    LINE                the rest of the help, line by line
BEGIN { OFS = "\t" }

# The words of `[policies | configs] | import FILE...` that are to be typed as they stand.
function words(operands,  part, n, i) {
	n = split(operands, part, /[][|, ]+/)
	for (i = 1; i <= n; i++)
		if (part[i] ~ /^[a-z]+$/ && part[i] != "or" && part[i] != "a") print "word", part[i]
}
function option(line,  head, letter, name, value) {
	head = line
	sub(/^ +/, "", head)
	letter = head ~ /^-[a-zA-Z], / ? substr(head, 1, 2) : "-"
	sub(/^-[a-zA-Z], /, "", head)
	name = head
	sub(/ .*/, "", name)
	value = substr(head, length(name) + 2)
	return letter OFS name OFS (value == "" ? "-" : value)
}
match($0, /^lockstep [a-z]+ -- /) && FNR == 1 {
	print "command", $2, substr($0, RLENGTH + 1)
	part = "usage"
	next
}
part == "usage" && /^usage: / {
	print "usage", substr($0, 8)
	operands = $0
	sub(/^usage: lockstep [a-z]+ (\[OPTION\]\.\.\.)? ?/, "", operands)
	words(operands)
	part = "options"
	next
}
part == "options" && /^  (-[a-zA-Z], |    )--/ {
	# the help begins at column 26, or in the next line where the head is longer
	if (length($0) > 26 && substr($0, 25, 2) == "  ") {
		head = substr($0, 1, 24)
		sub(/ +$/, "", head)
		print "option", option(head), substr($0, 27)
	} else
		pending = option($0)
	begun = 1
	next
}
part == "options" && pending != "" && /^ +[^ ]/ {
	sub(/^ +/, "")
	print "option", pending, $0
	pending = ""
	next
}
part == "options" && begun && $0 == "" { part = "text"; begun = 0; next }
part == "text" { print "text", $0 }
