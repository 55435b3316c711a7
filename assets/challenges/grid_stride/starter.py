from numba import cuda


@cuda.jit
def twice_and_one(x, n):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i < n:
        x[i] = 2 * x[i] + 1
