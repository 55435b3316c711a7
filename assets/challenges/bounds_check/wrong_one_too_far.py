from numba import cuda


@cuda.jit
def add(x, y, out, n):
    i = cuda.grid(1)
    if i <= n:
        out[i] = x[i] + y[i]
