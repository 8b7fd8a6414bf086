#!/usr/bin/env bash
# debian_test.sh BUILD OUT ROOT: unpacks the packages in OUT into a minimal Debian 12, made by debootstrap in the folder
# ROOT and kept there for the next run, and runs a script in it with both.
if [[ $# -ne 3 || -z $3 ]]; then # Folders below ROOT are emptied: it must not be /.
  echo "usage: debian_test.sh BUILD OUT ROOT"
  exit 2
fi
out=$(readlink -m "$2")
root=$(readlink -m "$3")
script=$(readlink -f "$(dirname "$0")/smoke.js")
# The mirror that this machine's own apt uses.
# shellcheck disable=SC2016 # The format is apt's, not the shell's.
mirror=${RONDO_DEBIAN_MIRROR:-$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 2>/dev/null | sed -n 's/^bookworm //p' | head -n 1)}

skip() {
  printf 'package.debian: Skipped\n%s\n' "$1"
  exit 77
}
((EUID == 0)) || skip "only root can make and enter a root file system"
command -v debootstrap >/dev/null || skip "debootstrap is not installed; run: apt-get install debootstrap"
[[ -n $mirror ]] || skip "apt knows no mirror of Debian 12; name one in RONDO_DEBIAN_MIRROR"
# shellcheck source=tests/support/check.sh
source "$(dirname "$0")/../support/check.sh"
deb=$(find "$out" -name 'rondo_*_amd64.deb')
tar=$(find "$out" -name 'rondo-*-linux-x64.tar.gz')
[[ -f $deb && -f $tar ]] || skip "there are no packages in $out: package.archives makes them"

# The packages that rondo depends on are in the root from the start: nothing is fetched later.
depends=$(dpkg-deb -f "$deb" Depends | sed -E 's/ *\([^)]*\)//g; s/, */,/g')
if [[ $(cat "$root/made_with" 2>/dev/null) != "$depends" ]]; then
  mkdir -p "$(dirname "$root")"
  rm -rf "$root" "$root.new"
  if ! debootstrap --variant=minbase "--include=$depends" bookworm "$root.new" "$mirror" >log 2>&1; then
    rm -rf "$root.new"
    skip "debootstrap cannot make a Debian 12 from $mirror: $(grep '^[EW]:' log | tail -n 1)"
  fi
  echo "$depends" >"$root.new/made_with"
  rm -rf "$root.new"/var/cache/apt/archives/*.deb
  mv "$root.new" "$root"
fi
# Remove leftovers of an interrupted run.
chroot "$root" dpkg --purge rondo >/dev/null 2>&1
rm -rf "$root/opt"/* "$root/srv"/*

cp "$script" "$root/srv/smoke.js"
# run PROC COMMAND...: in the root, with or without /proc, which is mounted for the command only.
run() {
  local proc=$1
  shift
  if [[ $proc == with_proc ]]; then
    unshare --mount --pid --fork "--mount-proc=$root/proc" chroot "$root" "$@"
  else
    chroot "$root" "$@"
  fi
}
# expect_smoke PROC PROGRAM: checks the output of the script.
expect_smoke() {
  local output status=0
  output=$(run "$1" env -i PATH=/usr/bin:/bin "$2" /srv/smoke.js 2>&1) || status=$?
  [[ $status == 0 && $output =~ ^v[0-9.]+\ [0-9.]+-node\.[0-9]+\ 12\.[0-9]+\ "$3"$'\nhello\nchild\nworker'$ ]] ||
    complain "$2 $1: ended with $status: $output"
}

cp "$deb" "$root/srv/rondo.deb"
if run without_proc dpkg --force-unsafe-io -i /srv/rondo.deb >log 2>&1; then
  expect_smoke without_proc rondo /usr/bin/rondo
  [[ $(run without_proc dpkg -V rondo) == "" ]] || complain "dpkg -V finds files that have changed"
  run without_proc dpkg --purge rondo >log 2>&1 || complain "the package cannot be removed: $(cat log)"
  left=$(cd "$root" && find usr -path "*rondo*")
  [[ -z $left ]] || complain "left after the package was removed: $left"
else
  complain "the package cannot be installed: $(cat log)"
fi

tar -xzf "$tar" -C "$root/opt"
name=$(ls "$root/opt")
if unshare --mount --pid --fork "--mount-proc=$root/proc" true 2>/dev/null; then
  expect_smoke with_proc "/opt/$name/bin/rondo" "/opt/$name/bin/rondo"
  ln -s "/opt/$name/bin/rondo" "$root/srv/link"
  expect_smoke with_proc /srv/link "/opt/$name/bin/rondo"
else
  echo "/proc cannot be mounted here: the .tar.gz was not run"
fi
rm -rf "$root/opt"/* "$root/srv"/*
all_passed
