@cuda.jit
def mandelbrot(rgb, width, height, center_x, center_y, scale, max_iterations):
    x, y = cuda.grid(2)
    if x >= width or y >= height:
        return
    c_x = scale * np.float32(x - width // 2) + center_x
    c_y = scale * np.float32(height // 2 - y) + center_y
    z_x = np.float32(0)
    z_y = np.float32(0)
    iteration = 0
    while iteration < max_iterations and z_x * z_x + z_y * z_y <= np.float32(4):
        next_x = z_x * z_x - z_y * z_y + c_x
        z_y = np.float32(2) * z_x * z_y + c_y
        z_x = next_x
        iteration += 1
    t = math.sqrt(np.float32(iteration) / np.float32(max_iterations))
    s = np.float32(1) - t
    rgb[y, x, 0] = np.uint8(np.float32(255 * 9) * s * t * t * t)
    rgb[y, x, 1] = np.uint8(np.float32(255 * 15) * s * s * t * t)
    rgb[y, x, 2] = np.uint8(np.float32(255 * 8.5) * s * s * s * t)
