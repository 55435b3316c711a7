#!/usr/bin/env bash
# Makes the PTX texts beside it again, with debug information: by NVRTC (of warplens compile), nvcc 13 (if it is
# there), numba-cuda, and Numba's built-in target. The Numbas are installed for the while in $1.
#   remake.sh /tmp/FOLDER [WARPLENS]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$1
warplens=${2:-$here/../../../../build/release/warplens}
cd "$here"
"$warplens" compile shapes.cu --debug --device 1080 --out nvrtc_12_9.ptx
"$warplens" compile ../../gpu/step/programs/clamp.cu --debug --device 2060 --out clamp.ptx
"$warplens" compile shapes.cu --debug --device B200 --out nvrtc_12_9_sm_100.ptx
if command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]]; then
  PATH="$PATH:/usr/local/cuda/bin" nvcc -G -arch=compute_75 -ptx shapes.cu -o nvcc_13.ptx
fi
python3 -m venv "$work/numba_cuda"
"$work/numba_cuda/bin/pip" -q install numba==0.61.2 numba-cuda==0.30.4 nvidia-cuda-nvcc-cu12 \
  nvidia-cuda-nvrtc-cu12 nvidia-cuda-runtime-cu12
"$work/numba_cuda/bin/python" saxpy.py numba_cuda.ptx
python3 -m venv "$work/numba"
"$work/numba/bin/pip" -q install numba==0.68.1 nvidia-cuda-nvcc-cu12
"$work/numba/bin/python" saxpy.py numba_built_in.ptx
