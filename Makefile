# bitpal: `make` shows what there is.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
SHELL := /bin/bash

# The C libraries, by their pkg-config names, and the Debian packages that bring their headers.
C_LIBRARIES := libcurl sqlite3 yaml-0.1 libmicrohttpd expat zlib
C_PACKAGES := pkg-config libcurl4-openssl-dev libsqlite3-dev libyaml-dev libmicrohttpd-dev libexpat1-dev zlib1g-dev

# Without a path of its own folder in it, by which a libcurl.so.4 beside it would be loaded.
RELEASE := $(SWIFT) build -c release --product bitpal --disable-local-rpath
# libstdc++ goes in statically too, by showing the linker a folder that holds nothing but its archive, and the addresses
# are fixed: relocating at every start is a third of it (docs/decisions/0007).
STATIC_RELEASE := $(RELEASE) --static-swift-stdlib --scratch-path .build/static \
  -Xlinker -L.build/libstdc++ -Xlinker --gc-sections -Xswiftc -Xclang-linker -Xswiftc -no-pie

# Installs Debian packages, with sudo when not root; tried three times, for mirrors that stumble.
installed = as_root=$$([ "$$(id -u)" = 0 ] || echo sudo); for try in 1 2 3; do \
	  $$as_root apt-get update -qq && $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
	    --no-install-recommends $(1) && break; [ $$try -lt 3 ] || { echo "Could not install: $(1)"; exit 1; }; done

# Makes a Python of its own in the folder $(1), with what the tests in $(2) require; $(3) is what is written in it.
python = { python3 -c 'import ensurepip' 2>/dev/null || { \
	  echo "Installing Python, in which $(3) are written."; $(call installed,python3 python3-venv); }; \
	  [ -x $(1)/bin/pip ] || python3 -m venv $(1) || exit 1; for try in 1 2 3; do \
	  $(1)/bin/pip install -q --disable-pip-version-check -r $(2)/requirements.txt && break; \
	  [ $$try -lt 3 ] || exit 1; done; }

# Hundreds of tests at once on two cores would miss the deadlines that some of them are about.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 4

# Runs tests, and when one fails says at the end which: among a thousand lines it is lost.
told = { set -o pipefail; $(1) 2>&1 | tee .build/tests.log || { echo; echo "What failed:"; \
  grep -A 3 -E 'recorded an issue|error:' .build/tests.log; exit 1; }; }

.DEFAULT_GOAL := help
.PHONY: help deps build demo test attack truth-test serve-test web-test books-test fleet-test lint check bench simulation fuzz sanitize static docs-cli docs coverage dist install uninstall clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

deps: ## Install the C libraries' headers if pkg-config does not find them (apt, with sudo when not root)
	@if command -v pkg-config >/dev/null 2>&1 && pkg-config --exists $(C_LIBRARIES); then :; else \
	  echo "Installing $(C_PACKAGES): pkg-config does not find all of $(C_LIBRARIES)."; \
	  $(call installed,$(C_PACKAGES)); \
	fi

build: deps ## Build the tool for release into .build/release/bitpal
	@$(RELEASE)

demo: build ## Build, then prices and a chart from the recording; no network
	@echo
	.build/release/bitpal price bitcoin ethereum solana dogecoin shiba-inu
	@echo
	.build/release/bitpal chart bitcoin --range 1W

# What the plugins speak that are shown and begun, and what the server is tried with.
TEST_PROGRAMS := python3 jq perl curl

# Installs programs that are not there, each from the package of its name; $(2) is what needs them.
programs = if [ "$$(command -v $(1) | wc -l)" -lt $(words $(1)) ]; then \
	  echo "Installing what $(2) need: $(1)."; $(call installed,$(1)); \
	fi

test: deps ## Build and run all tests; no network
	@$(call programs,$(TEST_PROGRAMS),the tests)
	@[ -e /usr/share/zoneinfo/Europe/Berlin ] || { echo "Installing tzdata, whose time zones the tests know."; \
	  $(call installed,tzdata); }
	@$(SWIFT) build --build-tests
	@$(call told,$(SWIFT) test --skip-build --skip EndToEndTests --skip TruthTests)
	@$(call told,$(SWIFT) test --skip-build --filter TruthTests)
	@$(call told,$(SWIFT) test --skip-build --filter EndToEndTests --skip EndToEndTests.Attacks)
	@$(call told,$(SWIFT) test --package-path Examples/PriceAlarm --scratch-path .build/examples)

# What only the attacks need: a tracer that ends a program at a chosen call, and two more shells that complete words.
ATTACK_PROGRAMS := strace zsh fish python3

