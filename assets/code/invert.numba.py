@cuda.jit
def invert(source, out, width, height):
    x, y = cuda.grid(2)
    if x >= width or y >= height:
        return
    for channel in range(3):
        out[y, x, channel] = 255 - source[y, x, channel]
