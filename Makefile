# bitpal: `make` shows what there is.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
SHELL := /bin/bash

# The C libraries, by their pkg-config names, and the Debian packages that bring their headers.
C_LIBRARIES := libcurl sqlite3 yaml-0.1
C_PACKAGES := pkg-config libcurl4-openssl-dev libsqlite3-dev libyaml-dev

RELEASE := $(SWIFT) build -c release --product bitpal
# libstdc++ goes in statically too, by showing the linker a folder that holds nothing but its archive, and the addresses
# are fixed: relocating at every start is a third of it (docs/decisions/0007).
STATIC_RELEASE := $(RELEASE) --static-swift-stdlib --scratch-path .build/static \
  -Xlinker -L.build/libstdc++ -Xlinker --gc-sections -Xswiftc -Xclang-linker -Xswiftc -no-pie

# Hundreds of tests at once on two cores would miss the deadlines that some of them are about.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 4

# Runs tests, and when one fails says at the end which: among a thousand lines it is lost.
told = { set -o pipefail; $(1) 2>&1 | tee .build/tests.log || { echo; echo "What failed:"; \
  grep -A 3 -E 'recorded an issue|error:' .build/tests.log; exit 1; }; }

.DEFAULT_GOAL := help
.PHONY: help deps build demo test lint check bench fuzz sanitize static fixtures docs-cli install uninstall clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

deps: ## Install the C libraries' headers if pkg-config does not find them (apt, with sudo when not root)
	@if command -v pkg-config >/dev/null 2>&1 && pkg-config --exists $(C_LIBRARIES); then :; else \
	  echo "Installing $(C_PACKAGES): pkg-config does not find all of $(C_LIBRARIES)."; \
	  as_root=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$as_root apt-get update -qq && \
	  $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(C_PACKAGES); \
	fi

build: deps ## Build the tool for release into .build/release/bitpal
	@$(RELEASE)

demo: build ## Build, then prices and a chart from the recording; no network
	@echo
	.build/release/bitpal price bitcoin ethereum solana dogecoin shiba-inu
	@echo
	.build/release/bitpal chart bitcoin --range 1W

test: deps ## Build and run all tests; no network
	@$(SWIFT) build --build-tests
	@$(call told,$(SWIFT) test --skip-build --skip EndToEndTests)
	@$(call told,$(SWIFT) test --skip-build --filter EndToEndTests)
	@$(call told,$(SWIFT) test --package-path Examples/PriceAlarm --scratch-path .build/examples)

lint: ## Check the format of all sources
	@$(SWIFT) format lint -s -p -r Sources Tests Tools Examples Benchmarks/Sources Package.swift

check: lint test ## Everything a change must pass: format, layering, tests

fixtures: deps ## Write Fixtures/market anew, byte for byte the same
	@$(SWIFT) run -c release simulate-market Fixtures/market

docs-cli: deps ## Write docs/cli.md, docs/environment.md, the man page and the completions anew
	@mkdir -p docs/completions
	@$(SWIFT) run bitpal generate docs docs

bench: deps static ## Measure against sqlite3 and Foundation in the same run, and write Benchmarks/RESULTS.md
	@$(SWIFT) build -c release --package-path Benchmarks
	@{ echo "# Results"; echo; echo "$$(date -u +%F), $$(uname -sm), $$(nproc) cores, $$($(SWIFT) --version 2>/dev/null | head -1)"; echo; \
	  Benchmarks/.build/release/bench .build/static/release/bitpal; } | tee Benchmarks/RESULTS.md

TIME ?= 60

fuzz: deps ## Fuzz the readers of YAML, HAR and JSON, TIME seconds each (default 60)
	@Fuzz/run $(TIME)

sanitize: deps ## Run all tests under the thread and the address sanitizer
	@for kind in thread address; do for which in --skip --filter; do \
	  ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --sanitize=$$kind --scratch-path .build/$$kind $$which EndToEndTests \
	    || exit 1; done; done

static: deps
	@mkdir -p .build/libstdc++
	@archive=$$(clang -print-file-name=libstdc++.a 2>/dev/null || gcc -print-file-name=libstdc++.a); \
	  if [ -f "$$archive" ]; then ln -sf "$$archive" .build/libstdc++/libstdc++.a; fi
	@$(STATIC_RELEASE)

install: static ## Install the static, stripped tool and its providers under PREFIX (default /usr/local)
	@install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/bitpal/providers" \
	  "$(DESTDIR)$(PREFIX)/share/bitpal/Fixtures/market/bodies"
	@install -m 755 -s .build/static/release/bitpal "$(DESTDIR)$(PREFIX)/bin/bitpal"
	@install -m 644 providers/*.yaml "$(DESTDIR)$(PREFIX)/share/bitpal/providers"
	@install -m 644 Fixtures/market/recording.har "$(DESTDIR)$(PREFIX)/share/bitpal/Fixtures/market"
	@install -m 644 Fixtures/market/bodies/* "$(DESTDIR)$(PREFIX)/share/bitpal/Fixtures/market/bodies"
	@install -D -m 644 docs/bitpal.1 "$(DESTDIR)$(PREFIX)/share/man/man1/bitpal.1"
	@install -D -m 644 docs/completions/bitpal.bash \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/bitpal"
	@install -D -m 644 docs/completions/_bitpal "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_bitpal"
	@install -D -m 644 docs/completions/bitpal.fish \
	  "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/bitpal.fish"
	@echo "Installed $(DESTDIR)$(PREFIX)/bin/bitpal and $(DESTDIR)$(PREFIX)/share/bitpal."

uninstall: ## Take away what install put under PREFIX
	@rm -rf "$(DESTDIR)$(PREFIX)/bin/bitpal" "$(DESTDIR)$(PREFIX)/share/bitpal"
	@rm -f "$(DESTDIR)$(PREFIX)/share/man/man1/bitpal.1" \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/bitpal" \
	  "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_bitpal" \
	  "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/bitpal.fish"

clean: ## Remove what was built
	@rm -rf .build
