TILE = 32  # the block must be 32 x 32
PITCH = TILE + 1  # one more column: a column of the tile lies in 32 banks


@cuda.jit
def transpose_padded(source, out, width, height):
    values = cuda.shared.array((TILE, PITCH), np.float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.grid(2)
    if x < width and y < height:
        values[ty, tx] = source[y, x]
    cuda.syncthreads()
    out_x = cuda.blockIdx.y * TILE + tx  # where the tile lies on the other side of the diagonal
    out_y = cuda.blockIdx.x * TILE + ty
    if out_x < height and out_y < width:
        out[out_y, out_x] = values[tx, ty]
