@cuda.jit
def vector_add(x, y, out, n):
    i = cuda.grid(1)  # blockIdx.x * blockDim.x + threadIdx.x
    if i < n:
        out[i] = x[i] + y[i]
