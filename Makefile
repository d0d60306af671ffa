# make test   vet and all tests (what CI calls); installs what is missing where it can
# make slow   the long tests: audits at 10^6 trials, long fuzzing seeds
# make bench  the figures of the README, as ratios measured in one run
# make fuzz   every fuzz target for its share of ten minutes (SECONDS=600)
GO ?= go

.PHONY: test slow bench fuzz prepare lint

test: prepare
	$(GO) vet ./...
	$(GO) test ./...

slow: prepare
	$(GO) test -tags slow -timeout 30m ./...

bench:
	$(GO) test -run '^$$' -bench . -benchtime 5x ./noise ./signal ./format/... ./feature ./classify ./mechanism/... ./account/... ./detect ./grid

fuzz:
	@GO=$(GO) sh tools/fuzz.sh $(or $(SECONDS),600)

# Browser tests want chromium. Where apt-get exists and the user is root it is
# installed; elsewhere those tests skip and say what to install.
prepare:
	@sh tools/prepare.sh

lint:
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); exit 1; }
	$(GO) mod tidy -diff
	$(GO) tool -modfile=tools/go.mod staticcheck ./...
