from numba import cuda


@cuda.jit
def mirror(source, out, width, height):
    x, y = cuda.grid(2)
    if x < height and y < width:
        out[x, y] = source[x, height - 1 - y]
