LOW = np.uint64(0xFFFFFFFF)


@cuda.jit(device=True)
def philox(turn, thread, seed):
    """Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011): a counter and a key become four numbers."""
    x, y, z, w = np.uint64(turn), np.uint64(thread), np.uint64(0), np.uint64(0)
    key_x, key_y = np.uint64(seed), np.uint64(0)
    for _ in range(10):
        product_x = np.uint64(0xD2511F53) * x
        product_z = np.uint64(0xCD9E8D57) * z
        x = (product_z >> np.uint64(32)) ^ y ^ key_x
        y = product_z & LOW
        z = (product_x >> np.uint64(32)) ^ w ^ key_y
        w = product_x & LOW
        key_x = (key_x + np.uint64(0x9E3779B9)) & LOW
        key_y = (key_y + np.uint64(0xBB67AE85)) & LOW
    return x, y, z, w


@cuda.jit(device=True)
def is_inside(a, b):
    x = np.float32(a) * np.float32(2.0**-32)
    y = np.float32(b) * np.float32(2.0**-32)
    return 1 if x * x + y * y <= np.float32(1) else 0


@cuda.jit(device=True)
def hits_of(thread, turns, seed):
    hits = 0
    for turn in range(turns):
        a, b, c, d = philox(turn, thread, seed)
        hits += is_inside(a, b) + is_inside(c, d)
    return hits


@cuda.jit
def pi_atomic_warp(total, turns, seed, n):
    thread = cuda.grid(1)
    # Signed, because Numba shuffles no unsigned numbers. 32 bits wide, or each shuffle would become two.
    hits = np.int32(hits_of(thread, turns, seed)) if thread < n else np.int32(0)
    lane = cuda.threadIdx.x % 32
    lanes = min(32, cuda.blockDim.x - (cuda.threadIdx.x - lane))
    mask = 0xFFFFFFFF if lanes == 32 else (1 << lanes) - 1  # the last warp of a block may have fewer lanes
    for shift in range(5):
        distance = 16 >> shift
        other = cuda.shfl_down_sync(mask, hits, distance)
        if lane + distance < lanes:
            hits = np.int32(hits + other)
    if lane == 0:
        cuda.atomic.add(total, 0, np.uint32(hits))
