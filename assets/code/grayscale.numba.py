@cuda.jit
def grayscale(rgb, gray, width, height):
    x, y = cuda.grid(2)
    if x >= width or y >= height:
        return
    r = np.float32(rgb[y, x, 0])
    g = np.float32(rgb[y, x, 1])
    b = np.float32(rgb[y, x, 2])
    gray[y, x] = np.float32(0.299) * r + np.float32(0.587) * g + np.float32(0.114) * b + np.float32(0.5)
