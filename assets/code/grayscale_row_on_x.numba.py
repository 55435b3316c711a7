@cuda.jit
def grayscale_row_on_x(rgb, gray, width, height):
    row, column = cuda.grid(2)  # x counts rows: neighbouring lanes are a whole row apart
    if row >= height or column >= width:
        return
    r = np.float32(rgb[row, column, 0])
    g = np.float32(rgb[row, column, 1])
    b = np.float32(rgb[row, column, 2])
    gray[row, column] = np.float32(0.299) * r + np.float32(0.587) * g + np.float32(0.114) * b + np.float32(0.5)
