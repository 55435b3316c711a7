from numba import cuda, float32


@cuda.jit
def halve(x, out, n):
    i = 4 * cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    for row in range(4):
        if i < n:
            out[i] = x[i] * float32(0.5)
        i += cuda.blockDim.x
