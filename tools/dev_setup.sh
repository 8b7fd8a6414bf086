# shellcheck shell=bash disable=SC2154
# Sourced by ./dev: the Debian packages that each purpose needs, and their installation. Uses say, die and $state of
# ./dev.

# A name that ends in ? is optional: without it the command continues.
packages_of() { # PURPOSE
  case $1 in
    build) echo "g++ cmake ninja-build ccache? pkg-config libgtest-dev python3 git? ca-certificates" ;;
    # V8 itself is an npm package, unpacked into the build tree, never installed.
    v8)
      # libatomic1 is for V8, libdeflate for node:zlib.
      echo "binutils libatomic1 libdeflate-dev"
      # Any npm works; Debian's cannot be installed beside a Node from elsewhere.
      command -v npm >/dev/null || echo npm
      ;;
    bench) echo "libuv1-dev? wrk?" ;;  # Only for comparison; a client with TLS.
    browser) echo "chromium?" ;; # For the tests of the viewer.
    package) echo "dpkg-dev" ;;
    # debootstrap for the tests of the packages, libuv1-dev for libuv's own tests.
    test) echo "debootstrap? dpkg-dev? libuv1-dev?" ;;
    clang) echo "clang-16 libclang-rt-16-dev" ;;
    lint) echo "clang-tidy-16 cppcheck python3" ;;
    fmt) echo "clang-format-14" ;;
    tidy) echo "python3" ;;
  esac
}

# missing_of PACKAGE...: those that are not installed, one per line.
missing_of() {
  local known
  # shellcheck disable=SC2016 # The format is dpkg-query's, not the shell's.
  known=$(dpkg-query -W -f '${Package}=${db:Status-Status}\n' "$@" 2>/dev/null) || true
  local package
  for package; do
    [[ $'\n'$known$'\n' == *$'\n'"$package=installed"$'\n'* ]] || echo "$package"
  done
}

# apt COMMAND...: runs apt-get non-interactively, as root; its output goes to the log.
apt() {
  local -a as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || {
      echo "E: not root, and there is no sudo" >>"$state/apt.log"
      return 1
    }
    as_root=(sudo)
    # Without a terminal a password cannot be entered.
    [[ -t 0 && -t 2 ]] || as_root=(sudo -n)
    "${as_root[@]}" true 2>/dev/null || {
      echo "E: not root, and sudo is refused" >>"$state/apt.log"
      return 1
    }
  fi
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -y \
    -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" </dev/null >>"$state/apt.log" 2>&1
}

# apt_install PACKAGE...: with the current package lists, and again after updating them.
apt_install() {
  : >"$state/apt.log"
  apt install --no-install-recommends "$@" && return 0
  grep -q '^E: not root' "$state/apt.log" && return 1
  say "fetching Debian's package lists"
  : >"$state/apt.log"
  apt update || true  # One broken source must not stop the others.
  : >"$state/apt.log"
  apt install --no-install-recommends "$@"
}

# cannot_install PACKAGE...: ends with one line that says what is missing, why and what to do.
cannot_install() {
  local reason culprits
  reason=$(sed -n 's/^E: //p' "$state/apt.log" 2>/dev/null | head -n 1)
  # Apt fails for all if it cannot find one; name that one.
  culprits=$(sed -n -e 's/^E: Unable to locate package \([^ ]*\)$/\1/p' \
    -e "s/^E: Package '\([^ ]*\)' has no installation candidate$/\1/p" \
    "$state/apt.log" 2>/dev/null | sort -u | tr '\n' ' ')
  culprits=${culprits% }
  if [[ -n $culprits ]]; then reason="apt-get does not find it"; else culprits=$*; fi
  die 1 "cannot install $culprits: ${reason:-apt-get failed}; run: apt-get install $culprits"
}

# fetch_engine: V8, once for all presets. 57 MB, so announce it.
fetch_engine() {
  local dir=build/third_party/engine
  [[ -d tools/engine ]] || return 0
  cmp -s tools/engine/package-lock.json "$dir/stamp" && return 0
  mkdir -p "$state"
  say "fetching V8 (57 MB)"
  tools/fetch_npm "$dir" tools/engine >"$state/fetch.log" 2>&1 || die 1 "$(tail -n 1 "$state/fetch.log")"
}

# need PURPOSE...: returns when everything for these purposes is installed, or ends.
need() {
  [[ ${RONDO_SETUP-} != off ]] || return 0
  need_packages "$@"
  if [[ " $* " == *" v8 "* ]]; then fetch_engine; fi
}

need_packages() {
  local purpose word missing
  local -a required=() optional=()
  for purpose; do
    for word in $(packages_of "$purpose"); do
      if [[ $word == *'?' ]]; then optional+=("${word%'?'}"); else required+=("$word"); fi
    done
  done
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    die 1 "cannot install ${required[*]}: there is no apt-get; install them your way, then set RONDO_SETUP=off"
  fi
  missing=$(missing_of "${required[@]}" ${optional[@]+"${optional[@]}"})
  [[ -n $missing ]] || return 0

  mkdir -p "$state"
  local -a wanted=() wished=()
  for word in $missing; do
    if [[ " ${optional[*]-} " != *" $word "* || " ${required[*]} " == *" $word "* ]]; then
      wanted+=("$word")
    elif ! grep -qsx "$word" "$state/without"; then
      wished+=("$word")
    fi
  done
  if [[ ${#wanted[@]} -gt 0 ]]; then
    say "installing ${wanted[*]}"
    apt_install "${wanted[@]}" || cannot_install "${wanted[@]}"
    touch "$state/packages"  # Configure every preset again: CMake may find the new packages.
  fi
  for word in ${wished[@]+"${wished[@]}"}; do
    say "installing $word"
    if apt_install "$word"; then
      touch "$state/packages"
    else
      say "continuing without $word"
      echo "$word" >>"$state/without"  # Try to install an optional package only once.
    fi
  done
}
