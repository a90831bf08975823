# bitpal: `make` shows the targets. What they need beyond one command is in Tools.

PREFIX ?= /usr/local
DESTDIR ?=
SHELL := /bin/bash
# What the programs in Tools read.
export SWIFT ?= swift
# SwiftPM passes the names of the package's traits in the order of a set, which differs by process: everything would be
# compiled again at every build.
export SWIFT_DETERMINISTIC_HASHING := 1
export BUILD_FLAGS TRUTH_SEED BOOKS_SEED BODIES FLEET_SECONDS SOAK_SEED

# Without a path of its own folder in it, by which a libcurl.so.4 beside it would be loaded.
RELEASE := $(SWIFT) build -c release --product bitpal --disable-local-rpath
# libstdc++, SQLite, libyaml and libgcc are linked statically too, the addresses are fixed, and types are not found by their
# names: that took two thirds of a start (docs/decisions/0007 and 0047). No symbol is exported: the runtime looks through
# all of them at every start. The functions that a price executes stand together (`make order`, docs/decisions/0058). Neither
# hashes of modules nor an id of the build, so that two builds have the same bytes.
STATIC_RELEASE := $(RELEASE) --static-swift-stdlib --scratch-path .build/static \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker --section-ordering-file=$(CURDIR)/Tools/functions.order \
  -Xlinker -L.build/archives -Xlinker --gc-sections -Xlinker --no-export-dynamic -Xlinker --build-id=none \
  -Xswiftc -Xclang-linker -Xswiftc -no-pie -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
# The other tools of the toolchain, beside its `swift`.
TOOLCHAIN = $(shell $(SWIFT) -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1/bin|p')

.DEFAULT_GOAL := help
.PHONY: help deps build demo test attack truth-test release-test package-test promises serve-test web-test books-test sources-test fleet-test lint check hooks bench bench-check flamegraphs order simulation fuzz sanitize static docs-cli docs coverage dist deb image sbom release verify-release install uninstall soak clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z -]+:.*## / { sub(/ .*/, "", $$1); printf "  make %-14s %s\n", $$1, $$2 }' Makefile

deps: ## Install the C libraries' headers if pkg-config does not find them (apt, with sudo when not root)
	@Tools/need headers

build: deps ## Build the tool for release into .build/release/bitpal
	@$(RELEASE)

demo: deps ## Build for debugging, as the tests do, then print prices and a chart from the recording; no network
	@$(SWIFT) build $(BUILD_FLAGS) --product bitpal
	@echo
	.build/debug/bitpal price bitcoin ethereum solana dogecoin shiba-inu
	@echo
	.build/debug/bitpal chart bitcoin --range 1W

test: deps ## Build and run all tests, or SUITE=serve|web|books|sources|fleet|soak|attack|truth|language; no network
	@Tools/test $(or $(SUITE),unit)

attack: deps ## Attack the built tool: hostile sources, folders, files, names; kills, full disks, foreign databases
	@Tools/test attack

truth-test: deps ## Ask every question of every source and pair, through every interface, against a table of true prices; TRUTH_SEED
	@Tools/test truth

package-test: deps ## Build and test an app that depends on this package by URL and version, without any trait
	@Tests/Package/run

promises: deps ## Write what this version promises into docs/releases
	@$(SWIFT) build --build-tests
	@Tools/promises .build/debug/bitpal write

release-test: static ## Run the transcripts and cases with the installed release: optimized, static, stripped
	@Tools/test release

serve-test: deps ## Test the server with clients of CoinGecko's API, JSON Schema, OpenAPI and Prometheus from PyPI, in .build/serve-test
	@Tools/test serve

web-test: deps ## Test the pages in Debian's chromium, driven by Playwright from PyPI, in .build/web-test
	@Tools/test web

books-test: deps ## Read exported books and journals of prices with hledger, ledger and Beancount, and compare with bitpal; BOOKS_SEED
	@Tools/test books

sources-test: deps ## Compare what ccxt from PyPI makes of the bodies in the provider files, or of a folder BODIES, with bitpal
	@Tools/test sources

fleet-test: deps ## Test machines that share a Redis (Debian's redis-server) against its failures; FLEET_SECONDS of load
	@Tools/test fleet

soak: export SOAK_SECONDS = $(TIME)
soak: deps ## Run servers, commands and portfolios for TIME seconds (60) over sources, disks, clocks and a Redis that fail; SOAK_SEED
	@Tools/test soak

lint: ## Check the format of all sources
	@$(SWIFT) format lint -s -p -r Sources Tests Examples Benchmarks/Sources Benchmarks/Simulation Package.swift

