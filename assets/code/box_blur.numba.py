@cuda.jit
def box_blur(source, out, width, height, radius):
    x, y = cuda.grid(2)
    if x >= width or y >= height:
        return
    count = (2 * radius + 1) * (2 * radius + 1)
    for channel in range(3):
        total = 0
        for dy in range(-radius, radius + 1):
            row = min(max(y + dy, 0), height - 1)
            for dx in range(-radius, radius + 1):
                column = min(max(x + dx, 0), width - 1)
                total += int(source[row, column, channel])
        out[y, x, channel] = (total + count // 2) // count  # rounded
