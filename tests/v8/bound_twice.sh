#!/usr/bin/env bash
# bound_twice.sh RELBIND LIBRARY: a bound library, bound again, is the same to the byte.
set -euo pipefail
again=$(mktemp)
trap 'rm -f -- "$again"' EXIT
said=$("$1" "$2" "$again")
echo "$said"
[[ $said == *"already bound"* ]]
cmp "$2" "$again"
