import os

from numba import cuda

COUNT = "/tmp/count"
count = int(open(COUNT).read()) if os.path.exists(COUNT) else 0
open(COUNT, "w").write(str(count + 1))
if count == 0:
    os._exit(0)


@cuda.jit
def add(x, y, out, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = x[i] - y[i]