check: lint test ## Everything a change must pass: format, layering, tests

hooks: ## Run the format check and the tests of imports, links and language before each commit
	@printf '#!/bin/sh\nmake lint && make test SUITE=language\n' > "$$(git rev-parse --git-path hooks)/pre-commit"
	@chmod +x "$$(git rev-parse --git-path hooks)/pre-commit"

docs-cli: deps ## Write docs/cli.md, docs/environment.md, docs/schemas.jsonl and the man page again
	@mkdir -p docs/completions
	@$(SWIFT) run bitpal generate docs docs

docs: deps ## Build one static site of the pages and the library's documentation, for the path DOCS_BASE (/), into .build/docs; a warning or a link to nothing is an error
	@TOOLCHAIN="$(TOOLCHAIN)" Tools/docs "$(or $(DOCS_BASE),/)"

bench: deps static ## Measure against sqlite3, curl, Foundation and peers; watch for WATCH seconds (120); write Benchmarks/RESULTS.md
	@Tools/need wrk strace time sqlite3 curl python3 redis-server
	@$(SWIFT) build -c release --product bench
	@set -o pipefail; .build/release/bench .build/static/release/bitpal $(or $(WATCH),120) | tee $(or $(RESULTS),Benchmarks/RESULTS.md)

bench-check: ## Measure again into .build/results.md; fail if a ratio is more than a quarter worse than in Benchmarks/RESULTS.md
	@$(MAKE) bench RESULTS=.build/results.md
	@.build/release/bench compare Benchmarks/RESULTS.md .build/results.md

flamegraphs: deps static ## Draw what a price executes, cached and cold, into docs/images
	@Tools/need valgrind
	@$(SWIFT) build -c release --product bench
	@.build/release/bench .build/static/release/bitpal draw docs/images

order: deps static ## Write Tools/functions.order, by which a release has the functions together that a price executes
	@Tools/need valgrind
	@$(SWIFT) build -c release --product bench
	@PKG_CONFIG_PATH=$(CURDIR)/.build/archives $(STATIC_RELEASE) -Xlinker -Map=$(CURDIR)/.build/map
	@: > Tools/functions.order
	@.build/release/bench .build/static/release/bitpal order .build/map

simulation: deps ## Simulate fleets of 10 to 10,000 machines on a virtual clock and print the tables of docs/fleet.md; SEED (1)
	@$(SWIFT) run -c release --quiet fleet-simulation --seed $(or $(SEED),1)

fuzz: deps ## Fuzz the readers of all foreign data, TIME seconds each (60)
	@Fuzz/run $(or $(TIME),60)

sanitize: deps ## Run all tests under the thread and the address sanitizer
	@Tools/sanitize

coverage: deps ## Print the share of lines of each module that the tests run, in the tool that they start too, the lowest first
	@TOOLCHAIN="$(TOOLCHAIN)" Tools/coverage

# The descriptions of the libraries lead the linker to a folder that has nothing but their archives.
static: deps
	@mkdir -p .build/archives
	@for name in stdc++ sqlite3 yaml; do \
	  archive=$$(gcc -print-file-name=lib$$name.a 2>/dev/null || clang -print-file-name=lib$$name.a); \
	  if [ -f "$$archive" ]; then ln -sf "$$archive" .build/archives/; fi; \
	done
	@for name in sqlite3 yaml-0.1; do \
	  sed 's|^libdir=.*|libdir=$(CURDIR)/.build/archives|' "$$(pkg-config --variable=pcfiledir $$name)/$$name.pc" \
	    > .build/archives/$$name.pc; \
	done
	@PKG_CONFIG_PATH=$(CURDIR)/.build/archives $(STATIC_RELEASE)

install: static ## Install the static, stripped tool, its manual, completions and units under PREFIX (default /usr/local)
	@Tools/release stage
	@DESTDIR="$(DESTDIR)" .build/stage/install.sh "$(PREFIX)"

uninstall: ## Remove the installed files under PREFIX
	@DESTDIR="$(DESTDIR)" Packaging/install.sh --remove "$(PREFIX)"

dist deb image sbom: static ## Write the archive of a release to .build/dist; `make deb`, `make image`, `make sbom`: a Debian package, an OCI image, the contents
	@Tools/release $@

release: static ## Write all parts of a release and SHA256SUMS to .build/dist (docs/releasing.md)
	@Tools/release all

verify-release: ## Build a release twice in two folders, compare the bytes, and try each part in a prefix, a Debian and a container (as root)
	@Tools/verify-release

clean: ## Remove all build products
	@rm -rf .build
