#!/bin/sh
# run.sh RONDO PROGRAM [ARGS...]: runs a program with the limit of descriptors in its line "// descriptors: N", or the
# highest possible. The program ends with 0 on success, with 77 if the machine is too small for it.
rondo=$1
program=$2
shift 2
wanted=$(sed -n 's|^// descriptors: \([0-9]*\).*|\1|p' "$program")
if [ -n "$wanted" ]; then
  ulimit -n "$wanted"
else
  ulimit -n "$(ulimit -Hn)"
fi
exec "$rondo" "$program" "$@"
