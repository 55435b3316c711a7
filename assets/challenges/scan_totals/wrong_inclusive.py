from numba import cuda, int32


@cuda.jit
def starts(totals, start, parts):
    sums = cuda.shared.array(8, int32)
    t = cuda.threadIdx.x
    lane = t % 32
    carry = int32(0)  # the sum of all iterations before: every thread has its own copy
    for first in range(0, parts, cuda.blockDim.x):
        p = first + t
        own = int32(0)
        if p < parts:
            own = totals[p]
        total = own
        for step in range(5):
            left = cuda.shfl_up_sync(0xFFFFFFFF, total, 1 << step)
            if lane >= 1 << step:
                total += left
        if lane == 31:
            sums[t // 32] = total
        cuda.syncthreads()
        before = carry
        for warp in range(cuda.blockDim.x // 32):
            if warp < t // 32:
                before += sums[warp]
            carry += sums[warp]
        cuda.syncthreads()  # before the next iteration overwrites the sums
        if p < parts:
            start[p] = before + total
