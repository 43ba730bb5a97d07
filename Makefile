# Lockstep: build, tests, demonstration. `make help` lists the targets.
SAN      ?=
# a faster build with the same results: LTO=1 optimises all files together, PGO=1 by what a first build runs
LTO      ?=
PGO      ?=
BUILD    ?= build$(if $(SAN),-$(subst $(comma),-,$(SAN))$(if $(findstring address,$(SAN)),$(if $(FULL),-full)))$(if $(PGO),-pgo)$(if $(LTO),-lto)
comma    := ,
CC       ?= gcc
CLANG    ?= clang
FLEX     ?= flex
BISON    ?= bison

WARN     := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter $(ERROR)
# not for execution functions, whose conversions PTX defines, nor for what is generated, nor for tests
CONVERT  := $(if $(findstring clang,$(CC)),,-Wconversion)
# make check stops at a warning of the compiler that the sources are written for, that of Debian 12
STRICT    = $(if $(filter 12 12.%,$(shell $(CC) -dumpversion 2>/dev/null)),-Werror)
ERROR    ?=
OPT      ?= $(if $(SAN),-O1,-O3) -g1
# Floating point must do what PTX says and nothing else: no contraction, no reassociation.
CFLAGS   += -std=gnu11 $(OPT) $(WARN) -fPIC -fno-semantic-interposition -ffp-contract=off -fno-math-errno \
            -fno-trapping-math \
            $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all $(TRAP))
CFLAGS   += $(if $(LTO),-flto=auto -ffat-lto-objects)
# what the training does not reach is optimised as without a profile; so are the execution functions, of whose
# vector levels it runs one
PROFILE  := $(if $(filter train,$(PGO)),-fprofile-generate) $(if $(filter 1,$(PGO)),-fprofile-use \
            -fprofile-partial-training -Wno-missing-profile -Wno-coverage-mismatch)
CFLAGS   += $(PROFILE)
# UBSan's checks stop the program where they fail, and ASan's report has the place. Words for each of a
# hundred thousand checks, which ASan guards as it does every variable, would be linked and mapped again for
# each of some thousand processes; TRAP= has them said.
TRAP     ?= $(if $(findstring address,$(SAN)),$(if $(findstring fuzzer,$(SAN)),,-fsanitize-undefined-trap-on-error))
# Nor, but with FULL=1, the checks of each access by a pointer: ASan looks at what it points to, and they are a
# fifth of the time for compiling.
POINTERS := -fno-sanitize=null,object-size,alignment
CFLAGS   += $(if $(findstring -trap-on-error,$(TRAP)),$(if $(FULL),,$(POINTERS)))
CPPFLAGS += -I. -I$(BUILD)/gen -D_GNU_SOURCE -DLOCKSTEP_VERSION='"$(shell cat VERSION)"'
LDFLAGS  += $(if $(SAN),-fsanitize=$(SAN)) $(if $(LTO),-flto=auto $(OPT)) $(if $(filter train,$(PGO)),-fprofile-generate)
HOST_OBJ := build/obj/benchmarks
HOST_PTX := build/ptx
# libiberty is in no shared library; its names stay in ours: programs under it have their own
LDLIBS   := -l:libiberty.a -Wl,--exclude-libs,libiberty.a -lyaml -lzstd -lm -lpthread -ldl
# means and fits of experiments are GSL's, with the command alone
CLI_LIBS := -lsqlite3 -lxxhash -lgsl -lgslcblas

