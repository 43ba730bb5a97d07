#!/bin/sh
# tests/defaults.sh BUILD -- the declared defaults of parameters are the GTX 480's. configs/gtx480.yaml repeats
# some, as the description of the chip; neither may be changed without the other. The three exceptions are the
# L1's MSHRs and replays, which measurements of the chip have and the papers' machines do not.
. tests/lib.sh

flat() { "$lockstep" config show -c "$1" | sed 's/ *#.*//' >"$2"; }
printf 'gpu:\n  sms: 15\n' >"$out/empty.yaml"
flat configs/gtx480.yaml "$out/chip"
flat "$out/empty.yaml" "$out/defaults"
expect "there are parameters" [ "$(wc -l <"$out/chip")" -gt 300 ]
differences=$(diff "$out/defaults" "$out/chip" | sed -n 's/^> *//p' | xargs)
expect "gtx480.yaml and the defaults differ in: $differences" \
	[ "$differences" = "lsu_replay: true mshrs_per_warp: 6 mshrs: 64" ]
finish