attack: deps ## Attack the built tool: hostile sources, folders, files, names; kills, full disks, foreign databases
	@$(call programs,$(ATTACK_PROGRAMS),the attacks)
	@if command -v bwrap >/dev/null 2>&1; then :; else $(call installed,bubblewrap); fi
	@$(SWIFT) build --build-tests
	@$(call told,$(SWIFT) test --skip-build --filter EndToEndTests.Attacks)
	@BITPAL=.build/debug/bitpal python3 Tests/Attacks/trust.py

# Where the worlds of the truth have their files: in memory, where there is such a place.
TRUTH_FOLDER := $(if $(wildcard /dev/shm/.),/dev/shm,/tmp)

truth-test: deps ## Ask every question of every source and pair, through every door, against a table of true prices; TRUTH_SEED
	@$(call programs,$(TEST_PROGRAMS),the tests)
	@$(SWIFT) build --build-tests
	@$(call told,TMPDIR=$(TRUTH_FOLDER) BITPAL_TRUTH=1 BITPAL_TRUTH_SEED=$(TRUTH_SEED) $(SWIFT) test --skip-build --filter TruthTests)

# With what the server is tried that is no package of Python's.
SERVE_PROGRAMS := prometheus jq curl

serve-test: deps ## Hold the server against clients of CoinGecko's API, JSON Schema, OpenAPI and Prometheus; from PyPI, into .build/serve-test
	@$(call programs,$(SERVE_PROGRAMS),the tests of the server)
	@$(SWIFT) build $(BUILD_FLAGS) --product bitpal
	@$(call python,.build/serve-test,Tests/ServeClients,the clients)
	@BITPAL="$$($(SWIFT) build $(BUILD_FLAGS) --show-bin-path)/bitpal" PYTHONDONTWRITEBYTECODE=1 \
	  .build/serve-test/bin/python -m pytest -q -p no:cacheprovider Tests/ServeClients

web-test: deps ## Look at the pages in a real browser: Debian's chromium, led by Playwright from PyPI, into .build/web-test
	@$(call programs,chromium nginx,the tests of the pages)
	@$(SWIFT) build $(BUILD_FLAGS) --product bitpal
	@$(call python,.build/web-test,Tests/WebPages,the tests)
	@BITPAL="$$($(SWIFT) build $(BUILD_FLAGS) --show-bin-path)/bitpal" CHROMIUM="$$(command -v chromium)" PYTHONDONTWRITEBYTECODE=1 \
	  .build/web-test/bin/python -m pytest -q -p no:cacheprovider Tests/WebPages

# The seed of the journals of prices; another one each time where none is given. Beancount is a module of Debian's Python.
BOOKS_SEED ?= 1

books-test: deps ## Have hledger, ledger and Beancount read exported books and journals of prices, and compare with bitpal; BOOKS_SEED
	@$(SWIFT) build $(BUILD_FLAGS) --product bitpal
	@[ "$$(command -v hledger ledger bean-check bean-query python3 | wc -l)" = 5 ] || { \
	  echo "Installing hledger, ledger and Beancount, which read the books."; $(call installed,python3 hledger ledger beancount); }
	@python3 Tests/Books/check.py "$$($(SWIFT) build $(BUILD_FLAGS) --show-bin-path)/bitpal" $(BOOKS_SEED)
	@/usr/bin/python3 Tests/Books/prices.py "$$($(SWIFT) build $(BUILD_FLAGS) --show-bin-path)/bitpal" $(BOOKS_SEED)
	@/usr/bin/python3 Tests/Books/needs.py "$$($(SWIFT) build $(BUILD_FLAGS) --show-bin-path)/bitpal" $(BOOKS_SEED)

# The server of a fleet, and what makes its certificates.
FLEET_PROGRAMS := redis-server openssl python3

# How long three machines ask for all that they may.
FLEET_SECONDS ?= 20

fleet-test: deps ## Hold machines that share a Redis, Debian's redis-server, against all that can happen to it; FLEET_SECONDS of load
	@$(call programs,$(FLEET_PROGRAMS),the tests of a fleet)
	@$(SWIFT) build $(BUILD_FLAGS) --build-tests
	@SWIFT="$(SWIFT)" BUILD_FLAGS="$(BUILD_FLAGS)" BITPAL_SOURCES="$(CURDIR)" BITPAL="$$($(SWIFT) build $(BUILD_FLAGS) --show-bin-path)/bitpal" FLEET_SECONDS=$(FLEET_SECONDS) PYTHONDONTWRITEBYTECODE=1 \
	  python3 -m unittest discover -s Tests/Fleet

