@cuda.jit
def local_array(x, most, n, each):
    thread = cuda.grid(1)
    if thread >= n:
        return
    counts = cuda.local.array(16, np.int32)  # indexed at run time, so it lies in local memory
    for value in range(16):
        counts[value] = 0
    for k in range(each):
        counts[x[k, thread] & 15] += 1
    best = 0
    for value in range(1, 16):
        if counts[value] > counts[best]:
            best = value
    most[thread] = best
