#!/usr/bin/env bash
# Makes the texts beside it again: make.sh FOLDER, where a virtual environment with the pinned Numba is made.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[[ -d $1 ]] || python3 -m venv "$1"
"$1/bin/pip" -q install numba==0.61.2 numba-cuda==0.30.4 nvidia-cuda-nvcc-cu12 nvidia-cuda-nvrtc-cu12 \
  nvidia-cuda-runtime-cu12
cd "$here"
"$1/bin/python" make.py "$here"
