import time

from numba import cuda

LIMIT = 12
time.sleep(max(0, LIMIT - 0.5 - time.process_time()))


@cuda.jit
def add(x, y, out, n):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i < n:
        out[i] = x[i] + y[i]