lint: ## Check the format of all sources
	@$(SWIFT) format lint -s -p -r Sources Tests Examples Benchmarks/Sources Benchmarks/Simulation Package.swift

check: lint test ## Everything a change must pass: format, layering, tests

docs-cli: deps ## Write docs/cli.md, docs/environment.md, docs/schemas.jsonl, the man page again
	@mkdir -p docs/completions
	@$(SWIFT) run bitpal generate docs docs

# Where the site of `make docs` will be served: / or, say, /bitpal.
DOCS_BASE ?= /

# The other tools of the toolchain, beside its `swift`.
TOOLCHAIN = $(shell $(SWIFT) -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1/bin|p')

docs: deps ## Build the library's documentation, a static site, into .build/docs; its warnings are errors
	@SWIFT="$(SWIFT)" TOOLCHAIN="$(TOOLCHAIN)" Tools/docs "$(DOCS_BASE)"

WATCH ?= 120

# What measures only: a load for the server.
BENCH_PROGRAMS := wrk

bench: deps static ## Measure against sqlite3, curl, Foundation and peers; watch for WATCH seconds; write Benchmarks/RESULTS.md
	@$(call programs,$(BENCH_PROGRAMS),the measurements)
	@$(SWIFT) build -c release --product bench
	@set -o pipefail; .build/release/bench .build/static/release/bitpal $(WATCH) | tee Benchmarks/RESULTS.md

SEED ?= 1

simulation: deps ## Simulate fleets of 10 to 10,000 machines on a clock of its own and print the tables of docs/fleet.md; SEED
	@$(SWIFT) run -c release --quiet fleet-simulation --seed $(SEED)

TIME ?= 60

fuzz: deps ## Fuzz the readers of everything that comes from others, TIME seconds each (default 60)
	@Fuzz/run $(TIME)

sanitize: deps ## Run all tests under the thread and the address sanitizer
	@SWIFT="$(SWIFT)" Tools/sanitize

coverage: deps ## Print how many lines of each module the tests run, in the tool that they start too, the lowest first
	@SWIFT="$(SWIFT)" MAKE="$(MAKE)" TOOLCHAIN="$(TOOLCHAIN)" Tools/coverage

static: deps
	@mkdir -p .build/libstdc++
	@archive=$$(clang -print-file-name=libstdc++.a 2>/dev/null || gcc -print-file-name=libstdc++.a); \
	  if [ -f "$$archive" ]; then ln -sf "$$archive" .build/libstdc++/libstdc++.a; fi
	@$(STATIC_RELEASE)

install: static ## Install the static, stripped tool, its providers and imports under PREFIX (default /usr/local)
	@Tools/install .build/static/release/bitpal "$(PREFIX)" "$(DESTDIR)"

uninstall: ## Take away what install put under PREFIX
	@rm -rf "$(DESTDIR)$(PREFIX)/bin/bitpal" "$(DESTDIR)$(PREFIX)/share/bitpal"
	@rm -f "$(DESTDIR)$(PREFIX)/share/man/man1/bitpal.1" \
	  "$(DESTDIR)$(PREFIX)/lib/systemd/user/bitpal.service" \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/bitpal" \
	  "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_bitpal" \
	  "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/bitpal.fish"

VERSION = $(shell sed -n 's/.*current = "\(.*\)".*/\1/p' Sources/BitpalModel/Support/BitpalVersion.swift)
DIST = bitpal-$(VERSION)-linux-$(shell uname -m)
# The time stamp of everything in the archive, so that the same sources give the same bytes: that of the last commit.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

dist: ## Put what install installs, the readme and the licence into .build/dist/bitpal-VERSION-linux-ARCH.tar.gz
	@rm -rf .build/dist
	@$(MAKE) --no-print-directory install DESTDIR=.build/dist/ PREFIX=$(DIST) > /dev/null
	@# The folder in which it will be unpacked, which a unit must name, is unknown.
	@rm -rf .build/dist/$(DIST)/lib
	@install -m 644 README.md LICENSE .build/dist/$(DIST)
	@tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$(SOURCE_DATE_EPOCH) --mode=u=rwX,go=rX \
	  -C .build/dist -cf - $(DIST) | gzip -9n > .build/dist/$(DIST).tar.gz
	@rm -rf .build/dist/$(DIST)
	@echo "Wrote .build/dist/$(DIST).tar.gz. It needs libcurl4, libsqlite3-0 and libyaml-0-2 where it runs, libmicrohttpd12 to serve, and libexpat1 for XML."

clean: ## Remove what was built
	@rm -rf .build