FOLDERS  := sim frontend dram interconnect memsys core host
SRC      := $(foreach d,$(FOLDERS),$(shell find $(d) -name '*.c' 2>/dev/null))
EXEC_SRC := $(wildcard core/exec/exec_*.c core/exec/*/exec_*.c)
SRC      := $(sort $(filter-out $(EXEC_SRC),$(SRC)))
CUDA_SRC := $(filter host/driver/%.c,$(SRC))
RUNTIME_SRC := $(filter host/runtime/%.c,$(SRC))
LIB_SRC  := $(filter-out $(CUDA_SRC) $(RUNTIME_SRC),$(SRC))
# experiments are the command's: the library under a program is the simulator alone, and is what a result
# depends on
CLI_SRC  := $(sort $(shell find cli experiment cachemodel -name '*.c'))
GEN      := $(BUILD)/gen/ptx_scanner.c $(BUILD)/gen/ptx_grammar.c

# The execution functions are compiled once per vector level; core/exec/exec.c picks a level at run time.
# The source is the same: sanitizers see all of it at one level.
LEVELS   := base $(if $(SAN),,$(if $(filter x86_64,$(shell uname -m)),v3 v4))
LEVEL_base :=
LEVEL_v3 := -march=x86-64-v3
LEVEL_v4 := -march=x86-64-v4 -mprefer-vector-width=512
obj       = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
EXEC_OBJ := $(foreach l,$(LEVELS),$(patsubst core/exec/%.c,$(BUILD)/obj/core/exec/$(l)/%.o,$(EXEC_SRC)))
LIB_OBJ  := $(call obj,$(LIB_SRC)) $(EXEC_OBJ) $(GEN:.c=.o)
PTX_OBJ  := $(filter $(BUILD)/obj/frontend/% $(BUILD)/obj/sim/base/diag.o,$(LIB_OBJ)) $(GEN:.c=.o)
BENCH    := $(patsubst benchmarks/%/host.c,%,$(wildcard benchmarks/*/host.c benchmarks/*/*/host.c))
UNIT_SRC := $(sort $(shell find tests/unit -name 'test_*.c') $(wildcard tests/unit/*.c))
# Under AddressSanitizer the unit tests are those of the plain build, as host programs are: what is under test
# has the checks. With FULL=1 they have them, too.
PARTLY   := $(if $(FULL),,$(if $(findstring fuzzer,$(SAN)),,$(findstring address,$(SAN))))
UNIT     := $(BUILD)/tests/unit
UNIT_OBJ := $(patsubst %.c,$(if $(PARTLY),build,$(BUILD))/obj/%.o,$(UNIT_SRC))
CONFORM  := $(call obj,$(wildcard tests/ptx/conformance/*/*.c))

# The runtime API: a library for each name under which programs look for it, and what sends programs there that
# have the vendor's linked into them.
RUNTIME_NAMES := 10.0 10.1 10.2 11.0 12 13
RUNTIMES := $(RUNTIME_NAMES:%=$(BUILD)/lib/libcudart.so.%) $(BUILD)/lib/liblockstep-redirect.so

# Test programs that speak the driver API.
API_TESTS := $(addprefix $(BUILD)/tests/,conformance random math barrier)

.PHONY: all help setup demo check check-full check-unit check-run build-san check-san check-races check-windows check-tsan bench bench-count experiments micro \
        cachemicro validate classes cachemodel energy reproduce recordings sizes network dram fuzz ptx install uninstall format layout check-layout \
        clean FORCE
.DEFAULT_GOAL := all

all: $(BUILD)/bin/lockstep $(BUILD)/lib/liblockstep.so $(BUILD)/lib/libptx.a $(BUILD)/lib/libcuda.so.1 \
     $(RUNTIMES) \
     $(addprefix $(BUILD)/bench/,$(BENCH))   ## build everything

help:           ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(firstword $(MAKEFILE_LIST)) | sed -E 's/:[^#]*##/\t/' | expand -t 16

setup:          ## install the Debian packages that are missing, or say which
	@sh tests/setup.sh

demo:           ## install, build, run the six benchmarks on a simulated GTX 480
	@NO_OPTIONAL=1 $(MAKE) --no-print-directory setup
	+@sh tests/build.sh $(BUILD) $(MAKE) --no-print-directory -s -j$$(nproc) all
	@sh tests/demo.sh $(BUILD)

