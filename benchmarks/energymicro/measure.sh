#!/bin/sh
# measure.sh [PATTERN] -- the power that the energy micro-benchmarks take on this GPU, as lockstep energy fit
# reads it: "kernel,watts" on standard output. Run it from the root of the tree, with the clocks of the GPU
# locked (nvidia-smi --lock-gpu-clocks) to those of the configuration that was characterised.
#
#	SECONDS_EACH   of each kernel (10); samples of the first fifth are left out
#	REPEAT         how much each launch does (100); see --repeat
#	GPU            its number (0)
#	BUILD          the build folder (build)
set -eu
pattern=${1:-*}
seconds=${SECONDS_EACH:-10}
export CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES="${GPU:-0}"
program=${BUILD:-build}/bench/energymicro
samples=$(mktemp)
meter=
end() {
	[ -z "$meter" ] || kill "$meter" 2>/dev/null || :
	rm -f "$samples"
}
trap end EXIT
trap 'exit 130' HUP INT TERM

echo "kernel,watts"
for kernel in $("$program" --list --only "$pattern" | cut -d ' ' -f 1); do
	nvidia-smi --id="${GPU:-0}" --query-gpu=power.draw --format=csv,noheader,nounits --loop-ms=100 >"$samples" &
	meter=$!
	status=0
	"$program" --repeat "${REPEAT:-100}" --seconds "$seconds" "$kernel" >&2 || status=$?
	kill "$meter"
	wait "$meter" 2>/dev/null || :
	meter=
	case $status in
	0) awk -v kernel="$kernel" '
		/^[0-9.]+$/ { watts[n++] = $1 }
		END {
			for (i = int(n / 5); i < n; i++)
				sum += watts[i]
			if (!n) {
				print "measure.sh: no sample of power for " kernel >"/dev/stderr"
				exit 1
			}
			printf "%s,%.3f\n", kernel, sum / (n - int(n / 5))
		}' "$samples" ;;
	3) ;; # this GPU lacks what the kernel needs
	*) exit "$status" ;;
	esac
done
