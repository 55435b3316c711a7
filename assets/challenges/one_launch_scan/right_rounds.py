from numba import cuda, int32


@cuda.jit
def scan(x, out, totals, ready, taken, n):
    rows = cuda.shared.array((2, 256), int32)
    before = cuda.shared.array(1, int32)
    mine = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    if t == 0:
        mine[0] = cuda.atomic.add(taken, 0, 1)
    cuda.syncthreads()
    p = mine[0]
    i = p * cuda.blockDim.x + t
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
    if t == 0:
        while p > 0 and cuda.atomic.add(ready, p - 1, 0) == 0:
            pass
        cuda.threadfence()
        before[0] = totals[p - 1] if p > 0 else 0
        totals[p] = before[0] + rows[source, cuda.blockDim.x - 1]
        cuda.threadfence()
        cuda.atomic.exch(ready, p, 1)
    cuda.syncthreads()
    if i < n:
        out[i] = before[0] + rows[source, t]
