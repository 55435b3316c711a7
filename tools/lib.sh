# Shared by the scripts of this folder: source it, it changes to the repository's root.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
source tools/versions.env
cache="${XDG_CACHE_HOME:-$HOME/.cache}/warplens"

# configure PRESET [options…]: prints only failures and warnings.
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

# needed_target PRESET [ctest arguments…]: what the tests that ctest would run need. For one label, as in -L core, that is
# its target, tests_core (cmake/tests.cmake); else everything.
needed_target() {
  local preset=$1 argument previous="" targets=()
  shift
  for argument in "$@"; do
    [[ $previous != -L ]] || targets+=("tests_$argument")
    previous=$argument
  done
  if (( ${#targets[@]} == 1 )) && ninja -C "build/$preset" -t query "${targets[0]}" >/dev/null 2>&1; then
    echo "${targets[0]}"
  else
    echo all
  fi
}

# run_tests PRESET [ctest arguments…]: builds what the tests need and runs them; what they said stays in
# build/PRESET/ctest.log.
run_tests() {
  local preset=$1 under=()
  shift
  # A sanitizer needs addresses that a system with many random bits may give to a library; then a test ends before it begins.
  # Containers may forbid to ask for fixed addresses.
  #
  # The preset's intercept_tls_get_addr=0 is for LLVM 14's leak sanitizer. If thread-local memory of a loaded library begins 16
  # bytes after a page, it takes the bytes before for a header of glibc 2.19, reads a range from them, and crashes after the
  # test has passed. That happens to one test in 256 that loads NVRTC, and which one depends on the length of a path. Without
  # the interception, the sanitizer still knows that memory: the dynamic linker allocates it (use_ld_allocations).
  if [[ $preset == *san* ]] && setarch -R true 2>/dev/null; then under=(setarch -R); fi
  rm -f "build/$preset/ctest.log"
  configure "$preset" || return
  cmake --build --preset "$preset" --target "$(needed_target "$preset" "$@")" || return
  ${under[@]+"${under[@]}"} ctest --preset "$preset" -j "$(nproc)" "$@" 2>&1 | tee "build/$preset/ctest.log"
}

# our_files SUFFIX…: the tracked and new files of ours with one of the suffixes, NUL-terminated.
our_files() {
  git ls-files -z --cached --others --exclude-standard -- "${@/#/*.}" |
    while IFS= read -r -d '' file; do [[ ! -f "$file" ]] || printf '%s\0' "$file"; done
}
