#!/usr/bin/env bash
# command_test.sh RELBIND LIBRARY: what the command does with files, good and bad.
relbind=$1
library=$2
# shellcheck source=tests/support/check.sh
source "$(dirname "$0")/../../../tests/support/check.sh"

# expect STATUS PATTERN ARGUMENT...: runs relbind; PATTERN must match all that it prints.
expect() {
  local status=$1 pattern=$2 output actual=0
  shift 2
  output=$("$relbind" "$@" 2>&1) || actual=$?
  [[ $actual == "$status" ]] || complain "relbind $*: ended with $actual, not $status: $output"
  [[ $output =~ ^($pattern)$ ]] || complain "relbind $*: said '$output', not '$pattern'"
}

cp "$library" in.so
chmod 640 in.so
expect 0 'relbind: out.so: bound [1-9].*' in.so out.so
[[ $(stat -c %a out.so) == 640 ]] || complain "the mode of the input was lost"
cmp -s "$library" in.so || complain "the input was changed"
cmp -s in.so out.so && complain "the output is not bound"

expect 0 'relbind: again.so: already bound .*' out.so again.so
cmp out.so again.so || complain "binding twice is not the same as once"

touch -d 2001-01-01 again.so
expect 0 'relbind: again.so: already bound .*' again.so again.so
[[ $(stat -c %Y again.so) == "$(date -d 2001-01-01 +%s)" ]] || complain "a bound library was written"

expect 0 'relbind: in.so: bound .*' in.so in.so
cmp in.so out.so || complain "binding in place is not the same"

mkdir folder
mkfifo fifo
: >empty
head -c 100000 /dev/urandom >garbage
{ printf '\177ELF\2\1\1'; head -c 100000 /dev/urandom; } >lookalike
head -c 3000 out.so >truncated
truncate -s 300M sparse
expect 1 'relbind: nowhere.so: cannot be opened: No such file or directory' nowhere.so bad.so
expect 1 'relbind: folder: not a regular file' folder bad.so
expect 1 'relbind: fifo: not a regular file' fifo bad.so
expect 1 'relbind: /dev/zero: not a regular file' /dev/zero bad.so
expect 1 'relbind: empty: too short for an ELF file' empty bad.so
expect 1 'relbind: garbage: not an ELF file' garbage bad.so
expect 1 'relbind: lookalike: [^:]*' lookalike bad.so
expect 1 'relbind: truncated: truncated: .*' truncated bad.so
expect 1 'relbind: sparse: larger than 256 MiB' sparse bad.so
[[ ! -e bad.so ]] || complain "a refused library was written"

expect 1 'relbind: folder/none/out.so: cannot be created: No such file or directory' \
  out.so folder/none/out.so
expect 1 'relbind: folder: cannot be replaced: Is a directory' out.so folder
expect 2 'relbind: takes an input and an output file .*'
expect 2 'relbind: takes an input and an output file .*' out.so
expect 2 'relbind: takes an input and an output file .*' out.so b c
expect 0 'Usage: relbind INPUT OUTPUT.*' --help

left=$(find . -name '*.so.*' -o -name 'folder.*')
[[ -z $left ]] || complain "left behind: $left"
all_passed
