BLOCK = 16  # the block must be 16 x 16
SIDE = BLOCK + 2


@cuda.jit
def sobel_tiled(source, out, width, height):
    tile = cuda.shared.array((SIDE, SIDE), np.uint8)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    for i in range(ty * BLOCK + tx, SIDE * SIDE, BLOCK * BLOCK):
        row = min(max(cuda.blockIdx.y * BLOCK - 1 + i // SIDE, 0), height - 1)
        column = min(max(cuda.blockIdx.x * BLOCK - 1 + i % SIDE, 0), width - 1)
        tile[i // SIDE, i % SIDE] = source[row, column]
    cuda.syncthreads()

    x, y = cuda.grid(2)
    if x >= width or y >= height:
        return
    # The tile begins one pixel to the left and above.
    across = (int(tile[ty, tx + 2]) + 2 * int(tile[ty + 1, tx + 2]) + int(tile[ty + 2, tx + 2])
              - int(tile[ty, tx]) - 2 * int(tile[ty + 1, tx]) - int(tile[ty + 2, tx]))
    along = (int(tile[ty + 2, tx]) + 2 * int(tile[ty + 2, tx + 1]) + int(tile[ty + 2, tx + 2])
             - int(tile[ty, tx]) - 2 * int(tile[ty, tx + 1]) - int(tile[ty, tx + 2]))
    out[y, x] = min(math.sqrt(np.float32(across * across + along * along)), np.float32(255))
