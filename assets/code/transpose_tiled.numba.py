TILE = 32  # the block must be 32 x 32


@cuda.jit
def transpose_tiled(source, out, width, height):
    values = cuda.shared.array((TILE, TILE), np.float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.grid(2)
    if x < width and y < height:
        values[ty, tx] = source[y, x]
    cuda.syncthreads()
    out_x = cuda.blockIdx.y * TILE + tx  # where the tile lies on the other side of the diagonal
    out_y = cuda.blockIdx.x * TILE + ty
    if out_x < height and out_y < width:
        out[out_y, out_x] = values[tx, ty]