check:          ## install, build, run all tests (unit, run, sanitizers)
	@$(MAKE) --no-print-directory setup
	@$(MAKE) --no-print-directory -s -j$$(nproc) ERROR=$(STRICT) all $(API_TESTS) $(BUILD)/tests/unit
	@nice -n 19 $(MAKE) --no-print-directory -k check-layout build-san >$(BUILD)/build-san.log 2>&1 & other=$$!; \
	  $(MAKE) --no-print-directory check-unit check-run check-races; status=$$?; \
	  wait $$other || { status=1; cat $(BUILD)/build-san.log; }; exit $$status
	@$(MAKE) --no-print-directory check-san

check-full:     ## all of check, with the runs that it leaves out (much longer)
	@FULL=1 $(MAKE) --no-print-directory check

# Reports have a stack trace of the fault, also of a check of UBSan, but of where memory came from the last
# caller only: run it again by hand for all.
ASAN     := handle_sigill=1:malloc_context_size=1
check-unit: $(UNIT)   ## unit tests (Criterion)
	$(if $(SAN),ASAN_OPTIONS=detect_leaks=0:$(ASAN) )$(UNIT) --forks 2 # libcriterion itself leaks, in some runs

check-run: all $(API_TESTS)  ## whole-program tests: benchmarks, golden statistics, error messages
	sh tests/run.sh $(BUILD)

# a folder of its own with FULL=1, which compiles with more checks
CHECKED := build-address-undefined$(if $(FULL),-full)
# What check-san runs; `make check` builds it while the tests of the plain build wait for something.
build-san:
	@$(MAKE) --no-print-directory -s -j$$(nproc) SAN= BUILD=build $(UNIT_OBJ)
	@$(MAKE) --no-print-directory -s -j$$(nproc) SAN=address,undefined all \
	  $(patsubst $(BUILD)/%,$(CHECKED)/%,$(API_TESTS)) $(CHECKED)/tests/unit

check-san:      ## unit and whole-program tests under AddressSanitizer and UBSan
	@$(MAKE) --no-print-directory build-san
	@$(MAKE) --no-print-directory SAN=address,undefined check-unit
	@$(MAKE) --no-print-directory SAN=address,undefined check-run

# The event kernel and its threads alone; Criterion does not start under ThreadSanitizer.
check-races:    ## tests of the event kernel's host threads under ThreadSanitizer
	@$(MAKE) --no-print-directory -s SAN=thread build-thread/tests/thread_pool
	@sh tests/tsan/run.sh build-thread/tests/thread_pool

check-windows:  ## SMs alone against SMs in step, all workloads (minutes)
	@$(MAKE) --no-print-directory -s -j$$(nproc) all
	FULL=1 sh tests/windows.sh $(BUILD)

check-tsan:     ## tests of host threads on the whole machine under ThreadSanitizer (minutes)
	@$(MAKE) --no-print-directory -s -j$$(nproc) SAN=thread all
	sh tests/threads.sh build-thread

FUZZ_SECONDS ?= 60
fuzz:           ## fuzz the PTX front end for FUZZ_SECONDS (needs clang with libFuzzer)
	@$(MAKE) --no-print-directory -s -j$$(nproc) CC='$(CLANG)' BUILD=build-fuzz \
	  SAN=fuzzer-no-link,address,undefined build-fuzz/fuzz/fuzz_ptx
	sh tests/fuzz/run.sh build-fuzz $(FUZZ_SECONDS)

bench: all      ## measure the simulator's speed, beside that of GPGPU-Sim (minutes)
	PEER='$(PEER)' sh tests/bench.sh $(BUILD)

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
validate: all   ## figures measured on hardware against the simulated chip, with errors: CHIP=gtx480|v100|titanv|a100|p100|rtx2060s|h200 (minutes)
	@sh benchmarks/validate/validate.sh $(BUILD) $(CHIP)

