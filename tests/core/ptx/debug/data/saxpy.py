# The function whose PTX numba_cuda.ptx and numba_built_in.ptx are: python3 saxpy.py OUT.ptx
import sys

from numba import cuda, float32, int32


def saxpy(x, y, a, n):
    i = cuda.grid(1)
    s = 0.0
    if i < n:
        for k in range(3):
            v = x[i] * a
            s += v * k
        y[i] = s


signature = (float32[::1], float32[::1], float32, int32)
text = cuda.compile_ptx(saxpy, signature, debug=True, opt=False, cc=(7, 5))[0]
open(sys.argv[1], "w").write(text)
