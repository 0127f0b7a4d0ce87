# The project's commands; `make help` lists them.
PREFIX ?= /usr/local
ARGS ?=

# The compiler's libraries go into the program, so that it runs where there is no compiler. No other program takes
# symbols from it, and it loads no library from its own folder.
release := swift build -c release --static-swift-stdlib --disable-local-rpath -Xlinker --no-export-dynamic --product auricle
# The server for browsers, which `auricle web` starts.
release_web := $(release)-web
# What is installed.
BINARY ?= .build/release/auricle
WEB_BINARY ?= $(BINARY)-web
root = $(DESTDIR)$(PREFIX)
bash_completion = $(root)/share/bash-completion/completions/auricle
# Debian's packages have another folder for it.
ZSH_COMPLETIONS ?= $(PREFIX)/share/zsh/site-functions
zsh_completion = $(DESTDIR)$(ZSH_COMPLETIONS)/_auricle
fish_completion = $(root)/share/fish/vendor_completions.d/auricle.fish
manual = $(root)/share/man/man1/auricle.1
service = $(root)/lib/systemd/user/auricle@.service
configurations = $(root)/share/auricle/config
# Lists the folders that install has made. Uninstall removes them, unless there is something else in them.
made_folders = $(root)/share/auricle/made-folders

.PHONY: help run build test bench docs reference fuzz format lint calls worst asan tsan rtsan storm soak ardour install install-files uninstall \
	program deb deb-test dependencies test-dependencies benchmark-dependencies package-dependencies package-test-dependencies

help: ## List the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 20

run: dependencies ## Install what is missing, build, and run: make run ARGS="my.toml --verbose"
	$(release)
	exec .build/release/auricle run --start-server dummy $(ARGS)

build: dependencies program ## Build the command for use

# For debian/rules too, where nothing is installed.
program:
	$(release)
	$(release_web)

test: test-dependencies ## Check everything: format, all tests, some of them under sanitizers
	scripts/test.sh

bench: benchmark-dependencies ## Measure against plain C, bare libfluidsynth and fluidsynth -F; ARGS="pieces voices": only these
	$(release)
	swift run -c release --package-path Tests/Benchmarks bench $(ARGS)

docs: dependencies ## Make the library's documentation, articles and symbols, in .build/docs
	scripts/make-docs.sh

reference: dependencies ## Renew the tables in docs/, and the schema of configurations, from the program
	swift build --product auricle
	.build/debug/auricle reference docs/*.md schema/session.schema.json

fuzz: dependencies ## Try the readers of files and streams with libFuzzer: make fuzz ARGS="60 toml"
	scripts/fuzz.sh $(ARGS)

format: ## Format all Swift files in place
	swift format -i --parallel $$(git ls-files '*.swift')

lint: ## Check formats, names and prose of all files
	scripts/test.sh lint

calls: test-dependencies ## What the render thread can reach in the machine code of the release build
	scripts/test.sh calls

worst: test-dependencies ## What the cycles that cost most take, in instructions
	scripts/test.sh worst

asan: test-dependencies ## All tests under AddressSanitizer
	scripts/test.sh asan

tsan: test-dependencies ## What threads share under ThreadSanitizer
	scripts/test.sh tsan

rtsan: test-dependencies ## The integration and sampler tests under RealtimeSanitizer
	scripts/test.sh rtsan

storm: test-dependencies ## Random edits, floods and kills beside a voice that is compared, for a minute; ARGS=3600: for an hour
	AURICLE_STORM_SECONDS=$(or $(ARGS),60) swift test --disable-xctest --filter '^IntegrationTests\.StormTests'

soak: test-dependencies ## Players, recorders, streams and samplers that come and go, for an hour; ARGS=60: for a minute
	AURICLE_SOAK_SECONDS=$(or $(ARGS),3600) swift test --disable-xctest --filter '^IntegrationTests\.SoakTests'

ardour: test-dependencies ## Measure Ardour with Auricle, as docs/WithADAW.md states it; needs Ardour 7 and root
	AURICLE_ARDOUR=1 swift test --disable-xctest --filter '^IntegrationTests\.WithADAWTests'

install: ## Install the command, manual, completions, configurations and service below PREFIX (/usr/local)
	@if command -v swift >/dev/null; then $(MAKE) build; \
	elif [ ! -x $(BINARY) ]; then echo "There is no swift in PATH: run 'make build' as yourself first" >&2; exit 1; fi
	@$(MAKE) install-files

# Root may have no swift in its PATH; `make build` and then `sudo make install` needs none.
install-files:
	@umask 022; \
	made=$$(LC_ALL=C mkdir -pv $(root)/bin $(configurations) \
	  $(dir $(bash_completion) $(zsh_completion) $(fish_completion) $(manual) $(service)) \
	  | sed -n "s|^mkdir: created directory '$(DESTDIR)\(.*\)'$$|\1|p"); \
	[ -z "$$made" ] || printf '%s\n' "$$made" >>$(made_folders)
	install -m 755 $(BINARY) $(root)/bin/auricle
	install -m 755 $(WEB_BINARY) $(root)/bin/auricle-web
	install -m 644 config/*.toml $(configurations)
	install -m 644 schema/session.schema.json $(root)/share/auricle
	sed 's|@PREFIX@|$(PREFIX)|' systemd/auricle@.service.in >$(service)
	$(BINARY) manual >$(manual)
	$(BINARY) --generate-completion-script bash | sed '1 { /^#!/ d }' >$(bash_completion)
	$(BINARY) --generate-completion-script zsh >$(zsh_completion)
	$(BINARY) --generate-completion-script fish >$(fish_completion)
	chmod 644 $(manual) $(service) $(bash_completion) $(zsh_completion) $(fish_completion)

uninstall: ## Remove what install put below PREFIX
	rm -f $(root)/bin/auricle $(root)/bin/auricle-web $(manual) $(service) $(bash_completion) $(zsh_completion) $(fish_completion)
	@made=; [ ! -e $(made_folders) ] || made=$$(tac $(made_folders)); \
	rm -rf $(root)/share/auricle; \
	for folder in $$made; do [ ! -d $(DESTDIR)$$folder ] || rmdir --ignore-fail-on-non-empty $(DESTDIR)$$folder; done

deb: package-dependencies ## Build the Debian package in out/
	scripts/deb.sh

deb-test: package-test-dependencies deb ## Install the package in a clean Debian, play there, and remove it; needs root
	scripts/deb-test.sh

dependencies:
	@scripts/install-dependencies.sh

test-dependencies:
	@scripts/install-dependencies.sh --tests

benchmark-dependencies:
	@scripts/install-dependencies.sh --benchmarks

package-dependencies:
	@scripts/install-dependencies.sh --package

package-test-dependencies:
	@scripts/install-dependencies.sh --package-test