CLASS_SIZE ?= small
classes: all    ## the class that each benchmark shows, beside its paper's: benchmarks/CLASSES.md (minutes)
	@sh benchmarks/classes.sh $(BUILD) $(CLASS_SIZE)

energy: all     ## the energy model of the GTX 480 on kernels and programs: benchmarks/ENERGY.md (minutes)
	@sh benchmarks/energy.sh $(BUILD)

cachemodel: all ## the cache model beside the simulator: the tables of benchmarks/CACHEMODEL.md (minutes)
	@sh benchmarks/cachemodel.sh $(BUILD) $(CLASS_SIZE)

PAPER ?= all
SIZE  ?= repro
reproduce: all  ## what of PAPER=mrpb|dwtcs|medic|warppool|reuse|all holds at SIZE=tiny|small|repro (docs/reproduce.md)
	@sh sweeps/reproduce.sh $(BUILD) '$(PAPER)' '$(SIZE)' $(if $(OUT),'$(OUT)')

recordings: all ## a library of recordings of all benchmarks at SIZE=repro|paper|..., in OUT (docs/recordings.md)
	@sh benchmarks/record.sh $(BUILD) '$(SIZE)' $(if $(OUT),'$(OUT)')

sizes: all      ## every benchmark at the size repro, verified and timed: benchmarks/SIZES.md (15 minutes)
	@sh benchmarks/sizes.sh $(BUILD)

network: $(BUILD)/tests/network   ## latency against load for every network and arbiter
	@$(BUILD)/tests/network

dram: $(BUILD)/tests/unit   ## DRAM bandwidths, beside those worked out by hand
	@echo "stream                                      measured  by hand   (bytes a command cycle, or GB/s)"
	@$(BUILD)/tests/unit -j1 --filter 'dram_@(bandwidth|presets)/*' 2>&1 | awk 'BEGIN { bad = 1 } { print } \
	  /Synthesis/ { bad = /Tested: 0 / || !/Failing: 0 / || !/Crashing: 0/ } END { exit bad }'

KERNELS ?= $(wildcard benchmarks/*/kernel.cu benchmarks/*/*/kernel.cu)
ptx:            ## regenerate the committed PTX of the benchmarks, or of KERNELS=FILE.cu... (needs clang)
	for k in $(KERNELS); do $(CLANG) -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc \
	  -nocudalib -O2 -S -Ibenchmarks/common $$k -o $${k%.cu}.ptx || exit 1; done

format:         ## lay out the C sources with clang-format 14
	git ls-files '*.c' '*.h' | grep -v host/cuda.h | xargs $$(command -v clang-format-14 || echo clang-format) -i

layout:         ## print how the sources are laid out: files per folder, long files and lines, upward includes
	@sh tests/layout.sh

check-layout:   ## fail where clang-format would change a source, or an include points to a higher layer
	@sh tests/layout.sh check

clean:          ## remove what was built
	rm -rf build build-*

include install.mk

# generated scanner and parser
$(BUILD)/gen/ptx_scanner.c: frontend/parse/ptx.l $(BUILD)/gen/ptx_grammar.c
	@mkdir -p $(@D)
	$(FLEX) -o $@ $<
$(BUILD)/gen/ptx_grammar.c $(BUILD)/gen/ptx_grammar.h &: frontend/parse/ptx.y
	@mkdir -p $(@D)
	$(BISON) -Wall -Werror --defines=$(BUILD)/gen/ptx_grammar.h -o $(BUILD)/gen/ptx_grammar.c $<
# the schema as the bytes of a C string
$(BUILD)/gen/%_sql.h: experiment/%.sql
	@mkdir -p $(@D)
	od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g' >$@
# texts of files as bytes for a C array
$(BUILD)/gen/report_page_%.h: experiment/report/page/page.%
	@mkdir -p $(@D)
	od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g' >$@
