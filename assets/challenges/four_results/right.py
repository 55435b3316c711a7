from numba import cuda, float32


@cuda.jit
def multiply(a, b, c, m, n, k):
    a_tile = cuda.shared.array((64, 16), float32)
    b_tile = cuda.shared.array((16, 16), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    column = cuda.blockIdx.x * 16 + tx
    row = cuda.blockIdx.y * 64 + ty
    sum0 = sum1 = sum2 = sum3 = float32(0)
    for start in range(0, k, 16):
        for r in range(4):
            a_tile[ty + 16 * r, tx] = a[row + 16 * r, start + tx] if row + 16 * r < m and start + tx < k else float32(0)
        b_tile[ty, tx] = b[start + ty, column] if start + ty < k and column < n else float32(0)
        cuda.syncthreads()
        for i in range(16):
            of_b = b_tile[i, tx]
            sum0 += a_tile[ty, i] * of_b
            sum1 += a_tile[ty + 16, i] * of_b
            sum2 += a_tile[ty + 32, i] * of_b
            sum3 += a_tile[ty + 48, i] * of_b
        cuda.syncthreads()
    if column < n:
        if row < m:
            c[row, column] = sum0
        if row + 16 < m:
            c[row + 16, column] = sum1
        if row + 32 < m:
            c[row + 32, column] = sum2
        if row + 48 < m:
            c[row + 48, column] = sum3
