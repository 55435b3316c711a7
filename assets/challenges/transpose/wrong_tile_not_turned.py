from numba import cuda, int32


@cuda.jit
def transpose(source, out, width, height):
    tile = cuda.shared.array((32, 32), int32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.grid(2)
    if x < width and y < height:
        tile[ty, tx] = source[y, x]
    cuda.syncthreads()
    column = cuda.blockIdx.y * 32 + tx
    row = cuda.blockIdx.x * 32 + ty
    if column < height and row < width:
        out[row, column] = tile[ty, tx]
