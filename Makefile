# The project's commands; `make help` lists them.
PREFIX ?= /usr/local
ARGS ?=

.PHONY: help run build test bench docs fuzz format lint calls asan tsan rtsan install uninstall \
	dependencies test-dependencies benchmark-dependencies

help: ## List the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 20

run: dependencies ## Install what is missing, build, and run: make run ARGS="my.toml --verbose"
	swift build -c release --product auricle
	exec .build/release/auricle run --start-server dummy $(ARGS)

build: dependencies ## Build the command for use
	swift build -c release --product auricle

test: test-dependencies ## Check everything: format, all tests, sanitizers
	scripts/test.sh

bench: benchmark-dependencies ## Measure against plain C, bare libfluidsynth and fluidsynth -F; ARGS="pieces voices": only these
	swift build -c release --product auricle
	swift run -c release --package-path Tests/Benchmarks bench $(ARGS)

docs: dependencies ## Make the library's documentation, articles and symbols, in .build/docs
	scripts/make-docs.sh

fuzz: dependencies ## Try the readers of files and streams with libFuzzer: make fuzz ARGS="60 toml"
	scripts/fuzz.sh $(ARGS)

format: ## Format all Swift files in place
	swift format -i --parallel $$(git ls-files '*.swift')

lint: ## Check the format of all Swift files
	scripts/test.sh lint

calls: test-dependencies ## What the render thread can reach in the machine code of the release build
	scripts/test.sh calls

asan: test-dependencies ## All tests under AddressSanitizer
	scripts/test.sh asan

tsan: test-dependencies ## What threads share under ThreadSanitizer
	scripts/test.sh tsan

rtsan: test-dependencies ## The integration and sampler tests under RealtimeSanitizer
	scripts/test.sh rtsan

install: build ## Install the command and its configurations below PREFIX (/usr/local)
	install -D -m 755 .build/release/auricle $(DESTDIR)$(PREFIX)/bin/auricle
	install -d $(DESTDIR)$(PREFIX)/share/auricle/config
	install -m 644 config/*.toml $(DESTDIR)$(PREFIX)/share/auricle/config

uninstall: ## Remove what install put below PREFIX
	rm -f $(DESTDIR)$(PREFIX)/bin/auricle
	rm -rf $(DESTDIR)$(PREFIX)/share/auricle

dependencies:
	@scripts/install-dependencies.sh

test-dependencies:
	@scripts/install-dependencies.sh --tests

benchmark-dependencies:
	@scripts/install-dependencies.sh --benchmarks
