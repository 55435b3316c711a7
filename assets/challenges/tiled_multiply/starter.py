from numba import cuda, float32


@cuda.jit
def multiply(a, b, c, m, n, k):
    a_tile = cuda.shared.array((16, 16), float32)
    b_tile = cuda.shared.array((16, 16), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.grid(2)
    total = float32(0)
    for tile in range(k // 16):
        a_tile[ty, tx] = a[row, tile * 16 + tx]
        b_tile[ty, tx] = b[tile * 16 + ty, column]
        cuda.syncthreads()
        for i in range(16):
            total += a_tile[ty, i] * b_tile[i, tx]
        cuda.syncthreads()
    c[row, column] = total
