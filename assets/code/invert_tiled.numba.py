@cuda.jit
def invert_tiled(source, out, width, height):
    tile = cuda.shared.array(3 * 1024, np.uint8)  # three channels for the largest block
    x, y = cuda.grid(2)
    thread = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    has_pixel = x < width and y < height  # no early return: every thread must reach the barrier
    if has_pixel:
        for channel in range(3):
            tile[3 * thread + channel] = source[y, x, channel]
    cuda.syncthreads()
    if has_pixel:
        for channel in range(3):
            out[y, x, channel] = 255 - tile[3 * thread + channel]
