from numba import cuda


@cuda.jit
def bend(x, out, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = x[i - 1] - 2 * x[i] + x[i + 1]
