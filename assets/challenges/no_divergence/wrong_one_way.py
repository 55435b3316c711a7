from numba import cuda, uint32


@cuda.jit
def two_ways(x, out, n):
    i = cuda.grid(1)
    if i < n:
        v = x[i]
        for k in range(16):
            v = uint32((v ^ k) * 5)
        out[i] = v
