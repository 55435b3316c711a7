from numba import cuda


@cuda.jit
def add(x, y, out, n):
    element = cuda.grid(1)
    if element >= out.size:
        return
    out[element] = y[element] + x[element]
