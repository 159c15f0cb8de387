# Everything a developer types. `make` alone lists it.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.NOTPARALLEL:

LISTEN ?= 127.0.0.1:8080
CHECKS := --explicit-target-dependency-import-check error
# Release tests are built with testable imports, the release command without: two folders, or each would undo the other's work.
RELEASE_TESTS := .build/release-tests
# Real sockets, every order of events, long random runs: seconds each, so the inner loop leaves them to `make test`.
SLOW_SUITES := Live|Exploration|Random|FeedTests|BoardClientTests
SWIFT_FOLDERS := Package.swift Sources Tests
PYTEST := .build/venv/bin/python -m pytest
NODE := $(shell command -v node || command -v nodejs)
# Debian's node 18 has to be told what newer ones see by themselves: that a .js file is a module, and `crypto`.
OLD_NODE := process.versions.node < "20" ? "--experimental-default-type=module --experimental-global-webcrypto" : ""
say = @printf '\n== %s\n' '$(1)'

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "make %-14s %s\n", $$1, $$2 }'

run: ## install what is missing, build, serve the example board at http://127.0.0.1:8080/
	@Tests/Support/bootstrap build
	swift build -c release --product pushboard
	.build/release/pushboard example --listen $(LISTEN) --public Public

test: test-tools lint swift-debug swift-release client protocol browser documentation ## everything that must hold before a merge
	$(call say,make test: everything passed)

fast: ## the inner loop: debug build, the quick Swift tests, the page's unit tests
	swift test --skip '$(SLOW_SUITES)'
	$(MAKE) --no-print-directory client

test-tools:
	$(call say,What the tests need)
	@Tests/Support/bootstrap test

lint: ## the formatter agrees with every Swift file
	$(call say,Formatter)
	swift format lint --strict --recursive --parallel $(SWIFT_FOLDERS)

format: ## let the formatter rewrite every Swift file
	swift format --in-place --recursive --parallel $(SWIFT_FOLDERS)

swift-debug:
	$(call say,Swift tests - debug)
	swift test $(CHECKS)

swift-release:
	$(call say,Swift tests - release)
	swift test -c release --scratch-path $(RELEASE_TESTS) $(CHECKS)

client: ## the page's unit tests
	$(call say,JavaScript tests)
	NODE_OPTIONS="$$($(NODE) -p '$(OLD_NODE)')" $(NODE) --test $$(find Tests/Client -name '*.test.js')

# From outside a board is tested as people run it: the release build, the same that `make run` makes.
release:
	swift build -c release --product pushboard

protocol: test-tools release ## a foreign WebSocket client against the release build
	$(call say,Protocol tests)
	$(PYTEST) Tests/Protocol

browser: test-tools release ## Chromium tabs and a script against the release build
	$(call say,Browser tests)
	$(PYTEST) Tests/Browser

documentation: test-tools release ## every command and snippet of the documentation
	$(call say,Documentation)
	swift build --product ReadmeBoard
	$(PYTEST) Tests/Documentation

screenshot: test-tools release ## take the README's picture again
	SCREENSHOT=Documentation/screenshot.png $(PYTEST) Tests/Browser -k screenshot

# In turn, because many live tests at once run into their limits under the thread sanitizer. Leaks are not looked for:
# tests of stuck actions leave suspended tasks behind on purpose; what a server leaves is counted by F7 and F21.
sanitize: test-tools ## the Swift tests under the thread and address sanitizers
	swift test --sanitize=thread --no-parallel --scratch-path .build/thread-sanitizer
	ASAN_OPTIONS=detect_leaks=0 swift test --sanitize=address --scratch-path .build/address-sanitizer

conformance: ## the Autobahn suite, where a Python 2.7 is at hand
	swift build -c release --product EchoServer
	Tests/Conformance/run

bench: release ## measure against the floor and the peers: a release build, several minutes
	@Tests/Support/bootstrap bench
	.build/venv/bin/python Tests/Bench/run.py

clean: ## remove everything that was built
	rm -rf .build

.PHONY: help run test fast release test-tools lint format swift-debug swift-release client protocol browser documentation screenshot sanitize conformance bench clean
