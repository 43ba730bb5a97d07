#!/bin/sh
# tests/host/modules/locale.sh BUILD -- a program with a decimal comma: nothing of ours is read or written
# with it.
. tests/lib.sh
command -v localedef >/dev/null 2>&1 && [ -e /usr/share/i18n/locales/de_DE ] ||
	skip_all "no localedef, or no sources of locales (Debian's package locales), to make a locale with a comma"
compile locale tests/host/modules/locale.c
mkdir "$out/locales"
localedef -i de_DE -f UTF-8 "$out/locales/de_DE.UTF-8" >/dev/null 2>&1 || skip_all "localedef makes no de_DE"

# run FOLDER HALF: with options that read numbers and write all files that there are
run() {
	"$lockstep" run -o "$out/run" --profile --host-profile --energy gtx480 \
		--set gpu.shader_mhz=1400.5 --series 100:gpu.ipc -- "$out/locale" \
		"$(realpath tests/cli/ptx/endless.ptx)" "$2" >"$out/$1.log" 2>&1
	status=$?
	expect "$1: exit status $status" [ $status = 0 ]
	mv "$out/run" "$out/$1"
}
LC_ALL=C run point 0.5
LOCPATH=$out/locales LC_ALL=de_DE.UTF-8 run comma 0,5
for file in $(ls "$out/point"); do
	[ $file != host.txt ] || continue # on what time was spent
	sed 's/0[.,]5"*,*$//' "$out/point/$file" >"$out/expected" # the command
	sed 's/0[.,]5"*,*$//' "$out/comma/$file" >"$out/got"
	expect "$file is the same" cmp "$out/expected" "$out/got"
done
expect "the terminal has numbers with a point" grep -q 'processor time: [0-9]*\.[0-9]* s' "$out/comma.log"
expect "no others" sh -c '! grep -hn "[0-9],[0-9][0-9]* \(s\|%\|GB\|M/s\|MiB\)" "$1" "$2"' - "$out/comma.log" "$out/comma/host.txt"
finish
