#!/bin/sh
# tests/release/guides.sh [BUILD] -- manual pages and completions name every command and option of the help;
# the completions, asked as a shell asks them, answer with commands, options, configurations, parameters,
# benchmarks.
. tests/lib.sh
sanitized && skip_all "manual pages and completions are made by the plain build"
share=$build/share

# of FILE COMMAND: the options of the command, of the functions in a script of completion
of() {
	awk -v at="$2)" '/^\t[a-z]+\)/ { here = $1 == at } here' "$1" |
		grep -oE -e "(^|[,'*])--[a-z-]+" | tr -d ",'*"
}
# same NAME: whether standard input has the same options as the help
same() {
	sort -u | diff "$out/help" - >"$out/log" 2>&1
	expect "$1: the options of the help" [ ! -s "$out/log" ]
}

for command in $("$lockstep" --help | sed -n 's/^  \([a-z][a-z]*\)   *[a-z].*/\1/p'); do
	page=$share/man/lockstep-$command.1
	expect "lockstep.1 names $command" grep -q "^.fB$command.fR" "$share/man/lockstep.1"
	"$lockstep" "$command" --help | sed -n 's/^  \(-[a-zA-Z], \|    \)\(--[a-z-]*\).*/\2/p' |
		sort -u >"$out/help"
	sed 's/\\-/-/g; s/\\f[BIR]//g' "$page" |
		sed -nE '/^.SH OPT/,/^.SH DESC/s/^(-[a-zA-Z], )?(--[a-z-]+)( .*)?$/\2/p' | same "lockstep-$command.1"
	of "$share/lockstep.bash" "$command" | same "bash, $command"
	of "$share/lockstep.zsh" "$command" | same "zsh, $command"
	[ -z "$(command -v groff)" ] ||
		expect "groff on $page" [ -z "$(groff -ww -man -Tutf8 "$page" 2>&1 >/dev/null)" ]
done

# completes EXPECTED WORD...: what bash offers for the last word has this one (or !WORD: has not)
completes() {
	wanted=${1#!} not=${1%%[!!]*}
	shift
	bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lockstep "$1" 2>/dev/null
		printf "%s\n" "${COMPREPLY[@]}"' "$share/lockstep.bash" "$lockstep" "$@" >"$out/offered"
	if [ -n "$not" ]; then
		expect "bash: $*: without $wanted" sh -c "! grep -qxF -e '$wanted' '$out/offered'"
	else
		expect "bash: $*: $wanted among $(head -n 5 "$out/offered" | xargs)" \
			grep -qxF -e "$wanted" "$out/offered"
	fi
}
completes cachemodel cach
completes !run cach
completes --max-cycles run --max
completes -c run -
completes !--grid run --
completes --grid launch --
completes gtx480-l1-48k run -c gtx480
completes +mrpb run --config +
completes sm.scheduler.policy= run --set sm.sch
completes gtx480 run --energy ''
completes import config ''
completes characterise energy ''
completes polybench/gemm bench run polybench/g
completes README.md ptx READ
completes README.md run -- READ
completes run help ''

if [ -n "$(command -v zsh)" ]; then
	# a terminal of its own, in which each line is typed, and Tab behind it
	cat >"$out/ask.zsh" <<-'END'
		zmodload zsh/zpty
		zpty asked zsh -f -i
		zpty -w asked "PS1=; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; LISTMAX=1000"
		zpty -w asked "bindkey '^I' complete-word; zstyle ':completion:*' list-prompt ''"
		zpty -w asked "print rea''dy"
		zpty -r -m asked line '*ready*'
		while read -r typed; do
			zpty -w -n asked "$typed"$'\t\t\C-a\C-kprint do""ne\n'
			zpty -r -m asked line '*done*'
			print -r -- ${line//$'\n'/ }
		done
	END
	mkdir "$out/functions"
	cp "$share/lockstep.zsh" "$out/functions/_lockstep"
	# what is typed, and what must then be shown
	cat >"$out/zsh" <<-END
		lockstep cach|lockstep cachemodel
		lockstep run --max|time the first N core cycles
		lockstep run -c gtx480-|gtx480-l1-48k
		lockstep run --set sm.scheduler.p|sm.scheduler.policy=
		lockstep bench run polybench/ges|polybench/gesummv
		lockstep list st|lockstep list stats
	END
	cut -d '|' -f 1 "$out/zsh" |
		PATH=$PWD/$build/bin:$PATH timeout 60 zsh -f "$out/ask.zsh" "$out/functions" >"$out/shown"
	number=0
	while IFS='|' read -r typed wanted; do
		number=$((number + 1))
		expect "zsh: $typed: $wanted" sh -c "sed -n ${number}p '$out/shown' | grep -qF -e '$wanted'"
	done <"$out/zsh"
else
	echo "note: $0: there is no zsh: its completions were only read"
fi

if git rev-parse -q --verify HEAD >/dev/null 2>&1; then
	make -s BUILD="$out/dist" dist >"$out/first" 2>/dev/null
	make -s BUILD="$out/dist" dist >"$out/second" 2>/dev/null
	expect "make dist makes a tarball" [ -s "$out/dist/lockstep-$(cat VERSION).tar.gz" ]
	expect "... and always the same one" cmp "$out/first" "$out/second"
fi
finish
