# make/site/overview.awk -- the page of all commands from `lockstep --help`.
NR == 1 { print "# Commands\n\n" $0 "\n" }
/^usage: / { print "```"; usage = 1; sub(/^usage: */, "") }
usage && $0 == "" { print "```\n"; usage = 0; next }
usage { sub(/^ +/, ""); print; next }
match($0, /^  [a-z]+ +/) {
	print "* [lockstep " $1 "](" $1 ".md) - " substr($0, RLENGTH + 1)
	next
}
/^Exit status/ { print "\n## Exit status\n"; sub(/^Exit status: /, "") ; status = 1 }
status { gsub(/[_*]/, "\\\\&"); print }
