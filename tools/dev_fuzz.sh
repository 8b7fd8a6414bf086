# shellcheck shell=bash disable=SC2154
# ./dev fuzz. Sourced by dev.

# fuzz_js order|api|web [OPTION...]: fuzzes the runtime with a script of tests/.
fuzz_js() {
  local status=0 target=$1
  shift
  need build v8
  mkdir -p "$state"
  quiet_build release rondo || die 1 "rondo does not build"
  printf '== %s\n' "$target $*"
  python3 -B "tests/$target/$target.py" fuzz --rondo build/release/rondo --save "build/fuzz/found/$target" "$@" || status=$?
  [[ $status -ne 77 ]] || die 1 "fuzz $target needs the package of V8 to compare with; run ./dev build"
  return "$status"
}

cmd_fuzz() {
  local seconds='' target='' name output status=0 crash option value
  local -a targets=() more=()
  while (($#)); do
    case $1 in
      --seconds | --count | --seed | --seconds=* | --count=* | --seed=*)
        option=${1%%=*}
        if [[ $1 == *=* ]]; then value=${1#*=}; else
          value=${2-}
          shift $(($# > 1))
        fi
        [[ $value =~ ^[1-9][0-9]*$ ]] || usage_error "$option needs a number"
        if [[ $option == --seconds ]]; then seconds=$value; else more+=("$option" "$value"); fi
        ;;
      -*) usage_error "fuzz has no option $1" ;;
      *)
        [[ -z $target ]] || usage_error "fuzz takes one target"
        target=$1
        ;;
    esac
    shift
  done
  if [[ $target != order && ${#more[@]} -gt 0 ]]; then usage_error "${more[0]} is for fuzz order only"; fi
  # --count is a limit, too: without --seconds there is then no time limit.
  if [[ -n $seconds || " ${more[*]-} " != *" --count "* ]]; then
    seconds=${seconds:-60}
    more+=(--seconds "$seconds")
  fi
  if [[ $target == order || $target == api || $target == web ]]; then
    fuzz_js "$target" "${more[@]}"
    return
  fi
  for name in fuzz/targets/*.cc; do
    [[ ! -f $name ]] || targets+=("$(basename "$name" .cc)")
  done
  [[ ${#targets[@]} -gt 0 ]] || die 1 "this tree has no fuzz targets"
  if [[ -n $target ]]; then
    [[ " ${targets[*]} " == *" $target "* ]] ||
      usage_error "no fuzz target '$target'; there are: ${targets[*]} order api web"
    targets=("$target")
  fi
  need build clang
  sanitizer_options
  build fuzz || die 1 "the fuzz preset does not build"
  for name in "${targets[@]}"; do
    output=$(find_output fuzz "fuzz/$name" "fuzz/fuzz_$name" "fuzz/${name}_fuzz") ||
      die 1 "fuzz/targets/$name.cc has no target in fuzz/CMakeLists.txt"
    # Inputs that increase coverage stay in the build tree; only crashes are added to the corpus.
    mkdir -p "fuzz/corpus/$name" "build/fuzz/found/$name"
    ls -A "fuzz/corpus/$name" >"$state/fuzz_before"
    printf '== %s, %s s\n' "$name" "$seconds"
    "build/fuzz/$output" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
      -print_final_stats=1 -artifact_prefix="fuzz/corpus/$name/" \
      "build/fuzz/found/$name" "fuzz/corpus/$name" </dev/null || {
      status=1
      say "$name failed"
      while IFS= read -r crash; do
        say "the input is saved as $crash: give it a descriptive name and commit it with the fix"
      done < <(ls -A "fuzz/corpus/$name" | grep -vxFf "$state/fuzz_before" | sed "s|^|fuzz/corpus/$name/|")
    }
  done
  return "$status"
}
