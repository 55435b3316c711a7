# Shared by the scripts of this folder: source it, it changes to the repository's root.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
source tools/versions.env
cache="${XDG_CACHE_HOME:-$HOME/.cache}/warplens"

# configure PRESET [options…]: prints only where it fails or warns.
configure() {
  local log failed=no
  log=$(mktemp)
  cmake --preset "$@" >"$log" 2>&1 || failed=yes
  if [[ $failed == yes ]]; then cat "$log" >&2; else grep -A4 "CMake Warning" "$log" >&2 || true; fi
  rm -f "$log"
  [[ $failed == no ]]
}

# build PRESET [targets…]
build() {
  local preset=$1
  shift
  configure "$preset" && cmake --build --preset "$preset" ${1:+--target "$@"}
}

# run_tests PRESET TARGET [ctest arguments…]: builds the target (empty: everything) and runs the tests; what they said
# stays in build/PRESET/ctest.log. A few that failed are run once more, alone (build/PRESET/again.log): what passes then
# failed for what ran beside it, and .ci/run names it as a test to mend.
run_tests() {
  local preset=$1 target=$2 failed
  shift 2
  build "$preset" ${target:+"$target"} || return
  rm -f "build/$preset/again.log"
  ctest --preset "$preset" -j "$(nproc)" "$@" 2>&1 | tee "build/$preset/ctest.log" && return
  failed=$(wc -l <"build/$preset/Testing/Temporary/LastTestsFailed.log")
  (( failed <= 12 )) || return
  echo "== $failed failed; once more, alone"
  ctest --preset "$preset" -j 1 --rerun-failed 2>&1 | tee "build/$preset/again.log"
}

# our_files SUFFIX…: the tracked and new files of ours with one of the suffixes, NUL-terminated.
our_files() {
  git ls-files -z --cached --others --exclude-standard -- "${@/#/*.}" |
    while IFS= read -r -d '' file; do [[ ! -f "$file" ]] || printf '%s\0' "$file"; done
}
