# Numba has no textures. These functions do what the texture unit does: they take the four pixels around a place and mix
# them by their distance in 256ths. Outside the picture there is 0.
@cuda.jit(device=True)
def in_256ths(place):
    return int(math.floor((np.float64(place) - 0.5) * 256 + 0.5))


@cuda.jit(device=True)
def pixel(picture, x, y, channel, width, height):
    if x < 0 or y < 0 or x >= width or y >= height:
        return 0
    return int(picture[y, x, channel])


@cuda.jit(device=True)
def fetch(picture, x, y, channel, width, height):
    across, down = in_256ths(x), in_256ths(y)
    column, row = across >> 8, down >> 8
    a, b = across & 255, down & 255
    both = (a * b + 128) >> 8
    mixed = (256 - a - b + both) * pixel(picture, column, row, channel, width, height)
    mixed += (a - both) * pixel(picture, column + 1, row, channel, width, height)
    mixed += (b - both) * pixel(picture, column, row + 1, channel, width, height)
    mixed += both * pixel(picture, column + 1, row + 1, channel, width, height)
    return np.float32(((mixed * 257 + 128) >> 8) / 65535)  # 0 to 1


@cuda.jit
def rotate_texture(picture, out, width, height, cosine, sine):
    x, y = cuda.grid(2)
    if x >= width or y >= height:
        return
    middle_x, middle_y = np.float32(width) * np.float32(0.5), np.float32(height) * np.float32(0.5)
    right = np.float32(x) + np.float32(0.5) - middle_x
    down = np.float32(y) + np.float32(0.5) - middle_y
    from_x = cuda.fma(cosine, right, cuda.fma(sine, down, middle_x))
    from_y = cuda.fma(cosine, down, cuda.fma(-sine, right, middle_y))
    for channel in range(4):
        color = fetch(picture, from_x, from_y, channel, width, height)
        out[y, x, channel] = cuda.fma(color, np.float32(255), np.float32(0.5))
