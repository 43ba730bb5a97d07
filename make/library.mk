# make/library.mk -- what the libraries are made of, and how: libptx.a, liblockstep.so, libcuda.so.1 and the
# libcudart.so of each version of the runtime API.

FOLDERS  := sim frontend dram interconnect memsys core host
SRC      := $(foreach d,$(FOLDERS),$(shell find $(d) -name '*.c' 2>/dev/null))
EXEC_SRC := $(wildcard core/exec/exec_*.c core/exec/*/exec_*.c)
SRC      := $(sort $(filter-out $(EXEC_SRC) core/pipeline/specialised.c,$(SRC)))
CUDA_SRC := $(filter host/driver/%.c,$(SRC))
RUNTIME_SRC := $(filter host/runtime/%.c,$(SRC))
LIB_SRC  := $(filter-out $(CUDA_SRC) $(RUNTIME_SRC),$(SRC))
GEN      := $(BUILD)/gen/ptx_scanner.c $(BUILD)/gen/ptx_grammar.c

# The execution functions are compiled once per vector level; core/exec/exec.c picks a level at run time.
# The source is the same: sanitizers see all of it at one level.
LEVELS   := base $(if $(SAN),,$(if $(filter x86_64,$(shell uname -m)),v3 v4))
LEVEL_base :=
LEVEL_v3 := -march=x86-64-v3
LEVEL_v4 := -march=x86-64-v4 -mprefer-vector-width=512
obj       = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
EXEC_OBJ := $(foreach l,$(LEVELS),$(patsubst core/exec/%.c,$(BUILD)/obj/core/exec/$(l)/%.o,$(EXEC_SRC)))
# The pipeline of an SM once more, for each of the machines of core/sm/specialised.def, and for hosts with
# some instructions on bits (core/pipeline/specialise.c asks for them).
SPECIALISED_OBJ := $(BUILD)/obj/core/pipeline/pipeline-fermi.o $(BUILD)/obj/core/pipeline/pipeline-volta.o
PIPELINE := $(if $(filter x86_64,$(shell uname -m)),-mpopcnt -mbmi -mbmi2) $(if $(findstring clang,$(CC)),, \
  -fwhole-program --param large-function-growth=1000 --param large-function-insns=20000)
LIB_OBJ  := $(call obj,$(LIB_SRC)) $(EXEC_OBJ) $(SPECIALISED_OBJ) $(GEN:.c=.o)
PTX_OBJ  := $(filter $(BUILD)/obj/frontend/% $(BUILD)/obj/sim/base/diag.o,$(LIB_OBJ)) $(GEN:.c=.o)

# The runtime API: a library for each name under which programs look for it, and what sends programs there
# that have the vendor's linked into them.
RUNTIME_NAMES := 10.0 10.1 10.2 11.0 12 13
RUNTIMES := $(RUNTIME_NAMES:%=$(BUILD)/lib/libcudart.so.%) $(BUILD)/lib/liblockstep-redirect.so

# generated scanner and parser
$(BUILD)/gen/ptx_scanner.c: frontend/parse/ptx.l $(BUILD)/gen/ptx_grammar.c
	@mkdir -p $(@D)
	$(FLEX) -o $@ $<
$(BUILD)/gen/ptx_grammar.c $(BUILD)/gen/ptx_grammar.h &: frontend/parse/ptx.y
	@mkdir -p $(@D)
	$(BISON) -Wall -Werror --defines=$(BUILD)/gen/ptx_grammar.h -o $(BUILD)/gen/ptx_grammar.c $<
$(BUILD)/gen/%.o: $(BUILD)/gen/%.c
	$(CC) $(CPPFLAGS) -Ifrontend $(CFLAGS) -Wno-shadow -Wno-missing-prototypes -MMD -MP -c $< -o $@

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
$(call obj,cli/version.c core/observe/trace_events.c experiment/report/page/html.c experiment/sweep/store.c \
  host/output/provenance.c tests/unit/host/output/test_provenance.c): VERSION # those that write it
$(BUILD)/obj/tests/%.o: CONVERT :=
# One entry leaves the object; the other functions have the names of the general ones. Warnings are the
# general ones', and where a pointer is known to be NULL, of what is behind it.
$(BUILD)/obj/core/pipeline/pipeline-fermi.o: SM_SPECIALISED := 1
$(BUILD)/obj/core/pipeline/pipeline-volta.o: SM_SPECIALISED := 2
$(SPECIALISED_OBJ): $(BUILD)/obj/core/pipeline/pipeline-%.o: core/pipeline/specialised.c | $(BUILD)/gen/ptx_grammar.h
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -fno-lto $(PIPELINE) -w -DSM_SPECIALISED=$(SM_SPECIALISED) -MMD -MP -c $< -o $@
	$(OBJCOPY) --keep-global-symbol=sm_cycle_$* $@
# Outside the model nothing is gained by more, which takes a third longer to compile.
$(BUILD)/obj/cli/%.o $(BUILD)/obj/experiment/%.o $(BUILD)/obj/host/%.o: CFLAGS += $(if $(filter -O3,$(OPT)),-O2)

# A thread may end inside a call, by a function of the program's that a stream runs.
$(BUILD)/obj/host/driver/%.o: CFLAGS += -fexceptions

# The profile lies beside the objects, under their names: those that made it go. As a file that make includes
# it is there before make looks at any object.
$(BUILD)/trained:
	@$(MAKE) --no-print-directory -s PGO=train BUILD='$(BUILD)' all
	@sh tests/speed/train.sh $(BUILD)
	@find $(BUILD) -name '*.o' -delete
	@rm -rf $(BUILD)/lib $(BUILD)/bin
	@touch $@
ifeq ($(PGO),1)
include $(BUILD)/trained
endif

$(BUILD)/lib/libptx.a: $(PTX_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^
# A program may unload them, but what they have begun goes on to its end: threads, what exit() calls, the
# results.
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
