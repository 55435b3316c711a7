from numba import cuda, int32


@cuda.jit
def multiply(a, b, c, n, m):
    part = cuda.shared.array(288, int32)  # part[0] is a[first]
    factors = cuda.shared.array(33, int32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * cuda.blockDim.x - (m - 1)
    for k in range(t, cuda.blockDim.x + m - 1, cuda.blockDim.x):
        part[k] = a[first + k] if 0 <= first + k < n else 0
    for k in range(t, m, cuda.blockDim.x):
        factors[k] = b[k]
    cuda.syncthreads()
    j = cuda.grid(1)
    total = int32(0)
    for k in range(m):
        total += part[t + m - 1 - k] * factors[k]
    if j < n + m - 1:
        c[j] = total