# the scripts of the page, the first first
PAGE_SCRIPTS := $(addprefix experiment/report/page/,page.js values.js draw.js heat.js choose.js table.js tip.js)
$(BUILD)/gen/report_page_js.h: $(PAGE_SCRIPTS)
	@mkdir -p $(@D)
	od -An -v -tu1 $^ | sed 's/[0-9][0-9]*/&,/g' >$@
$(BUILD)/obj/experiment/report/page/html.o: $(BUILD)/gen/report_page_css.h $(BUILD)/gen/report_page_js.h
$(BUILD)/obj/experiment/store.o: | $(BUILD)/gen/store_sql.h $(BUILD)/gen/store_kernels_sql.h
$(BUILD)/gen/%.o: $(BUILD)/gen/%.c
	$(CC) $(CPPFLAGS) -Ifrontend $(CFLAGS) -Wno-shadow -Wno-missing-prototypes -MMD -MP -c $< -o $@

# The revision that was checked out, and whether files were changed since; for `lockstep --version` alone,
# so that no library changes with a commit that changes no code. Empty where the sources are no checkout of
# their own.
$(BUILD)/gen/revision.h: FORCE
	@mkdir -p $(@D)
	@top=$$(git rev-parse --show-toplevel 2>/dev/null); revision=; \
	  [ "$$top" != "$$(pwd -P)" ] || \
	    revision=$$(git describe --always --abbrev=12 --dirty=+changes --exclude='*' 2>/dev/null); \
	  printf '#define LOCKSTEP_REVISION "%s"\n#define LOCKSTEP_FLAGS "%s"\n' "$$revision" \
	    '$(strip $(filter-out -Werror,$(CFLAGS)))' >$@.new; \
	  if cmp -s $@.new $@; then rm -f $@.new; else mv $@.new $@; fi
FORCE:
$(BUILD)/obj/cli/version.o: $(BUILD)/gen/revision.h

# objects. When fuzzing, the execution functions are left as they are: clang 14 breaks down over them.
EXEC_CC = $(if $(findstring fuzzer,$(SAN)),gcc $(filter-out -fsanitize% -fno-sanitize%,$(CFLAGS)), \
  $(CC) $(CFLAGS))
define level_rule
$(BUILD)/obj/core/exec/$(1)/%.o: core/exec/%.c
	@mkdir -p $$(@D)
	$$(filter-out $$(PROFILE),$$(EXEC_CC)) $$(CPPFLAGS) -g1 $$(LEVEL_$(1)) -DEXEC_LEVEL=$(1) -MMD -MP -c $$< -o $$@
endef
$(foreach l,$(LEVELS),$(eval $(call level_rule,$(l))))
$(BUILD)/obj/core/exec/exec.o: CPPFLAGS += $(foreach l,$(LEVELS),-DEXEC_HAS_$(l))
$(BUILD)/obj/%.o: %.c | $(BUILD)/gen/ptx_grammar.h
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(CONVERT) -MMD -MP -c $< -o $@
$(BUILD)/obj/tests/%.o: CONVERT :=
# Outside the model nothing is gained by more, which takes a third longer to compile.
$(BUILD)/obj/cli/%.o $(BUILD)/obj/experiment/%.o $(BUILD)/obj/host/%.o: CFLAGS += $(if $(filter -O3,$(OPT)),-O2)

# A thread may end inside a call, by a function of the program's that a stream runs.
$(BUILD)/obj/host/driver/%.o: CFLAGS += -fexceptions

# The profile lies beside the objects, under their names: those that made it go.
$(BUILD)/trained:
	@$(MAKE) --no-print-directory -s PGO=train BUILD='$(BUILD)' all
	@sh tests/speed/train.sh $(BUILD)
	@find $(BUILD) -name '*.o' -delete
	@rm -rf $(BUILD)/lib $(BUILD)/bin
	@touch $@
ifeq ($(PGO),1)
$(LIB_OBJ) $(call obj,$(CUDA_SRC) $(RUNTIME_SRC) $(CLI_SRC)): | $(BUILD)/trained
endif

