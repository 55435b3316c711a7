import math

from numba import cuda, float32


@cuda.jit
def softmax(x, out, rows, columns):
    highs = cuda.shared.array(8, float32)
    sums = cuda.shared.array(8, float32)
    t = cuda.threadIdx.x
    threads = cuda.blockDim.x
    r = cuda.blockIdx.x
    high = float32(-3e38)
    total = float32(0)
    for c in range(t, columns, threads):
        value = x[r, c]
        if value > high:
            total *= math.exp(high - value)
            high = value
        total += math.exp(value - high)
    for step in range(5):
        other_high = cuda.shfl_xor_sync(0xFFFFFFFF, high, 16 >> step)
        other_total = cuda.shfl_xor_sync(0xFFFFFFFF, total, 16 >> step)
        highest = max(high, other_high)
        total = total * math.exp(high - highest) + other_total * math.exp(other_high - highest)
        high = highest
    if t % 32 == 0:
        highs[t // 32] = high
        sums[t // 32] = total
    cuda.syncthreads()
    high = highs[0]
    for warp in range(1, threads // 32):
        high = max(high, highs[warp])
    total = float32(0)
    for warp in range(threads // 32):
        total += sums[warp] * math.exp(highs[warp] - high)
    for c in range(t, columns, threads):
        out[r, c] = math.exp(x[r, c] - high) / total
