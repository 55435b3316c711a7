from numba import cuda


@cuda.jit
def invert(pixels, width, height):
    x, y = cuda.grid(2)
    if x < width and y < height:
        for channel in range(3):
            pixels[y, x, channel] = 255 - pixels[y, x, channel]