# products
$(BUILD)/lib/libptx.a: $(PTX_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^
# A program may unload them, but what they have begun goes on to its end: threads, what exit() calls, the results.
$(BUILD)/lib/liblockstep.so: $(LIB_OBJ)
	@mkdir -p $(@D)
	$(CC) -shared $(LDFLAGS) -Wl,-soname,$(@F) -Wl,-Bsymbolic-functions -Wl,-z,nodelete -Wl,--build-id=sha1 -o $@ $^ \
	  $(LDLIBS)
$(BUILD)/lib/libcuda.so.1: $(call obj,$(CUDA_SRC)) host/driver/libcuda.map $(BUILD)/lib/liblockstep.so
	$(CC) -shared $(LDFLAGS) -Wl,-soname,$(@F) -Wl,--version-script=host/driver/libcuda.map -Wl,-z,nodelete -o $@ \
	  $(filter %.o,$^) \
	  -L$(@D) -llockstep -Wl,-rpath,'$$ORIGIN' $(LDLIBS)
	@ln -sf libcuda.so.1 $(@D)/libcuda.so
# Programs of all minor versions look for the name of the major one, from CUDA 11 on: its last is meant.
RUNTIME_VERSION_10.0 := 10000
RUNTIME_VERSION_10.1 := 10010
RUNTIME_VERSION_10.2 := 10020
RUNTIME_VERSION_11.0 := 11080
RUNTIME_VERSION_12   := 12090
RUNTIME_VERSION_13   := 13000
RUNTIME_OBJ := $(call obj,$(filter-out %/version.c host/runtime/redirect/%,$(RUNTIME_SRC))) \
  $(patsubst %.c,$(BUILD)/obj/%.per-thread.o,$(filter host/runtime/stream/%,$(RUNTIME_SRC)))
$(BUILD)/obj/host/runtime/stream/%.per-thread.o: host/runtime/stream/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(CONVERT) -DCUDA_API_PER_THREAD_DEFAULT_STREAM -MMD -MP -c $< -o $@
$(patsubst %,$(BUILD)/obj/host/runtime/version-%.o,$(RUNTIME_NAMES)): $(BUILD)/obj/host/runtime/version-%.o: \
  host/runtime/version.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(CONVERT) -DRUNTIME_VERSION=$(RUNTIME_VERSION_$*) -MMD -MP -c $< -o $@
ifeq ($(PGO),1)
$(RUNTIME_OBJ) $(patsubst %,$(BUILD)/obj/host/runtime/version-%.o,$(RUNTIME_NAMES)): | $(BUILD)/trained
endif
$(patsubst %,$(BUILD)/lib/libcudart.so.%,$(RUNTIME_NAMES)): $(BUILD)/lib/libcudart.so.%: \
  $(BUILD)/obj/host/runtime/version-%.o $(RUNTIME_OBJ) | $(BUILD)/lib/libcuda.so.1
	@mkdir -p $(@D)
	@printf 'libcudart.so.%s {\nglobal: cuda*; __cuda*; lockstep_*;\nlocal: *;\n};\n' '$*' >$(BUILD)/gen/libcudart-$*.map
	$(CC) -shared $(LDFLAGS) -Wl,-soname,$(@F) -Wl,--version-script=$(BUILD)/gen/libcudart-$*.map -Wl,-z,nodelete -o $@ $^ \
	  -L$(@D) -l:libcuda.so.1 -Wl,-rpath,'$$ORIGIN' -lpthread
# without sanitizers, whose library must be the first of a process
$(BUILD)/lib/liblockstep-redirect.so: $(filter host/runtime/redirect/%,$(RUNTIME_SRC)) host/runtime/redirect/redirect.h
	@mkdir -p $(@D)
	$(CC) -shared -std=gnu11 -D_GNU_SOURCE -I. -O2 -fPIC $(WARN) $(CONVERT) -Wl,-soname,$(@F) -Wl,-z,initfirst -o $@ \
	  $(filter %.c,$^) -ldl
# its run path is for the build tree and for an installation
$(BUILD)/bin/lockstep: $(call obj,$(CLI_SRC)) $(BUILD)/lib/liblockstep.so install.mk
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) -L$(BUILD)/lib -llockstep \
	  -Wl,-rpath,'$$ORIGIN/../lib/lockstep:$$ORIGIN/../lib' $(LDLIBS) $(CLI_LIBS)
