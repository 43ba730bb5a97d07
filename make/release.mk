# make/release.mk -- what a release is made of: the tarball, manual pages, completions of shells, the Debian
# package, the site.
NAME     = lockstep-$(shell cat VERSION)

dist:           ## the sources as a tarball, the same bytes for the same commit
	@sh make/release/dist.sh $(BUILD) $(NAME)

# Manual pages and completions come from the help of the command that was built.
GUIDES   = $(addprefix $(BUILD)/share/,commands.tsv lockstep.bash lockstep.zsh man/lockstep.1)
guides: $(GUIDES)   ## manual pages and completions for bash and zsh
$(BUILD)/share/commands.tsv: $(BUILD)/bin/lockstep $(wildcard make/release/commands.*)
	@mkdir -p $(@D)
	@sh make/release/commands.sh $< >$@.new && mv $@.new $@
$(BUILD)/share/lockstep.%: $(BUILD)/share/commands.tsv $(wildcard make/release/completion*)
	@{ cat make/release/completion.$* make/release/completion_names.sh && \
	  awk -v shell=$* -f make/release/completion.awk $<; } >$@.new && mv $@.new $@
$(BUILD)/share/man/lockstep.1: $(BUILD)/share/commands.tsv make/release/man.awk VERSION
	@rm -rf $(@D) && mkdir -p $(@D)
	@COLUMNS=100000 $(BUILD)/bin/lockstep --help | \
	  awk -v folder=$(@D) -v version=$$(cat VERSION) -f make/release/man.awk - $<

deb: all        ## a Debian package of the command, libraries, benchmarks and manual pages
	@sh make/release/deb.sh $(BUILD)

docs: all       ## the documentation as a site of static pages in build/site (needs pandoc)
	@sh make/site/build.sh $(BUILD)
