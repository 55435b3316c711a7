@cuda.jit
def index_map_2d(x_of, y_of, width, height):
    x, y = cuda.grid(2)
    if x >= width or y >= height:
        return
    x_of[y, x] = x
    y_of[y, x] = y
