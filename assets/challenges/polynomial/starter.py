from numba import cuda, int32


@cuda.jit
def multiply(a, b, c, n, m):
    i = cuda.grid(1)
    if i < n:
        for k in range(m):
            c[i + k] += a[i] * b[k]
