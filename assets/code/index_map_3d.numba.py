@cuda.jit
def index_map_3d(x_of, y_of, z_of, width, height, depth):
    x, y, z = cuda.grid(3)
    if x >= width or y >= height or z >= depth:
        return
    row = z * height + y  # layer after layer, row after row
    x_of[row, x] = x
    y_of[row, x] = y
    z_of[row, x] = z
