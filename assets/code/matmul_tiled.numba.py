TILE = 16  # the block must be 16 x 16


@cuda.jit
def matmul_tiled(a, b, c, m, n, k):
    a_tile = cuda.shared.array((TILE, TILE), np.float32)
    b_tile = cuda.shared.array((TILE, TILE), np.float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    column = cuda.blockIdx.x * TILE + tx
    row = cuda.blockIdx.y * TILE + ty
    total = np.float32(0)
    for start in range(0, k, TILE):
        a_tile[ty, tx] = a[row, start + tx] if row < m and start + tx < k else np.float32(0)
        b_tile[ty, tx] = b[start + ty, column] if start + ty < k and column < n else np.float32(0)
        cuda.syncthreads()  # both tiles are filled
        for i in range(TILE):
            total += a_tile[ty, i] * b_tile[i, tx]
        cuda.syncthreads()  # no thread needs them any more
    if row < m and column < n:
        c[row, column] = total
