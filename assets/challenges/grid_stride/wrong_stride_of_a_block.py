from numba import cuda


@cuda.jit
def twice_and_one(x, n):
    for i in range(cuda.grid(1), n, cuda.blockDim.x):
        x[i] = 2 * x[i] + 1
