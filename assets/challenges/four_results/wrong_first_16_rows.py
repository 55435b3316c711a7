from numba import cuda, float32


@cuda.jit
def multiply(a, b, c, m, n, k):
    column = cuda.blockIdx.x * 16 + cuda.threadIdx.x
    row = cuda.blockIdx.y * 64 + cuda.threadIdx.y
    for r in range(1 if column < n else 0):
        if row + 16 * r < m:
            total = float32(0)
            for i in range(k):
                total += a[row + 16 * r, i] * b[i, column]
            c[row + 16 * r, column] = total
