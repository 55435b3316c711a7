from numba import cuda, float32


@cuda.jit
def multiply(a, b, c, m, n, k):
    a_tile = cuda.shared.array((16, 16), float32)
    b_tile = cuda.shared.array((16, 17), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.grid(2)
    b_row = cuda.blockIdx.x * 16 + ty
    total = float32(0)
    for start in range(0, k, 16):
        a_tile[ty, tx] = a[row, start + tx] if row < m and start + tx < k else float32(0)
        b_tile[ty, tx] = b[b_row, start + tx] if b_row < n and start + tx < k else float32(0)
        cuda.syncthreads()
        for i in range(16):
            total += a_tile[ty, i] * b_tile[i, tx]
        cuda.syncthreads()
    if row < m and column < n:
        c[row, column] = total
