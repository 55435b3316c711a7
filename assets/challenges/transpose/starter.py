from numba import cuda, int32


@cuda.jit
def transpose(source, out, width, height):
    # Arrays have two indices here: source[row, column].
    x, y = cuda.grid(2)
    if x < width and y < height:
        out[x, y] = source[0, 0]
