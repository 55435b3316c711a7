@cuda.jit
def sobel(source, out, width, height):
    x, y = cuda.grid(2)
    if x >= width or y >= height:
        return
    left, right = max(x - 1, 0), min(x + 1, width - 1)  # pixels at the edge replace those beyond it
    up, down = max(y - 1, 0), min(y + 1, height - 1)
    across = (int(source[up, right]) + 2 * int(source[y, right]) + int(source[down, right])
              - int(source[up, left]) - 2 * int(source[y, left]) - int(source[down, left]))
    along = (int(source[down, left]) + 2 * int(source[down, x]) + int(source[down, right])
             - int(source[up, left]) - 2 * int(source[up, x]) - int(source[up, right]))
    out[y, x] = min(math.sqrt(np.float32(across * across + along * along)), np.float32(255))
