# shellcheck shell=bash
# Sourced by tests that are shell scripts. They run in a temporary folder and continue after a failure: call complain
# for each, and end with all_passed.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cd "$work" || exit 1
failures=0

complain() {
  echo "$*"
  failures=$((failures + 1))
}

all_passed() { ((failures == 0)); }
