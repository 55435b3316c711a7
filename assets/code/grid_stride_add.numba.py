@cuda.jit
def grid_stride_add(x, y, out, n):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):  # advance by all threads of the grid
        out[i] = x[i] + y[i]
