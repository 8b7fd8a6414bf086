#!/usr/bin/env bash
# fetch_test.sh FETCH_V8 LIBRARY: tools/fetch_v8 against an apt-get of our own that needs no network.
# LIBRARY is any shared library; it plays the part of V8.
fetch=$1
library=$2
# shellcheck source=tests/support/check.sh
source "$(dirname "$0")/../support/check.sh"

# make_package NAME VERSION FILE...: repository/NAME.deb with these files, all copies of LIBRARY.
make_package() {
  local name=$1 version=$2 file
  shift 2
  rm -rf tree
  mkdir -p tree/DEBIAN repository
  printf 'Package: %s\nVersion: %s\nArchitecture: amd64\nMaintainer: none\nDescription: none\n' \
    "$name" "$version" >tree/DEBIAN/control
  for file; do
    mkdir -p "tree/$(dirname "$file")"
    cp "$library" "tree/$file"
  done
  chmod 755 tree tree/DEBIAN
  dpkg-deb -Znone -b tree "repository/$name.deb" >/dev/null
}

mkdir bin
cat >bin/apt-get <<END
#!/usr/bin/env bash
package=\${*: -1}
echo "\$package" >>$work/downloads
[[ \$1 == download ]] || { echo "E: this is not a download: \$*"; exit 100; }
[[ -f $work/repository/\$package.deb ]] || {
  echo "W: something else"
  echo "E: Unable to locate package \$package"
  exit 100
}
sleep 0.1
cp "$work/repository/\$package.deb" "\${package}_1_amd64.deb"
END
chmod +x bin/apt-get
PATH=$work/bin:$PATH
readonly headers=usr/include/nodejs/deps/v8/include

make_packages() {
  make_package libnode108 18 usr/lib/x86_64-linux-gnu/libnode.so.108
  make_package libnode-dev 18 $headers/v8.h $headers/v8-inspector.h $headers/libplatform/libplatform.h
  make_package node-llhttp 8 usr/share/include/llhttp/llhttp.h usr/share/llhttp/llhttp.c
}

# refuse PATTERN: fetching into a new folder must fail with one line like PATTERN and leave nothing.
refuse() {
  local pattern=$1 output status=0
  rm -rf refused
  output=$("$fetch" refused/v8 2>&1 >/dev/null) || status=$?
  [[ $status == 1 ]] || complain "ended with $status, not 1: $output"
  [[ $output =~ ^fetch_v8:\ $pattern.*RONDO_WITH_V8=OFF$ && $output != *$'\n'* ]] ||
    complain "said '$output', not one line with '$pattern'"
  [[ $(ls -A refused) == v8.lock ]] || complain "left behind: $(ls -A refused)"
}

make_packages
mkdir -p "a place"
: >downloads
mkdir -p "a place/v8.abcdef" # As a fetch that was killed leaves it.
for _ in 1 2 3; do "$fetch" "a place/v8" >>log 2>&1 & done
for job in $(jobs -p); do wait "$job" || complain "a fetch failed: $(cat log)"; done
[[ $(wc -l <downloads) == 3 ]] || complain "three at once downloaded $(tr '\n' ' ' <downloads)"
[[ $(ls -A "a place") == $'v8\nv8.lock' ]] || complain "the folder holds $(ls -A "a place")"
[[ $(<"a place/v8/stamp") == $'libnode108 18\nlibnode-dev 18\nnode-llhttp 8' ]] ||
  complain "the stamp says $(<"a place/v8/stamp")"
cmp "$library" "a place/v8/root/$headers/v8.h" || complain "the packages are not unpacked"
find "a place" -name '*.deb' | grep . && complain "the packages are still there"

: >downloads
"$fetch" "a place/v8" || complain "a second fetch failed"
[[ ! -s downloads ]] || complain "a second fetch downloaded again"

for package in libnode108 libnode-dev node-llhttp; do
  mv repository/$package.deb aside.deb
  refuse "cannot download the package $package \(Unable to locate package $package\)"
  mv aside.deb repository/$package.deb
done

head -c 500 repository/libnode-dev.deb >short.deb
mv short.deb repository/libnode-dev.deb
status=0
output=$("$fetch" cut/v8 2>&1 >/dev/null) || status=$?
[[ $status == 1 && $output == *"cannot unpack libnode-dev"* && ! -e cut/v8 ]] ||
  complain "a broken package: $status, $output"

make_packages
make_package libnode-dev 19 $headers/v8.h
refuse "libnode108 and libnode-dev have different versions"
make_packages
make_package node-llhttp 9 usr/share/llhttp/llhttp.c
refuse "the packages hold no usr/share/include/llhttp/llhttp.h"

printf '#!/bin/sh\necho "libcares.so.2 => not found"\necho "libuv.so.1 => not found"\n' >bin/ldd
chmod +x bin/ldd
output=$("$fetch" "a place/v8" 2>&1) && complain "missing libraries went unnoticed"
[[ $output =~ ^fetch_v8:\ V8\ needs\ libcares.so.2\ libuv.so.1,.*apt-get\ install.*libc-ares2 ]] ||
  complain "of missing libraries it said: $output"
all_passed
