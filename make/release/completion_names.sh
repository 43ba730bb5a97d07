# What completions of bash and of zsh ask the command, each name on a line; $_lockstep_program is what was
# typed.

# _lockstep_named TITLE: the names that `lockstep list` prints below the line that begins with TITLE
_lockstep_named() {
	COLUMNS=100000 "$_lockstep_program" list configs 2>/dev/null |
		awk -v title="$1" '/^[^ ]/ { here = index($0, title) == 1; next } here { print $1 }'
}
_lockstep_configs() { _lockstep_named configurations; _lockstep_named overlays; }
_lockstep_models() { _lockstep_named 'energy models'; }
_lockstep_parameters() {
	"$_lockstep_program" config show 2>/dev/null | awk '
		match($0, /^ *[a-z0-9_]+:/) {
			name = substr($0, 1, RLENGTH - 1)
			level = gsub(/  /, "", name)
			path[level] = name
			if ($2 == "" || $2 ~ /^#/) next
			for (i = 0; i < level; i++) printf "%s.", path[i]
			print name "="
		}'
}
# suites, and benchmarks as suite/name
_lockstep_benchmarks() {
	COLUMNS=100000 "$_lockstep_program" list benchmarks 2>/dev/null |
		awk '/:  / {
				suite = $1; sub(/:/, "", suite); print suite
				for (i = 2; i <= NF; i++) print suite "/" $i
			}
			/^  [a-z]+$/ { print $1 }'
}
