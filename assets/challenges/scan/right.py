from numba import cuda, int32


@cuda.jit
def scan(x, out, n):
    rows = cuda.shared.array((2, 256), int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    rows[0, t] = x[i] if i < n else 0
    cuda.syncthreads()
    source = 0
    away = 1
    while away < cuda.blockDim.x:
        total = rows[source, t]
        if t >= away:
            total += rows[source, t - away]
        source = 1 - source
        rows[source, t] = total
        cuda.syncthreads()
        away *= 2
    if i < n:
        out[i] = rows[source, t]
