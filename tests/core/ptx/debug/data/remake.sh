#!/usr/bin/env bash
# Makes the PTX texts beside it again, with debug information: by NVRTC (of warplens compile), nvcc 13 (if it is
# there), numba-cuda, and Numba's built-in target. All is made in the folder $1, whose name is in the texts.
#   remake.sh /tmp/debug_texts [WARPLENS]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$1
warplens=$(realpath "${2:-$here/../../../../build/release/warplens}")
mkdir -p "$work"
cp "$here/shapes.cu" "$here/saxpy.py" "$here/../../gpu/step/programs/clamp.cu" "$work"
cd "$work"
"$warplens" compile shapes.cu --debug --device 1080 --out nvrtc_12_9.ptx
"$warplens" compile clamp.cu --debug --device 2060 --out clamp.ptx
"$warplens" compile shapes.cu --debug --device 5090 --out nvrtc_12_9_sm_120.ptx
if command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]]; then
  PATH="$PATH:/usr/local/cuda/bin" nvcc -G -arch=compute_75 -ptx shapes.cu -o nvcc_13.ptx
fi
[[ -d numba_cuda ]] || python3 -m venv numba_cuda
numba_cuda/bin/pip -q install numba==0.61.2 numba-cuda==0.30.4 nvidia-cuda-nvcc-cu12 nvidia-cuda-nvrtc-cu12 \
  nvidia-cuda-runtime-cu12
numba_cuda/bin/python saxpy.py numba_cuda.ptx
[[ -d numba ]] || python3 -m venv numba
numba/bin/pip -q install numba==0.68.1 nvidia-cuda-nvcc-cu12
numba/bin/python saxpy.py numba_built_in.ptx
sed -i -E 's|^(\s*\.file\s.*")/.*/([^/]*")|\1\2|' ./*.ptx
cp ./*.ptx "$here"
