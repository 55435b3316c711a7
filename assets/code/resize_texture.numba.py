# Numba has no textures. These two functions do what the texture unit does: they take the four pixels around a place,
# mix them by their distance in 256ths, and repeat the edge beyond it.
@cuda.jit(device=True)
def in_256ths(place):
    return int(math.floor((np.float64(place) - 0.5) * 256 + 0.5))


@cuda.jit(device=True)
def fetch(picture, x, y, channel, width, height):
    across, down = in_256ths(x), in_256ths(y)
    column, row = across >> 8, down >> 8
    a, b = across & 255, down & 255
    both = (a * b + 128) >> 8
    left, right = min(max(column, 0), width - 1), min(max(column + 1, 0), width - 1)
    top, bottom = min(max(row, 0), height - 1), min(max(row + 1, 0), height - 1)
    mixed = (256 - a - b + both) * int(picture[top, left, channel]) + (a - both) * int(picture[top, right, channel])
    mixed += (b - both) * int(picture[bottom, left, channel]) + both * int(picture[bottom, right, channel])
    return np.float32(((mixed * 257 + 128) >> 8) / 65535)  # 0 to 1


@cuda.jit
def resize_texture(picture, out, width, height, new_width, new_height):
    x, y = cuda.grid(2)
    if x >= new_width or y >= new_height:
        return
    # The middle of the new pixel, in pixels of the old picture.
    from_x = (np.float32(x) + np.float32(0.5)) * (np.float32(width) / np.float32(new_width))
    from_y = (np.float32(y) + np.float32(0.5)) * (np.float32(height) / np.float32(new_height))
    for channel in range(4):
        color = fetch(picture, from_x, from_y, channel, width, height)
        out[y, x, channel] = cuda.fma(color, np.float32(255), np.float32(0.5))
