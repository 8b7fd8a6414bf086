# shellcheck shell=bash disable=SC2154
# Sourced by ./dev: configuring and building a preset. Uses say, $root, $state and $jobs of ./dev.

presets() { sed -n 's/.*{ "name": "\([a-z]*\)", "configurePreset".*/\1/p' CMakePresets.json; }

# new_build_files STAMP: prints a file if CMake must run again. Ninja tracks the files of the last configuration,
# but not optional files that were added since.
new_build_files() {
  find . -path ./build -prune -o -path ./.git -prune -o -name node_modules -prune -o \
    \( -name CMakeLists.txt -o -name '*.cmake' -o -name '*.in' \) -newer "$1" -print -quit
}

# configure PRESET: only if necessary.
configure() {
  local dir=build/$1 home
  if [[ -f $dir/CMakeCache.txt ]]; then
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$dir/CMakeCache.txt")
    if [[ $home != "$root" ]]; then
      say "the tree has moved; rebuilding $dir"
      rm -rf -- "$dir"
    fi
  fi
  if [[ -f $dir/build.ninja && $dir/.configured -nt CMakePresets.json &&
    $dir/.configured -nt $state/packages && -z $(new_build_files "$dir/.configured") ]]; then
    return 0
  fi
  cmake --preset "$1" || return 1
  touch "$dir/.configured"
}

# build PRESET [TARGET...]: one build at a time in a tree; a second ./dev waits for the first.
build() {
  local preset=$1 target
  shift
  local -a arguments=()
  for target; do arguments+=(--target "$target"); done
  mkdir -p "$state"
  (
    flock -n 9 || {
      say "waiting for another ./dev to finish building"
      flock 9
    }
    configure "$preset" 9>&- || exit 1
    cmake --build "build/$preset" --parallel "$jobs" ${arguments[@]+"${arguments[@]}"} 9>&-
  ) 9>"$state/lock"
}

# show_progress: shows Ninja's progress on one line, which is cleared at the end; other output is passed on.
show_progress() {
  local line width
  width=$(tput cols 2>/dev/null || echo 80)
  while IFS= read -r line; do
    if [[ $line =~ ^\[[0-9]+/[0-9]+\] ]]; then
      printf '\r\033[K%s' "${line:0:width - 1}"
    elif [[ $line != 'ninja: no work to do.' ]]; then
      printf '\r\033[K%s\n' "$line"
    fi
  done
  printf '\r\033[K'
}

# quiet_build PRESET [TARGET...]: for commands whose own output matters. The build's output goes to
# stderr, and is only kept if it fails.
quiet_build() {
  if [[ -t 2 && ${TERM:-dumb} != dumb ]]; then
    build "$@" 2>&1 | show_progress >&2
  elif ! build "$@" >"$state/build.log" 2>&1; then
    cat "$state/build.log" >&2
    return 1
  fi
}

# find_output PRESET CANDIDATE...: the first candidate that the preset can build.
find_output() {
  local preset=$1 candidate
  shift
  for candidate; do
    if ninja -C "build/$preset" -t query "$candidate" >/dev/null 2>&1; then
      echo "$candidate"
      return 0
    fi
  done
  return 1
}
