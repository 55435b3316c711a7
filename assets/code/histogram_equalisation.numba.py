@cuda.jit
def count_grays(gray, bins, n):
    i = cuda.grid(1)
    if i < n:
        width = gray.shape[1]
        cuda.atomic.add(bins, gray[i // width, i % width], 1)


@cuda.jit
def make_table(bins, table, n):  # one block of 256 threads
    sums = cuda.shared.array(256, np.uint32)
    darkest = cuda.shared.array(1, np.uint32)  # how many pixels have the darkest value
    v = cuda.threadIdx.x
    sums[v] = bins[v]
    cuda.syncthreads()
    distance = 1
    while distance < 256:
        other = sums[v - distance] if v >= distance else np.uint32(0)
        cuda.syncthreads()  # all threads have read before any thread writes
        sums[v] += other
        cuda.syncthreads()
        distance *= 2
    if bins[v] > 0 and sums[v] == bins[v]:
        darkest[0] = bins[v]  # no pixel is darker: one thread at most
    cuda.syncthreads()
    span = np.int64(n) - np.int64(darkest[0])
    rank = max(np.int64(sums[v]) - np.int64(darkest[0]), np.int64(0))
    table[v] = v if span == 0 else (rank * 255 + span // 2) // span


@cuda.jit
def apply_table(gray, table, out, n):
    i = cuda.grid(1)
    if i < n:
        width = gray.shape[1]
        out[i // width, i % width] = table[gray[i // width, i % width]]
