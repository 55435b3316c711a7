from numba import cuda, int32


@cuda.jit
def reverse(x, n):
    first = cuda.blockIdx.x * cuda.blockDim.x  # of this block's part
    count = min(cuda.blockDim.x, n - first)  # elements in it
    i = first + cuda.threadIdx.x
    if i < n:
        x[i] = x[first + count - 1 - cuda.threadIdx.x]
