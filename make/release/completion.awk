# make/release/completion.awk -v shell=bash|zsh -- the tables of completion.bash or completion.zsh from the
# table of commands.awk.
BEGIN { FS = "\t" }
$1 == "command" { command[++commands] = $2; summary[$2] = $3; at = $2 }
$1 == "word" { operands[at] = operands[at] " " $2 }
# Of bash: "NAME VALUE" a line, VALUE empty for a flag.
$1 == "option" && shell == "bash" {
	value = $4 == "-" ? "" : " " $4
	options[at] = options[at] ($2 == "-" ? "" : $2 value "\n") $3 value "\n"
}
# Of zsh: a specification of _arguments.
$1 == "option" && shell == "zsh" {
	help = $5
	gsub(/'/, "'\\''", help)
	gsub(/\[/, "\\[", help)
	gsub(/\]/, "\\]", help)
	gsub(/:/, "\\:", help)
	take = $4 == "-" ? "" : ":" colons($4) ":" action($3, $4)
	names = $2 == "-" ? "'*" $3 : "'*'{" $2 "," $3 "}'"
	options[at] = options[at] "\t\t" names "[" help "]" take "' \\\n"
}
function colons(text) {
	gsub(/:/, "\\\\:", text)
	gsub(/'/, "", text)
	return text
}
function action(name, value) {
	if (name == "--config") return " _lockstep_names_or_files _lockstep_configs"
	if (name == "--set") return " _lockstep_add _lockstep_parameters -S \"\""
	if (name == "--energy") return " _lockstep_names_or_files _lockstep_models"
	if (name == "--size") return "(tiny small repro paper)"
	if (name == "--sanitize") return "(memory race init sync leak all)"
	if (name == "--stats-style") return "(gem5 gpgpusim)"
	return value ~ /FILE|^DIR$/ ? "_files" : ""
}
function bash_tables(  i) {
	print "\n_lockstep_commands() {\n\tcat <<'END'"
	for (i = 1; i <= commands; i++) print command[i]
	print "END\n}\n_lockstep_operands() {\n\tcase $1 in"
	for (i = 1; i <= commands; i++)
		if (operands[command[i]]) print "\t" command[i] ") echo" operands[command[i]] " ;;"
	print "\tesac\n}\n_lockstep_options() {\n\tcase $1 in"
	for (i = 1; i <= commands; i++)
		printf "\t%s)\n\t\tcat <<'END'\n%sEND\n\t\t;;\n", command[i], options[command[i]]
	print "\tesac\n}"
}
function zsh_tables(  i, text) {
	print "_lockstep_commands() {\n\tlocal -a commands=("
	for (i = 1; i <= commands; i++) {
		text = summary[command[i]]
		gsub(/'/, "'\\''", text)
		gsub(/:/, "\\:", text)
		print "\t\t'" command[i] ":" text "'"
	}
	print "\t)\n\t_describe command commands\n}\n_lockstep_options() {\n\tcase $1 in"
	for (i = 1; i <= commands; i++)
		printf "\t%s)\n\t\t_arguments -s -S \\\n%s\t\t'*:operand: _lockstep_operands%s'\n\t\t;;\n",
			command[i], options[command[i]], " " command[i] operands[command[i]]
	print "\tesac\n}\n_lockstep \"$@\""
}
END { if (shell == "bash") bash_tables(); else zsh_tables() }
