#!/usr/bin/env bash
# only_v8_api.sh PROGRAM: ends with 1 if the program uses anything of Node's or libuv's from the library that contains
# V8.
set -euo pipefail
symbols=$(nm -D --undefined-only "$1")
if ! grep -q ' _ZN2v8' <<<"$symbols"; then
  echo "$1 has no symbol of V8: this is not the program to ask"
  exit 1
fi
# Plain names, then any C++ name with the namespace node in it: as a scope, in an argument, a vtable.
if found=$(grep -E ' (uv_|napi_|node_)' <<<"$symbols" ||
  c++filt <<<"$symbols" | grep -E '(^|[^[:alnum:]_:])node::'); then
  printf '%s uses:\n%s\n' "$1" "$found"
  exit 1
fi
