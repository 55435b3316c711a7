#!/bin/sh
# Times the launches of time_cases.py on the GPU of this machine and writes times_h200.txt and times_held_out_h200.txt.
# Needs nvcc (with -lcuda), ptxas and a checkout; about ten seconds.
# usage: tests/data/truth/record_times.sh [sm_90]
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
architecture=${1:-sm_90}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
for kernel in $(python3 -c "
import sys; sys.path.insert(0, 'tests/data/truth')
import time_cases
print(*sorted({c['kernel'] for c in time_cases.all_cases()}))"); do
  ptxas -arch="$architecture" "tests/data/golden/ptx/$kernel.ptx" -o "$work/$kernel.cubin"
done
nvcc -cubin -arch="$architecture" cuda/calibration/issue.cu -o "$work/delay.cubin"
nvcc -O2 -std=c++17 tests/data/truth/time_launches.cu -o "$work/time_launches" -lcuda
python3 tests/data/truth/time_cases.py lines "$work" >"$work/lines"
"$work/time_launches" "$work/lines" "$work/delay.cubin" >"$work/times"
python3 tests/data/truth/time_cases.py split "$work/times"
