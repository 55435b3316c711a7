from numba import cuda, int32


@cuda.jit
def sum(x, total, n):
    i = cuda.grid(1)
    if i < n:
        total[0] += x[i]
