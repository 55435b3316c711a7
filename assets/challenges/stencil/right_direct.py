from numba import cuda


@cuda.jit
def bend(x, out, n):
    i = cuda.grid(1)
    if i < n:
        value = -2 * x[i]
        if i > 0:
            value += x[i - 1]
        if i < n - 1:
            value += x[i + 1]
        out[i] = value
