#!/bin/sh
# tests/defaults.sh BUILD -- each value of the GTX 480 is written once: the declared defaults of parameters
# are the chip's, and configs/gtx480.yaml sets only what differs from them. The DRAM preset of the chip,
# which writes every number out, says the same as the defaults.
. tests/lib.sh

flat() { "$lockstep" config show "$@" | sed 's/ *#.*//'; }
printf 'gpu:\n  sms: 15\n' >"$out/empty.yaml"
flat -c configs/gtx480.yaml >"$out/chip"
flat -c "$out/empty.yaml" >"$out/defaults"
# the preset names the bits of the bank group in its mapping, which are the lowest two of the bank in the
# other
for c in gtx480 dram/gddr5-gtx480; do
	flat -c configs/$c.yaml | grep -v '^ *mapping:' >"$out/$(basename $c)"
done
expect "there are parameters" [ "$(wc -l <"$out/chip")" -gt 300 ]
set=$(grep -v '^ *#' configs/gtx480.yaml | grep -c ': [^ ]')
differences=$(diff "$out/defaults" "$out/chip" | grep -c '^>')
expect "gtx480.yaml sets $set values, of which $differences differ from the defaults" \
	[ "$set" = "$differences" ]
expect "the DRAM preset of the GTX 480 is the GTX 480's" cmp "$out/gtx480" "$out/gddr5-gtx480"
finish
