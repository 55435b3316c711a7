@cuda.jit
def reduce_shared(x, sums, n):
    values = cuda.shared.array(1024, np.float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    values[t] = x[i] if i < n else np.float32(0)
    cuda.syncthreads()
    active = cuda.blockDim.x
    while active > 1:
        half = (active + 1) // 2  # if the number is odd, the middle one waits for the next round
        if t + half < active:
            values[t] += values[t + half]
        cuda.syncthreads()
        active = half
    if t == 0:
        sums[cuda.blockIdx.x] = values[0]
