#!/bin/sh
# Compiles the built-in kernels anew into tests/golden/ptx: for builds without NVRTC, and as the test that a
# change of compiler or kernel shows in the generated code. Read the difference before committing it.
# usage: tests/golden/remake_ptx.sh [BUILD_DIRECTORY]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$root/build/release}
compiler=$build/kernel_compiler
[ -x "$compiler" ] || { echo "no $compiler: build with NVRTC first (tools/setup brings it)" >&2; exit 3; }
for source in "$root"/cuda/kernels/*.cu; do
  name=$(basename "$source" .cu)
  "$compiler" "" "" "$source" "$root/tests/golden/ptx/$name.ptx"
  echo "tests/golden/ptx/$name.ptx"
done
