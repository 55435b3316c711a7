from numba import cuda, int32


@cuda.jit
def sums(x, total, n):
    of_warps = cuda.shared.array(8, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    value = int32(0)
    if i < n:
        value = x[i]
    for step in range(5):
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, 16 >> step)
    if t % 32 == 0:
        of_warps[t // 32] = value
    cuda.syncthreads()
    cuda.syncthreads()
    if t == 0:
        all_warps = int32(0)
        for warp in range(cuda.blockDim.x // 32):
            all_warps += of_warps[warp]
        total[cuda.blockIdx.x] = all_warps
