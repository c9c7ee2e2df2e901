# The front door. `make demo` and `make test` work as the first command on a machine that has the Swift toolchain and make:
# Scripts/setup installs the system libraries that are missing.
#
# Builds with other settings have build paths of their own, so that they do not undo each other's work.

# How many tests run at once. More would only wait for each other, under a sanitizer beyond their limits. Older toolchains have no
# such option.
WIDTH = $(shell swift test --help-hidden | awk '/--experimental-maximum-parallelization-width/ { print $$1, 4; exit }')

FORMATTED := Package.swift Sources Tests Examples Benchmarks Fuzz

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-slow test-outside simulate planted-bugs consumer custom-backend test-tsan test-asan test-ubsan kill-test soak fuzz bench strict lint format imports api-check docs clean

help: ## Lists the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Installs the system libraries that are missing (apt or Homebrew).
	@Scripts/setup

demo: setup ## Copies a large object inside a local object server: in parts, paused, resumed, verified.
	swift run Examples/ResumableCopy

test: setup ## Runs all tests.
	swift test --disable-xctest $(WIDTH)

# Some wait for minutes to pass: all at once, so that none of these comes last.
test-slow: setup ## Runs the field reports that are minutes long by nature, which make test leaves out.
	OBJECT_TRANSFER_SLOW=1 swift test --disable-xctest $(WIDTH:4=64) --filter FieldReportTests.Slow

# What each run shows is kept anew; the README must say the same.
test-outside: setup ## Official clients drive the local object server, and the library real servers; installs both.
	@Scripts/outside-clients
	@Scripts/real-servers install ceph
	@Scripts/real-servers install juicefs
	@rm -rf .build/outside/observations
	@trap 'for server in ceph juicefs; do Scripts/real-servers stop $$server .build/outside/servers/run/$$server; done' EXIT; \
		OBJECT_TRANSFER_OUTSIDE=$(CURDIR)/.build/outside swift test --disable-xctest $(WIDTH) --filter OutsideTests
	@Scripts/interoperability
	@Scripts/interoperability --check

# make simulate SEEDS=100000, FIRST=1 for the same ones again; make simulate SEED=77 tells one history step by step.
SEEDS = 5000
simulate: setup ## Plays histories in which everything fails, and checks what transfers promise; from a seed chosen by chance.
	@Scripts/simulate $(if $(SEED),--seed $(SEED),$(SEEDS) $(FIRST))

planted-bugs: setup ## Shows that the simulation finds ten bugs, planted one at a time, and compares docs/simulation.md with what it saw.
	@Scripts/planted-bugs

consumer: setup ## Runs the snippets of the README, docs/from-ios.md and the articles in a package that uses the library as its users do.
	swift run --package-path Tests/Consumer
	swift test --disable-xctest --package-path Tests/Consumer

custom-backend: setup ## Runs an example of a backend of one's own, and puts it to the conformance suite.
	swift run --package-path Examples/CustomBackend FolderTransfer
	swift test --disable-xctest --package-path Examples/CustomBackend

test-tsan: setup ## Runs all tests under the thread sanitizer.
	swift test --disable-xctest $(WIDTH) --sanitize thread --build-path .build-tsan

test-asan: setup ## Runs all tests under the address sanitizer, leaks included.
	ASAN_OPTIONS=suppressions=$(CURDIR)/Scripts/asan.suppressions \
		LSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/lsan.suppressions \
		swift test --disable-xctest $(WIDTH) --sanitize address --build-path .build-asan

# make fuzz TARGET=xml SECONDS=60, or RUNS=1000000 in place of SECONDS; without a target it lists them. docs/fuzzing.md tells the rest.
fuzz: setup ## Searches for input that breaks what reads answers, records and addresses: TARGET=... SECONDS=... or RUNS=...
	@Fuzz/run $(or $(TARGET),--list) $(if $(TARGET),$(if $(RUNS),--runs $(RUNS)) $(if $(SECONDS),--seconds $(SECONDS)))

test-ubsan: setup ## Runs the C of this package under the sanitizer for undefined behaviour.
	@Scripts/undefined-behaviour

# With SEED=… as an earlier run printed it, the same moments and faults are chosen again.
KILLS = 300
MINUTES = 5

kill-test: setup ## Kills programs that transfer at random moments, KILLS=300 times, and lets each resume.
	OBJECT_TRANSFER_KILLS=$(KILLS) OBJECT_TRANSFER_SEED=$(SEED) swift test --disable-xctest --filter RandomKillTests

soak: setup ## Uploads 32 files at a time in one process with faults, for MINUTES=5, and looks for leaks.
	OBJECT_TRANSFER_SOAK_MINUTES=$(MINUTES) OBJECT_TRANSFER_SEED=$(SEED) swift test --disable-xctest --filter SoakTests

# make bench LOADS='upload small' for some of it; Benchmarks/run --help tells the rest.
bench: setup ## Measures the library beside other clients, for hours, and writes docs/benchmarks.
	Benchmarks/run $(LOADS)

strict: setup ## Builds everything with warnings as errors.
	TRANSFER_STRICT=1 swift build --build-tests --build-path .build-strict

lint: ## Checks the format and looks for what the library must not contain.
	swift format lint --strict --parallel --recursive $(FORMATTED)
	@Scripts/check-sources
	@Scripts/check-snippets
	@Scripts/check-field-reports
	@Scripts/planted-bugs --check

format: ## Formats all sources in place.
	swift format --in-place --parallel --recursive $(FORMATTED)

imports: setup ## Checks that each target imports only what it declares.
	@Scripts/check-imports

api-check: setup ## Compares the public interface with that of the commit in .api-baseline; builds both.
	@Scripts/api-check

docs: setup ## Builds the documentation into .build/docs; a warning or a public symbol without a comment is an error.
	@Scripts/docs

clean: ## Removes every build path.
	rm -rf .build .build-* Tests/Consumer/.build Examples/CustomBackend/.build Benchmarks/.build
