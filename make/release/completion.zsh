#compdef lockstep
# Completion of lockstep for zsh: commands, their options and operands, and what these take: configurations,
# parameters, benchmarks, energy models, files. The tables at the end are made from the command's help.

# _lockstep_add FUNCTION [OPTION...]: what the function prints, a name on each line
_lockstep_add() {
	local -a names=(${(f)"$($1)"})
	compadd "${@:2}" -a names
}
# these names, or a file
_lockstep_names_or_files() { _alternative "names:name: _lockstep_add $1" 'files:file:_files'; }

# _lockstep_operands COMMAND WORD...: the words that the command names, benchmarks, or files
_lockstep_operands() {
	local command=$1
	shift
	local -a names=($@)
	if [[ $command = bench && $CURRENT -gt 2 ]]; then
		names=(all ${(f)"$(_lockstep_benchmarks)"})
	fi
	(($#names)) && compadd -a names || _files
}

_lockstep() {
	local _lockstep_program=$words[1]

	if ((CURRENT == 2)); then
		_lockstep_commands
	else
		shift words
		((CURRENT--))
		[[ $words[1] = help ]] && _lockstep_commands || _lockstep_options $words[1]
	fi
}

