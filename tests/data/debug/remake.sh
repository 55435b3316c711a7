#!/bin/sh
# Compiles sums.cu with the places of its variables, so that the debugger's tests need no compiler.
# usage: tests/data/debug/remake.sh [PROGRAM]
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
program=${1:-$root/build/release/warplens}
python3 -c "import sys, struct; sys.stdout.buffer.write(struct.pack('<150i', *range(150)))" > "$root/tests/data/debug/in.bin"
"$program" compile "$root/tests/data/debug/sums.cu" --debug --device 5090 --out "$root/tests/data/debug/sums.ptx"
