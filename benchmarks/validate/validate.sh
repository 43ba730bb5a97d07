#!/bin/sh
# validate.sh BUILD CHIP -- measures on a simulated chip what others measured on the hardware (gtx480.sh, volta.sh), and
# prints figure by figure ours, the hardware's and the error. The last line is that of errors.awk. Ends with 1
# if a value was wrong.
set -u
here=$(dirname "$0")
chip=${2:-gtx480}
chips="gtx480 v100 titanv a100 p100 rtx2060s h100 h200 b200 rtx5090"
case " $chips " in *" $chip "*) ;; *)
	echo "validate: no figures of '$chip'; CHIP is one of: $chips" >&2
	exit 2
	;;
esac
case $chip in gtx480) . "$here/gtx480.sh" ;; *) . "$here/volta.sh" ;; esac
