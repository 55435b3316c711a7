BLOCK = 16  # the block must be 16 x 16
MOST = 8  # largest radius
SIDE = BLOCK + 2 * MOST


@cuda.jit
def box_blur_tiled(source, out, width, height, radius):
    tile = cuda.shared.array((SIDE, SIDE, 3), np.uint8)
    left = cuda.blockIdx.x * BLOCK - radius  # the picture's pixel at tile[0, 0]
    top = cuda.blockIdx.y * BLOCK - radius
    side = BLOCK + 2 * radius
    first = cuda.threadIdx.y * BLOCK + cuda.threadIdx.x
    # More pixels than threads: each thread fetches every 256th.
    for i in range(first, side * side, BLOCK * BLOCK):
        row = min(max(top + i // side, 0), height - 1)
        column = min(max(left + i % side, 0), width - 1)
        for channel in range(3):
            tile[i // side, i % side, channel] = source[row, column, channel]
    cuda.syncthreads()

    x, y = cuda.grid(2)
    if x >= width or y >= height:
        return
    count = (2 * radius + 1) * (2 * radius + 1)
    for channel in range(3):
        total = 0
        for dy in range(2 * radius + 1):
            for dx in range(2 * radius + 1):
                total += int(tile[cuda.threadIdx.y + dy, cuda.threadIdx.x + dx, channel])
        out[y, x, channel] = (total + count // 2) // count  # rounded
