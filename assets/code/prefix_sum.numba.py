@cuda.jit
def scan_blocks(x, out, sums, n):
    values = cuda.shared.array(1024, np.int32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    values[t] = x[i] if i < n else 0
    cuda.syncthreads()
    distance = 1
    while distance < cuda.blockDim.x:
        other = values[t - distance] if t >= distance else np.int32(0)
        cuda.syncthreads()  # all threads have read before any thread writes
        values[t] += other
        cuda.syncthreads()
        distance *= 2
    if i < n:
        out[i] = values[t]
    if t == cuda.blockDim.x - 1:
        sums[cuda.blockIdx.x] = values[t]


@cuda.jit
def scan_sums(sums, count):  # one block scans any number of sums
    values = cuda.shared.array(1024, np.int32)
    t = cuda.threadIdx.x
    before = np.int32(0)
    for start in range(0, count, cuda.blockDim.x):
        values[t] = sums[start + t] if start + t < count else 0
        cuda.syncthreads()
        distance = 1
        while distance < cuda.blockDim.x:
            other = values[t - distance] if t >= distance else np.int32(0)
            cuda.syncthreads()
            values[t] += other
            cuda.syncthreads()
            distance *= 2
        if start + t < count:
            sums[start + t] = before + values[t]
        before += values[cuda.blockDim.x - 1]
        cuda.syncthreads()  # no thread overwrites what another still adds


@cuda.jit
def add_sums(out, sums, n):
    i = cuda.grid(1)
    if i < n and cuda.blockIdx.x > 0:
        out[i] += sums[cuda.blockIdx.x - 1]
