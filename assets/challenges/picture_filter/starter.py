from numba import cuda, int32


@cuda.jit
def weigh(picture, weights, out, width, height):
    x, y = cuda.grid(2)
    if x >= width or y >= height:
        return
    total = int32(0)
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            total += weights[3 * (dy + 1) + dx + 1] * picture[y + dy, x + dx]
    out[y, x] = total
