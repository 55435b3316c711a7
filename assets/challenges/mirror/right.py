from numba import cuda


@cuda.jit
def mirror(source, out, width, height):
    x = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    y = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    if x < width and y < height:
        out[y, x] = source[y, width - 1 - x]
