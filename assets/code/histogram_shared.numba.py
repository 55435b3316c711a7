@cuda.jit
def histogram_shared(gray, bins, n):
    own = cuda.shared.array(256, np.uint32)
    for b in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        own[b] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < n:
        width = gray.shape[1]
        cuda.atomic.add(own, gray[i // width, i % width], 1)
    cuda.syncthreads()
    for b in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        if own[b] > 0:
            cuda.atomic.add(bins, b, own[b])
