#!/bin/sh
# Compiles the kernels of tests/data/bugs and tests/data/right anew into their folders ptx, for sm_80 or what their head says, with lines.
# usage: tests/data/bugs/remake_ptx.sh [WARPLENS]
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
program=${1:-$root/build/release/warplens}
for folder in bugs right; do
  cd "$root/tests/data/$folder"
  mkdir -p ptx
  for source in *.cu; do
    name=${source%.cu}
    device=A100-SXM4-40GB
    grep -q '^// for sm_90' "$source" && device=H100
    "$program" compile "$source" --device "$device" --out "ptx/$name.ptx" >/dev/null
    sed -i "s|\"$PWD/|\"|" "ptx/$name.ptx"  # of the compiler's own header
  done
done