# The benchmarks' host programs are compiled once for all builds, without sanitizers, which are for the
# library under them; linked with the sanitizers' runtime, so that a copy beyond a program's buffer is found
# all the same.
HOST_CC = @mkdir -p $(@D) && $(CC) -std=gnu11 -D_GNU_SOURCE -O2 -ffp-contract=off $(WARN) \
  -Ihost -Ibenchmarks/common -Ibenchmarks/micro -I$(patsubst %/,%,$(dir $(<D))) -Ibuild/gen -MMD -MP -c $< -o $@
# the project's folder as a C string, whatever characters are in its path
build/gen/project_folder.h: FORCE
	@mkdir -p $(@D)
	@printf '#define PROJECT_FOLDER "%s"\n' \
	  "$$(pwd -P | sed 's/[\\"]/\\&/g; $$!s/$$/\\n/' | tr -d '\n')" >$@.new; \
	  if cmp -s $@.new $@; then rm -f $@.new; else mv $@.new $@; fi
$(HOST_OBJ)/common/find_file.o: build/gen/project_folder.h
$(HOST_OBJ)/%.o: benchmarks/%.c
	$(HOST_CC)
# main() is compiled for each benchmark, which has its suite and its name from its folder.
$(HOST_OBJ)/%/main.o: benchmarks/common/main.c
	$(HOST_CC) -DBENCH_FOLDER='"$*"'
