#!/usr/bin/env bash
# archives_test.sh BUILD OUT: makes the packages of BUILD in OUT, and checks their content.
build=$(readlink -f "$1")
out=$(readlink -m "$2")
package=$(readlink -f "$(dirname "$0")/../../tools/package")
rm -rf "$out"
# shellcheck source=tests/support/check.sh
source "$(dirname "$0")/../support/check.sh"

# refused PATTERN ARGUMENT...: ends with 1 and one line.
refused() {
  local pattern=$1 output status=0
  shift
  output=$("$package" "$@" 2>&1) || status=$?
  [[ $status == 1 && $output =~ ^($pattern)$ ]] || complain "package $*: ended with $status: $output"
}
refused 'package: usage: .*'
refused 'package: usage: .*' "$build"
refused 'package: --level needs a number from 1 to 9' --level 11 "$build" "$out"
refused 'package: \. is no build tree; .*' . bad
mkdir empty
echo CMAKE_PROJECT_VERSION:STATIC=1.2.3 >empty/CMakeCache.txt
refused 'package: empty has no rondo; .*' empty bad

if ! command -v dpkg-deb >/dev/null || ! command -v dpkg-shlibdeps >/dev/null; then
  printf 'package.archives: Skipped\ndpkg-deb or dpkg-shlibdeps is not installed\n'
  exit 77
fi
"$package" --level 1 "$build" "$out" >made || complain "package ended with $?"
version=$("$build/rondo" -p 'process.versions.rondo')
tar=$out/rondo-$version-linux-x64.tar.gz
deb=$out/rondo_${version}_amd64.deb
[[ $(cat made) == "$(readlink -f "$tar")"$'\n'"$(readlink -f "$deb")" ]] || complain "said: $(cat made)"
"$package" --level 1 "$build" again >/dev/null || complain "the second run ended with $?"
for file in "$tar" "$deb"; do
  cmp "$file" "again/${file##*/}" || complain "the second run made another ${file##*/}"
done

# Files belong to root, are readable by all, and there are no others.
tar -tvzf "$tar" | awk '{ print $1, $2, $6 }' >in_tar
dpkg-deb -c "$deb" | awk '{ print $1, $2, $6 }' >in_deb
for list in in_tar in_deb; do
  grep -vE '^(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--) (0/0|root/root) ' "$list" && complain "odd owners or modes in $list"
  sed -E 's/^[^ ]* [^ ]* (\.\/usr|rondo-[^/]*)//' "$list" | grep -v '/$' | grep -v '^/share/doc/rondo/LICENSE\.' |
    sort >"$list.names"
done
printf '%s\n' /bin/rondo /lib/rondo-uv/libuv.so.1 /lib/rondo-uv/librondo-clock.so /lib/rondo/librondo-code.so /share/doc/rondo/LICENSE | sort | diff - in_tar.names ||
  complain "other files in the .tar.gz"
printf '%s\n' /bin/rondo /lib/rondo-uv/libuv.so.1 /lib/rondo-uv/librondo-clock.so /lib/rondo/librondo-code.so /share/doc/rondo/copyright | sort | diff - in_deb.names ||
  complain "other files in the .deb"
for name in engine punycode preact; do
  for list in in_tar in_deb; do
    grep -q "/share/doc/rondo/LICENSE\.$name\$" "$list" || complain "no licence of $name in $list"
  done
done

# Every library that the program loads is in a package that the .deb depends on.
[[ $(dpkg-deb -f "$deb" Version) == "$version" ]] || complain "version $(dpkg-deb -f "$deb" Version)"
dpkg-deb -f "$deb" Depends | tr ',' '\n' | awk '{ print $1 }' | sort >depends
printf '%s\n' libatomic1 libc6 libgcc-s1 libstdc++6 | diff - depends || complain "other dependencies"

# It runs where it is unpacked.
tar -xzf "$tar"
[[ $("rondo-$version-linux-x64/bin/rondo" -p '6 * 7') == 42 ]] || complain "the unpacked program does not run"
# It has the names of functions, for gdb and perf, but no debug information.
code=rondo-$version-linux-x64/lib/rondo/librondo-code.so
nm "$code" >names
readelf -S "$code" >sections
grep -q ' t .*rondo.*Engine' names || complain "no names of functions"
grep -q debug_info sections && complain "debug information is there"
all_passed
