#!/bin/sh
# tests/cli/files.sh BUILD -- the output folder: one run at a time; files are whole or absent, whatever happens to
# the run, its children or the disk.
. tests/lib.sh
lockstep=$(realpath "$lockstep")
ptx=$(realpath tests/cli/ptx/endless.ptx)
compile program tests/cli/files.c

until_so() {
	tries=0
	until "$@" 2>/dev/null || [ $tries = 12000 ]; do sleep 0.05; tries=$((tries + 1)); done
}
run() { "$lockstep" run -q -o "$@"; }
kernels_are() { [ "$(total "$1" gpu.kernels)" = "$2" ]; }
no_parts() { [ -z "$(find "$out/$1" -name '*.part')" ]; }

# ---- two runs at once ----

mkfifo "$out/first.in" "$out/second.in"
run "$out/same" -- "$out/program" "$ptx" wait <"$out/first.in" >"$out/first" 2>&1 & first=$!
exec 3>"$out/first.in"
until_so grep -q ready "$out/first"
run "$out/same/" -- "$out/program" "$ptx" wait <"$out/second.in" >"$out/second" 2>&1 3>&- & second=$!
exec 4>"$out/second.in"
until_so grep -q ready "$out/second"
run "$out/same" -- "$out/program" "$ptx" no >"$out/third" 2>&1 3>&- 4>&-
expect "the third run says where it writes" grep -q \
	"^lockstep: another run is writing into $out/same; this one writes into $out/same.3\$" "$out/third"
echo >&3
exec 3>&-
echo >&4
exec 4>&-
expect "the first run" wait $first
expect "the second run" wait $second
expect "the second run says where it writes" grep -q "this one writes into $out/same.2\$" "$out/second"
for folder in same same.2 same.3; do
	expect "$folder has its run" kernels_are $folder 1
	expect "$folder has no parts" no_parts $folder
done
expect "the runs are the same" same_statistics "$out/same/stats.txt" "$out/same.2/stats.txt"
run "$out/same" -- "$out/program" "$ptx" no >"$out/log" 2>&1
expect "afterwards the folder is free" sh -c '! grep -q "another run" "$1"' - "$out/log"

# ---- children ----

run "$out/fork" -- "$out/program" "$ptx" fork >"$out/log" 2>&1
expect "children have no device" [ "$(grep -c '^child [01]: right$' "$out/log")" = 2 ]
expect "the run has both kernels" kernels_are fork 2
expect "the run is told of once" [ "$(grep -c 'Begin .*# total of 2 kernels$' "$out/fork/stats.txt")" = 1 ]
expect "there is no other total" [ "$(grep -c 'Begin .*# total' "$out/fork/stats.txt")" = 1 ]

# ---- killed ----

cp -r "$out/fork" "$out/killed"
mkfifo "$out/killed.in"
"$lockstep" run -q -o "$out/killed" -- "$out/program" "$ptx" wait <"$out/killed.in" >"$out/killed.log" 2>&1 & process=$!
exec 3>"$out/killed.in"
until_so grep -q ready "$out/killed.log"
kill -KILL $process
wait $process 2>/dev/null
exec 3>&-
for file in config.yaml stats.txt stats.json latency.txt; do
	expect "killed: $file of the run before stands" cmp "$out/fork/$file" "$out/killed/$file"
done
expect "killed: its kernel is in the part" grep -q 'Begin .*# launches of brief$' "$out/killed/stats.txt.part"
expect "killed: that is a document, marked as partial" [ "$(tail -n 1 "$out/killed/stats.txt.part" | cut -c 12-14)" = End -a \
	"$(grep -c 'Begin .*# total of 1 kernel interrupted$' "$out/killed/stats.txt.part")" = 1 ]
expect "killed: so is the other one" sh -c 'grep -q "^  \"interrupted\": true,\$" "$1" && [ "$(tail -n 1 "$1")" = "}" ]' - \
	"$out/killed/stats.json.part"
expect "killed: the launch has its line" grep -q '^1,brief,.*,done,' "$out/killed/launches.csv.part"
run "$out/killed" -- "$out/program" "$ptx" no >"$out/log" 2>&1
expect "killed: the next run takes the folder" kernels_are killed 1
expect "killed: and its parts" no_parts killed

# ---- a full disk ----

# limited BLOCKS COMMAND...: no file may have more than so many blocks of 512 bytes
limited() { (
	trap '' XFSZ
	ulimit -f "$1"
	shift
	"$@"
); }
cp -r "$out/fork" "$out/full"
limited 200 "$lockstep" run -q -o "$out/full" -- "$out/program" "$ptx" no >"$out/log" 2>&1
status=$?
expect "full: exit status $status, not 74" [ $status = 74 ]
expect "full: the file is named" grep -q "^lockstep: $out/full/stats.txt cannot be written: File too large\$" "$out/log"
expect "full: it is absent" [ ! -e "$out/full/stats.txt" ]
expect "full: no parts" no_parts full
expect "full: what was whole is there" [ -s "$out/full/config.yaml" ]
limited 200 "$lockstep" run -q -o "$out/full" -- "$out/program" "$ptx" status >"$out/log" 2>&1
status=$?
expect "full: a status of the program's own stays, not $status" [ $status = 9 ]
limited 200 "$lockstep" launch "$ptx" brief --grid 1 --block 32 --arg 'u32[2]=zero' -q -o "$out/full" >"$out/log" 2>&1
status=$?
expect "full: launch ends with $status, not 0" [ $status != 0 ]
expect "full: launch names the file" grep -q "^lockstep: $out/full/stats.txt cannot be written" "$out/log"

# what the user names may be a device; a link in the folder is replaced, whatever it points to
record() { "$lockstep" record -q -o "$1" -- "$out/program" "$ptx" no; }
ln -s /dev/full "$out/device.rec"
answers 74 "^lockstep: $out/device.rec cannot be written: No space left on device\$" record "$out/device.rec"
expect "device: the link stays" [ -L "$out/device.rec" ]
mkdir "$out/device"
ln -s /dev/full "$out/device/stats.json"
answers 0 . run "$out/device" -- "$out/program" "$ptx" no
expect "device: the link is replaced" [ -f "$out/device/stats.json" -a ! -L "$out/device/stats.json" ]
expect "device: the run is whole" kernels_are device 1
finish
