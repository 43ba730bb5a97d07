# Completion of lockstep for bash: commands, their options and operands, and what these take: configurations,
# parameters, benchmarks, energy models, files. The tables at the end are made from the command's help.

# _lockstep_words WORDS: those that fit what has been typed
_lockstep_words() { COMPREPLY=($(compgen -W "$1" -- "$_lockstep_typed")); }
_lockstep_files() {
	compopt -o filenames 2>/dev/null
	COMPREPLY=($(compgen -f -- "$_lockstep_typed"))
}

# _lockstep_value OPTION VALUE: what the option takes, which its help calls VALUE
_lockstep_value() {
	case $1 in
	-c | --config) _lockstep_words "$(_lockstep_configs)"; [ ${#COMPREPLY[@]} != 0 ] || _lockstep_files ;;
	-s | --set) compopt -o nospace 2>/dev/null; _lockstep_words "$(_lockstep_parameters)" ;;
	--energy) _lockstep_words "$(_lockstep_models)"; [ ${#COMPREPLY[@]} != 0 ] || _lockstep_files ;;
	--size) _lockstep_words "tiny small repro paper" ;;
	--sanitize) _lockstep_words "memory race init sync leak all" ;;
	--stats-style) _lockstep_words "gem5 gpgpusim" ;;
	*) case $2 in *FILE* | DIR | SIZE | STYLE) _lockstep_files ;; esac ;;
	esac
}

_lockstep() {
	local _lockstep_program=$1 _lockstep_typed=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]-}
	local before=${COMP_WORDS[COMP_CWORD - 1]} value i

	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		_lockstep_words "$(_lockstep_commands) help --help --version"
		return
	fi
	[ "$command" != help ] || { _lockstep_words "$(_lockstep_commands)"; return; }
	for ((i = 2; i < COMP_CWORD; i++)); do
		[ "${COMP_WORDS[i]}" != -- ] || { _lockstep_files; return; }
	done
	value=$(_lockstep_options "$command" | awk -v option="$before" '$1 == option { print $2 }')
	if [ -n "$value" ]; then
		_lockstep_value "$before" "$value"
	elif [ "${_lockstep_typed#-}" != "$_lockstep_typed" ]; then
		_lockstep_words "$(_lockstep_options "$command" | awk '{ print $1 }')"
	elif [ "$command" = bench ] && [ "$COMP_CWORD" -gt 2 ]; then
		_lockstep_words "all $(_lockstep_benchmarks)"
	else
		_lockstep_words "$(_lockstep_operands "$command")"
		[ ${#COMPREPLY[@]} != 0 ] || _lockstep_files
	fi
}
complete -F _lockstep lockstep
