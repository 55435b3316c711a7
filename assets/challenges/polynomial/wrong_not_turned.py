from numba import cuda, int32


@cuda.jit
def multiply(a, b, c, n, m):
    j = cuda.grid(1)
    total = int32(0)
    for k in range(m):
        if 0 <= j - k < n:
            total += a[j - k] * b[m - 1 - k]
    if j < n + m - 1:
        c[j] = total
