from numba import cuda


@cuda.jit
def mirror(source, out, width, height):
    # Which pixel is mine? Arrays have two indices here: source[row, column].
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    out[0, x] = source[0, y]
