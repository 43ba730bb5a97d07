# make/install.mk -- make install, make uninstall; PREFIX (default /usr/local) and DESTDIR as usual. Folders
# named lockstep are ours alone. The programs find everything from their own path, so that the tree can be
# moved.
#
#   bin/lockstep
#   lib/lockstep/         liblockstep.so, libcuda.so.1 and libcudart.so.N (not in lib/, where they would hide
# a
#                         driver's), bench/
#   lib/libptx.a          the PTX front end, with headers in include/lockstep
#   lib/pkgconfig/        lockstep.pc for programs that use the driver API, libptx.pc
#   include/lockstep/     cuda.h, frontend/*.h; headers for plug-ins (sim/policy/plugin.h)
#   share/lockstep/       configs/, sweeps/, python/ and benchmarks/: PTX and published figures
#   share/doc/lockstep/   README.md, docs/ ...
#   share/man/man1/       a manual page for each command
#   share/bash-completion/completions/lockstep, share/zsh/site-functions/_lockstep
#
# The other folders belong to all. The first installation notes in share/lockstep/new-folders which of them it
# had to make, and how many levels from PREFIX up: make uninstall removes these where nothing else is in them.
PREFIX   ?= /usr/local
INSTALL  ?= install
PUT       = $(INSTALL) -m 644
PUT_RUN   = $(INSTALL) -m 755
root      = $(DESTDIR)$(PREFIX)

# libptx's, and all that a policy may include
HEADERS = frontend/ptx.h frontend/module.h frontend/uop.h frontend/uops.def frontend/syscalls.def \
  $(shell find core dram interconnect memsys sim -name '*.h' -o -name '*.def')
BENCH_DATA   = $(shell find benchmarks -name '*.ptx' -o -name '*.csv')
BENCH_MADE   = $(foreach n,cachemicro micro validate,$(wildcard $(HOST_PTX)/$(n)/*.ptx))
PYTHON_FILES = python/pyproject.toml $(wildcard python/lockstep/*.py)
DOCS         = $(wildcard LICENSE* VERSION *.md)

# what zsh reads: below /usr Debian has another folder for it
ZSH          = share/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
BASH         = share/bash-completion/completions

SHARED      := bin lib/pkgconfig lib include share/doc share/man/man1 share/man \
  share/bash-completion/completions share/bash-completion share/zsh/site-functions share/zsh share
new_folders  = $(root)/share/lockstep/new-folders

define note_new_folders
	@[ -e "$(new_folders)" ] || { up=0 at="$(root)" new=; \
	  while [ ! -d "$$at" ]; do up=$$((up + 1)) at=$$(dirname "$$at"); done; \
	  for f in $(SHARED); do [ -d "$(root)/$$f" ] || new="$$new $$f"; done; \
	  $(INSTALL) -d "$(root)/share/lockstep" && echo $$up $$new >"$(new_folders)"; }
endef

# put_all: FOLDER FROM FILES: the files, named relative to FROM, into the same places below FOLDER
define put_all
	@for f in $(3); do $(INSTALL) -d "$(1)/$$(dirname $$f)" && $(PUT) $(2)/$$f "$(1)/$$f" || exit 1; done

endef

install: all    ## install below PREFIX=/usr/local (and DESTDIR=)
	$(note_new_folders)
	@$(INSTALL) -d "$(root)/bin" "$(root)/lib/lockstep" "$(root)/lib/pkgconfig" "$(root)/include/lockstep"
	@$(PUT_RUN) $(BUILD)/bin/lockstep "$(root)/bin/lockstep"
	@$(PUT) $(BUILD)/lib/liblockstep.so $(BUILD)/lib/libcuda.so.1 $(RUNTIMES) "$(root)/lib/lockstep"
	@ln -sf libcuda.so.1 "$(root)/lib/lockstep/libcuda.so"
	@$(PUT) $(BUILD)/lib/libptx.a "$(root)/lib/libptx.a"
	@for p in $(BENCH); do $(INSTALL) -d "$(root)/lib/lockstep/bench/$$(dirname $$p)" && \
	  $(PUT_RUN) $(BUILD)/bench/$$p "$(root)/lib/lockstep/bench/$$p" || exit 1; done
	@$(PUT) host/cuda.h "$(root)/include/lockstep/cuda.h"
	$(call put_all,$(root)/include/lockstep,.,$(HEADERS))
	$(call put_all,$(root)/share/lockstep,.,$(shell find configs sweeps -type f) $(PYTHON_FILES) $(BENCH_DATA))
	$(call put_all,$(root)/share/lockstep/benchmarks,$(HOST_PTX),$(BENCH_MADE:$(HOST_PTX)/%=%))
	$(call put_all,$(root)/share/doc/lockstep,.,$(DOCS) $(wildcard docs/*.md docs/*/*.md docs/*/*/*.md))
	$(call put_all,$(root)/share/man/man1,$(BUILD)/share/man,$(notdir $(wildcard $(BUILD)/share/man/*.1)))
	@$(INSTALL) -d "$(root)/$(BASH)" "$(root)/$(ZSH)"
	@$(PUT) $(BUILD)/share/lockstep.bash "$(root)/$(BASH)/lockstep"
	@$(PUT) $(BUILD)/share/lockstep.zsh "$(root)/$(ZSH)/_lockstep"
	@for p in lockstep libptx; do \
	  sed "s/@VERSION@/$$(cat VERSION)/" host/$$p.pc >"$(root)/lib/pkgconfig/$$p.pc" || exit 1; done

uninstall:      ## remove what make install has put below PREFIX and DESTDIR
	@up=0 new=; [ ! -e "$(new_folders)" ] || read -r up new <"$(new_folders)"; \
	rm -rf "$(root)/lib/lockstep" "$(root)/include/lockstep" "$(root)/share/lockstep" \
	  "$(root)/share/doc/lockstep"; \
	rm -f "$(root)/bin/lockstep" "$(root)/lib/libptx.a" "$(root)/lib/pkgconfig/lockstep.pc" \
	  "$(root)/lib/pkgconfig/libptx.pc" "$(root)/$(BASH)/lockstep" "$(root)/$(ZSH)/_lockstep" \
	  "$(root)/share/man/man1/lockstep.1" "$(root)/share/man/man1/lockstep-"*.1; \
	for f in $$new; do rmdir "$(root)/$$f" 2>/dev/null; done; at="$(root)"; \
	while [ $$up -gt 0 ] && rmdir "$$at" 2>/dev/null; do up=$$((up - 1)) at=$$(dirname "$$at"); done
