from numba import cuda


@cuda.jit
def invert(pixels, width, height):
    # The threads of the grid, numbered from 0, go through the bytes; a warp does 32 neighbours at a time.
    each = cuda.blockDim.x * cuda.blockDim.y
    block = cuda.blockIdx.y * cuda.gridDim.x + cuda.blockIdx.x
    first = block * each + cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    for i in range(first, 3 * width * height, cuda.gridDim.x * cuda.gridDim.y * each):
        channel = i % 3
        x = i // 3 % width
        y = i // 3 // width
        pixels[y, x, channel] = 255 - pixels[y, x, channel]
