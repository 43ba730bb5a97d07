# make/products.mk -- the lockstep command and the benchmarks, which use the libraries.

# experiments are the command's: the library under a program is the simulator alone, and is what a result
# depends on
CLI_SRC  := $(sort $(shell find cli experiment cachemodel -name '*.c'))
BENCH    := $(patsubst benchmarks/%/host.c,%,$(wildcard benchmarks/*/host.c benchmarks/*/*/host.c))

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
# the same of the page of timelines
$(BUILD)/gen/timeline_page_css.h: experiment/timeline/page.css
	@mkdir -p $(@D)
	od -An -v -tu1 $^ | sed 's/[0-9][0-9]*/&,/g' >$@
$(BUILD)/gen/timeline_page_js.h: $(addprefix experiment/timeline/,model.js view.js map.js page.js)
	@mkdir -p $(@D)
	od -An -v -tu1 $^ | sed 's/[0-9][0-9]*/&,/g' >$@
$(BUILD)/obj/experiment/timeline/timeline_page.o: $(BUILD)/gen/timeline_page_css.h $(BUILD)/gen/timeline_page_js.h
$(BUILD)/gen/monitor_page_html.h: experiment/monitor/page.html
	@mkdir -p $(@D)
	od -An -v -tu1 $^ | sed 's/[0-9][0-9]*/&,/g' >$@
$(BUILD)/obj/experiment/monitor/monitor.o: $(BUILD)/gen/monitor_page_html.h
$(BUILD)/obj/experiment/store.o: | $(BUILD)/gen/store_sql.h $(BUILD)/gen/store_kernels_sql.h

# The revision that was checked out, and whether files were changed since; for `lockstep --version` alone,
# so that no library changes with a commit that changes no code. A tarball (make dist) has it in a file.
$(BUILD)/gen/revision.h: FORCE
	@mkdir -p $(@D)
	@top=$$(git rev-parse --show-toplevel 2>/dev/null); revision=; \
	  [ "$$top" != "$$(pwd -P)" ] || \
	    revision=$$(git describe --always --abbrev=12 --dirty=+changes --exclude='*' 2>/dev/null); \
	  [ "$$revision" ] || revision=$$(sed '/Format/d; s/^\(............\).*/\1/' make/release/revision); \
	  printf '#define LOCKSTEP_REVISION "%s"\n#define LOCKSTEP_FLAGS "%s"\n' "$$revision" \
	    '$(strip $(filter-out -Werror,$(CFLAGS)))' >$@.new; \
	  if cmp -s $@.new $@; then rm -f $@.new; else mv $@.new $@; fi
FORCE:
$(BUILD)/obj/cli/version.o: $(BUILD)/gen/revision.h

# its run path is for the build tree and for an installation
$(BUILD)/bin/lockstep: $(call obj,$(CLI_SRC)) $(BUILD)/lib/liblockstep.so make/install.mk
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
