#!/usr/bin/env bash
# real_host_test.sh MAKE_ENGINE HOST EXPORTS CONSTRUCTORS: edits V8's own host program. Of its symbols only V8's, those
# in the file EXPORTS and data that ld.so copies into the program stay visible. All its constructors in the file
# CONSTRUCTORS must exist.
make_engine=$(readlink -f "$1")
host=$(readlink -f "$2")
exports=$(readlink -f "$3")
constructors=$(readlink -f "$4")
# shellcheck source=tests/support/check.sh
source "$(dirname "$0")/../../../tests/support/check.sh"

# shellcheck disable=SC2016 # For ld.so, not for the shell.
options=(--needed=libcode.so '--runpath=$ORIGIN' "--exports=$exports" "--skip=$constructors")
"$make_engine" "${options[@]}" "$host" program || complain "make_engine failed"
"$make_engine" "${options[@]}" program again || complain "the second run failed"
cmp program again || complain "the second run changed something"
[[ $(stat -c %s program) == "$(stat -c %s "$host")" ]] || complain "the size has changed"
[[ $(readelf -d program | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p') == libcode.so$'\n'* ]] ||
  complain "libcode.so is not loaded first"

symbols() { nm -D --defined-only "$1" | awk '{ print $3 }' | sed 's/@.*//; /^$/d' | sort -u; }
symbols "$host" >before
symbols program >after
grep -q '^uv_run$' before || complain "$host has no uv_run: this is not the program to test"
for name in _ZN2v87Isolate10GetCurrentEv _ZTVN2v813EmbedderGraphE _ZN12v8_inspector11V8Inspector6createEPN2v87IsolateEPNS_17V8InspectorClientE; do
  grep -qx "$name" after || complain "hidden: $name"
done
sed 's/#.*//; s/[[:space:]]*$//; /^$/d' "$exports" | sort -u >listed
while read -r name; do
  grep -qx "$name" after || complain "listed, but hidden: $name"
done <listed

# Data of libraries, with all its names there: its addresses are those of the copy relocations.
readelf -rW "$host" | awk '$3 == "R_X86_64_COPY" { print $4 }' | sort -u >copied_at
nm -D --defined-only "$host" | awk 'NR == FNR { copied[$1]; next } $1 in copied { sub(/@.*/, "", $3); print $3 }' \
  copied_at - | sort -u >copied
for name in environ stdout; do
  grep -qx "$name" copied || complain "not among the copied data: $name"
done
grep -vE '^_Z(T[VTISWH]|G[VR]|Z|T[hvc][^N]*_)?N?[KVRO]*N?[KVRO]*(2v8|12v8_inspector|5cppgc)' after |
  grep -vxFf listed | grep -vxFf copied >unexpected
[[ ! -s unexpected ]] || complain "visible, but neither V8's nor listed: $(head -n 20 unexpected | tr '\n' ' ')"
grep -qE '^(uv_|napi_|_ZN4node)' after && complain "a symbol of Node or libuv is visible"
all_passed
