from numba import cuda, int32


@cuda.jit
def histogram(values, counts, n):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        counts[values[i]] += 1
