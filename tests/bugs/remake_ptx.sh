#!/bin/sh
# Compiles the kernels of tests/bugs anew into tests/bugs/ptx, for sm_80 and with lines.
# usage: tests/bugs/remake_ptx.sh [WARPLENS]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
program=${1:-$root/build/release/warplens}
mkdir -p "$root/tests/bugs/ptx"
cd "$root/tests/bugs"
for source in *.cu; do
  name=${source%.cu}
  "$program" compile "$source" --device A100-SXM4-40GB --out "ptx/$name.ptx" >/dev/null
done
