# make/tests.mk -- the tests: unit tests, programs that the test scripts run, and the targets that run them.

UNIT_SRC := $(sort $(shell find tests/unit -name 'test_*.c') $(wildcard tests/unit/*.c))
# Under AddressSanitizer the unit tests and the conformance suite are those of the plain build, as host programs
# are: what is under test has the checks. With FULL=1 they have them, too.
PARTLY   := $(if $(FULL),,$(if $(findstring fuzzer,$(SAN)),,$(findstring address,$(SAN))))
UNIT     := $(BUILD)/tests/unit
UNIT_OBJ := $(patsubst %.c,$(if $(PARTLY),build,$(BUILD))/obj/%.o,$(UNIT_SRC))
CONFORM  := $(patsubst %.c,$(if $(PARTLY),build,$(BUILD))/obj/%.o,$(wildcard tests/ptx/conformance/*/*.c))

# Test programs that speak the driver API.
BLACKWELL := $(patsubst %.c,%,$(wildcard tests/blackwell/*.c))
HOPPER    := $(patsubst %.c,%,$(filter-out tests/hopper/hopper.c,$(wildcard tests/hopper/*.c)))
API_TESTS := $(addprefix $(BUILD)/tests/,conformance random math barrier) $(addprefix $(BUILD)/,$(HOPPER) $(BLACKWELL))

# The sanitized build goes on beside the tests of the plain one, which sometimes wait.
check:          ## install, build, run the tests for a commit: SLOT=0..9 for another commit's part of what takes turns
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
check-unit: $(UNIT)   ## unit tests alone (a minute)
	$(if $(SAN),ASAN_OPTIONS=detect_leaks=0:$(ASAN) )SLOT=$${SLOT:-$$(git rev-list --count HEAD)} $(UNIT) --forks $$(nproc) # libcriterion itself leaks, in some runs

check-run: all $(API_TESTS)  ## whole-program tests: benchmarks, golden statistics, error messages
	sh tests/run.sh $(BUILD)

# a folder of its own with FULL=1, which compiles with more checks
CHECKED := build-address-undefined$(if $(FULL),-full)
# What check-san runs; `make check` builds it while the tests of the plain build wait for something.
build-san:
	@$(MAKE) --no-print-directory -s -j$$(nproc) SAN= BUILD=build $(UNIT_OBJ) $(CONFORM)
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

# Programs that speak the driver API: the reference is on the host, with its floating point taken as written.
define api_test
$(BUILD)/tests/$(1): $(wildcard tests/ptx/$(1)/*.[ch] tests/ptx/$(1)/*.def) host/cuda.h | $(BUILD)/lib/libcuda.so.1
	@mkdir -p $$(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -ffp-contract=off -frounding-math -fno-builtin $(WARN) -Ihost $$(filter %.c,$$^) -o $$@ $(LDFLAGS) \
	  -L$(BUILD)/lib -lcuda -lm -Wl,-rpath-link,$(BUILD)/lib
endef
$(foreach t,random math barrier,$(eval $(call api_test,$(t))))
# Programs for Hopper (tests/hopper.sh), built like them.
$(BUILD)/tests/hopper/%: tests/hopper/%.c tests/hopper/hopper.c $(wildcard tests/hopper/*.h) host/cuda.h | $(BUILD)/lib/libcuda.so.1
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -ffp-contract=off -frounding-math -fno-builtin $(WARN) -Ihost $(filter %.c,$^) \
	  -o $@ $(LDFLAGS) -L$(BUILD)/lib -lcuda -lm -Wl,-rpath-link,$(BUILD)/lib
# Programs for Blackwell (tests/blackwell.sh), with the same device and numbers.
$(BUILD)/tests/blackwell/%: tests/blackwell/%.c tests/hopper/hopper.c $(wildcard tests/hopper/*.h tests/blackwell/*.h) \
  host/cuda.h | $(BUILD)/lib/libcuda.so.1
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -ffp-contract=off -frounding-math -fno-builtin $(WARN) -Ihost -Itests/hopper \
	  $(filter %.c,$^) -o $@ $(LDFLAGS) -L$(BUILD)/lib -lcuda -lm -Wl,-rpath-link,$(BUILD)/lib
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
build/obj/tests/%.o: tests/%.c
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
