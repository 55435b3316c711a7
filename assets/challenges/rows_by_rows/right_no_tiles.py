from numba import cuda, float32


@cuda.jit
def multiply(a, b, c, m, n, k):
    column, row = cuda.grid(2)
    total = float32(0)
    if row < m and column < n:
        for i in range(k):
            total += a[row, i] * b[column, i]
        c[row, column] = total
