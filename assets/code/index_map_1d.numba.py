@cuda.jit
def index_map_1d(x_of, n):
    x = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x  # cuda.grid(1) is short for it
    if x < n:
        x_of[x] = x
