# The project's commands; `make help` lists them.
PREFIX ?= /usr/local
ARGS ?=

# The compiler's libraries go into the program, so that it runs where there is no compiler.
release := swift build -c release --static-swift-stdlib --product auricle
# What is installed.
BINARY ?= .build/release/auricle
root = $(DESTDIR)$(PREFIX)
bash_completion = $(root)/share/bash-completion/completions/auricle
zsh_completion = $(root)/share/zsh/site-functions/_auricle
fish_completion = $(root)/share/fish/vendor_completions.d/auricle.fish
manual = $(root)/share/man/man1/auricle.1

.PHONY: help run build test bench docs reference fuzz format lint calls worst asan tsan rtsan storm soak install install-files uninstall \
	dependencies test-dependencies benchmark-dependencies

help: ## List the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 20

run: dependencies ## Install what is missing, build, and run: make run ARGS="my.toml --verbose"
	$(release)
	exec .build/release/auricle run --start-server dummy $(ARGS)

build: dependencies ## Build the command for use
	$(release)

test: test-dependencies ## Check everything: format, all tests, some of them under sanitizers
	scripts/test.sh

bench: benchmark-dependencies ## Measure against plain C, bare libfluidsynth and fluidsynth -F; ARGS="pieces voices": only these
	$(release)
	swift run -c release --package-path Tests/Benchmarks bench $(ARGS)

docs: dependencies ## Make the library's documentation, articles and symbols, in .build/docs
	scripts/make-docs.sh

reference: dependencies ## Renew the tables in docs/ that are made from the program
	swift build --product auricle
	.build/debug/auricle reference docs/*.md

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

install: ## Install the command, its manual, completions and configurations below PREFIX (/usr/local)
	@if command -v swift >/dev/null; then $(MAKE) build; \
	elif [ ! -x $(BINARY) ]; then echo "There is no swift in PATH: run 'make build' as yourself first" >&2; exit 1; fi
	@$(MAKE) install-files

# Root may have no swift in its PATH; `make build` and then `sudo make install` needs none.
install-files:
	install -D -m 755 $(BINARY) $(root)/bin/auricle
	install -d $(root)/share/auricle/config $(dir $(bash_completion) $(zsh_completion) $(fish_completion) $(manual))
	install -m 644 config/*.toml $(root)/share/auricle/config
	$(BINARY) manual >$(manual)
	$(BINARY) --generate-completion-script bash >$(bash_completion)
	$(BINARY) --generate-completion-script zsh >$(zsh_completion)
	$(BINARY) --generate-completion-script fish >$(fish_completion)
	chmod 644 $(manual) $(bash_completion) $(zsh_completion) $(fish_completion)

uninstall: ## Remove what install put below PREFIX
	rm -f $(root)/bin/auricle $(manual) $(bash_completion) $(zsh_completion) $(fish_completion)
	rm -rf $(root)/share/auricle

dependencies:
	@scripts/install-dependencies.sh

test-dependencies:
	@scripts/install-dependencies.sh --tests

benchmark-dependencies:
	@scripts/install-dependencies.sh --benchmarks
