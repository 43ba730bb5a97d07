# tests/readmes.awk PAGE -- what the commands of lockstep in a page name, in blocks and in code type, a line
# each:
# "command NAME", "option COMMAND OPTION", "config NAME", and "path PATH" of what is in the repository.

# line: what follows the word lockstep
function command(line,    word, n, i, is_program) {
	gsub(/'[^']*'|"[^"]*"/, "QUOTED", line)
	sub(/(^| )#.*/, "", line)
	gsub(/> *[^ ]+/, "", line) # what is written
	sub(/ (\||\|\||&&) .*/, "", line) # another command
	n = split(line, word, /[ ,;|&<>()]+/)
	if (word[1] !~ /^[a-z]+$/) return
	print "command " word[1]
	for (i = 2; i <= n; i++) {
		if (word[i] == "--") is_program = 1
		else if (word[i] ~ /^-/ && !is_program)
			print "option " word[1] " " substr(word[i], 1, match(word[i] "=", /=/) - 1)
		if (word[i] ~ /^(build|benchmarks|configs|sweeps|docs|tests)\/[^<]*[a-z]/) print "path " word[i]
		else if (word[i - 1] == "-c" && !is_program) print "config " word[i]
	}
}
function commands(text) {
	while (match(text, /(^|[ \/`])lockstep [a-z]/)) {
		text = substr(text, RSTART + RLENGTH - 1)
		command(substr(text, 1, match(text "`", /`/) - 1))
	}
}

/^```/ { in_block = !in_block; is_text = in_block && /^```./ && !/^```sh/; next }
is_text && in_block { next }
in_block && /\\$/ { begun = begun substr($0, 1, length($0) - 1); next }
in_block { commands(begun $0); begun = ""; next }
{ # a sentence: what stands in code type
	line = $0
	while (match(line, /`[^`]*`/)) {
		code = substr(line, RSTART + 1, RLENGTH - 2)
		line = substr(line, RSTART + RLENGTH)
		commands(code)
	}
}
