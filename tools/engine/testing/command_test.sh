#!/usr/bin/env bash
# command_test.sh MAKE_ENGINE HOST CODE: the command with valid and invalid files.
make_engine=$1
host=$2
code=$3
# shellcheck source=tests/support/check.sh
source "$(dirname "$0")/../../../tests/support/check.sh"

# expect STATUS PATTERN ARGUMENT...: runs make_engine; PATTERN must match all that it prints.
expect() {
  local status=$1 pattern=$2 output actual=0
  shift 2
  output=$("$make_engine" "$@" 2>&1) || actual=$?
  [[ $actual == "$status" ]] || complain "make_engine $*: ended with $actual, not $status: $output"
  [[ $output =~ ^($pattern)$ ]] || complain "make_engine $*: said '$output', not '$pattern'"
}
name=$(basename "$code")
# shellcheck disable=SC2016 # For ld.so, not for the shell.
options=("--needed=$name" '--runpath=$ORIGIN' --exports=exports)
printf '# Comments and empty lines do not count.\n\nwanted_function  # Nor does what follows.\n' >exports

cp "$host" in
cp "$code" .
chmod 750 in
expect 0 'make_engine: out: [1-9][0-9]* symbols exported, [1-9][0-9]* hidden' "${options[@]}" in out
[[ $(stat -c %a out) == 750 ]] || complain "the mode of the input was lost"
cmp -s "$host" in || complain "the input was changed"
[[ $(./out argument) == "the library's main" ]] || complain "the output does not run"

expect 0 'make_engine: again: .*' "${options[@]}" out again
cmp out again || complain "the second run changed something"
touch -d 2001-01-01 again
expect 0 'make_engine: again: .*' "${options[@]}" again again
[[ $(stat -c %Y again) == "$(date -d 2001-01-01 +%s)" ]] || complain "a finished program was written"
expect 0 'make_engine: in: .*' "${options[@]}" in in
cmp in out || complain "the run in place is not the same"

mkdir folder
mkfifo fifo
: >empty
head -c 100000 /dev/urandom >garbage
head -c 3000 out >truncated
truncate -s 600M sparse
echo missing_function >wrong_exports
expect 1 'make_engine: nowhere: cannot be opened: No such file or directory' "${options[@]}" nowhere bad
expect 1 'make_engine: folder: not a regular file' "${options[@]}" folder bad
expect 1 'make_engine: fifo: not a regular file' "${options[@]}" fifo bad
expect 1 'make_engine: /dev/zero: not a regular file' "${options[@]}" /dev/zero bad
expect 1 'make_engine: empty: too short for an ELF file' "${options[@]}" empty bad
expect 1 'make_engine: garbage: not an ELF file' "${options[@]}" garbage bad
expect 1 'make_engine: truncated: truncated: .*' "${options[@]}" truncated bad
expect 1 'make_engine: sparse: larger than 512 MiB' "${options[@]}" sparse bad
expect 1 "make_engine: $name: not an executable with a fixed address" "${options[@]}" "$name" bad
expect 1 'make_engine: in: it does not export missing_function' "${options[@]}" --exports=wrong_exports in bad
expect 1 'make_engine: nowhere: cannot be opened: No such file or directory' "${options[@]}" --exports=nowhere in bad
expect 1 'make_engine: folder: cannot be read: Is a directory' "${options[@]}" --exports=folder in bad
expect 1 'make_engine: in: it has no constructor missing_function' "${options[@]}" --skip=wrong_exports in bad
expect 1 'make_engine: nowhere: cannot be opened: No such file or directory' "${options[@]}" --skip=nowhere in bad
expect 1 'make_engine: out: it is adopted already, for other libraries' "--needed=other" "${options[@]:1}" out bad
[[ ! -e bad ]] || complain "a refused program was written"

expect 1 'make_engine: folder/none/out: cannot be created: No such file or directory' "${options[@]}" in folder/none/out
expect 1 'make_engine: folder: cannot be replaced: Is a directory' "${options[@]}" in folder
expect 2 'make_engine: takes an input and an output file .*'
expect 2 'make_engine: takes an input and an output file .*' "${options[@]}" in
expect 2 'make_engine: takes an input and an output file .*' "${options[@]}" in b c
expect 2 'make_engine: needs --needed and --runpath .*' in bad
expect 2 'make_engine: needs --needed and --runpath .*' "${options[0]}" in bad
expect 2 'make_engine: needs --needed and --runpath .*' "${options[1]}" in bad
expect 2 'make_engine: there is no option --wanted .*' --wanted in bad
expect 0 'Usage: make_engine --needed=NAME.*' --help

left=$(find . -name '*.??????')
[[ -z $left ]] || complain "left behind: $left"
all_passed
