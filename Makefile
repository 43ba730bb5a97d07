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
OBJCOPY  ?= objcopy

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
LDLIBS   := -l:libiberty.a -Wl,--exclude-libs,libiberty.a -lyaml -lzstd -lz -lm -lpthread -ldl
# means and fits of experiments are GSL's, with the command alone
CLI_LIBS := -lmicrohttpd -lsqlite3 -lxxhash -lgsl -lgslcblas

.PHONY: all help setup demo check check-full check-unit check-run build-san check-san check-races check-windows check-tsan bench bench-count experiments micro \
        cachemicro validate classes cachemodel energy energy-chips reproduce recordings sizes network dram fuzz ptx ptx-ai install uninstall dist guides deb docs format layout check-layout \
        clean FORCE
.DEFAULT_GOAL := all

include make/library.mk make/products.mk make/tests.mk make/figures.mk make/install.mk make/release.mk

all: $(BUILD)/bin/lockstep $(BUILD)/lib/liblockstep.so $(BUILD)/lib/libptx.a $(BUILD)/lib/libcuda.so.1 \
     $(RUNTIMES) \
     $(addprefix $(BUILD)/bench/,$(BENCH)) $(if $(SAN)$(filter train,$(PGO)),,$(GUIDES))   ## build everything

help:           ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(filter-out %.d,$(MAKEFILE_LIST)) | sed -E 's/:[^#]*##/\t/' | expand -t 16

setup:          ## install the Debian packages that are missing, or say which
	@sh tests/setup.sh

demo:           ## install, build, run the six benchmarks on a simulated GTX 480
	@$(MAKE) --no-print-directory setup
	+@sh tests/build.sh $(BUILD) $(MAKE) --no-print-directory -s -j$$(nproc) all
	@sh tests/demo.sh $(BUILD)

KERNELS ?= $(wildcard benchmarks/*/kernel.cu benchmarks/*/*/kernel.cu)
ptx:            ## regenerate the committed PTX of the benchmarks, or of KERNELS=FILE.cu... (needs clang)
	for k in $(KERNELS); do $(CLANG) -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc \
	  -nocudalib -O2 -S -Ibenchmarks/common $$k -o $${k%.cu}.ptx || exit 1; done

# the target is named in the first lines of each file
AI_KERNELS ?= $(wildcard benchmarks/ai/kernels/*.cu)
NVCC       ?= /usr/local/cuda/bin/nvcc
ptx-ai:         ## regenerate the PTX of benchmarks/ai, or of AI_KERNELS=FILE.cu... (needs nvcc 13)
	for k in $(AI_KERNELS); do $(NVCC) -ptx -o $${k%.cu}.ptx $$k \
	  -arch=$$(head -n 4 $$k | sed -n 's/.*(sm_\([0-9a]*\)).*/compute_\1/p' | head -n 1) || exit 1; done

format:         ## lay out the C sources with clang-format 14
	git ls-files '*.c' '*.h' | grep -v host/cuda.h | xargs $$(command -v clang-format-14 || echo clang-format) -i

layout:         ## print how the sources are laid out: files per folder, long files and lines, upward includes
	@sh tests/layout.sh

check-layout:   ## fail where clang-format would change a source, or an include points to a higher layer
	@sh tests/layout.sh check

clean:          ## remove what was built
	rm -rf build build-*

.PRECIOUS: $(HOST_OBJ)/%.o $(BUILD)/obj/%.o # those between sources and programs stay
-include $(sort $(shell find $(BUILD) $(HOST_OBJ) -name '*.d' 2>/dev/null))
