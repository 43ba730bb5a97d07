#!/bin/sh
# tests/cli/config_names.sh BUILD -- wherever a name or a file may stand, the name of a configuration or
# energy model that comes with Lockstep means that, whatever lies in the current folder; any other word is a
# file.
. tests/lib.sh
few "$out" sdk/vectoradd
ln -s "$(realpath "$build/bench/energymicro")" "$out/few/bench/"
lockstep=$out/few/bin/lockstep configs=$(realpath configs) ptx=$PWD/tests/cli/ptx/vecadd.ptx
mkdir "$out/here" "$out/here/v100" "$out/here/+swl" "$out/here/sub"
cd "$out/here" || exit 1
echo 'not: a model' >gtx480
echo 'gpu: {sms: 3}' >mine
echo 'base: v100' >of-name.yaml
echo 'base: mine' >of-file.yaml
echo 'base: ./v100' >of-folder.yaml
cat >model <<'END'
chip: none
coefficients: [{ name: constant, component: board, unit: W, value: 30 }]
END
launch() {
	"$lockstep" launch -q -s gpu.sms=1 "$@" -g 1 -b 32 -a 'f32[32]=iota' -a f32=2 "$ptx" scale
}
shows() { # shows CONFIGURATION WHERE: its values come from a file WHERE
	answers 0 "# $2:" "$lockstep" config show -c "$1"
}

shows v100 "$configs/v100.yaml"
shows +swl "$configs/+swl.yaml"
shows of-name.yaml "$configs/v100.yaml"
shows mine mine
shows of-file.yaml mine
answers 0 "^v100: accepted" "$lockstep" config check v100 gtx480 mine ./mine of-file.yaml
refuses "cannot read ./v100: Is a directory" "$lockstep" config show -c ./v100
refuses "of-folder.yaml:1:7: error: cannot read ./v100: Is a directory" "$lockstep" config show -c of-folder.yaml
refuses "there is no file and no configuration v10; did you mean v100?" "$lockstep" config show -c v10
answers 0 "# $configs/v100.yaml:" env LOCKSTEP_CONFIG=v100 LOCKSTEP_OUT=environment \
	LD_LIBRARY_PATH="$out/few/lib" sh -c \
	"'$out/few/bench/sdk/vectoradd' 100 >/dev/null && cat environment/config.yaml"

# An output folder with the name of the configuration: a second run finds both again.
for i in 1 2; do expect "run $i into a folder v100" launch -c v100 -o v100 -f; done
expect "both are the configuration" grep -q "# $configs/v100.yaml:" v100/config.yaml
answers 0 "configuration: the same" "$lockstep" diff v100 v100

# Energy models, on the command line and in a sweep.
expect "the model gtx480" launch --energy gtx480 -o energy
expect "its file" grep -q "^# model $configs/energy/gtx480.yaml" energy/energy.txt
expect "a model of one's own" launch --energy model -o energy
refuses "there is no model nothing in configs/energy, and no file nothing" launch --energy nothing -o energy
expect "characterise" "$lockstep" energy characterise --energy gtx480 --list
(cd sub && expect "a program in another folder" launch --energy ../model -o "")

# Branches.
answers 0 . "$lockstep" run -q -s gpu.sms=1 -o branches --at kernel:1 --branch a:+swl --branch b:mine -- \
	"$out/few/bench/sdk/vectoradd" 100
expect "a branch with an overlay by name" grep -q "# $configs/+swl.yaml:" branches/a/config.yaml
expect "a branch with a file" grep -q "sms: 3 *# .*mine:" branches/b/config.yaml

# Sweeps: files are found from their folder.
echo 'gpu: {sms: 5}' >sub/mine
cp gtx480 sub/gtx480
mkdir sub/v100 sub/+swl
cat >sub/sweep.yaml <<'END'
workloads: {name: sdk/vectoradd, size: tiny}
base: [v100, gtx480, mine]
overlays: [+swl]
set: {energy.model: gtx480}
END
answers 0 "-c $configs/v100.yaml -c $configs/+swl.yaml --set observe.instances=never --set observe.kernels=false --set energy.model=gtx480" "$lockstep" sweep -n sub/sweep.yaml
answers 0 "-c $configs/gtx480.yaml" "$lockstep" sweep -n sub/sweep.yaml
answers 0 "-c $PWD/sub/mine" "$lockstep" sweep -n sub/sweep.yaml
cp model sub/model
sed -i 's|energy.model: gtx480|energy.model: model|' sub/sweep.yaml
answers 0 "--set energy.model=$PWD/sub/model" "$lockstep" sweep -n sub/sweep.yaml
finish