BENCH_SRC := $(filter-out %/main.c,$(wildcard benchmarks/common/*.c))
$(HOST_OBJ)/libbench.a: $(patsubst benchmarks/%.c,$(HOST_OBJ)/%.o,$(BENCH_SRC))
	@rm -f $@
	$(AR) rcs $@ $^
HOST_LINK = @mkdir -p $(@D) && $(CC) $(filter %.o,$^) $(HOST_OBJ)/libbench.a -o $@ $(LDFLAGS) \
  -L$(BUILD)/lib -lcuda -lm -Wl,-rpath-link,$(BUILD)/lib
# PTX that a script writes, for all builds; the script is run again when it changes.
$(HOST_PTX)/%/written: benchmarks/%/generate.sh
	@mkdir -p $(@D)
	sh $< $(@D)
	@touch $@
# They find the library when they start, and need not be linked again when it changes.
$(BUILD)/bench/%: $(HOST_OBJ)/%/host.o $(HOST_OBJ)/%/main.o $(HOST_OBJ)/libbench.a | $(BUILD)/lib/libcuda.so.1
	$(HOST_LINK)
$(BUILD)/bench/peer: $(HOST_OBJ)/peer/host.o $(HOST_OBJ)/libbench.a | $(BUILD)/lib/libcuda.so.1
	$(HOST_LINK)
$(BUILD)/bench/cachemicro: $(HOST_OBJ)/cachemicro/host.o $(HOST_OBJ)/libbench.a | $(BUILD)/lib/libcuda.so.1 \
  $(HOST_PTX)/cachemicro/written
	$(HOST_LINK)
$(BUILD)/bench/energymicro: $(patsubst benchmarks/%.c,$(HOST_OBJ)/%.o,$(wildcard benchmarks/energymicro/*.c)) \
  $(HOST_OBJ)/libbench.a | $(BUILD)/lib/libcuda.so.1
	$(HOST_LINK)
$(BUILD)/bench/micro: $(patsubst benchmarks/%.c,$(HOST_OBJ)/%.o,$(wildcard benchmarks/micro/*.c)) \
  $(HOST_OBJ)/libbench.a | $(BUILD)/lib/libcuda.so.1 $(HOST_PTX)/micro/written
	$(HOST_LINK)
$(BUILD)/bench/validate: $(patsubst benchmarks/%.c,$(HOST_OBJ)/%.o,$(wildcard benchmarks/validate/*.c)) \
  $(patsubst %,$(HOST_OBJ)/micro/%.o,report topics) $(HOST_OBJ)/libbench.a | $(BUILD)/lib/libcuda.so.1 $(HOST_PTX)/validate/written
	$(HOST_LINK)
.PRECIOUS: $(HOST_OBJ)/%.o $(BUILD)/obj/%.o # those between sources and programs stay
# Programs that speak the driver API: the reference is on the host, with its floating point taken as written.
define api_test
$(BUILD)/tests/$(1): $(wildcard tests/ptx/$(1)/*.[ch] tests/ptx/$(1)/*.def) host/cuda.h | $(BUILD)/lib/libcuda.so.1
	@mkdir -p $$(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -ffp-contract=off -frounding-math -fno-builtin $(WARN) -Ihost $$(filter %.c,$$^) -o $$@ $(LDFLAGS) \
	  -L$(BUILD)/lib -lcuda -lm -Wl,-rpath-link,$(BUILD)/lib
endef
$(foreach t,random math barrier,$(eval $(call api_test,$(t))))
$(BUILD)/tests/random: tests/ptx/conformance/arithmetic/round.c tests/ptx/conformance/suite/type.c
$(BUILD)/fuzz/%: tests/fuzz/%.c tests/fuzz/hold.h $(LIB_OBJ)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -fsanitize=fuzzer $(filter-out %.h,$^) -o $@ $(LDLIBS)
$(BUILD)/tests/network: $(call obj,tests/network/curve.c) $(LIB_OBJ)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(call obj,$(UNIT_SRC)): CFLAGS += -O0 -g1 # what they test is optimised; they need not be
# At -O0 the nested functions of these would want an executable stack.
$(patsubst %,$(BUILD)/obj/tests/unit/core/exec/test_exec_%.o,atomic int int2 video half approx_shape format fp approx): CFLAGS += -Og
# More than a thousand processes: without relocations they start sooner.
$(UNIT): $(UNIT_OBJ) $(call obj,$(shell find experiment cachemodel -name '*.c')) $(LIB_OBJ) | $(BUILD)/lib/libcuda.so.1
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -no-pie -Wl,--export-dynamic-symbol=mbedtls_x509_crt_parse_file -o $@ $^ -lcriterion \
	  $(LDLIBS) $(CLI_LIBS)

ifneq ($(PARTLY),)
build/obj/tests/unit/%.o: tests/unit/%.c
	@$(MAKE) --no-print-directory -s SAN= BUILD=build $@
endif

POOL_SRC := tests/tsan/main.c tests/unit/sim/test_thread_pool.c $(wildcard sim/event/*.c) sim/base/bug.c
POOL_OBJ := $(call obj,$(POOL_SRC))
$(BUILD)/tests/thread_pool: CPPFLAGS += -Itests/tsan
$(BUILD)/tests/thread_pool: $(POOL_OBJ)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ -lm -lpthread

$(BUILD)/tests/conformance: $(CONFORM) | $(BUILD)/lib/libcuda.so.1
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $(CONFORM) -L$(BUILD)/lib -lcuda -lgsl -lgslcblas -lm -Wl,-rpath-link,$(BUILD)/lib
$(CONFORM): CPPFLAGS += -Ihost
$(CONFORM): CFLAGS += -O1 -frounding-math

-include $(sort $(shell find $(BUILD) $(HOST_OBJ) -name '*.d' 2>/dev/null))
