from numba import cuda, int32


@cuda.jit
def histogram(values, counts, n):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        cuda.atomic.add(counts, values[i], 1)
