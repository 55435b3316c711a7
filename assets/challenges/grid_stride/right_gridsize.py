from numba import cuda


@cuda.jit
def twice_and_one(x, n):
    i = cuda.grid(1)
    threads = cuda.gridsize(1)
    while i < x.size:
        x[i] += x[i] + 1
        i += threads
