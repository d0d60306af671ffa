#!/bin/sh
# Fuzzes every target for an equal share of the time, one after the other.
#
#   tools/fuzz.sh [SECONDS] [DIR...]     all in SECONDS (600) below DIR (.)
#
# Inputs that crash are kept by go test in testdata/fuzz, where they become
# tests. Inputs that are new are minimized by a hundred tries only, so that the
# time goes into trying others. FUZZ_PARALLEL says how many at once (1). Exit 1
# if any target failed.
set -u
cd "$(dirname "$0")/.." || exit 1
go=${GO:-go}
total=${1:-600}
[ $# -gt 0 ] && shift

targets=$(grep -r --include='*_test.go' --exclude-dir=out -o '^func Fuzz[A-Za-z0-9_]*' "${@:-.}" | sed 's|/[^/]*_test.go:func |:|' | sort -u)
count=$(printf '%s\n' "$targets" | grep -c .)
if [ "$count" -eq 0 ]; then
	echo "fuzz: no targets below ${*:-.}" >&2
	exit 1
fi
each=$((total / count))
[ "$each" -lt 1 ] && each=1
echo "fuzz: $count targets, ${each}s each"

failed=
for t in $targets; do
	dir=${t%%:*} name=${t##*:}
	case $dir in /* | ./*) ;; *) dir=./$dir ;; esac
	if out=$($go test -run '^$' -fuzz "^$name\$" -fuzztime "${each}s" -fuzzminimizetime 100x -parallel "${FUZZ_PARALLEL:-1}" "$dir" 2>&1); then
		printf '%-28s %-22s %s\n' "$dir" "$name" "$(printf '%s\n' "$out" | sed -n 's/.*execs: \([0-9]*\).*/\1 inputs/p' | tail -1)"
	else
		failed="$failed $dir:$name"
		printf '%-28s %-22s FAILED\n%s\n' "$dir" "$name" "$out"
	fi
done
if [ -n "$failed" ]; then
	echo "fuzz: failed:$failed" >&2
	exit 1
fi
