#!/bin/sh
# tests/host/device/properties.sh BUILD -- what the device says of itself, on each chip, against what cards
# say (properties/): differences are explained one by one, and docs/user/device-properties.md is the table;
# RECORD=1 writes it anew.
. tests/lib.sh
awk '/^\tCU_DEVICE_ATTRIBUTE_[A-Z0-9_]+ = [0-9]+,/ {
	sub("CU_DEVICE_ATTRIBUTE_", "", $1)
	if (!seen[$3]++)
		print "ATTRIBUTE(" $1 ")"
}' host/cuda.h >"$out/properties.list"
compile properties -I"$out" -Itests/host tests/host/device/properties/properties.c
chips="gtx480 gtx470 p100 titanv v100 rtx2060s a100 ga100 h200 b200 rtx5090"
files=
for chip in $chips; do
	expect "$chip" sh -c "'$lockstep' run -q -f -c $chip -o '' -- '$out/properties' >'$out/$chip.txt'"
	files="$files $out/$chip.txt"
done
page() {
	awk -v chips="$chips" -f tests/host/device/properties/page.awk tests/host/device/properties/published.txt \
		tests/host/device/properties/differences.txt $files >"$out/page.md"
}
expect "each difference from a card has its reason" page
[ -z "${RECORD:-}" ] || cp "$out/page.md" docs/user/device-properties.md
expect "docs/user/device-properties.md" diff docs/user/device-properties.md "$out/page.md"
finish
