from numba import cuda


@cuda.jit
def twice_and_one(x, n):
    first = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    for i in range(first, n, cuda.gridDim.x * cuda.blockDim.x):
        x[i] = 2 * x[i] + 1
