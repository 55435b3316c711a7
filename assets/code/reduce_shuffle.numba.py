@cuda.jit(device=True)
def sum_of_lanes(value, lanes):
    lane = cuda.threadIdx.x % 32
    mask = 0xFFFFFFFF if lanes == 32 else (1 << lanes) - 1  # the last warp of a block may have fewer lanes
    for shift in range(5):
        distance = 16 >> shift
        other = cuda.shfl_down_sync(mask, value, distance)
        if lane + distance < lanes:
            value += other
    return value  # lane 0 has the sum


@cuda.jit
def reduce_shuffle(x, sums, n):
    of_warp = cuda.shared.array(32, np.float32)
    i = cuda.grid(1)
    warp = cuda.threadIdx.x // 32
    warps = (cuda.blockDim.x + 31) // 32
    lanes = min(32, cuda.blockDim.x - 32 * warp)
    total = sum_of_lanes(x[i] if i < n else np.float32(0), lanes)
    if cuda.threadIdx.x % 32 == 0:
        of_warp[warp] = total
    cuda.syncthreads()
    if cuda.threadIdx.x >= warps:  # for each warp, one lane of the first warp goes on
        return
    total = sum_of_lanes(of_warp[cuda.threadIdx.x], warps)
    if cuda.threadIdx.x == 0:
        sums[cuda.blockIdx.x] = total
