@cuda.jit
def reduce_blocks(x, sums, n):
    values = cuda.shared.array(1024, np.float32)
    t = cuda.threadIdx.x
    total = np.float32(0)
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        total += x[i]
    values[t] = total
    cuda.syncthreads()
    active = cuda.blockDim.x
    while active > 1:
        half = (active + 1) // 2
        if t + half < active:
            values[t] += values[t + half]
        cuda.syncthreads()
        active = half
    if t == 0:
        sums[cuda.blockIdx.x] = values[0]
