@cuda.jit
def transpose_naive(source, out, width, height):
    x, y = cuda.grid(2)
    if x < width and y < height:
        out[x, y] = source[y, x]
