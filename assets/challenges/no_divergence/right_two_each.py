from numba import cuda, uint32


@cuda.jit
def two_ways(x, out, n):
    i = 2 * cuda.grid(1)
    if i >= n:
        return
    even = x[i]
    odd = x[i + 1] if i + 1 < n else uint32(0)
    for k in range(16):
        even = uint32((even ^ k) * 5)
    for k in range(24):
        odd = uint32((odd ^ k) * 3)
    out[i] = even
    if i + 1 < n:
        out[i + 1] = odd
