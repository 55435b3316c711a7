from numba import cuda


@cuda.jit
def invert(pixels, width, height):
    # pixels[row, column, channel]
    x, y = cuda.grid(2)
    if x < width and y < height:
        pixels[y, x, 0] = 255 - pixels[y, x, 0]
