#!/bin/sh
# Compiles the built-in kernels anew into tests/data/golden/ptx: for builds without NVRTC, and as the test that a
# change of compiler or kernel shows in the generated code. Read the difference before committing it.
# usage: tests/data/golden/remake_ptx.sh [BUILD_DIRECTORY]
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
build=${1:-$root/build/release}
compiler=$build/kernel_compiler
[ -x "$compiler" ] || { echo "no $compiler: build with NVRTC first (tools/setup brings it)" >&2; exit 3; }
for source in "$root"/cuda/kernels/*.cu; do
  name=$(basename "$source" .cu)
  "$compiler" "" "" "$source" "$root/tests/data/golden/ptx/$name.ptx"
  echo "tests/data/golden/ptx/$name.ptx"
done
