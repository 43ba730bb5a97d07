#!/bin/sh
# validate.sh BUILD CHIP -- measures on a simulated chip what others measured on the hardware (CHIP.sh), and
# prints figure by figure ours, the hardware's and the error. The last line is that of errors.awk. Ends with 1
# if a value was wrong.
set -u
here=$(dirname "$0")
chip=${2:-gtx480}
if [ ! -f "$here/$chip.sh" ] || [ "$chip" = validate ]; then
	echo "validate: no figures of '$chip' (CHIP=gtx480 or CHIP=v100)" >&2
	exit 2
fi
. "$here/$chip.sh"
