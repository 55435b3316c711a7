from numba import cuda, uint32


@cuda.jit
def two_ways(x, out, n):
    i = cuda.grid(1)
    if i >= n:
        return
    v = x[i]
    if i % 2 == 0:
        for k in range(16):
            v = uint32((v ^ k) * 5)
    else:
        for k in range(24):
            v = uint32((v ^ k) * 3)
    out[i] = v
