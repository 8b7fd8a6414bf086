#!/usr/bin/env bash
# install_test.sh BUILD WORK CXX: installs BUILD into WORK, moves the result, and uses it from there like an outside
# program: with find_package and with pkg-config, static and shared.
set -euo pipefail
build=$1 work=$2 cxx=$3
consumer=$(cd "$(dirname "$0")/consumer" && pwd)
# With ccache a second run takes a fraction of the first.
launcher=$(command -v ccache || true)
compile=(${launcher:+"$launcher"} "$cxx" -std=c++20)
expected="3 ticks in 3 hours, 4 callbacks, 42, ECONNREFUSED"

fail() {
  printf 'install_test: %s\n' "$*" >&2
  exit 1
}
quietly() { # COMMAND...: its output only if it fails.
  "$@" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "failed: $*"
  }
}

rm -rf "$work"
mkdir -p "$work"
# A developer's settings must not have an effect.
unset CMAKE_PREFIX_PATH PKG_CONFIG_PATH PKG_CONFIG_LIBDIR LD_LIBRARY_PATH CXXFLAGS LDFLAGS CPATH
quietly cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/prefix"
prefix=$work/prefix

# The pkg-config file is in the library folder, whose name depends on the system.
pc=$(find "$prefix" -name rondo.pc)
[[ -n $pc ]] || fail "no rondo.pc"
libdir=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH=${pc%/*}

echo "-- what is installed"
for file in rondo.h base/result.h loop/loop.h loop/phases/timers.h; do
  [[ -f $prefix/include/rondo/$file ]] || fail "no $file"
done
[[ -f $libdir/librondo.a ]] || fail "no librondo.a"
[[ -L $libdir/librondo.so ]] || fail "librondo.so is not a link to a versioned name"
soname=$(objdump -p "$libdir/librondo.so" | sed -n 's/^ *SONAME *//p')
[[ $soname == librondo.so.[0-9]* && -e $libdir/$soname ]] || fail "no file for the soname '$soname'"
unwanted=$(find "$prefix" -name '*_test*' -o -name '*.cc')
[[ -z $unwanted ]] || fail "installed, but not for users: $unwanted"
if grep -rIlF -e "$work/first" -e "$build" "$libdir/cmake" "$libdir/pkgconfig"; then
  fail "the files above name a path of the build machine"
fi

# ./dev lint checks each one alone. Here: that all are installed, in either order.
echo "-- all headers compile, in either order"
headers=$prefix/include/rondo
find "$headers" -name '*.h' -printf '#include "%P"\n' | sort >"$work/forward.cc"
sort -r "$work/forward.cc" >"$work/backward.cc"
for order in forward backward; do
  quietly "${compile[@]}" -I "$headers" -Wall -Wextra -Werror -c "$work/$order.cc" -o "$work/$order.o"
done

# run PROGRAM static|shared: checks its output, and that it loads librondo.so only if shared.
run() {
  local out needed=static
  [[ -z $(objdump -p "$1" | grep 'NEEDED.*librondo') ]] || needed=shared
  [[ $needed == "$2" ]] || fail "$1 is linked $needed, not $2"
  out=$(LD_LIBRARY_PATH=$libdir "$1") || fail "$1 ended with $?"
  [[ $out == "$expected" ]] || fail "$1 printed '$out', not '$expected'"
}

# by_cmake NAME static|shared OPTION...: one way to find and link Rondo.
by_cmake() {
  local tree=$work/cmake-$1 kind=$2
  echo "-- find_package: $1"
  shift 2
  quietly cmake -G Ninja -S "$consumer" -B "$tree" -DCMAKE_CXX_COMPILER="$cxx" \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" -DCMAKE_PREFIX_PATH="$prefix" "$@"
  quietly cmake --build "$tree"
  run "$tree/consumer" "$kind"
}
by_cmake default static
by_cmake build_shared_libs shared -DBUILD_SHARED_LIBS=ON
by_cmake component_shared shared -DCONSUMER_COMPONENTS=shared
by_cmake component_static static -DCONSUMER_COMPONENTS=static -DBUILD_SHARED_LIBS=ON
by_cmake target_shared shared -DCONSUMER_LINKS=rondo::shared
by_cmake target_static static -DCONSUMER_LINKS=rondo::static -DBUILD_SHARED_LIBS=ON

# refused NAME OPTION...: find_package must fail.
refused() {
  local tree=$work/refused-$1
  echo "-- refused: $1"
  shift
  if cmake -G Ninja -S "$consumer" -B "$tree" -DCMAKE_CXX_COMPILER="$cxx" \
    -DCMAKE_PREFIX_PATH="$prefix" "$@" >"$work/log" 2>&1; then
    fail "find_package accepted $*"
  fi
}
refused version -DCONSUMER_VERSION=99.0
refused component -DCONSUMER_COMPONENTS=teapot

echo "-- pkg-config: shared"
# shellcheck disable=SC2046 # pkg-config gives several words.
quietly "${compile[@]}" "$consumer/consumer.cc" -o "$work/pc-shared" $(pkg-config --cflags --libs rondo)
run "$work/pc-shared" shared
echo "-- pkg-config: static"
# shellcheck disable=SC2046
quietly "${compile[@]}" -static "$consumer/consumer.cc" -o "$work/pc-static" \
  $(pkg-config --static --cflags --libs rondo)
run "$work/pc-static" static
echo "-- all good"
