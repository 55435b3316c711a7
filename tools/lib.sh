# Shared by the scripts of this folder: source it, it changes to the repository's root.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
source tools/versions.env
cache="${XDG_CACHE_HOME:-$HOME/.cache}/warplens"
# The version and the sentence of everything that is released: those of CMakeLists.txt.
version=$(sed -n 's/^project(warplens VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
sentence=$(sed -n '/^project(warplens/,/)/s/.*DESCRIPTION "\(.*\)".*/\1/p' CMakeLists.txt)

# The Python of an environment with pinned versions of the packages that build wheels and lists of parts.
packing_python() {
  (cd tests/programs && python3 -B -c "import packages; print(packages.environment('$root/tools/requirements/package.txt') or '')") | tail -n 1
}

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

# show_progress LOG PROCESS: until the process ends, shows on stderr how far the build whose output goes to LOG has come: in one
# line on a terminal, else in a line every half minute. Nobody may read stderr any more, so it cannot be ended by that.
show_progress() {
  local now said="" shown=-30
  trap '' PIPE
  while kill -0 "$2" 2>/dev/null; do
    sleep 0.2
    now=$(tail -c 4096 "$1" | sed -n '/Re-[cr]/d; s/^\[\([0-9]*\)\/\([0-9]*\)\].*/building \1 of \2/p' | tail -n 1)
    [[ -n "$now" && "$now" != "$said" ]] || continue
    said=$now
    if [[ -t 2 ]]; then
      printf '\r%s\033[K' "$now" >&2 || true
    elif (( SECONDS - shown >= 30 )); then
      echo "$now" >&2 || true
      shown=$SECONDS
    fi
  done
}

# build_quietly PRESET TARGET…: builds with a line of progress on stderr in place of the compilers' output. If it fails, what
# failed is shown whole. The build writes to a file, so that it does not end half-way when our output is closed, as by head.
build_quietly() {
  local folder builder printer status=0
  folder=$(mktemp -d)
  NINJA_STATUS='[%f/%t] ' ninja -C "build/$1" "${@:2}" >"$folder/log" 2>&1 &
  builder=$!
  show_progress "$folder/log" "$builder" &
  printer=$!
  trap 'kill "$printer" "$builder" 2>/dev/null; wait; rm -rf "$folder"; exit 130' INT TERM HUP
  wait "$builder" || status=$?
  kill "$printer" 2>/dev/null || true
  wait "$printer" 2>/dev/null || true
  trap - INT TERM HUP
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
  if (( status != 0 )); then
    # What failed, without the steps that went well meanwhile. If no step failed, all of it.
    if grep -q '^FAILED: ' "$folder/log"; then
      sed -n '/^FAILED: /,$p' "$folder/log" | grep -v '^\[[0-9]*/[0-9]*\] '
    else
      cat "$folder/log"
    fi >&2
  fi
  rm -rf "$folder"
  return "$status"
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
