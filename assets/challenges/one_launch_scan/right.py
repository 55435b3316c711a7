from numba import cuda, int32


@cuda.jit
def scan(x, out, totals, ready, taken, n):
    sums = cuda.shared.array(8, int32)
    passed = cuda.shared.array(2, int32)  # this block's part, and the sum before it
    t = cuda.threadIdx.x
    lane = t % 32
    if t == 0:
        passed[0] = cuda.atomic.add(taken, 0, 1)
    cuda.syncthreads()
    p = passed[0]
    i = p * cuda.blockDim.x + t
    total = int32(0)
    if i < n:
        total = x[i]
    for step in range(5):
        left = cuda.shfl_up_sync(0xFFFFFFFF, total, 1 << step)
        if lane >= 1 << step:
            total += left
    if lane == 31:
        sums[t // 32] = total
    cuda.syncthreads()
    for warp in range(t // 32):
        total += sums[warp]
    if t == cuda.blockDim.x - 1:  # its sum is that of the whole part
        before = int32(0)
        if p > 0:
            while cuda.atomic.add(ready, p - 1, 0) == 0:
                pass
            cuda.threadfence()
            before = totals[p - 1]
        totals[p] = before + total
        cuda.threadfence()
        cuda.atomic.exch(ready, p, 1)
        passed[1] = before
    cuda.syncthreads()
    if i < n:
        out[i] = passed[1] + total
