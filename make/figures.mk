# make/figures.mk -- targets that measure something and print it, most of them beside published figures.

bench: all      ## measure the simulator's speed, beside that of GPGPU-Sim (minutes)
	PEER='$(PEER)' sh tests/bench.sh $(BUILD)
	@sh tests/timeline/bench.sh $(BUILD)

bench-count: all ## count the host's instructions and misses for a warp instruction (valgrind, minutes)
	@sh tests/count.sh $(BUILD)

experiments: all ## run the sweeps in sweeps/, with their reports in $(BUILD)/experiments (hours)
	@mkdir -p $(BUILD)/experiments
	@for f in sweeps/*.yaml; do n=$(BUILD)/experiments/$$(basename $$f .yaml); \
	  $(BUILD)/bin/lockstep sweep $$f -o $$n.db && $(BUILD)/bin/lockstep report $$n.db -o $$n || exit 1; done

micro: all      ## micro-benchmarks on a simulated GTX 480, beside published figures
	@$(BUILD)/bin/lockstep run -q -c configs/gtx480.yaml -o $(BUILD)/micro-out -- $(BUILD)/bench/micro

cachemicro: all ## set index, MSHRs and misses of the L1 of a simulated GTX 470, beside the card's
	@sh benchmarks/cachemicro/cachemicro.sh $(BUILD)

CHIP ?= gtx480
validate: all   ## figures measured on hardware against the simulated chip, with errors: CHIP=gtx480|v100|titanv|a100|p100|rtx2060s|h100|h200|b200|rtx5090 (minutes)
	@sh benchmarks/validate/validate.sh $(BUILD) $(CHIP)

CLASS_SIZE ?= small
classes: all    ## the class that each benchmark shows, beside its paper's: docs/results/classes.md (minutes)
	@sh benchmarks/classes.sh $(BUILD) $(CLASS_SIZE)

energy: all     ## the energy model of the GTX 480 on kernels and programs: docs/results/energy.md (minutes)
	@sh benchmarks/energy.sh $(BUILD)

energy-chips: all ## energy models of other chips beside published power: docs/results/energy-chips.md (half an hour)
	@sh benchmarks/energy/chips.sh $(BUILD)

cachemodel: all ## the cache model beside the simulator: the tables of docs/results/cachemodel.md (minutes)
	@sh benchmarks/cachemodel.sh $(BUILD) $(CLASS_SIZE)

PAPER ?= all
SIZE  ?= repro
reproduce: all  ## what of PAPER=mrpb|dwtcs|medic|warppool|reuse|all holds at SIZE=tiny|small|repro (docs/user/reproduce.md)
	@sh sweeps/reproduce.sh $(BUILD) '$(PAPER)' '$(SIZE)' $(if $(OUT),'$(OUT)')

recordings: all ## a library of recordings of all benchmarks at SIZE=repro|paper|..., in OUT (docs/user/recordings.md)
	@sh benchmarks/record.sh $(BUILD) '$(SIZE)' $(if $(OUT),'$(OUT)')

sizes: all      ## every benchmark at the size repro, verified and timed: docs/results/sizes.md (15 minutes)
	@sh benchmarks/sizes.sh $(BUILD)

network: $(BUILD)/tests/network   ## latency against load for every network and arbiter
	@$(BUILD)/tests/network

dram: $(BUILD)/tests/unit   ## DRAM bandwidths, beside those worked out by hand
	@echo "stream                                      measured  by hand   (bytes a command cycle, or GB/s)"
	@$(BUILD)/tests/unit -j1 --filter 'dram_@(bandwidth|presets)/*' 2>&1 | awk 'BEGIN { bad = 1 } { print } \
	  /Synthesis/ { bad = /Tested: 0 / || !/Failing: 0 / || !/Crashing: 0/ } END { exit bad }'
