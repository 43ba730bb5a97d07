# tests/declarations.awk FILE... -- the descriptions of parameters and statistics (the texts in SIM_...(...))
# that do not stand alone: a word in them stands for what another description says. A line each: file, line,
# description.
function look(text,    plain) {
	plain = " " tolower(text) " "
	gsub(/[^a-z]+/, " ", plain)
	if (plain ~ / (those|such|of these|the same|so many) /) print at ": " text
}
FNR == 1 { depth = 0 }
{
	line = $0
	if (!depth) {
		if (!match(line, /[A-Z][A-Z0-9_]*\(/) || line ~ /^#define SIM_/) next
		line = substr(line, RSTART)
		at = FILENAME ":" FNR
		text = ""
	}
	while (match(line, /"([^"\\]|\\.)*"|[(),]/)) {
		token = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		if (token == "(") depth++
		else if (token == ",") { look(text); text = "" }
		else if (token == ")") {
			if (!--depth) { look(text); text = ""; if (!match(line, /[A-Z][A-Z0-9_]*\(/)) break }
		} else text = text substr(token, 2, length(token) - 2)
	}
}
