from numba import cuda, float32


@cuda.jit
def halve(x, out, n):
    t = cuda.grid(1)
    threads = cuda.gridsize(1)
    for k in range(4):
        i = k * threads + t  # which element?
        if i < n:
            out[i] = float32(0.5) * x[i]
