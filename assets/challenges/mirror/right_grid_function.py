from numba import cuda


@cuda.jit
def mirror(source, out, width, height):
    column, row = cuda.grid(2)
    rows, columns = source.shape
    if column >= columns or row >= rows:
        return
    out[row, columns - 1 - column] = source[row, column]
